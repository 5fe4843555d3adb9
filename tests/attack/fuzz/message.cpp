#include <algorithm>

#include "phasor/core/text.hpp"
#include "phasor/figure/markup.hpp"
#include "tests/attack/fuzz/readers.hpp"

namespace phasor::attack {
namespace {

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

void read(std::string_view bytes) {
  const std::string line = one_line(bytes);
  if (has_control(line) || printable(line) != line) throw Broken("a message that is not printable");
  if (letters(line) > 1000) throw Broken("a message that is too long");
  const std::string drawn = drawable(bytes);
  if (has_control(drawn) || drawable(drawn) != drawn) throw Broken("a text that cannot be drawn");
}

std::vector<std::string> valid() {
  return {"expected 3, got \x1b[31m4", "se\u00F1or \u202E \xFF\n", std::string(1050, 'x')};
}

}  // namespace

Reader message_reader() { return {"message", read, valid, 1200}; }

}  // namespace phasor::attack
