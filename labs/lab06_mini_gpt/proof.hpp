// What proves the two functions of this lab, right or wrong: a block and ten training steps that
// PyTorch computed (golden.hpp), and the library's own model.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "labs/common/check_list.hpp"
#include "labs/lab06_mini_gpt/exercise.hpp"
#include "labs/lab06_mini_gpt/golden.hpp"
#include "labs/lab06_mini_gpt/parts.hpp"
#include "phasor/train/trainer.hpp"

namespace phasor::lab06 {

using mini_gpt::Array;

/// The functions a learner writes.
struct Written {
  std::function<Array(const Array&, const mini_gpt::BlockWeights&)> block = mini_gpt::block;
  std::function<Array(const Array&, const Array&, const std::vector<std::size_t>&)> positions =
      mini_gpt::add_learned_positions;
};

/// Weights by path: "blocks.0.attention.query.weight".
using Weights = std::map<std::string, Array>;

/// The small model of golden.hpp.
inline GptConfig golden_config() {
  GptConfig config;
  config.vocabulary = 7;
  config.width = 8;
  config.heads = 2;
  config.layers = 2;
  config.context = 6;
  config.tied = false;
  config.scheme = "learned";
  return config;
}

/// Number `index` of the weights called `path`: a sine whose phase is the sum of the name's bytes.
inline double formula_weight(const std::string& path, std::size_t axes, std::size_t index) {
  double phase = 0;
  for (const char c : path) phase += 0.1 * static_cast<unsigned char>(c);
  const double wave = std::sin(phase + 0.7 * static_cast<double>(index));
  if (axes >= 2) return 0.4 * wave;
  return 0.1 * wave + (path.ends_with("weight") ? 1 : 0);
}

/// All weights of a model, in double.
inline Weights weights_of(const Gpt& model) {
  Weights weights;
  for (const NamedParameter& parameter : model.parameters()) {
    Array values = Array::from_shape(parameter.value.shape());
    std::copy(parameter.value.value().begin(), parameter.value.value().end(), values.begin());
    weights.emplace(parameter.path, std::move(values));
  }
  return weights;
}

/// The weights of block number `layer`.
inline mini_gpt::BlockWeights block_weights(const Weights& weights, std::size_t layer,
                                            std::size_t heads) {
  const std::string block = fmt::format("blocks.{}.", layer);
  const auto norm = [&](const char* name) -> mini_gpt::NormWeights {
    return {weights.at(block + name + ".weight"), weights.at(block + name + ".bias")};
  };
  const auto linear = [&](const char* name) -> mini_gpt::LinearWeights {
    return {weights.at(block + name + ".weight"), weights.at(block + name + ".bias")};
  };
  return {norm("norm1"),
          {linear("attention.query"), linear("attention.key"), linear("attention.value"),
           linear("attention.output"), heads},
          norm("norm2"),
          {linear("mlp.up"), linear("mlp.down")}};
}

/// The Mini-GPT with learned positions, out of what the learner wrote: logits [T, V].
inline Array written_logits(const Written& written, const Weights& weights, const GptConfig& config,
                            const std::vector<std::int64_t>& tokens) {
  const Array& table = weights.at("token_embedding.weight");
  auto x = Array::from_shape({tokens.size(), config.width});
  std::vector<std::size_t> positions;
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    positions.push_back(t);
    for (std::size_t c = 0; c < config.width; ++c)
      x(t, c) = table(static_cast<std::size_t>(tokens[t]), c);
  }
  x = written.positions(x, weights.at("position.table"), positions);
  for (std::size_t layer = 0; layer < config.layers; ++layer)
    x = written.block(x, block_weights(weights, layer, config.heads));
  x = mini_gpt::layer_norm(x, {weights.at("norm.weight"), weights.at("norm.bias")});
  const Array no_bias = xt::zeros<double>({config.vocabulary});
  return mini_gpt::linear(x, {config.tied ? table : weights.at("head.weight"), no_bias});
}

