#include "phasor/position/plain_scheme.hpp"

#include <algorithm>
#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/ops/elementwise.hpp"
#include "phasor/ops/layout.hpp"
#include "phasor/position/distances.hpp"
#include "phasor/position/rotation.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

using Numbers = PlainFunctions::Numbers;

Numbers in_double(const Tensor& values) {
  Numbers result = Numbers::from_shape(values.shape());
  std::copy(values.begin(), values.end(), result.begin());
  return result;
}

Tensor in_real(const Numbers& values) {
  Tensor result = empty(shape_of(values));
  std::transform(values.begin(), values.end(), result.begin(),
                 [](double value) { return static_cast<Real>(value); });
  return result;
}

/// dL/dparameters [H, N] = sum over distances of dy [U, H] times the slopes.
Tensor gradient_of(const Numbers& parameters, const PlainFunctions& functions,
                   const std::vector<double>& distances, const Tensor& dy,
                   const std::string& name) {
  Numbers sums = xt::zeros<double>(shape_of(parameters));
  for (std::size_t u = 0; u < distances.size(); ++u)
    for (std::size_t h = 0; h < sums.shape(0) && distances[u] >= 0; ++h) {
      const Numbers slope = functions.bias_slopes(parameters, h, distances[u]);
      check<ConfigError>(slope.dimension() == 1 && slope.size() == sums.shape(1),
                         "[{}] bias_slopes must be [{}], one for each parameter of a head, got {}",
                         name, sums.shape(1), shape_of(slope));
      for (std::size_t i = 0; i < slope.size(); ++i)
        sums(h, i) += static_cast<double>(dy(u, h)) * slope(i);
    }
  return in_real(sums);
}

class Plain : public DistanceBiasScheme {
 public:
  Plain(std::string name, PlainFunctions functions, const SchemeSizes& sizes)
      : name_(std::move(name)),
        functions_(std::move(functions)),
        heads_(sizes.heads),
        pairs_(sizes.head_width() / 2),
        first_(functions_.parameters(sizes.heads)) {
    check<ConfigError>(first_.dimension() == 2 && first_.shape(0) == heads_,
                       "[{}] parameters({}) must be [{}, N], a row for each head, got {}; return "
                       "zeros({{{}, 0}}) for none",
                       name_, heads_, heads_, shape_of(first_), heads_);
    if (first_.size() > 0) parameters_ = &add_parameter("parameters", in_real(first_));
  }

  QK rotate(const Var& q, const Var& k, const Context& context) const override {
    return {turned(q, context.queries), turned(k, context.keys)};
  }

  /// [U] -> [U, H]. Keys in the future are hidden, whatever is added: they get 0.
  Var bias_by_distance(const std::vector<double>& distances, bool causal) const override {
    check<ConfigError>(causal,
                       "[{}] attention must be causal: the bias is for keys in the past; choose "
                       "another scheme, such as alibi, for unmasked attention",
                       name_);
    const Numbers parameters = parameters_ ? in_double(parameters_->value()) : first_;
    Tensor result = zeros({distances.size(), heads_});
    for (std::size_t u = 0; u < distances.size(); ++u)
      for (std::size_t h = 0; h < heads_ && distances[u] >= 0; ++h) {
        const double bias = functions_.bias(parameters, h, distances[u]);
        check<ConfigError>(std::isfinite(bias), "[{}] the bias of head {} at distance {:g} is {}",
                           name_, h, distances[u], bias);
        result(u, h) = static_cast<Real>(bias);
      }
    if (!parameters_) return Var(std::move(result));
    // The graph may outlive the scheme, so it holds the functions themselves.
    return Var::op("plain_bias", std::move(result), {*parameters_},
                   [name = name_, functions = functions_, distances, parameters](const OpGrad& g) {
                     if (g.needs(0))
                       g.add(0, gradient_of(parameters, functions, distances, g.dy(), name));
                   });
  }

  Traits traits() const override {
    Traits traits;
    traits.is_relative = functions_.is_relative;
    traits.bias_ignores_content = true;
    traits.causal_only = true;
    traits.parameter_count = first_.size();
    return traits;
  }

 private:
  /// (x, y) -> (x cos a - y sin a, x sin a + y cos a) for every pair: x cos + swapped(x) sin, where
  /// swapped has -y in the place of x and x in the place of y.
  Var turned(const Var& x, const Positions& positions) const {
    const std::size_t T = positions.size(), D = 2 * pairs_;
    Tensor cosines = empty({T, D}), sines = empty({T, D});
    bool turns = false;
    for (std::size_t t = 0; t < T; ++t)
      for (std::size_t c = 0; c < pairs_; ++c) {
        const double angle = functions_.angle(c, pairs_, positions[t]);
        check<ConfigError>(std::isfinite(angle), "[{}] the angle of pair {} at position {:g} is {}",
                           name_, c, positions[t], angle);
        turns = turns || angle != 0;
        cosines(t, 2 * c) = cosines(t, 2 * c + 1) = static_cast<Real>(std::cos(angle));
        sines(t, 2 * c + 1) = static_cast<Real>(std::sin(angle));
        sines(t, 2 * c) = -sines(t, 2 * c + 1);
      }
    if (!turns) return x;
    const Shape& shape = x.shape();
    const Shape paired = {shape[0], shape[1], T, pairs_, 2};
    const Var pairs = reshape(x, paired);
    const Var swapped =
        reshape(concatenate({slice(pairs, 4, 1, 2), slice(pairs, 4, 0, 1)}, 4), shape);
    return add(mul(x, Var(cosines)), mul(swapped, Var(sines)));
  }

  std::string name_;
  PlainFunctions functions_;
  std::size_t heads_, pairs_;
  Numbers first_;
  Var* parameters_ = nullptr;  // none: there is nothing to train
};

}  // namespace

SchemeEntry plain_scheme(const std::string& name, const std::string& summary,
                         const PlainFunctions& functions) {
  return {.name = name,
          .kind = "own",
          .summary = summary,
          .paper = "-",
          .equation = "-",
          .options = {},
          .make = [name, functions](const SchemeSizes& sizes, const Options&, Rng&) {
            check_even_head_width(name, sizes.head_width());
            return std::make_unique<Plain>(name, functions, sizes);
          }};
}

}  // namespace phasor::inline PHASOR_PRECISION
