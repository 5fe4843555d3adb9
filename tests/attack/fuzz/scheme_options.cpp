// What is given for a scheme on the command line: "rope\nbase=500\nscaling=yarn:4".
#include <sstream>

#include "phasor/core/error.hpp"
#include "phasor/position/schemes.hpp"
#include "tests/attack/fuzz/readers.hpp"

namespace phasor::attack {
namespace {

void read(std::string_view bytes) {
  std::istringstream lines{std::string(bytes)};
  std::string name, line;
  std::getline(lines, name);
  OptionValues options;
  while (std::getline(lines, line)) {
    const std::size_t sign = line.find('=');
    if (sign == line.npos) throw ConfigError("no value");
    options[line.substr(0, sign)] = line.substr(sign + 1);
  }
  Rng rng(1, "options");
  const SchemeSizes sizes{8, 2, 8};
  make_scheme(name, options, sizes, rng)->traits();
}

std::vector<std::string> valid() {
  std::vector<std::string> all;
  for (const SchemeEntry& entry : schemes()) {
    std::string text = entry.name;
    for (const OptionSpec& spec : entry.options) {
      if (spec.needs) continue;
      std::string value;
      if (const auto* number = std::get_if<NumberOption>(&spec.kind))
        value = fmt::format("{}", number->fallback);
      else if (const auto* word = std::get_if<TextOption>(&spec.kind))
        value = word->fallback;
      else
        value = std::get<ChoiceOption>(spec.kind).choices.front();
      text += "\n" + spec.name + "=" + value;
    }
    all.push_back(text);
  }
  all.push_back("rope\nscaling=yarn:4");
  all.push_back("rope\nscaling=llama3:8");
  return all;
}

}  // namespace

Reader scheme_options_reader() { return {"scheme-options", read, valid, 256}; }

}  // namespace phasor::attack
