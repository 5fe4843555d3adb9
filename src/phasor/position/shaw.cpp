#include "phasor/position/shaw.hpp"

#include <algorithm>

#include "phasor/ops/elementwise.hpp"
#include "phasor/ops/gather.hpp"
#include "phasor/ops/matmul.hpp"
#include "phasor/position/distances.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

class Shaw : public Scheme {
 public:
  Shaw(std::size_t clip, std::size_t head_width, Rng& rng)
      : clip_(clip),
        keys_(add_parameter("keys", random_normal({2 * clip + 1, head_width}, 0, Real(0.02), rng))),
        values_(add_parameter("values",
                              random_normal({2 * clip + 1, head_width}, 0, Real(0.02), rng))) {}

  Var score(const Var& logits, const Var& q, const Var&, const Context& context) const override {
    const Var by_row =
        matmul(q, keys_, {.transpose_b = true, .scale = context.scale});  // [B, H, T, 2K+1]
    return add(logits, gather(by_row, rows(context)));
  }

  Var mix(const Var& out, const Var& weights, const Context& context) const override {
    const Var by_row = scatter_add(weights, rows(context), 2 * clip_ + 1);  // [B, H, T, 2K+1]
    return add(out, matmul(by_row, values_));
  }

  Traits traits() const override {
    Traits traits;
    traits.is_relative = true;
    traits.whole_positions = true;
    traits.shared_across_layers = false;
    traits.parameter_count = keys_.size() + values_.size();
    return traits;
  }

 private:
  Indices rows(const Context& context) const {
    const std::size_t T = context.queries.size(), S = context.keys.size();
    const auto K = static_cast<double>(clip_);
    Indices result = Indices::from_shape({T, S});
    for (std::size_t t = 0; t < T; ++t)
      for (std::size_t s = 0; s < S; ++s) {
        const double ahead = context.keys[s] - context.queries[t];
        check_whole("shaw", ahead);
        result(t, s) = static_cast<std::int64_t>(K + std::clamp(ahead, -K, K));
      }
    return result;
  }

  std::size_t clip_;
  Var &keys_, &values_;
};

}  // namespace

SchemeEntry shaw() {
  return {.name = "shaw",
          .kind = "relative",
          .summary = "keys and values get a trained vector for their distance, up to a clip",
          .paper = "Shaw et al. 2018, arXiv 1803.02155",
          .equation = "equations 3 and 4",
          .options = {{"max_distance", NumberOption{16, 1, 1e5, true},
                       "distance K beyond which all is alike"}},
          .make = [](const SchemeSizes& sizes, const Options& options, Rng& rng) {
            return std::make_unique<Shaw>(static_cast<std::size_t>(options.number("max_distance")),
                                          sizes.head_width(), rng);
          }};
}

}  // namespace phasor::inline PHASOR_PRECISION
