// What the documents say of the inner product of two encodings, measured.
#include "phasor/course/product/measures.hpp"
#include "phasor/course/topics.hpp"

namespace phasor {
namespace {

/// What the inner product depends on, and what it tells.
std::vector<Claim> claims_of_its_form() {
  return {
      {"D4-distance-alone", "D4",
       "The inner product of two encodings depends on how far apart the positions are, and on "
       "nothing else.",
       "lab03", "lab03-flat", product_measure::distance_alone},
      {"D4-sum-of-cosines", "D0, D3, D4",
       "The inner product is the sum of the cosines of distance times frequency, over all pairs.",
       "lab03", "lab03-properties", product_measure::sum_of_cosines_holds},
      {"D4-common-shift", "D0, D1, D4",
       "Moving both positions by the same amount leaves their inner product as it is: what holds "
       "at position 5 holds at position 500.",
       "lab03", "lab03-flat", product_measure::common_shift},
      {"D0-not-of-distance", "D0",
       "The inner product of two encodings does not simply tell how far apart they are: a sum of "
       "cosines is no simple function of the distance.",
       "lab03", "lab03-between", product_measure::not_of_distance},
      {"D2-product-tells-distance", "D2",
       "From the inner product of two rows one can measure how far apart their tokens are.",
       "lab03", "lab03-decay", product_measure::tells_distance},
      {"D1-two-to-the-left", "D1, D2",
       "Since similarity depends on the distance, a model can learn what stands two positions to "
       "the left, or whether one token comes before another.",
       "lab03", "lab03-between", product_measure::two_to_the_left},
      {"D3-two-scales", "D3",
       "One vector tells both the very next token and the token about a thousand places back.",
       "lab03", "lab03-decay", product_measure::two_scales},
  };
}

/// How alike near and far positions are.
std::vector<Claim> claims_of_likeness() {
  return {
      {"D3-goes-to-zero", "D3",
       "With a wide encoding the inner product of far positions is about 0, because the cosines "
       "fall out of step.",
       "lab03", "lab03-decay", product_measure::goes_to_zero},
      {"D3-close-to-half-width", "D3",
       "For small distances all cosines are near 1, so the inner product is close to half the "
       "width.",
       "lab03", "lab03-similarity", product_measure::close_to_half_width},
      {"D3-falls-with-swings", "D3",
       "The inner product falls as the distance grows, swinging on the way.", "lab03",
       "lab03-similarity", product_measure::falls_with_swings},
      {"D1-smooth-fall", "D1", "Similarity falls smoothly as the distance grows.", "lab03",
       "lab03-similarity", product_measure::smooth_fall},
      {"D1-mainly-distance", "D1",
       "Similarity depends mainly on the distance and not on where the two positions are.", "lab03",
       "lab03-similarity", product_measure::mainly_distance},
      {"D4-neighbours-alike", "D0, D3, D4",
       "Because sine and cosine are continuous, neighbouring positions have similar encodings, and "
       "more similar ones than positions far apart.",
       "lab03", "lab03-similarity", product_measure::neighbours_alike},
      {"D0-nearer-not-always", "D0",
       "That a nearer position is always the more similar one is a misconception.", "lab03",
       "lab03-flat", product_measure::nearer_not_always},
      {"D0-ten-and-twenty", "D0",
       "In some encodings position 10 is more similar to position 20 than to position 15.", "lab03",
       "lab03-similarity", product_measure::ten_and_twenty},
      {"D0-distance-structure", "D0",
       "The L2 distance between two encodings grows with the distance between their positions.",
       "lab03", "lab03-properties", product_measure::distance_structure},
      {"D0-no-near-collision", "D0",
       "Among the first hundred positions no two encodings come nearer to each other than 0.01.",
       "lab03", "lab03-properties", product_measure::no_near_collision},
  };
}

}  // namespace

std::vector<Claim> product_claims() {
  std::vector<Claim> all = claims_of_its_form();
  for (Claim& claim : claims_of_likeness()) all.push_back(std::move(claim));
  return all;
}

}  // namespace phasor
