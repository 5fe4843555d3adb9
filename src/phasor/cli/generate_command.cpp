#include <nlohmann/json.hpp>

#include "phasor/cli/commands.hpp"
#include "phasor/tensor/gemm.hpp"

namespace phasor::cli {

void run(const GenerateCommand& command) {
  const Run loaded = load_run(command.run);
  use_single_threaded_blas();
  const Encoded prompt = loaded.tokenizer.encode(command.prompt);
  if (command.json) {
    const Encoded tokens = generate(*loaded.model, prompt, command.tokens, command.sampling);
    const nlohmann::ordered_json json{{"prompt", command.prompt},
                                      {"text", loaded.tokenizer.decode(tokens)}};
    fmt::print("{}\n", json.dump(2));
    return;
  }
  fmt::print("{}", command.prompt);
  generate(*loaded.model, prompt, command.tokens, command.sampling, [&](std::int32_t token) {
    fmt::print("{}", loaded.tokenizer.decode(std::span(&token, 1)));
    std::fflush(stdout);
    return true;
  });
  fmt::print("\n");
}

}  // namespace phasor::cli
