// Causal self-attention that knows no positional scheme.
#pragma once
#include "phasor/model/config.hpp"
#include "phasor/model/pass.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// rotate(q, k) -> q k^T / sqrt(D) -> mask -> score -> softmax -> weights v -> mix -> output.
/// Vaswani et al. (2017), arXiv 1706.03762, section 3.2, with the four hooks of a scheme.
class Attention : public Module {
 public:
  /// `shared`: the model's scheme when one serves all layers; without it, attention makes its own
  /// and lists it among its parts as `position`.
  Attention(const GptConfig& config, const Scheme* shared, Rng& rng);

  /// x: [B, T, C] -> [B, T, C]. `cache` is this layer's, or null.
  Var operator()(const Var& x, const Pass& pass, LayerCache* cache) const;

  /// Scheme::constrain of this layer's own scheme.
  void constrain() {
    if (own_scheme_) own_scheme_->constrain();
  }

  /// The scheme in use: the shared one or this layer's own.
  const Scheme& scheme() const { return *scheme_; }

 private:
  /// From rotated queries and keys to the mixed values, [B, H, T, D], through every hook. The
  /// readable form of ops/attention.hpp, for schemes whose score depends on content and for passes
  /// that are recorded.
  Var step_by_step(const QK& rotated, const Var& v, const Scheme& scheme, const Context& context,
                   const Pass& pass) const;

  std::size_t heads_;
  Real scale_, dropout_;
  bool causal_;
  Linear query_, key_, value_, output_;
  std::unique_ptr<Scheme> own_scheme_;
  const Scheme* scheme_;
};

/// GPT-2's standard deviation of initial weights, and that of projections into the residual
/// stream: 0.02 / sqrt(2 layers), so that the stream does not grow with depth. Radford et al. 2019.
inline constexpr double kInitialDeviation = 0.02;
Real residual_deviation(std::size_t layers);

}  // namespace phasor::inline PHASOR_PRECISION
