// Figures of attention scores taken apart, from what course/decomposition/measures.hpp measures.
#pragma once
#include "phasor/course/decomposition/measures.hpp"
#include "phasor/figure/figure.hpp"

namespace phasor {

/// D0-F4: the four terms of one head's scores, their sum and the weights that come of it, one
/// heatmap each.
Figure terms_figure(const FirstLayer& layer, std::size_t head);

/// The share of each term in the scores of every head, as bars.
Figure shares_figure(const std::vector<HeadParts>& parts);

/// The score of a query and a key at a fixed distance, by where the pair stands: of the encoding
/// itself, of the encoding behind W_Q and W_K, and of whole scores on a text.
struct Invariance {
  std::size_t head = 0;
  xt::xarray<double> raw, projected, whole;  ///< [T, T], rows are queries
};
Invariance invariance_of(const Run& run, const Encoded& validation, std::size_t head,
                         const Encoder& encode = sinusoid);
Figure invariance_figure(const Invariance& invariance);

/// The head with the largest share of the position-position term.
std::size_t most_positional(const std::vector<HeadParts>& parts);

/// The sentence that D0-F4 is drawn for.
inline constexpr const char* kSentence = "the dog bites the man.";

}  // namespace phasor
