#include <nlohmann/json.hpp>

#include "phasor/cli/show.hpp"
#include "phasor/core/error.hpp"
#include "phasor/position/schemes.hpp"

namespace phasor::cli {
namespace {

struct Row {
  const SchemeEntry& entry;
  Traits traits;
};

std::string limit_of(const Traits& traits) {
  if (traits.max_positions) return fmt::format("{} positions", *traits.max_positions);
  if (traits.max_in_sight) return fmt::format("{} in sight", *traits.max_in_sight);
  return traits.whole_positions ? "any whole one" : "any position";
}

std::string text_of(const OptionSpec& spec) {
  if (const auto* number = std::get_if<NumberOption>(&spec.kind))
    return fmt::format("{} NUMBER, default {:g}: {}", flag_of(spec.name), number->fallback,
                       spec.help);
  if (const auto* text = std::get_if<TextOption>(&spec.kind))
    return fmt::format("{} TEXT, default {}: {}; {}", flag_of(spec.name), text->fallback, spec.help,
                       text->form);
  const auto& words = std::get<ChoiceOption>(spec.kind);
  return fmt::format("{} {}, default {}: {}", flag_of(spec.name), fmt::join(words.choices, "|"),
                     words.choices.front(), spec.help);
}

/// Parameters are counted in schemes that are made for it, with weights drawn at random.
void check_countable(const SchemeSizes& sizes) {
  constexpr std::size_t kMost = 4096;
  const std::size_t positions = kMost * kMost / std::clamp<std::size_t>(sizes.width, 1, kMost);
  check<ConfigError>(sizes.width <= kMost && sizes.context <= positions,
                     "schemes draws weights to count them, which takes long beyond --width {} and, "
                     "there, --context {}, got --width {} and --context {}; choose smaller ones",
                     kMost, positions, sizes.width, sizes.context);
}

void print_json(const std::vector<Row>& rows) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const auto& [entry, traits] : rows) {
    nlohmann::ordered_json options = nlohmann::ordered_json::array();
    for (const OptionSpec& spec : entry.options) options.push_back(spec.name);
    json.push_back(
        {{"name", entry.name},
         {"kind", entry.kind},
         {"summary", entry.summary},
         {"parameters", traits.parameter_count},
         {"shared_across_layers", traits.shared_across_layers},
         {"is_relative", traits.is_relative},
         {"max_positions", traits.max_positions ? nlohmann::ordered_json(*traits.max_positions)
                                                : nlohmann::ordered_json()},
         {"max_in_sight", traits.max_in_sight ? nlohmann::ordered_json(*traits.max_in_sight)
                                              : nlohmann::ordered_json()},
         {"paper", entry.paper},
         {"equation", entry.equation},
         {"options", options}});
  }
  fmt::print("{}\n", json.dump(2));
}

}  // namespace

void run(const SchemesCommand& command) {
  check_countable(command.sizes);
  check_sizes(command.sizes);
  std::vector<Row> rows;
  for (const SchemeEntry& entry : schemes()) {
    Rng rng(1, "schemes");
    rows.push_back({entry, make_scheme(entry.name, {}, command.sizes, rng)->traits()});
  }
  if (command.json) return print_json(rows);

  fmt::print("Positional schemes for width {}, {} heads, context {}.\n\n", command.sizes.width,
             command.sizes.heads, command.sizes.context);
  const char* line = "{:<14} {:<10} {:<13}  {:<8}  {:<13}  {}\n";
  fmt::print(fmt::runtime(line), "name", "enters as", "parameters", "relative", "accepts", "paper");
  for (const auto& [entry, traits] : rows)
    fmt::print(
        fmt::runtime(line), entry.name, entry.kind,
        fmt::format("{}{}", traits.parameter_count, traits.shared_across_layers ? "" : " a layer"),
        traits.is_relative ? "yes" : "no", limit_of(traits), entry.paper);
  fmt::print("\n");
  for (const auto& [entry, traits] : rows) {
    fmt::print("{}: {}\n", entry.name, entry.summary);
    for (const OptionSpec& spec : entry.options) fmt::print("    {}\n", text_of(spec));
  }
  fmt::print(
      "\nAccepting a position is not the same as working there: what a model does beyond its "
      "training\ncontext is measured by phasor eval --context N.\n");
}

}  // namespace phasor::cli
