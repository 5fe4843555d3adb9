#include <nlohmann/json.hpp>

#include "phasor/cli/commands.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/program.hpp"
#include "phasor/tensor/gemm.hpp"

namespace phasor::cli {

void run(const GenerateCommand& command) {
  const Run loaded = load_run(command.run, scaling_option(command.scaling));
  use_single_threaded_blas();
  const Encoded prompt = loaded.tokenizer.encode(command.prompt);
  if (command.json) {
    const Encoded tokens = generate(*loaded.model, prompt, command.tokens, command.sampling);
    const nlohmann::ordered_json json{{"prompt", command.prompt},
                                      {"text", loaded.tokenizer.decode(tokens)}};
    fmt::print("{}\n", json.dump(2));
    return;
  }
  // The prompt waits for the first token, so that options that cannot work print nothing.
  std::string pending = command.prompt;
  const auto print = [&](const std::string& text) {
    fmt::print("{}{}", std::exchange(pending, {}), text);
    flush_output();
  };
  try {
    generate(*loaded.model, prompt, command.tokens, command.sampling, [&](std::int32_t token) {
      print(loaded.tokenizer.decode(std::span(&token, 1)));
      return true;
    });
  } catch (const Error&) {
    if (pending.empty()) fmt::print("\n");  // the message starts on a line of its own
    throw;
  }
  print("\n");
}

}  // namespace phasor::cli
