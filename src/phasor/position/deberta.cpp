#include "phasor/position/deberta.hpp"

#include <algorithm>
#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/nn/linear.hpp"
#include "phasor/ops/elementwise.hpp"
#include "phasor/ops/gather.hpp"
#include "phasor/ops/layout.hpp"
#include "phasor/ops/matmul.hpp"
#include "phasor/position/distances.hpp"
#include "phasor/position/log_steps.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

class Deberta : public Scheme {
 public:
  Deberta(const DebertaRows& rows, bool as_released, const SchemeSizes& sizes, Rng& rng)
      : rows_(rows),
        as_released_(as_released),
        heads_(sizes.heads),
        table_(add_parameter(
            "table", random_normal({2 * static_cast<std::size_t>(rows.span), sizes.width}, 0,
                                   Real(0.02), rng))),
        key_(sizes.width, sizes.width, Bias::without, Real(0.02), rng),
        query_(sizes.width, sizes.width, Bias::without, Real(0.02), rng) {
    add_part("key", key_);
    add_part("query", query_);
  }

  Var score(const Var& logits, const Var& q, const Var& k, const Context& context) const override {
    const std::size_t T = context.queries.size(), S = context.keys.size();
    Indices query_to_key = Indices::from_shape({T, S}), key_to_query = Indices::from_shape({S, T});
    for (std::size_t t = 0; t < T; ++t)
      for (std::size_t s = 0; s < S; ++s) {
        const double rel = context.queries[t] - context.keys[s];
        check_whole("deberta", rel);
        query_to_key(t, s) = rows_.of(rel);
        key_to_query(s, t) = rows_.of(as_released_ ? rel : -rel);
      }
    const Var content_to_position = gather(against(q, key_, context), query_to_key);
    const Var position_to_content = gather(against(k, query_, context), key_to_query);
    const Var all =
        add(add(logits, content_to_position), transpose(position_to_content, {0, 1, 3, 2}));
    return scale(all, static_cast<Real>(1 / std::sqrt(3.0)));
  }

  Traits traits() const override {
    Traits traits;
    traits.is_relative = true;
    traits.whole_positions = true;
    traits.shared_across_layers = false;
    traits.parameter_count = parameter_count();
    return traits;
  }

 private:
  /// x: [B, H, T, D] with every projected row of P, scaled: [B, H, T, 2N].
  Var against(const Var& x, const Linear& project, const Context& context) const {
    const Var one = split_heads(project(reshape(table_, {1, table_.shape()[0], table_.shape()[1]})),
                                heads_);  // [1, H, 2N, D]
    return matmul(x, for_each_sequence(one, x.shape()[0]),
                  {.transpose_b = true, .scale = context.scale});
  }

  DebertaRows rows_;
  bool as_released_;
  std::size_t heads_;
  Var& table_;
  Linear key_, query_;
};

std::unique_ptr<Scheme> make(const SchemeSizes& sizes, const Options& options, Rng& rng) {
  const DebertaRows rows{options.number_or("span", static_cast<double>(sizes.context)),
                         options.number("max_distance"), options.choice("distances") == "log"};
  check<ConfigError>(
      !rows.is_logarithmic || (rows.span >= 4 && rows.max_distance - 1 > rows.span / 2),
      "[deberta] logarithmic distances need --span of at least 4 and --max-distance "
      "above half of it, got {:g} and {:g}",
      rows.span, rows.max_distance);
  return std::make_unique<Deberta>(rows, options.choice("p2c") == "code", sizes, rng);
}

}  // namespace

std::int64_t DebertaRows::of(double rel) const {
  double bucket = rel;
  const double middle = std::floor(span / 2), last = max_distance - 1;
  if (is_logarithmic && std::abs(rel) > middle) {
    const double distance = std::min(std::abs(rel), last);
    const double steps = log_steps(distance, middle, last, static_cast<std::size_t>(middle) - 1);
    bucket = std::copysign(middle + std::ceil(steps), rel);
  }
  return static_cast<std::int64_t>(std::clamp(bucket + span, 0.0, 2 * span - 1));
}

SchemeEntry deberta() {
  return {
      .name = "deberta",
      .kind = "relative",
      .summary = "queries meet trained positions of keys, and keys those of queries",
      .paper = "He et al. 2020, arXiv 2006.03654",
      .equation = "equations 2 to 4",
      .options = {{"span", NumberOption{0, 0, 1e5, true}, "N, 0: the context"},
                  {"distances", ChoiceOption{{"exact", "log"}}, "rows for distances or buckets"},
                  {"max_distance", NumberOption{512, 4, 1e9}, "last distance of the buckets",
                   Needs{"distances", {"log"}}},
                  {"p2c", ChoiceOption{{"paper", "code"}},
                   "row that keys meet: the paper's, or the released code's"}},
      .make = make};
}

}  // namespace phasor::inline PHASOR_PRECISION
