#include "phasor/cli/show.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"
#include "phasor/core/text.hpp"
#include "phasor/position/schemes.hpp"
#include "phasor/tensor/npy.hpp"

namespace phasor::cli {

void run(const EncodeCommand& command) {
  const SchemeEntry& entry = find_scheme(command.scheme);
  check<ConfigError>(
      entry.kind == "additive",
      "{} adds nothing to the embeddings (it enters as: {}), so there is no encoding "
      "to write; choose one of {}",
      entry.name, entry.kind, names_of_kind("additive"));
  check<ConfigError>(command.positions > 0, "--positions must be at least 1, got 0");
  check<ConfigError>(command.width > 0, "--width must be at least 1, got 0");
  check_writable(command.out);
  Rng rng(command.seed, "encode");
  const auto scheme =
      make_scheme(command.scheme, command.options, {command.width, 1, command.positions}, rng);
  // What the scheme adds to nothing is the encoding itself.
  const NoGrad no_grad;
  const Var nothing(zeros({1, command.positions, command.width}));
  Tensor encoding = scheme->embed(nothing, consecutive_positions(command.positions)).value();
  encoding.reshape({command.positions, command.width});
  write_npy(command.out, encoding);
  fmt::print("{}: {} positions x {} dimensions, float32, written to {}\n", command.scheme,
             command.positions, command.width, printable(command.out.string()));
}

}  // namespace phasor::cli
