// The figures of lab 04 that no document has.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "phasor/figure/figure.hpp"
#include "phasor/tensor/xtensor.hpp"

namespace phasor::lab04 {

/// One design's encoding and what its panel is called.
struct DesignRows {
  std::string title;
  xt::xarray<double> rows;  ///< [T, d]
};

/// How far apart the rows of every two positions are, in lengths of a row, one map a design.
Figure collisions_figure(const std::vector<DesignRows>& designs);

/// The base sweep: similarity over distance, the nearest two positions by width and base, the
/// longest wave by width, and where the waves lie with geometric and with linear spacing.
Figure bases_figure(std::size_t positions);

/// Whether columns are a basis: cosines of their angles, geometric and Fourier's, and what both
/// make of an impulse.
Figure fourier_figure(const xt::xarray<double>& geometric);

}  // namespace phasor::lab04
