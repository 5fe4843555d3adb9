#include "phasor/position/cope.hpp"

#include <algorithm>
#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/ops/activation.hpp"
#include "phasor/ops/elementwise.hpp"
#include "phasor/ops/matmul.hpp"
#include "phasor/ops/reduce.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

/// Where a real position falls in a table of n numbers.
struct Place {
  std::size_t below, above;
  Real share;  // of the one above
  bool is_clamped;

  Place(Real position, std::size_t n) {
    const auto last = static_cast<Real>(n - 1);
    is_clamped = position >= last;
    // No index can be made of NaN; it goes on in the share.
    const Real p = position > 0 ? std::min(position, last) : Real(0);
    below = static_cast<std::size_t>(std::floor(p));
    above = static_cast<std::size_t>(std::ceil(p));
    share = std::isnan(position) ? position : p - static_cast<Real>(below);
  }
};

/// y[..., s] = table[..., p[..., s]], interpolated.   table: [B, H, T, n], p: [B, H, T, S].
///   dtable[below] += (1 - share) dy, dtable[above] += share dy;  dp = dy (table[above] -
///   table[below]), 0 where p is clamped.
Var interpolate(const Var& table, const Var& p) {
  const std::size_t n = table.shape().back(), S = p.shape().back();
  Tensor y = empty(p.shape());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const Place place(p.value().data()[i], n);
    const Real* row = table.value().data() + i / S * n;
    y.data()[i] = (1 - place.share) * row[place.below] + place.share * row[place.above];
  }
  return Var::op("interpolate", std::move(y), {table, p}, [n, S](const OpGrad& g) {
    for (std::size_t i = 0; i < g.dy().size(); ++i) {
      const Place place(g.input(1).data()[i], n);
      const Real dy = g.dy().data()[i];
      const Real* row = g.input(0).data() + i / S * n;
      if (g.needs(0)) {
        Real* drow = g.into(0).data() + i / S * n;
        drow[place.below] += (1 - place.share) * dy;
        drow[place.above] += place.share * dy;
      }
      if (g.needs(1) && !place.is_clamped)
        g.into(1).data()[i] += dy * (row[place.above] - row[place.below]);
    }
  });
}

class Cope : public Scheme {
 public:
  Cope(std::size_t positions, std::size_t head_width)
      : table_(add_parameter("table", zeros({positions, head_width}))) {}

  Var score(const Var& logits, const Var& q, const Var&, const Context& context) const override {
    check<ConfigError>(
        context.causal,
        "[cope] attention must be causal: positions are counted from the query back; "
        "choose another scheme, such as t5_bias, for unmasked attention");
    const Var p = cumulative_sum(sigmoid(logits), From::last);  // [B, H, T, S]
    return add(logits, interpolate(matmul(q, table_, {.transpose_b = true}), p));
  }

  Traits traits() const override {
    Traits traits;
    traits.is_relative = true;
    traits.shared_across_layers = false;
    traits.causal_only = true;
    traits.parameter_count = table_.size();
    return traits;
  }

 private:
  Var& table_;
};

}  // namespace

SchemeEntry cope() {
  return {
      .name = "cope",
      .kind = "content",
      .summary = "a key's position is how many keys the query lets count up to it",
      .paper = "Golovneva et al. 2024, arXiv 2405.18719",
      .equation = "equations 3 to 5",
      .options = {{"rows", NumberOption{0, 0, 1e5, true}, "rows n of the table, 0: the context"}},
      .make = [](const SchemeSizes& sizes, const Options& options, Rng&) {
        return std::make_unique<Cope>(
            static_cast<std::size_t>(options.number_or("rows", static_cast<double>(sizes.context))),
            sizes.head_width());
      }};
}

}  // namespace phasor::inline PHASOR_PRECISION
