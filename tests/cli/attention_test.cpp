// phasor attention: what it prints, writes and refuses.
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/cli/bad_input.hpp"
#include "tests/golden_files.hpp"

namespace phasor::cli {
namespace {

TEST(AttentionCommand, prints_a_row_for_every_head) {
  const WorkFolder folder;
  write_small_text(folder);
  output_of(folder.path(), tiny_training("--scheme rope --out run"));
  const std::string table = output_of(folder.path(), "attention --run run --prompt 'the quick'");
  EXPECT_NE(table.find("rope, 1 layers of 2 heads, on 9 tokens (trained at 8)"), table.npos)
      << table;
  EXPECT_NE(table.find("\n    1     2 "), table.npos) << table;
  EXPECT_NE(table.find(" even "), table.npos) << table;
}

TEST(AttentionCommand, writes_weights_whose_rows_sum_to_one) {
  const WorkFolder folder;
  write_small_text(folder);
  output_of(folder.path(), tiny_training("--scheme alibi --out run"));
  const std::string text = output_of(
      folder.path(),
      "attention --run run --prompt 'the fox' --out w.npy --figure maps.svg --layer 1 --head 2");
  EXPECT_NE(text.find("weights [1, 2, 7, 7], float32, written to w.npy"), text.npos) << text;
  const xt::xarray<float> weights = read_npy<float>(folder / "w.npy");
  ASSERT_EQ(shape_of(weights), Shape({1, 2, 7, 7}));
  for (std::size_t row = 0; row < 2 * 7; ++row) {
    double sum = 0;
    for (std::size_t s = 0; s < 7; ++s) {
      sum += static_cast<double>(weights.data()[row * 7 + s]);
      if (s > row % 7) {
        EXPECT_EQ(weights.data()[row * 7 + s], 0);
      }
    }
    EXPECT_NEAR(sum, 1, 7 * 1.2e-7);  // a rounding of float for every term
  }
  const auto files = contents_of(folder.path());
  for (const char* name : {"maps.svg", "maps.png", "maps.csv", "maps.json"})
    EXPECT_TRUE(files.contains(name)) << name;
  EXPECT_NE(files.at("maps.csv").find("\n1,cell,"), std::string::npos);
  EXPECT_EQ(files.at("maps.csv").find("\n2,cell,"), std::string::npos);  // one map alone
}

TEST(AttentionCommand, json_has_the_shares_of_every_head) {
  const WorkFolder folder;
  write_small_text(folder);
  output_of(folder.path(), tiny_training("--scheme none --out run"));
  const auto json = nlohmann::json::parse(
      output_of(folder.path(), "attention --run run --prompt 'over the' --json"));
  EXPECT_EQ(json.at("scheme"), "none");
  EXPECT_EQ(json.at("shape"), (std::vector<int>{1, 2, 8, 8}));
  EXPECT_EQ(json.at("tokens").at(4), "␣");
  ASSERT_EQ(json.at("heads").size(), 2U);
  EXPECT_EQ(json.at("heads").at(1).at("head"), 2);
  // Mean of 1/3 ... 1/8 over the queries from the third on.
  EXPECT_NEAR(json.at("even").at("previous").get<double>(),
              (1. / 3 + 1. / 4 + 1. / 5 + 1. / 6 + 1. / 7 + 1. / 8) / 6, 1e-12);
}

TEST_F(BadInputs, attention) {
  make_runs();
  const std::string attention = "attention --run run --prompt ";
  expect_refused({
      {"no run", "attention --run none --prompt the", {"none holds no run", "--out"}},
      {"no prompt", "attention --run run", {"--prompt"}},
      {"empty prompt", attention + "''", {"text is empty", "at least one character"}},
      {"prompt too short", attention + "ab", {"at least 3 tokens", "got 2", "longer"}},
      {"unknown character", attention + "'the Fox'", {"'F' (U+0046)", "column 5"}},
      {"beyond the table",
       "attention --run learned --prompt 'the quick brown'",
       {"[learned] position 8", "rows 0 to 7"}},
      {"layer that is not there",
       attention + "the --layer 2 --figure a.svg",
       {"no layer 2", "layers 1 to 1"}},
      {"head that is not there",
       attention + "the --head 3 --figure a.svg",
       {"no head 3", "heads 1 to 2"}},
      {"layer without a figure", attention + "the --layer 1", {"--figure"}},
      {"negative layer", attention + "the --layer -1 --figure a.svg", {"--layer", "'-1'"}},
      {"another kind of file", attention + "the --figure a.pdf", {"--figure", ".svg", "a.pdf"}},
  });
}

}  // namespace
}  // namespace phasor::cli
