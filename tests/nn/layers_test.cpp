// Linear, Norm and Mlp against loops, and how their weights begin.
#include <numbers>
#include <numeric>

#include "phasor/core/error.hpp"
#include "phasor/nn/mlp.hpp"
#include "phasor/nn/norm.hpp"
#include "tests/real_test.hpp"
#include "tests/tensor/closeness.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

// Sums of at most 7 products of numbers of order one, and one exponential.
constexpr double kRounding = 32 * kEpsilon;

double at(const Tensor& x, std::size_t i) { return static_cast<double>(x.data()[i]); }

struct Statistics {
  double mean, deviation;
};

Statistics statistics(const Tensor& x) {
  const double n = static_cast<double>(x.size());
  double sum = 0, squares = 0;
  for (const Real value : x) sum += static_cast<double>(value);
  for (const Real value : x) squares += std::pow(static_cast<double>(value) - sum / n, 2);
  return {sum / n, std::sqrt(squares / n)};
}

/// For n normal draws the mean scatters by deviation / sqrt(n), the deviation by
/// deviation / sqrt(2n); five times that is seen once in two million seeds, and the seed is fixed.
void expect_normal(const Tensor& x, double deviation) {
  const Statistics seen = statistics(x);
  const double n = static_cast<double>(x.size());
  EXPECT_NEAR(seen.mean, 0, 5 * deviation / std::sqrt(n));
  EXPECT_NEAR(seen.deviation, deviation, 5 * deviation / std::sqrt(2 * n));
}

void expect_parameters(const Module& module,
                       const std::vector<std::pair<std::string, Shape>>& wanted) {
  const auto parameters = module.parameters();
  ASSERT_EQ(parameters.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ(parameters[i].path, wanted[i].first);
    EXPECT_EQ(parameters[i].value.shape(), wanted[i].second) << wanted[i].first;
    EXPECT_TRUE(parameters[i].value.requires_grad()) << wanted[i].first;
  }
}

void randomise(const Module& module) {
  std::uint64_t seed = 40;
  for (NamedParameter parameter : module.parameters())
    parameter.value.mutable_value() = normal(parameter.value.shape(), ++seed);
}

/// x weight^T + bias in double, x: [rows, in].
Tensor naive_linear(const Tensor& x, std::size_t rows, const Tensor& weight, const Tensor* bias) {
  const std::size_t out = weight.shape()[0], in = weight.shape()[1];
  Tensor y = empty({rows, out});
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t j = 0; j < out; ++j) {
      double sum = bias ? at(*bias, j) : 0;
      for (std::size_t i = 0; i < in; ++i) sum += at(x, row * in + i) * at(weight, j * in + i);
      y(row, j) = static_cast<Real>(sum);
    }
  return y;
}

void expect_close(const Tensor& got, const Shape& shape, const Tensor& wanted) {
  ASSERT_EQ(shape_of(got), shape);
  Tensor flat = got;
  flat.reshape(shape_of(wanted));
  EXPECT_LE(relative_difference(flat, wanted), kRounding);
}

REAL_TEST(Linear, maps_the_last_axis) {
  for (const Bias bias : {Bias::with, Bias::without}) {
    Rng rng(1);
    const Linear layer(5, 4, bias, 1, rng);
    if (bias == Bias::with)
      expect_parameters(layer, {{"weight", {4, 5}}, {"bias", {4}}});
    else
      expect_parameters(layer, {{"weight", {4, 5}}});
    randomise(layer);
    const auto parameters = layer.parameters();
    const Tensor* stored = bias == Bias::with ? &parameters[1].value.value() : nullptr;
    const Tensor x = normal({2, 3, 5});
    expect_close(layer(Var(x)).value(), {2, 3, 4},
                 naive_linear(x, 6, parameters[0].value.value(), stored));
  }
}

