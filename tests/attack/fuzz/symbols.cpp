#include "phasor/data/tokenizer.hpp"
#include "tests/attack/fuzz/readers.hpp"

namespace phasor::attack {
namespace {

void read(std::string_view bytes) {
  const CharTokenizer tokenizer = CharTokenizer::from_symbols(bytes);
  if (tokenizer.symbols() != bytes) throw Broken("other symbols");
  if (tokenizer.decode(tokenizer.encode(bytes)) != bytes) throw Broken("another text");
}

std::vector<std::string> valid() { return {"\n !,abcxyz", " aäé\u20AC\U0001F600"}; }

}  // namespace

Reader symbols_reader() { return {"symbols", read, valid, 512}; }

}  // namespace phasor::attack
