// The same words in two orders, read by layers of attention with random weights: what differs.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "phasor/course/claim.hpp"

namespace phasor {

/// Words by number; a sentence is a list of them. Both sentences end in the full stop, which sees
/// every word even under a causal mask: a model would go on from there.
inline const std::vector<std::string> kWords = {"dog", "bites", "man", "."};
inline const std::vector<std::size_t> kDogBitesMan = {0, 1, 2, 3};
inline const std::vector<std::size_t> kManBitesDog = {2, 1, 0, 3};
inline const std::vector<std::size_t> kDogBitesDog = {0, 1, 0, 3};

/// How a sentence is read.
struct Condition {
  bool causal = false;   ///< each word sees itself and those before it
  bool encoded = false;  ///< the positional encoding is added to the words
};
inline constexpr std::array<Condition, 4> kConditions = {
    {{false, false}, {false, true}, {true, false}, {true, true}}};

/// "no mask, no position", "causal mask, with position".
std::string name_of(const Condition& condition);

/// Differences below one rounding of a double near 1 say nothing; they are drawn there.
inline constexpr double kRoundingOfOne = 1.1102230246251565e-16;

/// A stack of `layers` layers of width 16 reads `sentence`, token vectors and weights drawn from
/// `seed`, attention and encoding taken from `evidence`. Rows are places in the sentence.
StackPass read_sentence(const std::vector<std::size_t>& sentence, const Condition& condition,
                        std::size_t layers, std::uint64_t seed, const Evidence& evidence);

/// weights(a, b): how much word a looks at word b in layer `layer` (0 is the first), [4, 4], rows
/// and columns by word and not by place. Every word must stand in the sentence once.
xt::xarray<double> pair_weights(const std::vector<std::size_t>& sentence,
                                const Condition& condition, std::size_t layer, std::uint64_t seed,
                                const Evidence& evidence);

/// The largest difference of a pair's weight between "dog bites man ." and "man bites dog .".
double weight_difference(const Condition& condition, std::size_t layer, std::uint64_t seed,
                         const Evidence& evidence);

/// |a - b| / |a| for the output at the full stop, a of "dog bites man .", b of "man bites dog .".
double last_word_difference(const Condition& condition, std::size_t layers, std::uint64_t seed,
                            const Evidence& evidence);

/// |a - b| / |a| for the outputs at the first and at the second dog of "dog bites dog .".
double copies_difference(const Condition& condition, std::size_t layers, std::uint64_t seed,
                         const Evidence& evidence);

/// |a - b| / |a| for the last states of a recurrent net, h = tanh(h R + x W), that reads the two
/// sentences word by word, without any encoding.
double recurrent_difference(std::uint64_t seed);

/// What one order of the words does to one layer f: x is given in that order.
struct Shuffle {
  std::vector<std::size_t> order;
  std::size_t moved;   ///< how many words stand in another place
  double equivariant;  ///< max |f(Px) - P f(x)|
  double invariant;    ///< max |f(Px) - f(x)|
  double pooled;       ///< max |mean over words of f(Px) - the same of f(x)|
};
/// All 120 orders of five words, the unchanged one first.
std::vector<Shuffle> all_shuffles(bool causal, std::uint64_t seed, const Evidence& evidence);

}  // namespace phasor
