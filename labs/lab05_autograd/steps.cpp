#include "labs/lab05_autograd/steps.hpp"

#include <algorithm>
#include <cmath>

#include "labs/lab05_autograd/operations.hpp"
#include "phasor/ops/softmax.hpp"

namespace phasor::lab05 {

double slope(const std::vector<double>& h, const std::vector<double>& error, double low,
             double high) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < h.size(); ++i) {
    if (h[i] < low || h[i] > high || !(error[i] > 0)) continue;
    const double u = std::log(h[i]), v = std::log(error[i]);
    n += 1;
    x += u;
    y += v;
    xx += u * u;
    xy += u * v;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

std::size_t best(const std::vector<double>& error) {
  return static_cast<std::size_t>(std::min_element(error.begin(), error.end()) - error.begin());
}

StepCurves measure_steps(const Function& f, const Array& x, const Array& dy, double epsilon,
                         double least) {
  const Expression right = operations()[2].expression;
  const Expression wrong = wrong_softmaxes()[1].expression;
  const std::vector<Array> gradient = gradients_of(right, {x}, dy);
  const std::vector<Array> wrong_gradient = gradients_of(wrong, {x}, dy);
  StepCurves curves{.h = {}, .central = {}, .one_sided = {}};
  for (int quarter = 0; std::pow(10, -quarter / 4.0) > least; ++quarter) {
    const double h = std::pow(10, -quarter / 4.0);
    const auto central = numeric_gradients(f, {x}, dy, h, Difference::kCentral);
    const auto one_sided = numeric_gradients(f, {x}, dy, h, Difference::kOneSided);
    curves.h.push_back(h);
    curves.central.push_back(relative_error(gradient, central));
    curves.one_sided.push_back(relative_error(gradient, one_sided));
    curves.wrong.push_back(relative_error(wrong_gradient, central));
  }
  double loss = 0;
  const Array y = f({x});
  for (std::size_t i = 0; i < y.size(); ++i) loss += dy.data()[i] * y.data()[i];
  const double size =
      *std::max_element(gradient[0].begin(), gradient[0].end(),
                        [](double a, double b) { return std::abs(a) < std::abs(b); });
  curves.rounding = epsilon * std::abs(loss) / std::abs(size);
  return curves;
}

Array softmax_in_double(const std::vector<Array>& inputs) { return softmax(inputs[0]); }

Array softmax_in_float(const std::vector<Array>& inputs) {
  const NoGrad no_grad;
  Tensor x = empty(shape_of(inputs[0]));
  std::transform(inputs[0].begin(), inputs[0].end(), x.begin(),
                 [](double value) { return static_cast<Real>(value); });
  return phasor::softmax(Var(x)).value();
}

}  // namespace phasor::lab05
