// What `compare` and `eval` print, against the runs and the losses by position that they come from.
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <regex>

#include "tests/cli/command.hpp"

namespace phasor::cli {
namespace {

const std::string kSizes = " --text small.txt --width 8 --heads 2 --layers 1 --context 8 --batch 2";

double loss_of(const WorkFolder& folder, const std::string& run, std::size_t context) {
  const std::string line =
      fmt::format("eval --run cmp/{} --context {} --tokens 100 --json", run, context);
  return nlohmann::json::parse(output_of(folder.path(), line)).at("loss");
}

/// Of two numbers the mean, and half of how far they lie apart.
TEST(CompareCommand, gives_mean_and_half_range_over_runs_with_other_seeds) {
  const WorkFolder folder;
  write_small_text(folder);
  const nlohmann::json rows = nlohmann::json::parse(
      output_of(folder.path(), "compare" + kSizes +
                                   " --steps 4 --seed 7 --seeds 2 --schemes none,alibi "
                                   "--contexts 8,16 --tokens 100 --out cmp --json"));
  ASSERT_EQ(rows.size(), 2U);
  for (const auto& row : rows) {
    const std::string scheme = row.at("scheme");
    for (const std::size_t context : {8U, 16U}) {
      const double first = loss_of(folder, scheme + "-7", context),
                   second = loss_of(folder, scheme + "-8", context);
      EXPECT_GT(std::abs(first - second), 1e-6) << scheme << ": two seeds, one loss";
      const auto& loss = row.at("losses").at(std::to_string(context));
      EXPECT_NEAR(loss.at("mean"), (first + second) / 2, 1e-12) << scheme;
      EXPECT_NEAR(loss.at("half_range"), std::abs(first - second) / 2, 1e-12) << scheme;
    }
  }
}

TEST(CompareCommand, prints_what_its_json_holds) {
  const WorkFolder folder;
  write_small_text(folder);
  const std::string line =
      "compare" + kSizes +
      " --steps 4 --seeds 2 --schemes none --contexts 8 --tokens 100 --out cmp";
  const nlohmann::json rows = nlohmann::json::parse(output_of(folder.path(), line + " --json"));
  const auto& loss = rows.at(0).at("losses").at("8");
  const std::string table = output_of(folder.path(), line);
  EXPECT_NE(table.find(fmt::format(" {:.4f} +- {:.4f} ", loss.at("mean").get<double>(),
                                   loss.at("half_range").get<double>())),
            table.npos)
      << table;
}

/// Whoever leaves options out gets what --help says.
TEST(CompareCommand, has_these_defaults) {
  const WorkFolder folder;
  write_small_text(folder);
  const std::string table =
      output_of(folder.path(),
                "compare --text small.txt --schemes none --width 4 --heads 1 --layers 1 "
                "--context 4 --batch 1 --tokens 50 --out cmp");
  EXPECT_TRUE(table.starts_with("300 steps on small.txt: ")) << table;
  EXPECT_NE(table.find("batch 1, 1 seed.\n"), table.npos) << table;
  EXPECT_NE(table.find(" loss at 4 "), table.npos) << table;
  EXPECT_NE(table.find(" loss at 16 "), table.npos) << "four times the context\n" << table;
}

TEST(TrainCommand, has_these_defaults) {
  const WorkFolder folder;
  write_small_text(folder);
  output_of(folder.path(),
            "train --text small.txt --width 4 --heads 1 --layers 1 --context 4 "
            "--batch 1 --eval-tokens 50 --out run");
  const nlohmann::json config = nlohmann::json::parse(read_file(folder / "run/config.json"));
  const nlohmann::json& train = config.at("train");
  const std::map<std::string, double> wanted{
      {"steps", 1000},  {"accumulate", 1},     {"warmup", 50},      {"lr", 2e-3},
      {"min_lr", 2e-4}, {"weight_decay", 0.1}, {"beta1", 0.9},      {"beta2", 0.99},
      {"clip", 1},      {"seed", 1},           {"eval_every", 100}, {"drop_positions_at", 0}};
  for (const auto& [name, value] : wanted) EXPECT_EQ(train.at(name), value) << name;
}

/// Ranges that double, cut at the window's end, each with the mean of its positions.
TEST(EvalCommand, prints_the_mean_loss_of_ranges_that_double) {
  const WorkFolder folder;
  write_small_text(folder);
  output_of(folder.path(), tiny_training("--out run"));
  const std::string line = "eval --run run --context 11";
  const std::vector<double> losses =
      nlohmann::json::parse(output_of(folder.path(), line + " --json")).at("by_position");
  ASSERT_EQ(losses.size(), 11U);
  const std::string table = output_of(folder.path(), line);
  std::string wanted = fmt::format("\n{:>12}  {}\n", "position", "loss");
  const auto add = [&](const char* name, std::size_t first, std::size_t last) {
    const auto begin = losses.begin() + static_cast<std::ptrdiff_t>(first),
               end = losses.begin() + static_cast<std::ptrdiff_t>(last) + 1;
    wanted += fmt::format("{:>12}  {:.4f}\n", name,
                          std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin));
  };
  add("0", 0, 0);
  add("1", 1, 1);
  add("2-3", 2, 3);
  add("4-7", 4, 7);
  add("8-10", 8, 10);
  EXPECT_TRUE(table.ends_with(wanted)) << table << "\nwanted at its end:\n" << wanted;
}

/// Every key that a query sees has its number, the query's own too, and no other has.
TEST(BiasCommand, draws_the_diagonal_and_hides_the_future) {
  const WorkFolder folder;
  output_of(folder.path(), "bias --scheme alibi --heads 1 --positions 4 --figure b.svg");
  std::istringstream lines(read_file(folder / "b.csv"));
  std::size_t cells = 0;
  for (std::string line; std::getline(lines, line);) {
    std::smatch cell;  // panel,cell,,key,query,value,,
    if (!std::regex_match(line, cell, std::regex("1,cell,,([0-9]+),([0-9]+),([^,]*),,"))) continue;
    ++cells;
    const int key = std::stoi(cell[1]), query = std::stoi(cell[2]);
    const double value = std::stod(cell[3]);
    if (key > query)
      EXPECT_TRUE(std::isnan(value)) << line;
    else
      EXPECT_EQ(value, -0.00390625 * (query - key)) << line;  // the slope of one head, 2^-8
  }
  EXPECT_EQ(cells, 16U);
}

}  // namespace
}  // namespace phasor::cli
