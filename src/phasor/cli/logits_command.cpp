#include "phasor/cli/commands.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"
#include "phasor/core/text.hpp"
#include "phasor/tensor/gemm.hpp"
#include "phasor/tensor/npy.hpp"

namespace phasor::cli {

void run(const LogitsCommand& command) {
  check_writable(command.out);
  const Run loaded = load_run(command.run);
  use_single_threaded_blas();
  const Indices tokens = read_integers(command.tokens);
  check<DataError>(tokens.dimension() == 2,
                   "{} has shape {}, tokens must be [B, T]; one sequence is [1, T]",
                   command.tokens.string(), shape_of(tokens));
  const std::size_t vocabulary = loaded.config.model.vocabulary;
  for (const std::int64_t token : tokens)
    check<DataError>(token >= 0 && token < static_cast<std::int64_t>(vocabulary),
                     "{} holds token {}, the model's vocabulary has tokens 0 to {}; encode the "
                     "text with the symbols in {}",
                     command.tokens.string(), token, vocabulary - 1,
                     (command.run / "config.json").string());
  const NoGrad no_grad;
  const Tensor logits = (*loaded.model)(tokens).value();
  write_npy(command.out, logits);
  fmt::print("{}: logits {}, float32, written to {}\n", loaded.config.model.scheme,
             shape_of(logits), printable(command.out.string()));
}

}  // namespace phasor::cli
