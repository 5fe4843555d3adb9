#include "phasor/position/learned.hpp"

#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/ops/elementwise.hpp"
#include "phasor/ops/embedding.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

class Learned : public Scheme {
 public:
  Learned(std::size_t rows, std::size_t width, Rng& rng)
      : rows_(rows),
        table_(add_parameter("table", random_normal({rows, width}, 0, Real(0.02), rng))) {}

  Var embed(const Var& x, const Positions& positions) const override {
    Indices rows = Indices::from_shape({positions.size()});
    for (std::size_t t = 0; t < positions.size(); ++t) rows.data()[t] = row_of(positions[t]);
    return add(x, embedding(table_, rows));
  }

  std::optional<Var> added_bias(const Context&) const override { return Var(); }

  Traits traits() const override {
    Traits traits;
    traits.bias_ignores_content = true;
    traits.max_positions = rows_;
    traits.whole_positions = true;
    traits.parameter_count = table_.size();
    return traits;
  }

 private:
  std::int64_t row_of(double position) const {
    check<PositionError>(
        position >= 0 && position < static_cast<double>(rows_) && std::floor(position) == position,
        "[learned] position {:g} has no row: the table has rows 0 to {}; keep to {} positions, "
        "train with a longer --context, or choose a scheme without a table",
        position, rows_ - 1, rows_);
    return static_cast<std::int64_t>(position);
  }

  std::size_t rows_;
  Var& table_;
};

}  // namespace

SchemeEntry learned() {
  return {.name = "learned",
          .kind = "additive",
          .summary = "a trained vector for each position of the context",
          .paper = "Gehring et al. 2017, arXiv 1705.03122",
          .equation = "section 3.1",
          .options = {},
          .make = [](const SchemeSizes& sizes, const Options&, Rng& rng) {
            return std::make_unique<Learned>(sizes.context, sizes.width, rng);
          }};
}

}  // namespace phasor::inline PHASOR_PRECISION
