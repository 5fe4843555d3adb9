#include "phasor/position/kernel.hpp"

#include <nlohmann/json.hpp>

#include "phasor/cli/show.hpp"

namespace phasor::cli {

void run(const KernelCommand& command) {
  check_places(command);
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
    print_by_distance("Score of the last query", kernel);
  }
  write_out(command, kernel, "kernel");
  write_shown(command, score_figure(command, kernel, "score"));
}

}  // namespace phasor::cli
