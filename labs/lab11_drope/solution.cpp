// One solution. To do the lab, write your own; README.md beside this file says how to begin.
#include <algorithm>
#include <cmath>

#include "labs/lab11_drope/exercise.hpp"

RotatedModel drop_and_recalibrate(const RotatedModel& trained, std::size_t trained_length,
                                  std::size_t steps, const Training& train) {
  RotatedModel dropped = trained;
  dropped.cosine.fill(1);
  dropped.sine.fill(0);
  return train(dropped, trained_length, steps);
}

double logit_temperature(double c, double length, double trained_length) {
  return 1 + c * std::log(std::max(length / trained_length, 1.0));
}
