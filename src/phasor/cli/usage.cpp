#include "phasor/cli/usage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace phasor::cli {
namespace {

/// True when all of `word` is one number.
template <class T>
bool read(const std::string& word, T& value) {
  const char* end = word.data() + word.size();
  const auto [stop, problem] = std::from_chars(word.data(), end, value);
  return problem == std::errc() && stop == end;
}

std::string command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return fmt::format("{}", fmt::join(names, ", "));
}

/// A word that no option and no command took: options first, for what follows one is only its
/// value.
std::string unexpected(const std::vector<std::string>& words) {
  const auto option = std::find_if(words.begin(), words.end(),
                                   [](const std::string& word) { return word.starts_with('-'); });
  return option != words.end()
             ? fmt::format("unknown option '{}'", *option)
             : fmt::format("'{}' belongs to no option; quote a value that has blanks",
                           words.front());
}

/// CLI11 says "--width: At Most 1 required but received 2" and "--width: 1 required UINT missing".
std::string wrong_count(const CLI::App& command, const std::string& message) {
  const std::string name = message.substr(0, message.find_first_of(": "));
  const CLI::Option* option = command.get_option_no_throw(name);
  if (option == nullptr) return message;
  if (option->get_expected_max() == 0) return fmt::format("{} takes no value", name);
  if (option->count() < 2) return fmt::format("{} needs a value after it", name);
  return fmt::format("{} is given {} times; give it once", name, option->count());
}

}  // namespace

std::string& program_name() {
  static std::string name = "phasor";
  return name;
}

CLI::Validator whole_number() {
  const auto normalize = [](std::string& word) -> std::string {
    std::uint64_t value = 0;
    if (!read(word, value))
      return fmt::format("a whole number from 0 on is wanted, got '{}'", word);
    word = std::to_string(value);
    return {};
  };
  return CLI::Validator(normalize, "");
}

CLI::Validator finite_number() {
  const auto check = [](std::string& word) -> std::string {
    double value = 0;
    if (read(word, value) && std::isfinite(value)) return {};
    return fmt::format("a number is wanted, got '{}'", word);
  };
  return CLI::Validator(check, "");
}

CLI::Validator not_empty() {
  return CLI::Validator(
      [](std::string& word) { return word.empty() ? "a path is wanted, got ''" : std::string(); },
      "");
}

std::string usage_problem(const CLI::App& app, const CLI::ParseError& problem) {
  const std::vector<CLI::App*> used = app.get_subcommands();
  const std::vector<std::string> words = app.remaining(true);
  if (used.empty()) {
    const bool is_option = !words.empty() && words.front().starts_with('-');
    const std::string what = words.empty() ? "no command is given"
                             : is_option   ? fmt::format("unknown option '{}'", words.front())
                                           : fmt::format("unknown command '{}'", words.front());
    return fmt::format("{}; choose one of {}; see {} --help", what, command_names(app),
                       program_name());
  }
  const CLI::App& command = *used.front();
  std::string what = problem.what();
  if (!words.empty())
    what = unexpected(words);
  else if (dynamic_cast<const CLI::ArgumentMismatch*>(&problem) != nullptr)
    what = wrong_count(command, what);
  return fmt::format("{}; see {} {} --help", what, program_name(), command.get_name());
}

}  // namespace phasor::cli