/// Nats per token of row `row` of a batch, summed over its tokens.
inline double written_loss(const Written& written, const Weights& weights, const GptConfig& config,
                           const Batch& batch, std::size_t row) {
  const std::size_t T = batch.inputs.shape(1);
  std::vector<std::int64_t> tokens;
  for (std::size_t t = 0; t < T; ++t) tokens.push_back(batch.inputs(row, t));
  const Array logits = written_logits(written, weights, config, tokens);
  double loss = 0;
  for (std::size_t t = 0; t < T; ++t) {
    double sum = 0;
    for (std::size_t v = 0; v < config.vocabulary; ++v) sum += std::exp(logits(t, v));
    loss += std::log(sum) - logits(t, static_cast<std::size_t>(batch.targets(row, t)));
  }
  return loss;
}

/// Batch number `step` of the ten: token t of window b is (5 step + 3 b + t (t + b)) mod V.
inline Batch golden_batch(std::size_t step, const GptConfig& config) {
  constexpr std::size_t kWindows = 4;
  const Shape shape = {kWindows, config.context};
  Batch batch{Indices::from_shape(shape), Indices::from_shape(shape)};
  const auto token = [&](std::size_t b, std::size_t t) {
    return static_cast<std::int64_t>((5 * step + 3 * b + t * (t + b)) % config.vocabulary);
  };
  for (std::size_t b = 0; b < kWindows; ++b)
    for (std::size_t t = 0; t < config.context; ++t) {
      batch.inputs(b, t) = token(b, t);
      batch.targets(b, t) = token(b, t + 1);
    }
  return batch;
}

/// All weights of the small model, in double.
inline Weights formula_weights() {
  Rng rng(1, "weights");
  const Gpt model(golden_config(), rng);
  Weights weights;
  for (const NamedParameter& parameter : model.parameters()) {
    Array values = Array::from_shape(parameter.value.shape());
    for (std::size_t i = 0; i < values.size(); ++i)
      values.data()[i] = formula_weight(parameter.path, parameter.value.rank(), i);
    weights.emplace(parameter.path, std::move(values));
  }
  return weights;
}

/// The block against what PyTorch's makes of the same stream.
inline ListedCheck compare_block(const Written& written, double tolerance) {
  const GptConfig config = golden_config();
  auto stream = Array::from_shape({config.context, config.width});
  for (std::size_t i = 0; i < stream.size(); ++i)
    stream.data()[i] = std::cos(0.9 * static_cast<double>(i));
  return comparison(
      "block: largest difference from PyTorch's",
      [&] { return written.block(stream, block_weights(formula_weights(), 0, config.heads)); },
      matrix_of(kGoldenBlock, config.width), tolerance);
}

/// Trains the small model for ten steps as PyTorch did (tests/golden/training.py), and before each
/// computes the loss with what the learner wrote.
inline std::vector<double> ten_losses(const Written& written) {
  const GptConfig config = golden_config();
  Rng rng(1, "weights");
  Gpt model(config, rng);
  for (NamedParameter& parameter : model.parameters()) {
    Tensor& values = parameter.value.mutable_value();
    for (std::size_t i = 0; i < values.size(); ++i)
      values.data()[i] =
          static_cast<Real>(formula_weight(parameter.path, parameter.value.rank(), i));
  }
  TrainConfig train;
  train.batch = 4;
  train.steps = kGoldenLosses.size();
  train.lr = 1e-2;
  train.min_lr = 1e-3;
  train.warmup = 3;
  train.beta2 = 0.95;
  Workers workers(1);
  // The batches are given, so the text behind the trainer's own is never drawn from.
  Trainer trainer(model, train, Encoded(100, 0), workers);
  std::vector<double> losses;
  for (std::size_t step = 0; step < kGoldenLosses.size(); ++step) {
    const Batch batch = golden_batch(step, config);
    const Weights weights = weights_of(model);
    double loss = 0;
    for (std::size_t row = 0; row < train.batch; ++row)
      loss += written_loss(written, weights, config, batch, row);
    losses.push_back(loss / static_cast<double>(batch.targets.size()));
    trainer.step({batch});
  }
  return losses;
}

/// The largest |loss - PyTorch's| / PyTorch's of the ten; NaN when one is no number.
inline double ten_losses_error(const std::vector<double>& losses) {
  double error = losses.size() == kGoldenLosses.size() ? 0 : INFINITY;
  for (std::size_t step = 0; step < std::min(losses.size(), kGoldenLosses.size()); ++step)
    error = larger(error, std::abs(losses[step] / kGoldenLosses.at(step) - 1));
  return error;
}

