// Where everything in a figure goes, in pixels from the lower left corner.
#pragma once
#include <string_view>
#include <vector>

#include "phasor/figure/figure.hpp"

namespace phasor {

struct Box {
  double left, right, bottom, top;
  double width() const { return right - left; }
  double height() const { return top - bottom; }
};

struct Range {
  double low, high;
};

inline constexpr double kTextSize = 13;  // pixels
inline constexpr double kLineHeight = 17;

/// About how wide `text` is in DejaVu Sans of kTextSize, rather too wide than too narrow.
double text_width(std::string_view text);

/// The size of the whole picture.
Box canvas(const Figure& figure);
/// The part of the picture that panel `index` may use, with its titles and labels.
Box cell(const Figure& figure, std::size_t index);
/// The part of `cell` between the panel's axes.
Box plot_area(const Panel& panel, const Box& cell);

/// The ends of the axes of curves and bars: given, or from the data (finite values, bands and
/// reference lines) with a margin above and below.
Range x_range(const LinePanel& content, const Axis& axis);
Range y_range(const LinePanel& content, const Axis& axis);
Range y_range(const BarPanel& content, const Axis& axis);
/// The ends of the colour bar: given, or from the data; symmetric about 0 for a diverging palette.
Range value_range(const HeatmapPanel& content);

/// Multiples of 1, 2 or 5 times a power of ten within a range, at most nine of them and at least
/// `least` apart.
std::vector<double> round_numbers(const Range& range, double least);

/// How far along an axis `value` is: 0 at its low end, 1 at its high end.
double share_of(double value, const Range& range, const Axis& axis);

/// Moves the wanted places apart until neighbours are at least `gap` from each other, as little
/// as possible (least squares), and keeps them between low and high. Returned in the same order.
std::vector<double> spread(const std::vector<double>& wanted, double gap, double low, double high);

}  // namespace phasor
