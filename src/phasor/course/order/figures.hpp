// Figures of word order. What they show is measured on `evidence`, so that a lab draws them from
// what its learner wrote.
#pragma once
#include <cstdint>

#include "phasor/course/claim.hpp"
#include "phasor/figure/figure.hpp"

namespace phasor {

/// The attention weight of every pair of words in "dog bites man ." and in "man bites dog .", by
/// mask, by encoding and in two layers.
Figure pair_weights_figure(const Evidence& evidence, std::uint64_t seed = 1);

/// One layer, all orders of five words: |f(Px) - P f(x)| without and with a mask.
Figure shuffles_figure(const Evidence& evidence, std::uint64_t seed = 1);

/// How far apart the two sentences are at the full stop, and two copies of a word in one
/// sentence, against depth; bands over `draws` draws of the weights, from `seed` on.
Figure depth_figure(const Evidence& evidence, std::uint64_t seed = 1, std::size_t draws = 3);

}  // namespace phasor
