#include "phasor/course/decomposition/measures.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "phasor/analysis/matrix.hpp"
#include "phasor/analysis/singular.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/larger.hpp"
#include "phasor/course/attention_figure.hpp"
#include "phasor/course/runs.hpp"
#include "phasor/ops/cross_entropy.hpp"
#include "phasor/tensor/gemm.hpp"

namespace phasor {
namespace {

using Array = xt::xarray<double>;
using Tokens = std::vector<std::int64_t>;

/// A parameter in double.
class Weights {
 public:
  explicit Weights(const Gpt& model) {
    for (const NamedParameter& parameter : model.parameters())
      parameters_.emplace(parameter.path, parameter.value);
  }
  Array operator[](const std::string& path) const {
    const auto found = parameters_.find(path);
    check<ConfigError>(found != parameters_.end(),
                       "the model has no {}; a model with layer norms is wanted", path);
    Array values = Array::from_shape(found->second.shape());
    std::copy(found->second.value().begin(), found->second.value().end(), values.begin());
    return values;
  }

 private:
  std::map<std::string, Var> parameters_;
};

/// Columns head * D .. of weight^T, over their bias: [C + 1, D]. weight: [C, C], [out, in].
Array with_bias(const Array& weight, const Array& bias, std::size_t head, std::size_t D) {
  const std::size_t C = weight.shape(1);
  auto result = Array::from_shape({C + 1, D});
  for (std::size_t d = 0; d < D; ++d) {
    for (std::size_t c = 0; c < C; ++c) result(c, d) = weight(head * D + d, c);
    result(C, d) = bias(head * D + d);
  }
  return result;
}

/// Token vectors as the model adds the encoding to them, [T, C].
Array token_vectors(const Gpt& model, const Weights& weights, const Tokens& tokens) {
  const GptConfig& config = model.config();
  const bool scaled = config.embedding_scale == EmbeddingScale::on ||
                      (config.embedding_scale == EmbeddingScale::as_scheme_asks &&
                       model.scheme().traits().scales_embedding);
  const double factor = scaled ? std::sqrt(static_cast<double>(config.width)) : 1;
  const Array table = weights["token_embedding.weight"];
  auto rows = Array::from_shape({tokens.size(), config.width});
  for (std::size_t t = 0; t < tokens.size(); ++t)
    for (std::size_t c = 0; c < config.width; ++c)
      rows(t, c) = factor * table(static_cast<std::size_t>(tokens[t]), c);
  return rows;
}

/// Each row less its mean.
Array row_centred(const Array& rows) {
  Array result = rows;
  const std::size_t C = rows.shape(1);
  for (std::size_t t = 0; t < rows.shape(0); ++t) {
    double mean = 0;
    for (std::size_t c = 0; c < C; ++c) mean += rows(t, c) / static_cast<double>(C);
    for (std::size_t c = 0; c < C; ++c) result(t, c) -= mean;
  }
  return result;
}

/// sqrt(mean square + 1e-5) of each row: what layer norm divides centred rows by.
std::vector<double> deviations(const Array& centred) {
  std::vector<double> result;
  const std::size_t C = centred.shape(1);
  for (std::size_t t = 0; t < centred.shape(0); ++t) {
    double variance = 0;
    for (std::size_t c = 0; c < C; ++c)
      variance += centred(t, c) * centred(t, c) / static_cast<double>(C);
    result.push_back(std::sqrt(variance + 1e-5));
  }
  return result;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value / static_cast<double>(values.size());
  return sum;
}

Tokens first_tokens(const Encoded& text, std::size_t first, std::size_t count) {
  const auto begin = text.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

FirstLayerInput first_layer_input(const Gpt& model, const Tokens& tokens, const Array& encoding) {
  const GptConfig& config = model.config();
  const std::size_t T = tokens.size(), C = config.width, D = C / config.heads;
  check(encoding.dimension() == 2 && encoding.shape(0) == T && encoding.shape(1) == C,
        "[decomposition] the encoding must be [{}, {}], one row for every token", T, C);
  const Weights weights(model);
  const Array gain = weights["blocks.0.norm1.weight"], shift = weights["blocks.0.norm1.bias"];
  const Array token = row_centred(token_vectors(model, weights, tokens));
  const Array position = row_centred(encoding);
  const std::vector<double> sigma = deviations(token + position);
  FirstLayerInput input{.x = xt::ones<double>({T, C + 1}), .p = xt::zeros<double>({T, C + 1})};
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t c = 0; c < C; ++c) {
      input.x(t, c) = token(t, c) / sigma[t] * gain(c) + shift(c);
      input.p(t, c) = position(t, c) / sigma[t] * gain(c);
    }
  const std::string attention = "blocks.0.attention.";
  for (std::size_t head = 0; head < config.heads; ++head) {
    input.wq.push_back(
        with_bias(weights[attention + "query.weight"], weights[attention + "query.bias"], head, D));
    input.wk.push_back(
        with_bias(weights[attention + "key.weight"], weights[attention + "key.bias"], head, D));
  }
  return input;
}

double FirstLayer::error() const {
  double largest = 0, error = 0;
  for (std::size_t head = 0; head < heads.size(); ++head) {
    const Array sum = heads[head].sum();
    if (sum.size() != logits[head].size()) return std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < sum.size(); ++i) {
      const double logit = logits[head].data()[i];
      if (std::isnan(logit)) continue;  // hidden
      error = larger(error, std::abs(sum.data()[i] - logit));
      largest = std::max(largest, std::abs(logit));
    }
  }
  return error / largest;
}

FirstLayer take_apart(const Run& run, const Tokens& tokens, const Encoder& encode,
                      const Decomposer& decomposer) {
  const Encoded numbers(tokens.begin(), tokens.end());
  const AttentionMaps maps =
      attention_maps(*run.model, tokens, shown_tokens(run.tokenizer, numbers));
  const std::size_t T = tokens.size();
  const FirstLayerInput input =
      first_layer_input(*run.model, tokens, encode(T, run.config.model.width, 10000));
  FirstLayer layer{.tokens = maps.tokens, .text = run.tokenizer.decode(numbers)};
  for (std::size_t head = 0; head < maps.heads(); ++head) {
    layer.heads.push_back(decomposer(input.x, input.p, input.wq[head], input.wk[head]));
    auto logits = Array::from_shape({T, T}), weights = Array::from_shape({T, T});
    for (std::size_t t = 0; t < T; ++t)
      for (std::size_t s = 0; s < T; ++s) {
        logits(t, s) = maps.logits(0, head, t, s);
        weights(t, s) = maps.weights(0, head, t, s);
      }
    layer.logits.push_back(std::move(logits));
    layer.weights.push_back(std::move(weights));
  }
  return layer;
}

FirstLayer take_apart(const Run& run, const std::string& text, const Encoder& encode,
                      const Decomposer& decomposer) {
  const Encoded tokens = run.tokenizer.encode(text);
  return take_apart(run, Tokens(tokens.begin(), tokens.end()), encode, decomposer);
}

Array position_scores(const Gpt& model, std::size_t head, const Tokens& tokens,
                      const Array& encoding) {
  const FirstLayerInput input = first_layer_input(model, tokens, encoding);
  const Weights weights(model);
  const Array gain = weights["blocks.0.norm1.weight"];
  const Array position = row_centred(encoding);
  const double sigma =
      mean_of(deviations(row_centred(token_vectors(model, weights, tokens)) + position));
  Array p = xt::zeros<double>({encoding.shape(0), encoding.shape(1) + 1});
  for (std::size_t t = 0; t < encoding.shape(0); ++t)
    for (std::size_t c = 0; c < encoding.shape(1); ++c) p(t, c) = position(t, c) / sigma * gain(c);
  const Array none = xt::zeros<double>(p.shape());
  return decompose(none, p, input.wq.at(head), input.wk.at(head)).position_position;
}

std::vector<HeadParts> head_parts(const Run& run, const Encoded& validation, std::size_t windows,
                                  const Encoder& encode) {
  const std::size_t T = run.config.model.context;
  const bool causal = run.config.model.causal;
  const Array encoding = encode(T, run.config.model.width, 10000);
  std::vector<HeadParts> parts(run.config.model.heads);
  const double share = 1 / static_cast<double>(windows);
  for (std::size_t window = 0; window < windows; ++window) {
    const Tokens tokens = first_tokens(validation, window * T, T);
    const FirstLayer layer = take_apart(run, tokens, encode);
    for (std::size_t head = 0; head < parts.size(); ++head) {
      const std::array<double, 4> terms = shares(layer.heads[head], causal);
      for (std::size_t i = 0; i < terms.size(); ++i) parts[head].shares[i] += share * terms[i];
      const Array positions = position_scores(*run.model, head, tokens, encoding);
      parts[head].positions_by_distance += share * distance_share(positions, causal);
      parts[head].scores_by_distance += share * distance_share(layer.heads[head].sum(), causal);
      parts[head].rank = std::max(parts[head].rank, static_cast<double>(numerical_rank(positions)));
    }
  }
  return parts;
}

std::size_t numerical_rank(const Array& matrix) { return singular_parts(matrix).above(1e-9); }

std::optional<std::filesystem::path> decomposed_run(const std::filesystem::path& lab07) {
  const auto runs = runs_named(lab07 / "runs", "toy-sinusoidal");
  return runs.empty() ? std::nullopt : std::optional(runs.front());
}

double half_window_loss(const Run& run, const Encoded& validation, double first) {
  const NoGrad no_grad;
  use_single_threaded_blas();
  constexpr std::size_t kWindows = 32;
  const std::size_t T = run.config.model.context / 2;
  const Batch batch = SequentialWindows(validation, kWindows, T).at(0);
  const Var logits = (*run.model)(batch.inputs, {.positions = consecutive_positions(T, first)});
  return static_cast<double>(cross_entropy(logits, batch.targets).value()());
}

}  // namespace phasor
