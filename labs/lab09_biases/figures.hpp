// The figures of Lab 09. Captions and alt texts are computed from the numbers drawn.
#pragma once
#include "labs/lab09_biases/proof.hpp"
#include "phasor/figure/figure.hpp"
#include "phasor/train/run.hpp"

namespace phasor::lab09 {

/// The penalties of six heads by distance, and the slopes of 6, 8 and 12 heads.
Figure slopes_figure(const Written& written);
/// The bucket of every distance, causal and to both sides.
Figure buckets_figure(const Written& written);
/// Scores by distance before the shift, after it, and masked. The entries are the distances.
Figure shift_figure(const Written& written);
/// What the first and the last of four heads add, for every bias scheme of the library, untrained.
Figure maps_figure();

/// T5's table before and after training.
struct BucketTables {
  xt::xarray<double> before, after;         ///< [buckets, H]
  std::vector<std::size_t> first_distance;  ///< of each bucket
  std::size_t reached = 0;                  ///< buckets that a window of the training length has
  std::size_t context = 0, steps = 0;
};
/// Of a trained run; the table it began with is drawn again from its seed.
BucketTables bucket_tables(const Run& run);
Figure table_figure(const BucketTables& tables);

}  // namespace phasor::lab09
