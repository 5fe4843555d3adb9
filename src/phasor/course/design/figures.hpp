// D2-F2: what each choice in the sinusoidal encoding is good for.
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "phasor/analysis/design.hpp"
#include "phasor/figure/figure.hpp"
#include "phasor/tensor/xtensor.hpp"

namespace phasor {

/// What is measured on every design: how well a fixed matrix moves it `shift` positions on, over
/// `positions` of them, with one pair and with `width` columns; and how near two positions come
/// that are at least `apart` apart, among `far_positions` with `far_width` columns.
struct ChoiceSetting {
  std::size_t positions = 128, width = 8, shift = 5;
  std::size_t far_positions = 512, far_width = 64, apart = 32;
};

/// One design, measured.
struct Choice {
  std::string label;
  double one_pair;   ///< |PE(p + k) - M PE(p)| / |PE(p + k)| with the best M, width 2
  double all_pairs;  ///< the same at the setting's width
  double nearest;    ///< distance of the nearest far positions, in lengths of a row
};

/// The angles of the design of that name (phasor/analysis/design.hpp).
using AnglesByName = std::function<AngleFunction(const std::string& design)>;
/// What the best fixed matrix leaves: rows [T, d], shift k -> |row(p + k) - M row(p)| / |row(p +
/// k)|
using ShiftResidual = std::function<double(const xt::xarray<double>& rows, std::size_t k)>;

/// The library's own angles, base 10000, and its own fit.
AngleFunction angles_of(const std::string& design);
double best_shift_residual(const xt::xarray<double>& rows, std::size_t k);

/// Measures the six designs, two other bases, and the real one without its cosines.
std::vector<Choice> measured_choices(const ChoiceSetting& setting,
                                     const AnglesByName& angles = angles_of,
                                     const ShiftResidual& residual = best_shift_residual);

/// D2-F2 from them.
Figure choices_figure(const std::vector<Choice>& choices, const ChoiceSetting& setting);

}  // namespace phasor
