// Options of a scheme: named, typed, with defaults, and checked.
#pragma once
#include <map>
#include <optional>
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
  bool is_whole = false;
};
/// One of a few words; the first is the default.
struct ChoiceOption {
  std::vector<std::string> choices;
};

/// Words of a form that the scheme itself reads, such as "yarn:4".
struct TextOption {
  std::string fallback;
  std::string form;                   // what is wanted, for the message
  std::vector<std::string> examples;  // of values other than the fallback
};

/// "--max-distance", as the option "max_distance" is called on the command line.
std::string flag_of(const std::string& option);

/// An option that means something only beside certain values of another one.
struct Needs {
  std::string option;
  std::vector<std::string> values;  // examples; what counts is the part before a colon
};

struct OptionSpec {
  std::string name;
  std::variant<NumberOption, ChoiceOption, TextOption> kind;
  std::string help;
  std::optional<Needs> needs = std::nullopt;
};

/// Checked options: every one a scheme has, with its value.
class Options {
 public:
  /// Throws ConfigError on a name that `specs` lacks (listing those it has), on a value that is no
  /// number or outside its range, on an unknown choice, and on an option given without the one it
  /// needs. `scheme` is for the messages.
  Options(const std::string& scheme, const std::vector<OptionSpec>& specs,
          const OptionValues& given);

  /// All throw ConfigError on a name that is not in the specs: a scheme asks for its own options.
  double number(const std::string& name) const;
  /// A number for which 0 stands for something the scheme knows, such as the training context.
  double number_or(const std::string& name, double instead_of_zero) const;
  const std::string& choice(const std::string& name) const;
  const std::string& text(const std::string& name) const;

 private:
  std::map<std::string, double> numbers_;
  std::map<std::string, std::string> choices_, texts_;
};

}  // namespace phasor::inline PHASOR_PRECISION
