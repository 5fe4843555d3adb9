// The grammar file of a toy language, read and checked. data/README.md describes the format.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace phasor {

struct Verb {
  std::string present, participle;
  std::string consequence;  ///< a sentence with {subject} or {object} in it
};

/// One way to tell a story, with its probability among all.
struct Construction {
  double probability = 0;
  std::string text;  ///< with {subject}, {object}, {verb} or {participle}, {action}, {consequence}
};

struct Grammar {
  std::vector<std::string> nouns, adjectives, actions;
  double adjective_probability = 0;
  std::vector<Verb> verbs;
  std::vector<Construction> constructions;
};

/// Reads the text of a grammar file. Throws DataError naming the line, what was wanted and what
/// came.
Grammar parse_grammar(std::string_view text);

}  // namespace phasor
