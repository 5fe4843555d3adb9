#include "phasor/position/options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "phasor/core/error.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

double parse_number(const std::string& scheme, const std::string& name, const std::string& text,
                    const NumberOption& option) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  check<ConfigError>(
      problem == std::errc() && stop == end && std::isfinite(value) && value >= option.least &&
          value <= option.most && (!option.is_whole || value == std::floor(value)),
      "[{}] {} must be a {}number from {:g} to {:g}, got '{}'; the default is {:g}", scheme, name,
      option.is_whole ? "whole " : "", option.least, option.most, text, option.fallback);
  return value;
}

std::string parse_choice(const std::string& scheme, const std::string& name,
                         const std::string& text, const ChoiceOption& option) {
  const bool is_known =
      std::find(option.choices.begin(), option.choices.end(), text) != option.choices.end();
  check<ConfigError>(is_known, "[{}] {} must be one of {}, got '{}'", scheme, name,
                     fmt::join(option.choices, ", "), text);
  return text;
}

std::string names_of(const std::vector<OptionSpec>& specs) {
  std::vector<std::string> names;
  for (const OptionSpec& spec : specs) names.push_back(spec.name);
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

/// "yarn" of "yarn:4".
std::string before_colon(const std::string& text) { return text.substr(0, text.find(':')); }

/// Throws unless the option that `spec` needs has a value it goes with.
void check_needs(const std::string& scheme, const OptionSpec& spec, const std::string& value) {
  const std::vector<std::string>& wanted = spec.needs->values;
  const bool fits = std::any_of(wanted.begin(), wanted.end(), [&](const std::string& one) {
    return before_colon(one) == before_colon(value);
  });
  check<ConfigError>(fits, "[{}] {} goes with {} {} only, which is {}; leave it out or change it",
                     scheme, flag_of(spec.name), flag_of(spec.needs->option),
                     fmt::join(wanted, " or "), value);
}

}  // namespace

std::string flag_of(const std::string& option) {
  std::string flag = "--" + option;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

Options::Options(const std::string& scheme, const std::vector<OptionSpec>& specs,
                 const OptionValues& given) {
  for (const auto& [name, value] : given) {
    const bool is_known =
        std::any_of(specs.begin(), specs.end(),
                    [&name = name](const OptionSpec& spec) { return spec.name == name; });
    check<ConfigError>(is_known, "[{}] has no option '{}'; its options: {}", scheme, name,
                       names_of(specs));
  }
  for (const OptionSpec& spec : specs) {
    const auto found = given.find(spec.name);
    if (const auto* option = std::get_if<NumberOption>(&spec.kind))
      numbers_[spec.name] = found == given.end()
                                ? option->fallback
                                : parse_number(scheme, spec.name, found->second, *option);
    else if (const auto* words = std::get_if<ChoiceOption>(&spec.kind))
      choices_[spec.name] = found == given.end()
                                ? words->choices.front()
                                : parse_choice(scheme, spec.name, found->second, *words);
    else if (const auto* words_of_a_form = std::get_if<TextOption>(&spec.kind))
      texts_[spec.name] = found == given.end() ? words_of_a_form->fallback : found->second;
  }
  for (const OptionSpec& spec : specs)
    if (spec.needs && given.contains(spec.name)) {
      const std::string& other = spec.needs->option;
      check_needs(scheme, spec, choices_.contains(other) ? choice(other) : text(other));
    }
}

double Options::number(const std::string& name) const {
  const auto found = numbers_.find(name);
  check<ConfigError>(found != numbers_.end(), "[options] no number '{}' was declared", name);
  return found->second;
}

double Options::number_or(const std::string& name, double instead_of_zero) const {
  const double value = number(name);
  return value == 0 ? instead_of_zero : value;
}

const std::string& Options::choice(const std::string& name) const {
  const auto found = choices_.find(name);
  check<ConfigError>(found != choices_.end(), "[options] no choice '{}' was declared", name);
  return found->second;
}

const std::string& Options::text(const std::string& name) const {
  const auto found = texts_.find(name);
  check<ConfigError>(found != texts_.end(), "[options] no text '{}' was declared", name);
  return found->second;
}

}  // namespace phasor::inline PHASOR_PRECISION
