// How the error of a difference depends on its step.
#pragma once
#include "labs/lab05_autograd/gradient.hpp"

namespace phasor::lab05 {

/// Errors of differences against backward, for many steps h.
struct StepCurves {
  std::vector<double> h, central, one_sided;
  std::vector<double> wrong = {};  ///< central differences against a wrong backward
  /// eps |L| / max|gradient|: divided by h, the relative error that rounding is expected to make.
  double rounding = 0;
};

/// Slope of log(error) against log(h) by least squares, over steps in [low, high].
double slope(const std::vector<double>& h, const std::vector<double>& error, double low,
             double high);
/// The step with the least error.
std::size_t best(const std::vector<double>& error);

/// `f` is softmax or something that rounds it; x, dy: [N, C]. Compares your softmax_backward with
/// differences of f, at steps 1, 10^-1/4, 10^-1/2 and so on that are above `least`. `epsilon` is
/// that of the numbers in f.
StepCurves measure_steps(const Function& f, const Array& x, const Array& dy, double epsilon,
                         double least);

/// softmax in double, and the library's, every number of which is rounded to float.
Array softmax_in_double(const std::vector<Array>& inputs);
Array softmax_in_float(const std::vector<Array>& inputs);

}  // namespace phasor::lab05
