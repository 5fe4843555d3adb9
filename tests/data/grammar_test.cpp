#include "phasor/data/grammar.hpp"

#include <gtest/gtest.h>

#include "tests/core/expect_error.hpp"

namespace phasor {
namespace {

constexpr char kGood[] =
    "[nouns] # who\ndog cat\nman\n"
    "[adjectives]\nprobability = 0.5\nold\n"
    "[actions]\nwaits\n"
    "[verbs]\nbites | bitten | the {object} cries.\n"
    "[stories]\n3 | {subject} {verb} {object} {action}. {consequence}\n"
    "1 | {object} is {participle} by {subject}. {consequence}\n";

/// kGood with its first `from` replaced.
std::string with(const std::string& from, const std::string& to) {
  std::string text = kGood;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Grammar, ReadsEverySection) {
  const Grammar grammar = parse_grammar(with("[nouns] # who", "\t[nouns] # who \r"));
  EXPECT_EQ(grammar.nouns, (std::vector<std::string>{"dog", "cat", "man"}));
  EXPECT_EQ(grammar.adjectives, std::vector<std::string>{"old"});
  EXPECT_EQ(grammar.actions, std::vector<std::string>{"waits"});
  EXPECT_EQ(grammar.adjective_probability, 0.5);
  ASSERT_EQ(grammar.verbs.size(), 1u);
  EXPECT_EQ(grammar.verbs[0].present, "bites");
  EXPECT_EQ(grammar.verbs[0].participle, "bitten");
  EXPECT_EQ(grammar.verbs[0].consequence, "the {object} cries.");
  ASSERT_EQ(grammar.constructions.size(), 2u);
  EXPECT_EQ(grammar.constructions[0].probability, 0.75);
  EXPECT_EQ(grammar.constructions[1].text, "{object} is {participle} by {subject}. {consequence}");
}

TEST(Grammar, NamesTheLineAndTheFault) {
  const std::pair<std::string, std::string> cases[] = {
      {"dog\n[nouns]\n", "line 1: 'dog' stands before the first section"},
      {with("[nouns]", "[noun]"), "line 1: '[noun]' is no section; choose one of [nouns]"},
      {with("[nouns]", "[nouns"), "line 1: '[nouns' is no section"},
      {with("[actions]", "[nouns]"), "line 7: [nouns] comes twice"},
      {with("dog cat", "dog Cat"), "line 2: 'Cat' is no word"},
      {with("dog cat", "dog niño"), "line 2: 'niño' is no word"},
      {with("man", "dog"), "line 3: 'dog' comes twice"},
      {with("0.5", "half"), "line 5: 'half' is no number"},
      {with("0.5", "1.5"), "line 5: a probability is at most 1, got 1.5"},
      {with("0.5", "-1"), "line 5: '-1' is no number from 0 on"},
      {with("0.5", "nan"), "line 5: 'nan' is no number from 0 on"},
      {with("probability", "chance"), "line 5: 'chance = 0.5' is no setting"},
      {with("bites | bitten", "bites"), "line 10: a verb needs 3 parts, got 2"},
      {with("bitten", "has bitten"), "line 10: 'has bitten' is no word"},
      {with("{object} cries", "man cries"), "line 10: what happens after 'bites' tells nothing"},
      {with("{object} cries", "{verb} cries"), "line 10: {verb} means nothing here"},
      {with("[stories]", "bites | bit | {object} falls.\n[stories]"),
       "the verb 'bites' comes twice"},
      {with("3 | ", "3 "), "line 12: a story needs 2 parts, got 1"},
      {with("3 | ", "0 | "), "line 12: the weight must be positive"},
      {with("3 | ", "3x | "), "line 12: '3x' is no number"},
      {with("{verb}", "bites"), "line 12: a story needs {verb} or {participle}"},
      {with("{subject}", "dog"), "line 12: a story needs {subject} and {object}"},
      {with(" {consequence}", ""), "line 12: a story needs {consequence}"},
      {with("{action}", "{adverb}"), "line 12: {adverb} means nothing here"},
      {with("{action}", "{action"), "line 12: {action. {consequence} means nothing here"},
      {with("{consequence}\n1", "{consequence\n1"), "brace that is never closed"},
      {with("{action}.", "QUICKLY."), "QUICKLY. {consequence}' leaves the alphabet at byte 27"},
      {with("waits", ""), "a story uses {action} and [actions] is empty"},
      {with("old", ""), "[adjectives] has a probability and no words"},
      {"[nouns]\ndog # and no other", "toy grammar: [nouns] has 1 words, at least 2 are needed"},
      {"", "[nouns] has 0 words"},
      {"[nouns]\ndog cat", "[verbs] is empty"},
      {"[nouns]\ndog cat\n[verbs]\nbites | bitten | the {object} cries.", "[stories] is empty"},
  };
  for (const auto& [text, message] : cases)
    expect_error([&bad = text] { parse_grammar(bad); }, message);
}

}  // namespace
}  // namespace phasor
