// Training through attention in one op and step by step, at a size at which shards take several
// blocks: no bit may depend on the number of threads.
#include "phasor/tensor/gemm.hpp"
#include "phasor/train/trainer.hpp"
#include "tests/model/tiny.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

struct Trained {
  std::vector<double> losses;
  std::vector<Tensor> weights;
};

/// Twenty steps of a small model over sixteen windows each, two in a shard.
Trained trained(const std::string& scheme, std::size_t threads) {
  use_single_threaded_blas();
  GptConfig config = tiny_config(scheme);
  config.width = 16;
  config.heads = 2;
  config.layers = 2;
  config.context = 24;
  TrainConfig training;
  training.batch = 16;
  training.steps = 20;
  training.warmup = 4;
  Rng rng(5, "text");
  Encoded text;
  while (text.size() < 600) text.push_back(static_cast<std::int32_t>(rng.below(11)));
  const auto model = lively_model(config);
  Workers workers(threads);
  Trainer trainer(*model, training, text, workers);
  Trained result;
  while (trainer.steps_done() < training.steps) result.losses.push_back(trainer.step().loss);
  for (const NamedParameter& parameter : model->parameters())
    result.weights.push_back(parameter.value.value());
  return result;
}

REAL_TEST(Threads, twenty_steps_have_the_same_bits_on_any_number) {
  for (const char* scheme : {"learned", "rope", "t5_bias", "cope"}) {
    const Trained one = trained(scheme, 1);
    EXPECT_LT(one.losses.back(), one.losses.front()) << scheme << " did not train";
    for (const std::size_t threads : {1U, 2U, 3U, 8U}) {
      const Trained many = trained(scheme, threads);
      EXPECT_EQ(many.losses, one.losses) << scheme << ", " << threads << " threads";
      ASSERT_EQ(many.weights.size(), one.weights.size());
      for (std::size_t i = 0; i < one.weights.size(); ++i)
        EXPECT_TRUE(identical(many.weights[i], one.weights[i]))
            << scheme << ", " << threads << " threads, parameter " << i;
    }
  }
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
