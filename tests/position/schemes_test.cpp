// The table of schemes, their options, and what is said when either is wrong.
#include "phasor/position/schemes.hpp"

#include <set>

#include "tests/core/expect_error.hpp"
#include "tests/position/hooks.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr SchemeSizes kSizes{12, 3, 16};

std::unique_ptr<Scheme> made(const std::string& name, const OptionValues& options,
                             const SchemeSizes& sizes = kSizes) {
  Rng rng(1);
  return make_scheme(name, options, sizes, rng);
}

REAL_TEST(Schemes, the_table_is_complete) {
  std::set<std::string> names;
  for (const SchemeEntry& entry : schemes()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name << " stands twice";
    EXPECT_EQ(&find_scheme(entry.name), &entry);
    for (const std::string& text :
         {entry.name, entry.kind, entry.summary, entry.paper, entry.equation}) {
      EXPECT_FALSE(text.empty()) << entry.name;
      EXPECT_EQ(text.find('\n'), text.npos) << entry.name;
    }
    EXPECT_NE(entry.paper.find("arXiv"), entry.paper.npos) << entry.name;
    std::set<std::string> options;
    for (const OptionSpec& spec : entry.options) {
      EXPECT_TRUE(options.insert(spec.name).second) << entry.name << ", " << spec.name;
      EXPECT_FALSE(spec.help.empty()) << entry.name << ", " << spec.name;
    }
    EXPECT_NO_THROW(made(entry.name, {})) << entry.name;
  }
  for (const char* name : {"none", "sinusoidal", "learned", "rope", "alibi"})
    EXPECT_TRUE(names.contains(name)) << name;
}

REAL_TEST(Schemes, an_unknown_name_is_answered_with_the_names_there_are) {
  for (const std::string unknown : {"rotary", "", "Rope", "rope "})
    for (const SchemeEntry& entry : schemes())
      expect_error<ConfigError>([&] { made(unknown, {}); },
                                {"unknown scheme '" + unknown + "'", entry.name});
}

REAL_TEST(Schemes, an_unknown_option_is_answered_with_the_options_there_are) {
  for (const SchemeEntry& entry : schemes()) {
    const auto call = [&] { made(entry.name, {{"basis", "7"}}); };
    expect_error<ConfigError>(call, {"[" + entry.name + "]", "'basis'"});
    for (const OptionSpec& spec : entry.options) expect_error<ConfigError>(call, {spec.name});
    if (entry.options.empty()) expect_error<ConfigError>(call, {"its options: none"});
  }
}

REAL_TEST(Schemes, a_number_must_be_one_and_lie_in_its_range) {
  std::size_t numbers = 0;
  for (const SchemeEntry& entry : schemes())
    for (const OptionSpec& spec : entry.options) {
      const auto* number = std::get_if<NumberOption>(&spec.kind);
      if (!number) continue;
      ++numbers;
      for (const std::string& value :
           {std::string("abc"), std::string(), std::string("1e"), std::string("12x"),
            std::string(" 5"), std::string("5 "), std::string("nan"), std::string("inf"),
            std::string("0x10"), std::string("1,5"), fmt::format("{}", number->least - 0.5),
            fmt::format("{}", number->most * 1.5)})
        expect_error<ConfigError>(
            [&] {
              made(entry.name, {{spec.name, value}});
            },
            {"[" + entry.name + "]", spec.name, "'" + value + "'",
             fmt::format("from {:g} to {:g}", number->least, number->most),
             fmt::format("default is {:g}", number->fallback)});
      try {
        made(entry.name, with_needs(spec, fmt::format("{}", number->most)));
      } catch (const ConfigError& other) {  // in its range, but not beside the other defaults
        EXPECT_EQ(std::string(other.what()).find("number from"), std::string::npos) << other.what();
      }
      EXPECT_GE(number->fallback, number->least);
      EXPECT_LE(number->fallback, number->most);
    }
  EXPECT_GE(numbers, 3U);
}

