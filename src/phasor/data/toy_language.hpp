// A small language whose sense hangs on word order, and whose entropy is known exactly.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phasor/core/rng.hpp"
#include "phasor/data/grammar.hpp"

namespace phasor {

/// A noun with or without an adjective, by number.
struct NounPhrase {
  std::size_t noun = 0;
  std::optional<std::size_t> adjective;
};

/// Every choice behind one story, by number.
struct Story {
  std::size_t construction = 0, verb = 0;
  NounPhrase subject, object;
  std::optional<std::size_t> action;  ///< set exactly when the construction has an {action}
};

/// Stories, one a line: somebody does something to somebody, told in one of several
/// constructions, and then what always follows from that. Subject and object are drawn from the
/// same nouns, so the words of "the dog bites the man" without their order do not say who cries:
/// the second sentence is certain for a reader of the order and a guess for a bag of words.
///
/// Entropy rate, in nats per character:  h = H(story) / E[characters of a story]
/// Stories are independent and identically distributed, different choices give different lines
/// (the constructor checks every one), and a line ends where its newline is, so a text can be cut
/// into its stories in one way only: n stories carry n H(story) nats and, by the law of large
/// numbers, n E[characters]. (Cover and Thomas, Elements of Information Theory, chapters 4 and 5.)
/// No model can have a lower mean loss over a long text. One that reads windows of T characters
/// pays a little more: a window begins inside a story whose first words it has not seen.
class ToyLanguage {
 public:
  /// The language of data/toy_grammar.txt, made at the first call.
  static const ToyLanguage& standard();
  /// Throws DataError for a bad grammar (parse_grammar), for one in which two stories are the same
  /// line, and for one with too many stories to check that.
  explicit ToyLanguage(std::string_view grammar_text);

  const Grammar& grammar() const { return grammar_; }

  /// Whole stories, as many as it takes to have at least `characters` of them. A longer text of
  /// the same seed begins with the shorter one.
  std::string sample(std::size_t characters, std::uint64_t seed) const;
  Story draw(Rng& rng) const;
  /// The line of a story, with its newline.
  std::string tell(const Story& story) const;
  double probability(const Story& story) const;
  void for_each_story(const std::function<void(const Story&)>& visit) const;

  /// H(story) in nats, the sum over the independent choices.
  double story_entropy() const;
  /// E[characters of a story], newline included.
  double mean_story_length() const;
  /// Nats per character.
  double entropy_per_character() const { return story_entropy() / mean_story_length(); }

 private:
  /// A piece of a story in which verb and consequence are filled in.
  struct Piece {
    enum class Kind { literal, subject, object, action } kind;
    std::string literal;
  };
  using Frame = std::vector<Piece>;

  static Frame make_frame(const Construction& construction, const Verb& verb);
  const Frame& frame(const Story& story) const;
  bool has_action(std::size_t construction) const;
  double mean_length(const Piece& piece) const;
  void check_all_different() const;

  Grammar grammar_;
  std::vector<Frame> frames_;  // construction by construction, verb by verb
};

}  // namespace phasor