/// Largest difference between the library's logits and those of what the learner wrote.
inline double logits_error(const Written& written, const Gpt& model,
                           const std::vector<std::int64_t>& tokens) {
  Indices batch = Indices::from_shape({1, tokens.size()});
  std::copy(tokens.begin(), tokens.end(), batch.begin());
  const NoGrad no_grad;
  const Tensor logits = model(batch).value();
  Array wanted = Array::from_shape({tokens.size(), model.config().vocabulary});
  std::copy(logits.begin(), logits.end(), wanted.begin());
  return largest_difference(written_logits(written, weights_of(model), model.config(), tokens),
                            wanted);
}

/// Positions out of order against x + table[positions].
inline ListedCheck compare_positions(const Written& written) {
  const std::vector<std::size_t> positions = {2, 0, 4, 2};
  auto x = Array::from_shape({4, 3}), table = Array::from_shape({5, 3}), wanted = x;
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<double>(i);
  for (std::size_t i = 0; i < table.size(); ++i) table.data()[i] = 100.0 * static_cast<double>(i);
  for (std::size_t t = 0; t < positions.size(); ++t)
    for (std::size_t c = 0; c < 3; ++c)
      wanted(t, c) =
          static_cast<double>(3 * t + c) + 100.0 * static_cast<double>(3 * positions[t] + c);
  return comparison(
      "positions out of order: largest difference from x + table[positions]",
      [&] { return written.positions(x, table, positions); }, wanted, 0);
}

/// 0 when a position without a row is refused, the first and one far beyond.
inline double missing_rows_taken(const Written& written) {
  const Array x = xt::zeros<double>({1, 4}), table = xt::ones<double>({3, 4});
  double taken = 0;
  for (const std::size_t position : {std::size_t{3}, std::size_t{1000}})
    taken += accepted([&] { written.positions(x, table, {position}); });
  return taken;
}

/// Why the other functions cannot go on with what these two return; empty when they can.
inline std::string unusable(const Written& written) {
  const Array x = xt::ones<double>({6, 8});
  const Weights weights = formula_weights();
  return first_problem(
      {array_problem("add_learned_positions of 6 x 8",
                     written.positions(x, weights.at("position.table"), {0, 1, 2, 3, 4, 5}),
                     {6, 8}),
       array_problem("block of 6 x 8",
                     written.block(x, block_weights(weights, 0, golden_config().heads)), {6, 8})});
}

/// As the guide has them.
inline constexpr Cause kCauses[] = {
    {"block: ", "a norm behind its part, a missing residual, the wrong norm"},
    {"positions", "rows taken in order, tables that wrap round"},
    {"three blocks", "the same, on other weights"},
    {"ten training steps", "anything left; both rows are printed"},
};

/// All checks of what the learner wrote.
inline std::vector<ListedCheck> prove(const Written& written) {
  // Sums of at most 32 products, through a norm and a softmax; values reach 11. A hundred roundings
  // of 11 * 1e-16 are 1e-13; a wrong block is off by more than 1.
  constexpr double kRounding = 1e-11;
  // The library trains in single precision: PyTorch's own float and double losses of such a course
  // differ by 1.4e-7, and ten steps of Adam amplify it. A wrong block is off by a hundredth.
  constexpr double kTenSteps = 1e-5;
  // Logits of order one in single precision, through two blocks.
  constexpr double kSingle = 2e-5;
  GptConfig config = golden_config();
  config.layers = 3;
  Rng rng(1, "weights");
  const Gpt model(config, rng);
  const auto measured = [](const auto& measure) { return measured_or_infinite(measure); };
  return {compare_block(written, kRounding),
          compare_positions(written),
          {"positions without a row that are taken", missing_rows_taken(written), 0},
          {"three blocks: largest difference of logits from the library's model", measured([&] {
             return logits_error(written, model, {3, 1, 4, 1, 5, 2});
           }),
           kSingle},
          {"ten training steps: largest relative difference of losses from PyTorch's",
           measured([&] { return ten_losses_error(ten_losses(written)); }), kTenSteps}};
}

}  // namespace phasor::lab06
