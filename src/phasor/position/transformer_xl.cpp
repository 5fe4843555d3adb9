#include "phasor/position/transformer_xl.hpp"

#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/nn/linear.hpp"
#include "phasor/ops/elementwise.hpp"
#include "phasor/ops/gather.hpp"
#include "phasor/ops/layout.hpp"
#include "phasor/ops/matmul.hpp"
#include "phasor/ops/reduce.hpp"
#include "phasor/position/distances.hpp"
#include "phasor/position/rotation.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

class TransformerXl : public Scheme {
 public:
  TransformerXl(double base, const SchemeSizes& sizes, Rng& rng)
      : frequencies_(rotation_frequencies(base, sizes.width)),
        heads_(sizes.heads),
        head_width_(sizes.head_width()),
        position_(sizes.width, sizes.width, Bias::without, Real(0.02), rng),
        u_(add_parameter("u", zeros({heads_, head_width_}))),
        v_(add_parameter("v", zeros({heads_, head_width_}))) {
    add_part("position", position_);
  }

  Var score(const Var& logits, const Var& q, const Var& k, const Context& context) const override {
    const std::size_t B = q.shape()[0], H = heads_, D = head_width_, S = k.shape()[2];
    const Distances distances = distances_of(context);
    const Var r = for_each_sequence(split_heads(position_(Var(sinusoids(distances.values))), H), B);
    const Var of_position = matmul(add(q, reshape(v_, {H, 1, D})), r,
                                   {.transpose_b = true, .scale = context.scale});  // [B, H, T, U]
    const Var of_key = scale(sum(mul(k, reshape(u_, {H, 1, D})), 3), context.scale);  // [B, H, S]
    return add(add(logits, reshape(of_key, {B, H, 1, S})), gather(of_position, distances.index));
  }

  Traits traits() const override {
    Traits traits;
    traits.is_relative = true;
    traits.shared_across_layers = false;
    traits.parameter_count = parameter_count();
    return traits;
  }

 private:
  /// R of every distance, [1, U, C].
  Tensor sinusoids(const std::vector<double>& distances) const {
    const std::size_t U = distances.size(), half = frequencies_.size();
    Tensor result = empty({1, U, 2 * half});
    for (std::size_t i = 0; i < U; ++i)
      for (std::size_t k = 0; k < half; ++k) {
        result(0, i, k) = static_cast<Real>(std::sin(distances[i] * frequencies_[k]));
        result(0, i, half + k) = static_cast<Real>(std::cos(distances[i] * frequencies_[k]));
      }
    return result;
  }

  std::vector<double> frequencies_;
  std::size_t heads_, head_width_;
  Linear position_;
  Var &u_, &v_;
};

}  // namespace

SchemeEntry transformer_xl() {
  return {.name = "transformer_xl",
          .kind = "relative",
          .summary = "queries meet projected sinusoids of the distance, with two trained offsets",
          .paper = "Dai et al. 2019, arXiv 1901.02860",
          .equation = "section 3.3",
          .options = {{"base", NumberOption{10000, 1, 1e12}, "base of the wavelengths"}},
          .make = [](const SchemeSizes& sizes, const Options& options,
                     Rng& rng) -> std::unique_ptr<Scheme> {
            check<ConfigError>(sizes.width % 2 == 0,
                               "[transformer_xl] width must be even, for sines and cosines come in "
                               "pairs, got {}; choose --width {}",
                               sizes.width, sizes.width + 1);
            return std::make_unique<TransformerXl>(options.number("base"), sizes, rng);
          }};
}

}  // namespace phasor::inline PHASOR_PRECISION
