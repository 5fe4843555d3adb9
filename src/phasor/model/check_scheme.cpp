#include "phasor/model/check_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "phasor/core/error.hpp"
#include "phasor/ops/ops.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr std::size_t kVocabulary = 11, kContext = 16;
constexpr double kInfinite = std::numeric_limits<double>::infinity();
// The same sums of up to 48 products in another order, through two layers.
constexpr double kRounding = 1e3 * std::numeric_limits<Real>::epsilon();
// Differences of float losses lose some five of seven digits; in double what is left is the
// curvature that the formula leaves out, which a network of distances has much of.
constexpr bool kIsDouble = sizeof(Real) == sizeof(double);
constexpr double kSlope = kIsDouble ? 1e-6 : 0.05;
constexpr double kStep = kIsDouble ? 1e-3 : 0.005;

Tensor random(const Shape& shape, std::uint64_t seed) {
  Rng rng(seed, "check");
  return random_normal(shape, 0, 1, rng);
}

Indices random_tokens(std::size_t count) {
  Rng rng(count, "tokens");
  Indices tokens = Indices::from_shape({2, count});
  for (auto& token : tokens) token = static_cast<std::int64_t>(rng.below(kVocabulary));
  return tokens;
}

/// Of all numbers; infinite when the shapes differ or one is not a number.
double largest_difference(const Tensor& a, const Tensor& b) {
  if (shape_of(a) != shape_of(b)) return kInfinite;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(static_cast<double>(a.data()[i] - b.data()[i]));
    if (!(difference <= largest)) largest = std::isnan(difference) ? kInfinite : difference;
  }
  return largest;
}

double largest(const Tensor& values) {
  double result = 0;
  for (const Real value : values) result = std::max(result, std::abs(static_cast<double>(value)));
  return result;
}

class Checker {
 public:
  Checker(const std::string& name, const OptionValues& options) : model_(made(name, options)) {
    std::uint64_t seed = 0;
    for (NamedParameter parameter : model_->parameters()) {
      const Tensor noise = random(parameter.value.shape(), ++seed);
      Tensor& value = parameter.value.mutable_value();
      for (std::size_t i = 0; i < value.size(); ++i) value.data()[i] += Real(0.3) * noise.data()[i];
    }
    model_->constrain();
  }

  std::vector<SchemeCheck> all() {
    const Traits traits = model_->scheme().traits();
    add("a finite logit for every character", 0, [&] { return not_finite(kContext); });
    if (traits.max_positions)
      add("positions beyond its last are refused", 0,
          [&] { return takes(*traits.max_positions + 1); });
    else
      add("finite logits at four times the training length", 0,
          [&] { return not_finite(4 * kContext); });
    add("a later character changes no earlier logit", 0, [&] { return from_the_future(); });
    add("one character at a time equals all at once", kRounding, [&] { return cache_error(); });
    add("a short text after a long one is read as before", 0, [&] { return memory(); });
    add("the traits count the parameters", 0, [&] { return miscounted(traits); });
    if (model_->scheme().parameter_count() > 0)
      add("gradients are the slopes of the loss", kSlope, [&] { return gradient_error(); });
    if (traits.is_relative)
      add("a common shift of all positions changes nothing", kRounding,
          [&] { return shift_error(); });
    return std::move(checks_);
  }

 private:
  static std::unique_ptr<Gpt> made(const std::string& name, const OptionValues& options) {
    GptConfig config;
    config.vocabulary = kVocabulary;
    config.width = 24;
    config.heads = 3;
    config.context = kContext;
    config.mlp_ratio = 2;
    config.scheme = name;
    config.options = options;
    Rng rng(1, "weights");
    return std::make_unique<Gpt>(config, rng);
  }

  template <class Measure>
  void add(const char* what, double tolerance, const Measure& measure) {
    SchemeCheck check{what, kInfinite, tolerance};
    try {
      check.measured = measure();
    } catch (const std::exception& problem) {
      check.problem = problem.what();
    }
    checks_.push_back(check);
  }

  Tensor logits(const Indices& tokens, const ForwardOptions& options = {}) const {
    const NoGrad no_grad;
    return (*model_)(tokens, options).value();
  }

  double not_finite(std::size_t count) const {
    const Tensor values = logits(random_tokens(count));
    if (shape_of(values) != Shape{2, count, kVocabulary}) return kInfinite;
    return static_cast<double>(
        std::count_if(values.begin(), values.end(), [](Real x) { return !std::isfinite(x); }));
  }

  /// 0 when so many positions are refused.
  double takes(std::size_t count) const {
    try {
      logits(random_tokens(count));
      return 1;
    } catch (const PositionError&) {
      return 0;
    }
  }

