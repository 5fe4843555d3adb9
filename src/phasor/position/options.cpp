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
  check<ConfigError>(problem == std::errc() && stop == end && std::isfinite(value) &&
                         value >= option.least && value <= option.most,
                     "[{}] {} must be a number from {:g} to {:g}, got '{}'; the default is {:g}",
                     scheme, name, option.least, option.most, text, option.fallback);
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

}  // namespace

Options::Options(const std::string& scheme, const std::vector<OptionSpec>& specs,
                 const OptionValues& given) {
  for (const auto& [name, value] : given) {
    const bool is_known = std::any_of(
        specs.begin(), specs.end(), [&name = name](const OptionSpec& spec) { return spec.name == name; });
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
  }
}

double Options::number(const std::string& name) const {
  const auto found = numbers_.find(name);
  check<ConfigError>(found != numbers_.end(), "[options] no number '{}' was declared", name);
  return found->second;
}

const std::string& Options::choice(const std::string& name) const {
  const auto found = choices_.find(name);
  check<ConfigError>(found != choices_.end(), "[options] no choice '{}' was declared", name);
  return found->second;
}

}  // namespace phasor::inline PHASOR_PRECISION
