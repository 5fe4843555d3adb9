// The gradient of the whole model by every parameter, for every scheme, norm and activation.
#ifdef PHASOR_DOUBLE
#include <cstdio>

#include <nlohmann/json.hpp>

#include "phasor/ops/cross_entropy.hpp"
#include "tests/model/tiny.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

// The project's bound; see parameter_gradcheck.hpp for how exact the differences are.
constexpr double kBound = 1e-6;

GptConfig smallest_config(const std::string& scheme) {
  GptConfig config = tiny_config(scheme);
  config.vocabulary = 5;
  config.width = 6;
  config.heads = 3;
  config.context = 4;
  return config;
}

/// Biases of plus and minus 4 keep the hidden units away from the kink of relu, where there is no
/// derivative: half of them are off, half on, and no perturbation changes that.
void keep_from_kinks(const Gpt& model) {
  for (NamedParameter parameter : model.parameters())
    if (parameter.path.ends_with("mlp.up.bias"))
      for (std::size_t i = 0; i < parameter.value.size(); ++i)
        parameter.value.mutable_value().data()[i] = i % 2 == 0 ? 4 : -4;
}

REAL_TEST(GptGradient, equals_differences_for_every_scheme_norm_and_activation) {
  const Indices tokens = random_tokens(2, 4, 5);
  for (const SchemeEntry& entry : schemes()) {
    ParameterError worst;
    for (const NormKind norm : {NormKind::layer, NormKind::rms})
      for (const Activation activation :
           {Activation::gelu_tanh, Activation::gelu_erf, Activation::relu, Activation::silu}) {
        GptConfig config = smallest_config(entry.name);
        config.norm = norm;
        config.activation = activation;
        config.tied = norm == NormKind::layer;
        const auto model = lively_model(config);
        if (activation == Activation::relu) keep_from_kinks(*model);
        const ParameterError error = check_parameters(*model, [&] { return (*model)(tokens); });
        EXPECT_LE(error.relative, kBound)
            << entry.name << ", " << to_json(config).dump() << ", " << error.path;
        if (error.relative >= worst.relative) worst = error;
      }
    std::printf("  %-12s largest relative error %.0e, of %s\n", entry.name.c_str(), worst.relative,
                worst.path.c_str());
  }
}

REAL_TEST(GptGradient, of_the_loss_equals_differences) {
  const Indices tokens = random_tokens(2, 4, 5), targets = random_tokens(2, 4, 5, 2);
  for (const SchemeEntry& entry : schemes()) {
    const auto model = lively_model(smallest_config(entry.name));
    const ParameterError error =
        check_parameters(*model, [&] { return cross_entropy((*model)(tokens), targets); });
    EXPECT_LE(error.relative, kBound) << entry.name << ", " << error.path;
  }
}

REAL_TEST(GptGradient, with_dropout_equals_differences_under_the_same_draws) {
  const Indices tokens = random_tokens(2, 4, 5);
  for (const SchemeEntry& entry : schemes()) {
    GptConfig config = smallest_config(entry.name);
    config.dropout = 0.3;
    const auto model = lively_model(config);
    const ParameterError error = check_parameters(*model, [&] {
      Rng rng(1, "dropout");
      return (*model)(tokens, {.dropout_rng = &rng});
    });
    EXPECT_LE(error.relative, kBound) << entry.name << ", " << error.path;
  }
}

/// In float, and in training, a parameter that is not reached would stay as it began.
REAL_TEST(GptGradient, reaches_every_parameter) {
  for (const SchemeEntry& entry : schemes()) {
    GptConfig config = smallest_config(entry.name);
    config.tied = false;
    const auto model = lively_model(config);
    const Var logits = (*model)(random_tokens(2, 4, 5));
    backward(logits, normal(logits.shape(), 3));
    for (const NamedParameter& parameter : model->parameters()) {
      ASSERT_TRUE(parameter.value.has_grad()) << entry.name << ", " << parameter.path;
      // Softmax does not see a constant added to a row: without a rotation, a key's bias is one,
      // and so is the last bias of a network of distances.
      if (!parameter.path.ends_with("key.bias") && !parameter.path.ends_with("mlp.down.bias")) {
        EXPECT_GT(length(parameter.value.grad()), 1e-3) << entry.name << ", " << parameter.path;
      }
    }
  }
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
#endif
