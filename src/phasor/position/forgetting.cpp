#include "phasor/position/forgetting.hpp"

#include "phasor/core/error.hpp"
#include "phasor/ops/activation.hpp"
#include "phasor/ops/elementwise.hpp"
#include "phasor/ops/layout.hpp"
#include "phasor/ops/matmul.hpp"
#include "phasor/ops/reduce.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

class Forgetting : public Scheme {
 public:
  Forgetting(const SchemeSizes& sizes, double bias, Rng& rng)
      : weight_(
            add_parameter("weight", random_normal({sizes.heads, sizes.width}, 0, Real(0.02), rng))),
        bias_(add_parameter("bias", full({sizes.heads}, static_cast<Real>(bias)))) {}

  bool reads_inputs() const override { return true; }

  Var score(const Var& logits, const Var&, const Var&, const Context& context) const override {
    check<ConfigError>(context.causal,
                       "[forgetting] attention must be causal: a gate stands between the past and "
                       "now; choose another scheme, such as alibi, for unmasked attention");
    const std::size_t B = logits.shape()[0], H = logits.shape()[1];
    const std::size_t T = context.queries.size(), S = context.keys.size();
    const Var gates = linear(context.inputs, weight_, bias_);   // [B, S, H]
    const Var log_f = scale(softplus(scale(gates, -1)), -1);    // ln sigmoid
    const Var F = cumulative_sum(transpose(log_f, {0, 2, 1}));  // [B, H, S]
    const Var of_queries = reshape(slice(F, 2, S - T, S), {B, H, T, 1});
    return add(logits, sub(of_queries, reshape(F, {B, H, 1, S})));
  }

  Traits traits() const override {
    Traits traits;
    traits.is_relative = true;
    traits.shared_across_layers = false;
    traits.causal_only = true;
    traits.parameter_count = weight_.size() + bias_.size();
    return traits;
  }

 private:
  Var &weight_, &bias_;
};

}  // namespace

SchemeEntry forgetting() {
  return {.name = "forgetting",
          .kind = "content",
          .summary = "every token lets what came before it fade by as much as it decides",
          .paper = "Lin et al. 2025, arXiv 2503.02130",
          .equation = "equations 4 and 5",
          .options = {{"bias", NumberOption{5, -20, 20}, "b at first: how much is kept"}},
          .make = [](const SchemeSizes& sizes, const Options& options, Rng& rng) {
            return std::make_unique<Forgetting>(sizes, options.number("bias"), rng);
          }};
}

}  // namespace phasor::inline PHASOR_PRECISION
