#include "phasor/position/kernel.hpp"

#include <nlohmann/json.hpp>

#include "phasor/cli/show.hpp"

namespace phasor::cli {
namespace {

/// What the last query gives to keys at distance 0, 1, 2, ...
std::vector<double> by_distance(const Tensor& kernel, std::size_t head) {
  const std::size_t T = kernel.shape()[1];
  std::vector<double> scores;
  for (std::size_t rel = 0; rel < T; ++rel)
    scores.push_back(static_cast<double>(kernel(head, T - 1, T - 1 - rel)));
  return scores;
}

void print_scores(const Tensor& kernel) {
  const std::size_t shown = std::min<std::size_t>(kernel.shape()[1], 8);
  fmt::print("\nScore of the last query, by distance:\n{:>6}", "head");
  for (std::size_t rel = 0; rel < shown; ++rel) fmt::print(" {:>9}", rel);
  for (std::size_t h = 0; h < kernel.shape()[0]; ++h) {
    fmt::print("\n{:>6}", h + 1);
    const std::vector<double> scores = by_distance(kernel, h);
    for (std::size_t rel = 0; rel < shown; ++rel) fmt::print(" {:>9.4g}", scores[rel]);
  }
  fmt::print("\n");
}

}  // namespace

void run(const KernelCommand& command) {
  const auto scheme = make_shown(command);
  const Tensor kernel = score_kernel(*scheme, {command.width, command.heads, command.context},
                                     consecutive_positions(command.positions), !command.unmasked);
  if (command.json) {
    nlohmann::ordered_json json{{"scheme", command.scheme}, {"shape", shape_of(kernel)}};
    for (std::size_t h = 0; h < command.heads; ++h)
      json["by_distance"].push_back(by_distance(kernel, h));
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}: score(m, n) for constant queries and keys, {} heads of width {}, {}.\n",
               title_of(command), command.heads, command.width / command.heads,
               command.unmasked ? "unmasked" : "causal");
    print_scores(kernel);
  }
  write_out(command, kernel, "kernel");
  write_shown(command, score_figure(command, kernel, "score"));
}

}  // namespace phasor::cli
