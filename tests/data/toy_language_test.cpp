#include "phasor/data/toy_language.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <unordered_map>

#include "phasor/core/file.hpp"
#include "tests/core/expect_error.hpp"

namespace phasor {
namespace {

/// Two constructions of unlike weight, unlike word lengths, one of them with an action.
constexpr char kTiny[] =
    "[nouns]\ndog cat horse\n[adjectives]\nprobability = 0.3\nold young\n[actions]\nwaits sings "
    "on\n"
    "[verbs]\nbites | bitten | the {object} cries.\nfeeds | fed | the {object} thanks {subject}.\n"
    "[stories]\n3 | {subject} {verb} {object}. {consequence}\n"
    "1 | {object} that is {participle} by {subject} {action}. {consequence}\n";

std::string tiny_with(const std::string& from, const std::string& to) {
  std::string text = kTiny;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

std::string sorted_letters(std::string text) {
  std::sort(text.begin(), text.end());
  return text;
}

/// What follows the first full stop.
std::string consequence(const std::string& line) { return line.substr(line.find(". ")); }
std::string clause(const std::string& line) { return line.substr(0, line.find(". ")); }

/// The lines of a language with their probabilities, by enumeration.
std::unordered_map<std::string, double> all_lines(const ToyLanguage& language) {
  std::unordered_map<std::string, double> lines;
  language.for_each_story(
      [&](const Story& story) { lines[language.tell(story)] += language.probability(story); });
  return lines;
}

TEST(ToyLanguage, EntropyAndLengthAgreeWithEnumeration) {
  for (const ToyLanguage& language : {ToyLanguage(kTiny), ToyLanguage::standard()}) {
    std::size_t stories = 0;
    language.for_each_story([&](const Story&) { ++stories; });
    const auto lines = all_lines(language);
    EXPECT_EQ(lines.size(), stories) << "two stories are the same line";
    double total = 0, entropy = 0, length = 0;
    for (const auto& [line, p] : lines) {
      total += p;
      entropy -= p * std::log(p);
      length += p * static_cast<double>(line.size());
      ASSERT_EQ(line.find('\n'), line.size() - 1) << line;
    }
    // Over 10^5 positive terms of relative error 1e-16 each: 1e-11 at the very worst.
    EXPECT_NEAR(total, 1, 1e-11);
    EXPECT_NEAR(language.story_entropy() / entropy, 1, 1e-11);
    EXPECT_NEAR(language.mean_story_length() / length, 1, 1e-11);
    EXPECT_DOUBLE_EQ(language.entropy_per_character(),
                     language.story_entropy() / language.mean_story_length());
  }
}

TEST(ToyLanguage, TinyLanguageHasTheStoriesCountedByHand) {
  // Pairs 3 * 2, phrases 3 * 3, verbs 2, and 1 + 3 ways to tell.
  EXPECT_EQ(all_lines(ToyLanguage(kTiny)).size(), 6u * 9 * 2 * 4);
  const auto plain = all_lines(ToyLanguage(tiny_with("0.3", "0")));
  EXPECT_EQ(plain.size(), 6u * 2 * 4);
  EXPECT_DOUBLE_EQ(plain.at("dog bites cat. the cat cries.\n"), 0.75 / 12);
  EXPECT_DOUBLE_EQ(plain.at("cat that is fed by dog sings. the cat thanks dog.\n"), 0.25 / 36);
  EXPECT_EQ(all_lines(ToyLanguage(tiny_with("0.3", "1"))).size(), 6u * 4 * 2 * 4);
}

TEST(ToyLanguage, SampledStoriesHaveTheirProbabilities) {
  const ToyLanguage language(tiny_with("0.3", "0.6"));
  const auto lines = all_lines(language);
  std::map<std::string, double> counts;
  std::istringstream text(language.sample(8'000'000, 5));
  double stories = 0;
  for (std::string line; std::getline(text, line); ++stories) ++counts[line + '\n'];
  double chi_square = 0;
  for (const auto& [line, p] : lines) {
    const double expected = stories * p;
    ASSERT_GT(expected, 20);  // so that a count is near normal
    chi_square += (counts[line] - expected) * (counts[line] - expected) / expected;
  }
  EXPECT_EQ(counts.size(), lines.size()) << "a sampled line is not in the language";
  // Chi-square with k degrees of freedom: mean k, deviation sqrt(2 k); 5 deviations.
  const auto degrees = static_cast<double>(lines.size() - 1);
  EXPECT_NEAR(chi_square, degrees, 5 * std::sqrt(2 * degrees));
}

TEST(ToyLanguage, SampledTextHasTheEntropyRate) {
  const ToyLanguage& language = ToyLanguage::standard();
  const auto lines = all_lines(language);
  const std::string sample = language.sample(1'000'000, 1);
  std::istringstream text(sample);
  double nats = 0, squares = 0, stories = 0;
  for (std::string line; std::getline(text, line); ++stories) {
    // Deviation of this story's nats from the rate's prediction for its length; mean 0.
    const double length = static_cast<double>(line.size() + 1);
    const double surprise = -std::log(lines.at(line + '\n'));
    const double excess = surprise - length * language.entropy_per_character();
    nats += surprise;
    squares += excess * excess;
  }
  const double characters = static_cast<double>(sample.size());
  // 5 standard errors of a ratio of two means.
  EXPECT_NEAR(nats / characters, language.entropy_per_character(),
              5 * std::sqrt(squares) / characters);
}

TEST(ToyLanguage, SwappingSubjectAndObjectChangesOnlyTheOrder) {
  const ToyLanguage& language = ToyLanguage::standard();
  std::size_t compared = 0;
  language.for_each_story([&](const Story& story) {
    Story swapped = story;
    std::swap(swapped.subject, swapped.object);
    const std::string line = language.tell(story), other = language.tell(swapped);
    ASSERT_EQ(sorted_letters(clause(line)), sorted_letters(clause(other)));
    ASSERT_NE(clause(line), clause(other));
    ASSERT_NE(consequence(line), consequence(other)) << line << other;
    ++compared;
  });
  EXPECT_GT(compared, 1000u);
}

TEST(ToyLanguage, TheFirstClauseDecidesTheConsequence) {
  std::unordered_map<std::string, std::string> after;
  for (const auto& [line, p] : all_lines(ToyLanguage::standard())) {
    const auto [place, fresh] = after.emplace(clause(line), consequence(line));
    ASSERT_TRUE(fresh || place->second == consequence(line)) << line;
  }
}

TEST(ToyLanguage, TellsEveryConstruction) {
  const ToyLanguage& language = ToyLanguage::standard();
  const auto lines = all_lines(language);
  for (const char* line :
       {"the dog bites the man. the man cries.\n", "the man bites the dog. the dog cries.\n",
        "the cat is fed by the old dog. the cat thanks the old dog.\n",
        "the dog that robs the cat waits. the dog hides from the cat.\n",
        "the dog that the cat robs waits. the cat hides from the dog.\n"})
    EXPECT_TRUE(lines.contains(line)) << line;
}

TEST(ToyLanguage, IsSmallEnoughToLearn) {
  const ToyLanguage& language = ToyLanguage::standard();
  EXPECT_GT(language.mean_story_length(), 40);
  EXPECT_LT(language.mean_story_length(), 70);
  const std::string text = language.sample(200'000, 2);
  for (const char c : text)
    ASSERT_TRUE((c >= 'a' && c <= 'z') || c == ' ' || c == '.' || c == '\n') << c;
}

TEST(ToyLanguage, SamplesFromTheSeedAlone) {
  const ToyLanguage& language = ToyLanguage::standard();
  const std::string text = language.sample(5000, 9);
  EXPECT_GE(text.size(), 5000u);
  EXPECT_LT(text.size(), 5200u);  // at most one story over
  EXPECT_EQ(text.back(), '\n');
  EXPECT_EQ(language.sample(5000, 9), text);
  EXPECT_TRUE(language.sample(9000, 9).starts_with(text));
  EXPECT_NE(language.sample(5000, 10), text);
  EXPECT_TRUE(language.sample(0, 9).empty());
}

TEST(ToyLanguage, RefusesAGrammarWithTwoMeaningsForALine) {
  expect_error(
      [] {
        ToyLanguage(tiny_with("1 | {object} that is {participle} by {subject} {action}.",
                              "1 | {subject} {verb} {object}."));
      },
      "are the same line, '");
  expect_error([] { ToyLanguage(tiny_with("old young", "old old")); }, "'old' comes twice");
  std::string words;
  for (char a = 'a'; a <= 'z'; ++a)
    for (char b = 'a'; b <= 'z'; ++b) words += {' ', a, b};
  expect_error([&] { ToyLanguage(tiny_with("dog cat horse", words)); }, "stories, at most 1000000");
}

TEST(ToyLanguage, ReadmeShowsStoriesOfTheLanguage) {
  const auto lines = all_lines(ToyLanguage::standard());
  std::istringstream readme(read_file(PHASOR_SOURCE_DIR "/data/README.md"));
  std::size_t stories = 0;
  for (std::string line; std::getline(readme, line);) {
    if (!line.starts_with("    the ")) continue;
    EXPECT_TRUE(lines.contains(line.substr(4) + '\n')) << line;
    ++stories;
  }
  EXPECT_GE(stories, 4u);
}

}  // namespace
}  // namespace phasor
