#include <nlohmann/json.hpp>

#include "phasor/cli/show.hpp"
#include "phasor/core/error.hpp"
#include "phasor/position/schemes.hpp"

namespace phasor::cli {

void run(const BiasCommand& command) {
  check_places(command);
  const auto scheme = make_shown(command);
  const auto* biased = dynamic_cast<const BiasScheme*>(scheme.get());
  check<ConfigError>(biased != nullptr,
                     "{} adds no bias of its own to the logits (it enters as: {}); choose one of "
                     "{}, or see its scores with phasor kernel",
                     command.scheme, find_scheme(command.scheme).kind, names_of_kind("bias"));
  const NoGrad no_grad;
  const Positions positions = consecutive_positions(command.positions);
  const Context context{positions, positions, 1, !command.unmasked};
  const Tensor bias = biased->bias(context).value();
  if (command.json) {
    nlohmann::ordered_json json{{"scheme", command.scheme},
                                {"shape", shape_of(bias)},
                                {"causal", !command.unmasked},
                                {"facts", facts_to_json(scheme->facts())}};
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}: {} heads, {} positions, {}.\n", title_of(command), command.heads,
               command.positions, command.unmasked ? "unmasked" : "causal");
    print_facts(scheme->facts());
    print_by_distance("Bias on the last query", bias);
  }
  write_out(command, bias, "bias");
  if (command.figure.empty()) return;
  Tensor visible = bias;
  for (std::size_t h = 0; h < command.heads; ++h)
    for (std::size_t m = 0; m < command.positions; ++m)
      for (std::size_t n = m + 1; n < command.positions && !command.unmasked; ++n)
        visible(h, m, n) = std::numeric_limits<Real>::quiet_NaN();
  write_shown(command, score_figure(command, visible, "bias on the logit"));
}

}  // namespace phasor::cli
