// The smallest program that uses the library: a scheme by name, its encoding, and a model with it.
#include <cmath>
#include <cstdio>

#include "phasor/model/gpt.hpp"

namespace {

/// What the scheme adds to the embeddings of positions 0 and 1: [1, 2, 8].
phasor::Tensor encoding() {
  phasor::Rng rng(1);
  const auto scheme = phasor::make_scheme("sinusoidal", {}, {8, 2, 16}, rng);
  const phasor::Var nothing(phasor::zeros({1, 2, 8}));
  return scheme->embed(nothing, phasor::consecutive_positions(2)).value();
}

/// What a model says behind two tokens: [1, 2, 5].
phasor::Tensor logits(std::int64_t second_token) {
  phasor::GptConfig config;
  config.vocabulary = 5;
  config.width = 8;
  config.heads = 2;
  config.scheme = "alibi";
  phasor::Rng rng(1);
  const phasor::Gpt model(config, rng);
  return model(phasor::Indices{{3, second_token}}).value();
}

}  // namespace

int main() {
  const float sine = encoding()(0, 1, 0);
  const phasor::Tensor one = logits(0), other = logits(4);
  std::printf("PE(1)[0] = %.6f, %zu logits\n", static_cast<double>(sine), one.size());

  // A later token must not change what is said before it.
  const bool is_causal = one(0, 0, 2) == other(0, 0, 2) && one(0, 1, 2) != other(0, 1, 2);
  const bool is_right = std::abs(sine - std::sin(1.0F)) < 1e-6F && one.size() == 10;
  return is_causal && is_right ? 0 : 1;
}
