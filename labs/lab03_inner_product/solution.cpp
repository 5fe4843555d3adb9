// One solution. To do the lab, write your own; README.md beside this file says how to begin.
#include <limits>

#include "labs/lab03_inner_product/exercise.hpp"

xt::xarray<double> dots_by_distance(const xt::xarray<double>& pe) {
  const std::size_t positions = pe.shape(0), width = pe.shape(1);
  auto dots = xt::xarray<double>::from_shape({positions, positions});
  dots.fill(std::numeric_limits<double>::quiet_NaN());
  for (std::size_t distance = 0; distance < positions; ++distance)
    for (std::size_t i = 0; i + distance < positions; ++i) {
      double sum = 0;
      for (std::size_t c = 0; c < width; ++c) sum += pe(i, c) * pe(i + distance, c);
      dots(distance, i) = sum;
    }
  return dots;
}
