#include <nlohmann/json.hpp>

#include "phasor/cli/commands.hpp"
#include "phasor/core/file.hpp"
#include "phasor/core/text.hpp"

namespace phasor::cli {

void run(const TextCommand& command) {
  if (!command.out.empty()) check_writable(command.out);
  const Corpus corpus = load_corpus(command.text, command.seed);
  const CharTokenizer tokenizer = CharTokenizer::from_text(corpus.text);
  const Encoded tokens = tokenizer.encode(corpus.text);
  if (!command.out.empty()) write_file(command.out, corpus.text);
  if (command.json) {
    nlohmann::ordered_json json{{"text", corpus.name},
                                {"characters", tokens.size()},
                                {"vocabulary", tokenizer.vocabulary_size()},
                                {"symbols", tokenizer.symbols()}};
    if (corpus.entropy_floor) json["entropy_floor"] = *corpus.entropy_floor;
    fmt::print("{}\n", json.dump(2));
    return;
  }
  fmt::print("{}: {} characters, {} different ones.\n", corpus.name, tokens.size(),
             tokenizer.vocabulary_size());
  if (corpus.entropy_floor)
    fmt::print("Entropy: {:.4f} nats per character; no model can do better over a long text.\n",
               *corpus.entropy_floor);
  if (!command.out.empty()) {
    fmt::print("Written to {}.\n", printable(command.out.string()));
    return;
  }
  const std::size_t shown =
      command.characters == 0 ? tokens.size() : std::min(command.characters, tokens.size());
  fmt::print("It begins:\n\n{}{}\n", tokenizer.decode(std::span(tokens).first(shown)),
             shown < tokens.size() ? " ..." : "");
}

}  // namespace phasor::cli