  double from_the_future() const {
    constexpr std::size_t kAt = kContext / 2;
    Indices tokens = random_tokens(kContext);
    const Tensor before = logits(tokens);
    for (std::size_t b = 0; b < 2; ++b)
      tokens(b, kAt) = (tokens(b, kAt) + 1) % std::int64_t{kVocabulary};
    const Tensor after = logits(tokens);
    double change = 0;
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t t = 0; t < kAt; ++t)
        for (std::size_t v = 0; v < kVocabulary; ++v)
          change =
              std::max(change, std::abs(static_cast<double>(after(b, t, v) - before(b, t, v))));
    return change;
  }

  double cache_error() const {
    const Indices tokens = random_tokens(kContext);
    const Tensor at_once = logits(tokens);
    Tensor one_by_one = empty(shape_of(at_once));
    KeyValueCache cache;
    for (std::size_t t = 0; t < kContext; ++t) {
      Indices here = Indices::from_shape({2, 1});
      for (std::size_t b = 0; b < 2; ++b) here(b, 0) = tokens(b, t);
      const Tensor step = logits(here, {.cache = &cache});
      for (std::size_t b = 0; b < 2; ++b)
        for (std::size_t v = 0; v < kVocabulary; ++v) one_by_one(b, t, v) = step(b, 0, v);
    }
    return largest_difference(one_by_one, at_once) / largest(at_once);
  }

  double memory() const {
    const Indices few = random_tokens(3);
    const Tensor before = logits(few);
    logits(random_tokens(kContext));
    return largest_difference(logits(few), before);
  }

  double miscounted(const Traits& traits) const {
    return std::abs(static_cast<double>(traits.parameter_count) -
                    static_cast<double>(model_->scheme().parameter_count()));
  }

  double shift_error() const {
    const Indices tokens = random_tokens(kContext);
    const Tensor before = logits(tokens);
    const Tensor after = logits(tokens, {.positions = consecutive_positions(kContext, 37)});
    return largest_difference(after, before) / largest(before);
  }

  /// sum(dy * logits) for a fixed random dy.
  Var loss(const Indices& tokens) const {
    const Var y = (*model_)(tokens);
    return sum(mul(y, Var(random(y.shape(), 99))));
  }

  /// |analytic - numeric| along three random directions, as far as rounding does not explain it,
  /// divided by the largest of those slopes. Some slopes are nothing but rounding: what is added to
  /// all logits of a query, as the last bias of a network of distances, changes nothing.
  double gradient_error() const {
    const Indices tokens = random_tokens(kContext);
    const double rounding = rounding_of_slopes(tokens);
    Gradients gradients;
    backward(loss(tokens), gradients);
    double worst = 0;
    for (NamedParameter parameter : model_->scheme().parameters()) {
      const Tensor* gradient = gradients.find(parameter.value);
      double error = 0, size = 0;
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const Tensor direction = unit(parameter.value.shape(), seed);
        double analytic = 0;
        for (std::size_t i = 0; gradient && i < direction.size(); ++i)
          analytic +=
              static_cast<double>(gradient->data()[i]) * static_cast<double>(direction.data()[i]);
        const double numeric = slope(tokens, parameter.value.mutable_value(), direction);
        error = std::max(error, std::abs(numeric - analytic));
        size = std::max({size, std::abs(numeric), std::abs(analytic)});
      }
      if (error > rounding) worst = std::max(worst, (error - rounding) / size);
      if (std::isnan(error + size)) return kInfinite;
    }
    return worst;
  }

  /// Of the differences of losses below: the rounding of each term of the loss, over the step.
  double rounding_of_slopes(const Indices& tokens) const {
    const Tensor y = logits(tokens), dy = random(shape_of(y), 99);
    double total = 0;
    for (std::size_t i = 0; i < y.size(); ++i)
      total += std::abs(static_cast<double>(y.data()[i]) * static_cast<double>(dy.data()[i]));
    return std::numeric_limits<Real>::epsilon() * total / kStep;
  }

  static Tensor unit(const Shape& shape, std::uint64_t seed) {
    Tensor direction = random(shape, seed);
    double squares = 0;
    for (const Real x : direction) squares += static_cast<double>(x) * static_cast<double>(x);
    for (Real& x : direction.storage()) x /= static_cast<Real>(std::sqrt(squares));
    return direction;
  }

  /// dL/de of L(parameter + e direction) by five points; the error grows with the fourth power of
  /// the step and with the rounding of the loss divided by it.
  double slope(const Indices& tokens, Tensor& parameter, const Tensor& direction) const {
    const NoGrad no_grad;
    const Tensor before = parameter;
    const auto at = [&](double step) {
      for (std::size_t i = 0; i < parameter.size(); ++i)
        parameter.data()[i] = before.data()[i] + static_cast<Real>(step) * direction.data()[i];
      const Tensor y = (*model_)(tokens).value(), dy = random(shape_of(y), 99);
      double total = 0;
      for (std::size_t i = 0; i < y.size(); ++i)
        total += static_cast<double>(y.data()[i]) * static_cast<double>(dy.data()[i]);
      return total;
    };
    constexpr double h = kStep;
    const double result = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    parameter = before;
    return result;
  }

  std::unique_ptr<Gpt> model_;
  std::vector<SchemeCheck> checks_;
};

}  // namespace

std::vector<SchemeCheck> check_scheme(const std::string& name, const OptionValues& options) {
  return Checker(name, options).all();
}

}  // namespace phasor::inline PHASOR_PRECISION
