#include "phasor/data/corpus.hpp"
#include "phasor/data/unicode.hpp"
#include "tests/attack/fuzz/readers.hpp"

namespace phasor::attack {
namespace {

void read(std::string_view bytes) {
  static MemoryFile file;
  const Corpus corpus = load_corpus(file.holding(bytes));
  std::string again;
  for (const char32_t c : decode_utf8(corpus.text, "the text")) again += encode_utf8(c);
  if (again != corpus.text) throw Broken("another text");
}

std::vector<std::string> valid() {
  return {"A text.\r\nOf two lines.\n", "\xEF\xBB\xBFse\u00F1or \u20AC \U0001F600"};
}

}  // namespace

Reader text_reader() { return {"text", read, valid, 512}; }

}  // namespace phasor::attack
