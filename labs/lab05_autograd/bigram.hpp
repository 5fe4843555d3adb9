// Two small language models that your backward functions train, and the floors under their losses.
#pragma once
#include <string>
#include <vector>

#include "labs/lab05_autograd/gradient.hpp"

namespace phasor::lab05 {

/// Every character of a text from the third on, with the two before it, as numbers of characters.
struct Triples {
  Rows before_last, last, next;
  std::vector<std::string> characters;  ///< by number
  std::size_t size() const { return next.size(); }
  std::size_t vocabulary() const { return characters.size(); }
};

/// Of the first `most` characters. Throws DataError when these are fewer than three, all the same,
/// or of more than kMostCharacters kinds: a bigram table has a row and a column for each.
Triples triples_of(const std::string& text, std::size_t most);
inline constexpr std::size_t kMostCharacters = 256;

/// The mean cross entropy, in nats per character, of a table that was counted from these very
/// triples, p(next | context) = count(context, next) / count(context), with 0, 1 or 2 characters of
/// context. No model that sees as much can have a lower loss on them.
double counted_entropy(const Triples& triples, std::size_t context);
/// p(next | last) by counting.   [vocabulary, vocabulary], a row of zeros where nothing follows.
Array counted_table(const Triples& triples);

/// `count` of the triples at random, with replacement.
Triples drawn(const Triples& triples, std::size_t count, Rng& rng);

struct Model {
  std::string name;
  std::vector<std::string> names;  ///< of the parameters
  std::vector<Array> parameters;
  /// The loss on a batch, from the places of the parameters on the tape.
  std::function<Id(Tape&, const std::vector<Id>&, const Triples&)> loss;
};

/// A model's loss on a tape, and the leaves that hold its parameters.
struct Written {
  std::vector<Id> parameters;
  Id loss;
};
Written write_loss(Tape& tape, const Model& model, const Triples& batch);

/// logits = table[last].   table: [V, V], zeros at first.
Model bigram_model(std::size_t vocabulary);
/// The same, but the backward of the lookup overwrites a row where it should add.
Model overwriting_model(std::size_t vocabulary);
/// Sees two characters and uses all six operations:
///
///   h = layer_norm(first[last] * second[before_last])      [N, 16]
///   logits = softmax(h keys) values + h direct             keys [16, 64], values [64, V]
///
/// A softmax over 64 keys chooses rows of `values`. h is used twice.
Model two_layer_model(std::size_t vocabulary, std::uint64_t seed);

/// Adam (Kingma and Ba, 2015) with betas 0.9 and 0.99, the rate falling linearly to zero.
struct Training {
  int steps = 300;
  std::size_t batch = 256;
  double rate = 0.1;
  int evaluate_every = 15;
};

/// Mean losses on all triples, before some of the steps and after the last.
struct Curve {
  std::vector<double> steps, losses;
};

/// Trains on random batches of `triples` and changes the model's parameters.
Curve train(Model& model, const Triples& triples, const Training& training, std::uint64_t seed);

}  // namespace phasor::lab05
