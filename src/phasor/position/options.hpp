// Options of a scheme: named, typed, with defaults, and checked.
#pragma once
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "phasor/core/real.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// As given by a user: "base" -> "500".
using OptionValues = std::map<std::string, std::string>;

/// A number with the range it must lie in.
struct NumberOption {
  double fallback, least, most;
};
/// One of a few words; the first is the default.
struct ChoiceOption {
  std::vector<std::string> choices;
};

struct OptionSpec {
  std::string name;
  std::variant<NumberOption, ChoiceOption> kind;
  std::string help;
};

/// Checked options: every one a scheme has, with its value.
class Options {
 public:
  /// Throws ConfigError on a name that `specs` lacks (listing those it has), on a value that is no
  /// number or outside its range, and on an unknown choice. `scheme` is for the messages.
  Options(const std::string& scheme, const std::vector<OptionSpec>& specs,
          const OptionValues& given);

  /// Both throw ConfigError on a name that is not in the specs: a scheme asks for its own options.
  double number(const std::string& name) const;
  const std::string& choice(const std::string& name) const;

 private:
  std::map<std::string, double> numbers_;
  std::map<std::string, std::string> choices_;
};

}  // namespace phasor::inline PHASOR_PRECISION
