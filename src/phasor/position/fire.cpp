#include "phasor/position/fire.hpp"

#include <cmath>

#include "phasor/ops/layout.hpp"
#include "phasor/position/distance_mlp.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr double kEpsilon = 1e-6;

/// ln(|c| x + 1) and its derivative by c, for x >= 0.
double psi(double c, double x) { return std::log1p(std::abs(c) * x); }
double psi_by_c(double c, double x) { return (c < 0 ? -x : x) / (1 + std::abs(c) * x); }
double psi_by_x(double c, double x) { return std::abs(c) / (1 + std::abs(c) * x); }

/// Distances and query positions of all pairs, and the numbers the ratio is made of.
struct Pairs {
  Positions queries, keys;
  double threshold;

  /// Calls of_query(query position) for every query t, and what it returns with (i, |rel|) for
  /// every pair i = t S + s.
  template <class OfQuery>
  void for_each(OfQuery of_query) const {
    std::size_t i = 0;
    for (const double query : queries) {
      const auto use = of_query(query);
      for (const double key : keys) use(i++, std::abs(query - key));
    }
  }
};

/// u = psi(|rel|) / (psi(max(L, query)) + epsilon), L = |multiplier * threshold|, [T * S, 1].
///   du/dc = (psi'(rel) - u psi'(n)) / (psi(n) + epsilon), primes by c, n = max(L, query);
///   du/dmultiplier = -u psi'(n) dn/dmultiplier / (psi(n) + epsilon), prime by n.
Var normalised_distance(const Var& c_given, const Var& multiplier, const Pairs& pairs) {
  const auto number = [](const Tensor& one) { return static_cast<double>(one.data()[0]); };
  Tensor u = empty({pairs.queries.size() * pairs.keys.size(), 1});
  const double c = number(c_given.value());
  const double L = std::abs(number(multiplier.value()) * pairs.threshold);
  pairs.for_each([&](double query) {
    return [&, below = psi(c, std::max(L, query)) + kEpsilon](std::size_t i, double distance) {
      u.data()[i] = static_cast<Real>(psi(c, distance) / below);
    };
  });
  return Var::op("fire", std::move(u), {c_given, multiplier}, [=](const OpGrad& g) {
    double dc = 0, dmultiplier = 0;
    const double sign = number(g.input(1)) < 0 ? -1 : 1;
    pairs.for_each([&](double query) {
      const double n = std::max(L, query), below = psi(c, n) + kEpsilon, n_by_c = psi_by_c(c, n);
      const double n_by_multiplier = L > query ? psi_by_x(c, n) * sign * pairs.threshold : 0;
      return [&, below, n_by_c, n_by_multiplier](std::size_t i, double distance) {
        const auto dy = static_cast<double>(g.dy().data()[i]);
        const double ratio = psi(c, distance) / below;
        dc += dy * (psi_by_c(c, distance) - ratio * n_by_c) / below;
        dmultiplier -= dy * ratio * n_by_multiplier / below;
      };
    });
    if (g.needs(0)) g.add(0, full({1}, static_cast<Real>(dc)));
    if (g.needs(1)) g.add(1, full({1}, static_cast<Real>(dmultiplier)));
  });
}

class Fire : public BiasScheme {
 public:
  Fire(double threshold, std::size_t hidden, std::size_t heads, Rng& rng)
      : threshold_(threshold),
        heads_(heads),
        c_(add_parameter("c", full({1}, Real(0.1)))),
        multiplier_(add_parameter("multiplier", full({1}, 1))),
        mlp_(hidden, heads, rng) {
    add_part("mlp", mlp_);
  }

  Var bias(const Context& context) const override {
    const std::size_t T = context.queries.size(), S = context.keys.size();
    const Var u = normalised_distance(c_, multiplier_, {context.queries, context.keys, threshold_});
    return reshape(transpose(mlp_(u), {1, 0}), {heads_, T, S});
  }

  Traits traits() const override {
    Traits traits;
    traits.bias_ignores_content = true;
    traits.shared_across_layers = false;
    traits.parameter_count = parameter_count();
    return traits;
  }

 private:
  double threshold_;
  std::size_t heads_;
  Var &c_, &multiplier_;
  DistanceMlp mlp_;
};

}  // namespace

SchemeEntry fire() {
  return {.name = "fire",
          .kind = "bias",
          .summary = "a small network of the distance as a share of the query's position",
          .paper = "Li et al. 2023, arXiv 2310.04418",
          .equation = "equation 19",
          .options = {{"hidden", NumberOption{32, 1, 4096, true}, "hidden width of the network"},
                      {"threshold", NumberOption{0, 0, 1e9}, "L at first, 0: the context"}},
          .make = [](const SchemeSizes& sizes, const Options& options, Rng& rng) {
            return std::make_unique<Fire>(
                options.number_or("threshold", static_cast<double>(sizes.context)),
                static_cast<std::size_t>(options.number("hidden")), sizes.heads, rng);
          }};
}

}  // namespace phasor::inline PHASOR_PRECISION