REAL_TEST(Schemes, a_count_must_be_whole) {
  std::size_t counts = 0;
  for (const SchemeEntry& entry : schemes())
    for (const OptionSpec& spec : entry.options)
      if (const auto* number = std::get_if<NumberOption>(&spec.kind); number && number->is_whole) {
        ++counts;
        const std::string value = fmt::format("{}", number->least + 4.5);
        expect_error<ConfigError>([&] { made(entry.name, with_needs(spec, value)); },
                                  {"[" + entry.name + "]", spec.name, "whole number", value});
      }
  EXPECT_GE(counts, 7U);
}

REAL_TEST(Schemes, a_choice_must_be_one_of_those_there_are) {
  std::size_t choices = 0;
  for (const SchemeEntry& entry : schemes())
    for (const OptionSpec& spec : entry.options) {
      const auto* words = std::get_if<ChoiceOption>(&spec.kind);
      if (!words) continue;
      ++choices;
      EXPECT_GE(words->choices.size(), 2U) << entry.name << ", " << spec.name;
      for (const std::string& word : words->choices) {
        EXPECT_NO_THROW(made(entry.name, with_needs(spec, word)));
        for (const std::string& wrong : {std::string("neither"), std::string(), word + "s"})
          expect_error<ConfigError>(
              [&] {
                made(entry.name, {{spec.name, wrong}});
              },
              {"[" + entry.name + "]", spec.name, "'" + wrong + "'", word});
      }
    }
  EXPECT_GE(choices, 2U);
}

REAL_TEST(Schemes, sizes_that_do_not_suit_are_refused_with_a_way_out) {
  // Every scheme at a head width of 5 and a model width of 15: made, or refused in words.
  for (const SchemeEntry& entry : schemes()) try {
      made(entry.name, {}, {15, 3, 16});
    } catch (const ConfigError& error) {
      const std::string message = error.what();
      EXPECT_TRUE(message.starts_with("[" + entry.name + "]")) << message;
      EXPECT_NE(message.find("--width"), message.npos) << message;
      EXPECT_NE(message.find(" got "), message.npos) << message;
    }
  for (const char* name : {"none", "learned", "alibi"})
    EXPECT_NO_THROW(made(name, {}, {15, 3, 16})) << name;
  expect_error<ConfigError>(
      [] {
        made("rope", {}, {15, 3, 16});
      },
      {"[rope] head_dim must be even", "got 5", "2 * --heads"});
  // The model's width is even here, the head's is not: a rotation needs an even head.
  expect_error<ConfigError>([] { made("rope", {}, {14, 2, 16}); }, {"got 7"});
  expect_error<ConfigError>(
      [] {
        made("rope", {{"fraction", "0.4"}});
      },
      {"[rope] fraction 0.4 of head_dim 4", "--fraction"});
  expect_error<ConfigError>(
      [] {
        made("sinusoidal", {}, {15, 3, 16});
      },
      {"[sinusoidal] width must be even", "got 15", "--width 16"});
}

REAL_TEST(Options, know_their_defaults_and_what_was_given) {
  const std::vector<OptionSpec> specs{{"base", NumberOption{10, 1, 100}, "help"},
                                      {"fraction", NumberOption{1, 0, 1}, "help"},
                                      {"layout", ChoiceOption{{"first", "second"}}, "help"}};
  const Options defaults("test", specs, {});
  EXPECT_EQ(defaults.number("base"), 10);
  EXPECT_EQ(defaults.choice("layout"), "first");
  const Options given("test", specs, {{"base", "2.5e1"}, {"layout", "second"}});
  EXPECT_EQ(given.number("base"), 25);
  EXPECT_EQ(given.number("fraction"), 1);
  EXPECT_EQ(given.choice("layout"), "second");
  EXPECT_EQ(Options("test", specs, {{"base", "1"}}).number("base"), 1);
  EXPECT_EQ(Options("test", specs, {{"base", "100"}}).number("base"), 100);
  expect_error<ConfigError>([&] { given.number("layout"); }, {"'layout'"});
  expect_error<ConfigError>([&] { given.choice("base"); }, {"'base'"});
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
