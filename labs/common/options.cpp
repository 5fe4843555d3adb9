#include "labs/common/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "phasor/core/error.hpp"

namespace phasor {
namespace {

void add_extra(CLI::App& app, const ExtraOption& extra) {
  const auto add = [&](auto* target) {
    using Value = std::remove_pointer_t<decltype(target)>;
    if constexpr (std::is_same_v<Value, bool>) {
      app.add_flag(extra.name, *target, extra.help);
    } else {
      CLI::Option* option = app.add_option(extra.name, *target, extra.help)->capture_default_str();
      if constexpr (std::is_arithmetic_v<Value>) {
        const std::string wanted = fmt::format("from {:g} to {:g}", extra.low, extra.high);
        option->check([low = extra.low, high = extra.high, wanted](const std::string& given) {
          double value = 0;
          const bool fits =
              CLI::detail::lexical_cast(given, value) && value >= low && value <= high;
          return fits ? std::string() : fmt::format("a number {} is wanted, got {}", wanted, given);
        });
      }
    }
  };
  std::visit(add, extra.target);
}

/// CLI11 would read -1 as the largest number there is. Empty when there is nothing to complain of.
std::string complaint_about_seed(const std::string& given) {
  std::uint64_t value = 0;
  const char* end = given.data() + given.size();
  const auto [rest, problem] = std::from_chars(given.data(), end, value);
  if (problem == std::errc() && rest == end) return "";
  return fmt::format("a whole number from 0 to 2^64 - 1 is wanted, got {}", given);
}

/// CLI11 puts some messages on two lines.
std::string joined_lines(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace

std::optional<LabOptions> parse_options(const LabInfo& info, const std::vector<ExtraOption>& extras,
                                        int argc, const char* const* argv) {
  LabOptions options{.out = "out/" + info.number()};
  std::filesystem::path text;
  bool quick = false;
  CLI::App app{info.goal, info.name};
  app.get_formatter()->column_width(28);
  auto* quick_flag = app.add_flag("--quick", quick, "seconds instead of minutes (the default)");
  app.add_flag("--full", options.full, "three seeds or more, minutes")->excludes(quick_flag);
  app.add_option("--out", options.out, "folder for figures and summary")
      ->capture_default_str()
      ->type_name("DIR");
  app.add_option("--seed", options.seed, "seed of all random numbers")
      ->capture_default_str()
      ->check([](const std::string& given) { return complaint_about_seed(given); });
  CLI::Option* file =
      app.add_option("--text", text, "a text of your own, for labs that train on text");
  file->type_name("FILE")->check([](const std::string& given) {
    return std::filesystem::is_regular_file(given) ? "" : "there is no file " + given;
  });
  for (const ExtraOption& extra : extras) add_extra(app, extra);
  app.footer(fmt::format("Example: {0} --seed 3 --out out/{1}\nThe guide is labs/{0}/README.md.",
                         info.name, info.number()));
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return std::nullopt;
  } catch (const CLI::ParseError& problem) {
    throw ConfigError(fmt::format("{}; see {} --help", joined_lines(problem.what()), info.name));
  }
  if (file->count() > 0) options.text = text;
  return options;
}

}  // namespace phasor
