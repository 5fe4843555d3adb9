#include "phasor/data/grammar.hpp"

#include "tests/attack/fuzz/readers.hpp"

namespace phasor::attack {
namespace {

void read(std::string_view bytes) {
  const Grammar grammar = parse_grammar(bytes);
  double sum = 0;
  for (const Construction& construction : grammar.constructions) sum += construction.probability;
  if (!(sum > 0.999 && sum < 1.001)) throw Broken("probabilities do not sum to 1");
}

std::vector<std::string> valid() {
  return {
      "[nouns]\ndog cat\n[adjectives]\nprobability = 0.25\nred\n[actions]\nruns\n[verbs]\n"
      "sees | seen | the {object} hides.\n[stories]\n"
      "2 | the {subject} {verb} the {object}. {action}. {consequence}\n"
      "1 | the {object} is {participle} by the {subject}. {consequence} # a comment\n"};
}

}  // namespace

Reader grammar_reader() { return {"grammar", read, valid, 1024}; }

}  // namespace phasor::attack
