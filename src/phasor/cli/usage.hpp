// Options as people type them: values read strictly, and one clear line for what cannot be read.
#pragma once
#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <type_traits>

namespace phasor::cli {

/// How the program was called, such as "build/phasor", so that what it suggests can be pasted.
std::string& program_name();

/// Digits alone. CLI11 itself takes -4 for 2^64 - 4 and 010 for 8.
CLI::Validator whole_number();
/// Any number, also 1e-3; not "nan" or "inf".
CLI::Validator finite_number();
/// Refuses '', which a shell makes of a variable that is not set.
CLI::Validator not_empty();

/// --name, shown in --help with its default, and read strictly by the type of `value`.
template <class T>
CLI::Option* add_value(CLI::App& app, const std::string& name, T& value, const std::string& help) {
  CLI::Option* option = app.add_option("--" + name, value, help);
  if constexpr (std::is_same_v<T, std::filesystem::path>)
    return option->check(not_empty());
  else if constexpr (std::is_unsigned_v<T>)
    return option->capture_default_str()->transform(whole_number());
  else if constexpr (std::is_floating_point_v<T>)
    return option->capture_default_str()->check(finite_number());
  else
    return option->capture_default_str();
}

/// One line that says what is wrong with the command line and where to read on.
std::string usage_problem(const CLI::App& app, const CLI::ParseError& problem);

}  // namespace phasor::cli
