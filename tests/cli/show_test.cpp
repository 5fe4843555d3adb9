// bias, rotate, kernel and compare end to end: the numbers a reader would look up, printed.
#include <nlohmann/json.hpp>

#include "phasor/tensor/npy.hpp"
#include "tests/cli/bad_input.hpp"
#include "tests/cli/command.hpp"

namespace phasor::cli {
namespace {

/// The numbers after "name: " on its line.
std::vector<double> fact(const std::string& text, const std::string& name) {
  const std::size_t before = text.find("\n" + name + ": "), start = before + 1;
  EXPECT_NE(before, text.npos) << name << " is not in\n" << text;
  if (before == text.npos) return {};
  std::istringstream line(text.substr(start + name.size() + 2, text.find('\n', start) - start));
  std::vector<double> numbers;
  for (double value; line >> value;) numbers.push_back(value);
  return numbers;
}

/// The last number of the line that begins with pair `pair`.
double share_of(const std::string& text, int pair) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (std::istringstream words(line); true) {
      int first = -1;
      double last = NAN;
      if (words >> first && first == pair) {
        while (words >> last) {
        }
        return last;
      }
    }
  return NAN;
}

TEST(BiasCommand, prints_the_slopes_of_alibi_for_any_number_of_heads) {
  const WorkFolder folder;
  const auto slopes = [&](int heads) {
    return fact(output_of(folder.path(), fmt::format("bias --scheme alibi --heads {}", heads)),
                "slope of each head");
  };
  EXPECT_EQ(slopes(1), (std::vector<double>{0.00390625}));
  EXPECT_EQ(slopes(6), (std::vector<double>{.25, .0625, .015625, .00390625, .5, .125}));
  EXPECT_EQ(slopes(8).front(), 0.5);
  EXPECT_EQ(slopes(8).back(), 1.0 / 256);
  const std::vector<double> twelve = slopes(12);
  ASSERT_EQ(twelve.size(), 12U);
  EXPECT_EQ(twelve[7], 1.0 / 256);
  EXPECT_NEAR(twelve[8], 0.70711, 1e-5);
  EXPECT_NEAR(twelve[11], 0.08839, 1e-5);
}

TEST(BiasCommand, prints_where_the_buckets_of_t5_begin) {
  const WorkFolder folder;
  const std::string text = output_of(folder.path(), "bias --scheme t5_bias");
  const std::vector<double> causal = fact(text, "first distance of each bucket, causal");
  ASSERT_EQ(causal.size(), 32U);
  EXPECT_EQ(std::vector<double>(causal.begin() + 16, causal.end()),
            (std::vector<double>{16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113}));
  const std::vector<double> past =
      fact(text, "first distance of each bucket of the past, unmasked");
  EXPECT_EQ(std::vector<double>(past.begin() + 8, past.end()),
            (std::vector<double>{8, 12, 16, 23, 32, 46, 64, 91}));
}

TEST(BiasCommand, writes_queries_in_rows) {
  const WorkFolder folder;
  output_of(folder.path(), "bias --scheme alibi --heads 3 --positions 5 --out bias.npy");
  const auto bias = read_npy<float>(folder / "bias.npy");
  ASSERT_EQ(shape_of(bias), (Shape{3, 5, 5}));
  for (std::size_t m = 0; m < 5; ++m)
    for (std::size_t n = 0; n < 5; ++n)
      EXPECT_EQ(bias(0, m, n), -0.0625F * std::abs(static_cast<float>(m) - static_cast<float>(n)));
}

TEST(RotateCommand, prints_what_ntk_and_dynamic_ntk_make_of_the_base) {
  const WorkFolder folder;
  const auto line = [&](const std::string& more) {
    return output_of(folder.path(), "rotate --scheme rope --width 64 --scaling " + more);
  };
  EXPECT_EQ(fact(line("ntk:4"), "base at L and at 2 L"), (std::vector<double>{41829.4, 41829.4}));
  const std::string stretch = "the base is stretched by s, at L and at 2 L";
  EXPECT_EQ(fact(line("dynamic_ntk:2"), stretch), (std::vector<double>{1, 3}));
  EXPECT_EQ(fact(line("dynamic_ntk --form paper"), stretch), (std::vector<double>{1, 2}));
  EXPECT_EQ(share_of(line("ntk:4"), 31), 0.25);  // of the slowest pair's trained speed
}

TEST(RotateCommand, prints_the_ramps_of_yarn_and_its_factor_on_logits) {
  const WorkFolder folder;
  const std::string yarn =
      "rotate --scheme rope --width 128 --scaling yarn:4 --original 4096 --pair 33 --ramp ";
  const std::string code = output_of(folder.path(), yarn + "code");
  EXPECT_NEAR(share_of(code, 33), 0.5, 5e-4);
  EXPECT_NEAR(share_of(output_of(folder.path(), yarn + "paper"), 33), 0.150, 5e-4);
  EXPECT_NEAR(fact(code, "factor on cos and sin, and on logits")[1], 1.2965, 5e-5);
  EXPECT_EQ(code.find("base"), std::string::npos) << code;  // which yarn leaves as it is
}

TEST(RotateCommand, says_how_many_pairs_it_leaves_out) {
  const WorkFolder folder;
  const auto output = [&](const std::string& more) {
    return output_of(folder.path(), "rotate --scheme rope " + more);
  };
  EXPECT_NE(output("--width 64").find("\n12 of 32 pairs; --pair N shows others"),
            std::string::npos);
  EXPECT_EQ(output("--width 24").find("of 12 pairs"), std::string::npos);
  EXPECT_EQ(output("--width 64 --pair 30").find("of 32 pairs"), std::string::npos);
}

TEST(RotateCommand, writes_angles) {
  const WorkFolder folder;
  output_of(folder.path(), "rotate --scheme rope --width 6 --positions 9 --base 100 --out a.npy");
  const auto angles = read_npy<float>(folder / "a.npy");
  ASSERT_EQ(shape_of(angles), (Shape{9, 3}));
  for (std::size_t t = 0; t < 9; ++t)
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(angles(t, c),
                  static_cast<double>(t) * std::pow(100, -2.0 * static_cast<double>(c) / 6), 1e-6);
}

TEST(KernelCommand, writes_scores_and_draws) {
  const WorkFolder folder;
  const std::string text = output_of(
      folder.path(),
      "kernel --scheme sinusoidal --width 8 --heads 1 --positions 6 --out k.npy --figure k.svg");
  const auto kernel = read_npy<float>(folder / "k.npy");
  ASSERT_EQ(shape_of(kernel), (Shape{1, 6, 6}));
  EXPECT_TRUE(std::isnan(kernel(0, 0, 1)));
  EXPECT_NEAR(kernel(0, 5, 5), 4 / std::sqrt(8.0), 1e-6);
  EXPECT_TRUE(std::filesystem::exists(folder / "k.csv"));
  if (text.find("drawn") != text.npos) {
    EXPECT_TRUE(std::filesystem::exists(folder / "k.svg"));
  }
}

TEST(CompareCommand, prints_one_row_a_scheme) {
  const WorkFolder folder;
  write_small_text(folder);
  const std::string table = output_of(
      folder.path(),
      "compare --text small.txt --steps 3 --width 8 --heads 2 --layers 1 --context 8 --batch 2 "
      "--schemes rope,learned --contexts 8,16 --seeds 2 --tokens 100");
  EXPECT_NE(table.find("\nrope "), table.npos) << table;
  EXPECT_NE(table.find(" +- "), table.npos) << table;
  EXPECT_NE(table.find("no positions"), table.npos) << "learned has no row beyond 8\n" << table;
}

TEST(EvalCommand, scales_a_rotation_slides_its_window_and_sharpens_dropped_ones) {
  const WorkFolder folder;
  write_small_text(folder);
  output_of(folder.path(), tiny_training("--scheme rope --out rope"));
  const auto json = [&](const std::string& more) {
    return nlohmann::json::parse(output_of(folder.path(), "eval --json --run " + more));
  };
  const double plain = json("rope --context 16").at("loss");
  EXPECT_EQ(json("rope --context 16 --scaling pi:1").at("loss"), plain);
  EXPECT_NE(json("rope --context 16 --scaling pi:2").at("loss"), plain);
  EXPECT_NE(json("rope --context 16 --scaling yarn:4").at("loss"), plain);
  const auto sliding = json("rope --context 8 --sliding");
  EXPECT_EQ(sliding.at("stride"), 2);
  EXPECT_NE(sliding.at("loss"), json("rope").at("loss"));
  EXPECT_EQ(json("rope --sliding --stride 8").at("loss"), json("rope").at("loss"));
  output_of(folder.path(), tiny_training("--scheme rope --drop-positions-at 3 --out dropped"));
  const double dropped = json("dropped --context 16").at("loss");
  EXPECT_NE(dropped, plain);
  EXPECT_EQ(json("dropped --context 8 --logit-temperature 0.4").at("loss"),
            json("dropped").at("loss"));
  EXPECT_NE(json("dropped --context 16 --logit-temperature 4").at("loss"), dropped);
}

TEST_F(BadInputs, what_cannot_be_shown) {
  make_runs();
  expect_refused({
      {"bias of a rotation", "bias --scheme rope", {"rope adds no bias", "t5_bias, alibi"}},
      {"angles of a bias", "rotate --scheme alibi", {"alibi rotates nothing", "rope, p_rope"}},
      {"unknown scaling", "rotate --scheme rope --scaling foo:2", {"'foo:2'", "yarn:S", "yarn:4"}},
      {"scaling without factor", "rotate --scheme rope --scaling yarn", {"'yarn'", "yarn:4"}},
      {"factor below 1", "rotate --scheme rope --scaling pi:0.5", {"from 1", "'pi:0.5'"}},
      {"ramp without yarn", "rotate --scheme rope --ramp paper", {"--ramp", "--scaling yarn:4"}},
      {"form without dynamic_ntk",
       "rotate --scheme rope --scaling ntk:2 --form paper",
       {"--form", "--scaling dynamic_ntk", "ntk:2"}},
      {"factor for the paper's form",
       "rotate --scheme rope --scaling dynamic_ntk:2 --form paper",
       {"no factor", "--form hf"}},
      {"ntk of one pair", "rotate --scheme rope --width 2 --scaling ntk:4", {"more than one pair"}},
      {"no such pair", "rotate --scheme rope --width 8 --pair 4", {"--pair 4", "0 to 3"}},
      {"figure of another kind", "bias --scheme alibi --figure a.png", {".svg", "a.png"}},
      {"unmasked content", "kernel --scheme cope --unmasked", {"[cope]", "causal"}},
      {"buckets that do not fit",
       "bias --scheme t5_bias --max-distance 8",
       {"--max-distance", "8"}},
      {"additive table beside a bias",
       "train --text small.txt --scheme alibi --layout concat --out new",
       {"[alibi] has no option 'layout'"}},
      {"scaling of another scheme", "eval --run run --scaling pi:2", {"no option 'scaling'"}},
      {"stride alone", "eval --run run --stride 2", {"--sliding"}},
      {"stride beyond the window", "eval --run run --sliding --stride 9", {"at most", "8", "9"}},
      {"temperature of positions", "eval --run run --logit-temperature 1", {"dropped"}},
      {"dropping a table",
       "train --text small.txt --scheme learned --context 8 --drop-positions-at 5 --out new",
       {"--drop-positions-at", "learned is none"}},
      {"dropping after the end",
       "train --text small.txt --scheme rope --context 8 --steps 5 --drop-positions-at 5 --out new",
       {"--drop-positions-at", "below the 5"}},
      {"random positions in too small a range",
       "train --text small.txt --context 8 --random-positions 7 --out new",
       {"--random-positions", "8", "7"}},
      {"unknown scheme to compare", "compare --text small.txt --schemes rope,foo", {"'foo'"}},
      {"nothing to compare", "compare --text small.txt --seeds 0", {"--seeds"}},
  });
}

}  // namespace
}  // namespace phasor::cli
