// AdamW against the ten lines of its definition.
#include <fmt/format.h>

#include "phasor/train/adamw.hpp"

#include "tests/real_test.hpp"
#include "tests/tensor/closeness.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

// Five updates of a dozen roundings each, the first of them divided by a root near zero.
constexpr double kRounding = 200 * kEpsilon;

const std::vector<Shape> kShapes{{3, 4}, {5}, {}, {2, 3, 2}, {1, 1}};

std::vector<NamedParameter> some_parameters() {
  std::vector<NamedParameter> result;
  for (const Shape& shape : kShapes)
    result.push_back(
        {fmt::format("p{}", result.size()), Var(normal(shape, result.size() + 1), true)});
  return result;
}

std::vector<Tensor> some_gradients(std::uint64_t step) {
  std::vector<Tensor> result;
  for (const Shape& shape : kShapes) result.push_back(normal(shape, 100 * step + result.size()));
  return result;
}

/// One element, in double.
struct Naive {
  double w, m = 0, v = 0;
  void update(double g, double t, double rate, double decay, const AdamwOptions& o) {
    m = o.beta1 * m + (1 - o.beta1) * g;
    v = o.beta2 * v + (1 - o.beta2) * g * g;
    const double m_hat = m / (1 - std::pow(o.beta1, t)), v_hat = v / (1 - std::pow(o.beta2, t));
    w = w - rate * decay * w - rate * m_hat / (std::sqrt(v_hat) + o.epsilon);
  }
};

REAL_TEST(Adamw, agrees_with_its_definition) {
  for (const AdamwOptions& options :
       {AdamwOptions{},
        AdamwOptions{.beta1 = 0.8, .beta2 = 0.95, .epsilon = 0.1, .weight_decay = 0.3},
        AdamwOptions{.beta1 = 0, .beta2 = 0, .weight_decay = 0}}) {
    std::vector<NamedParameter> parameters = some_parameters();
    std::vector<std::vector<Naive>> naive;
    for (const NamedParameter& parameter : parameters) {
      naive.emplace_back();
      for (const Real w : parameter.value.value()) naive.back().push_back({static_cast<double>(w)});
    }
    Adamw optimizer(parameters, options);
    Workers workers(2);
    for (std::uint64_t step = 1; step <= 5; ++step) {
      const double rate = 0.1 / static_cast<double>(step), factor = step == 3 ? 0.25 : 1;
      const std::vector<Tensor> gradients = some_gradients(step);
      optimizer.update(gradients, static_cast<Real>(factor), rate, workers);
      EXPECT_EQ(optimizer.steps(), step);
      for (std::size_t p = 0; p < parameters.size(); ++p) {
        const double decay = kShapes[p].size() >= 2 ? options.weight_decay : 0;  // not on vectors
        const Tensor& w = parameters[p].value.value();
        for (std::size_t i = 0; i < w.size(); ++i) {
          naive[p][i].update(factor * static_cast<double>(gradients[p].data()[i]),
                             static_cast<double>(step), rate, decay, options);
          EXPECT_NEAR(w.data()[i], naive[p][i].w, kRounding)
              << parameters[p].path << ", element " << i << ", step " << step;
        }
      }
    }
  }
}

REAL_TEST(Adamw, moves_by_the_rate_at_first) {
  // m / sqrt(v) is the gradient's sign after one step: w goes from 1 to 1 - rate, whatever g is.
  for (const double g : {1e-3, 5.0, -2.0}) {
    Var w(Tensor{1}, true);
    Adamw optimizer({{"w", w}}, {});
    Workers workers(1);
    optimizer.update({full({1}, static_cast<Real>(g))}, 1, 0.25, workers);
    EXPECT_NEAR(w.value()(0), g > 0 ? 0.75 : 1.25, 1e-5);  // epsilon / g = 1e-5
  }
}

REAL_TEST(Adamw, decays_matrices_alone) {
  std::vector<NamedParameter> parameters = some_parameters();
  const std::vector<NamedParameter> before = some_parameters();
  Adamw optimizer(parameters, {.weight_decay = 0.5});
  std::vector<Tensor> nothing;
  for (const Shape& shape : kShapes) nothing.push_back(zeros(shape));
  Workers workers(1);
  optimizer.update(nothing, 1, 0.25, workers);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    Tensor wanted = before[p].value.value();
    for (Real& w : wanted) w *= kShapes[p].size() >= 2 ? Real(0.875) : Real(1);
    EXPECT_TRUE(identical(parameters[p].value.value(), wanted)) << parameters[p].path;
  }
}

REAL_TEST(Adamw, goes_on_from_moments_and_steps_that_were_put_back) {
  std::vector<NamedParameter> through = some_parameters(), first = some_parameters();
  Workers workers(2);
  Adamw whole(through, {}), half(first, {});
  for (std::uint64_t step = 1; step <= 4; ++step)
    whole.update(some_gradients(step), 1, 0.1, workers);
  for (std::uint64_t step = 1; step <= 2; ++step)
    half.update(some_gradients(step), 1, 0.1, workers);
  Adamw rest(first, {});
  rest.set_steps(half.steps());
  rest.first_moments() = half.first_moments();
  rest.second_moments() = half.second_moments();
  for (std::uint64_t step = 3; step <= 4; ++step)
    rest.update(some_gradients(step), 1, 0.1, workers);
  for (std::size_t p = 0; p < first.size(); ++p)
    EXPECT_TRUE(identical(first[p].value.value(), through[p].value.value()));
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