REAL_TEST(Linear, begins_normal_with_a_zero_bias) {
  Rng rng(2);
  const Linear layer(200, 300, Bias::with, Real(0.02), rng), next(200, 300, Bias::with, 1, rng);
  const auto parameters = layer.parameters();
  expect_normal(parameters[0].value.value(), 0.02);
  EXPECT_TRUE(identical(parameters[1].value.value(), zeros({300})));
  expect_normal(next.parameters()[0].value.value(), 1);
  Rng same(2);
  const Linear twin(200, 300, Bias::with, Real(0.02), same);
  EXPECT_TRUE(identical(twin.parameters()[0].value.value(), parameters[0].value.value()));
  Tensor scaled = next.parameters()[0].value.value();
  for (Real& value : scaled) value *= Real(0.02);
  EXPECT_GT(relative_difference(scaled, parameters[0].value.value()), 0.1) << "drawn twice alike";
}

REAL_TEST(Norm, begins_as_plain_normalisation) {
  const Norm layer(7, NormKind::layer), rms(7, NormKind::rms);
  expect_parameters(layer, {{"weight", {7}}, {"bias", {7}}});
  expect_parameters(rms, {{"weight", {7}}});
  EXPECT_TRUE(identical(layer.parameters()[0].value.value(), full({7}, 1)));
  EXPECT_TRUE(identical(layer.parameters()[1].value.value(), zeros({7})));
  EXPECT_TRUE(identical(rms.parameters()[0].value.value(), full({7}, 1)));
}

REAL_TEST(Norm, agrees_with_a_loop) {
  const Tensor x = normal({2, 3, 7});
  for (const NormKind kind : {NormKind::layer, NormKind::rms}) {
    const Norm norm(7, kind);
    randomise(norm);
    const auto parameters = norm.parameters();
    Tensor wanted = empty({6, 7});
    for (std::size_t row = 0; row < 6; ++row) {
      double mean = 0, squares = 0;
      if (kind == NormKind::layer)
        for (std::size_t i = 0; i < 7; ++i) mean += at(x, row * 7 + i) / 7;
      for (std::size_t i = 0; i < 7; ++i) squares += std::pow(at(x, row * 7 + i) - mean, 2) / 7;
      for (std::size_t i = 0; i < 7; ++i) {
        const double y = (at(x, row * 7 + i) - mean) / std::sqrt(squares + 1e-5);
        const double bias = kind == NormKind::layer ? at(parameters[1].value.value(), i) : 0;
        wanted(row, i) = static_cast<Real>(y * at(parameters[0].value.value(), i) + bias);
      }
    }
    expect_close(norm(Var(x)).value(), {2, 3, 7}, wanted);
  }
}

double activated(Activation activation, double x) {
  const double u = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
  switch (activation) {
    case Activation::gelu_tanh:
      return x / 2 * (1 + std::tanh(u));
    case Activation::gelu_erf:
      return x / 2 * (1 + std::erf(x / std::sqrt(2)));
    case Activation::relu:
      return std::max(x, 0.0);
    case Activation::silu:
      break;
  }
  return x / (1 + std::exp(-x));
}

REAL_TEST(Mlp, is_down_of_the_activation_of_up) {
  const Tensor x = normal({2, 3, 5});
  for (const Activation activation :
       {Activation::gelu_tanh, Activation::gelu_erf, Activation::relu, Activation::silu}) {
    Rng rng(3);
    const Mlp mlp(5, 7, activation, 1, 1, rng);
    expect_parameters(
        mlp,
        {{"up.weight", {7, 5}}, {"up.bias", {7}}, {"down.weight", {5, 7}}, {"down.bias", {5}}});
    randomise(mlp);
    const auto parameters = mlp.parameters();
    Tensor hidden = naive_linear(x, 6, parameters[0].value.value(), &parameters[1].value.value());
    for (Real& value : hidden)
      value = static_cast<Real>(activated(activation, static_cast<double>(value)));
    expect_close(
        mlp(Var(x)).value(), {2, 3, 5},
        naive_linear(hidden, 6, parameters[2].value.value(), &parameters[3].value.value()));
  }
}

REAL_TEST(Mlp, begins_with_a_deviation_of_its_own_for_the_residual_stream) {
  Rng rng(4);
  const Mlp mlp(100, 400, Activation::relu, Real(0.02), Real(0.005), rng);
  const auto parameters = mlp.parameters();
  expect_normal(parameters[0].value.value(), 0.02);
  expect_normal(parameters[2].value.value(), 0.005);
  EXPECT_TRUE(identical(parameters[1].value.value(), zeros({400})));
  EXPECT_TRUE(identical(parameters[3].value.value(), zeros({100})));
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
