#include "phasor/course/training/measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "phasor/analysis/probe.hpp"
#include "phasor/core/error.hpp"
#include "phasor/course/order/blanks.hpp"
#include "phasor/course/runs.hpp"
#include "phasor/tensor/gemm.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;

// Windows of 64 tokens: 3840 rows for a fit of 65 numbers, and 1920 others to test it on.
constexpr std::size_t kFitted = 60, kTested = 30;

double root_mean_square(const xt::xarray<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum / static_cast<double>(values.size()));
}

/// The stream of every token of `windows` windows from number `first` on, layer by layer: the last
/// is what the final norm reads. Each is [windows * T, C].
std::vector<xt::xarray<double>> streams(const Gpt& model, const Encoded& tokens, std::size_t first,
                                        std::size_t windows) {
  const std::size_t T = model.config().context, C = model.config().width;
  Indices batch = Indices::from_shape({windows, T});
  std::copy_n(tokens.begin() + static_cast<std::ptrdiff_t>(first * T), windows * T, batch.begin());
  const NoGrad no_grad;
  Recording recording;
  model(batch, {.recording = &recording});
  std::vector<xt::xarray<double>> result;
  const auto add = [&](const Tensor& stream) {
    auto rows = xt::xarray<double>::from_shape({windows * T, C});
    std::copy(stream.begin(), stream.end(), rows.begin());
    result.push_back(std::move(rows));
  };
  for (const LayerRecord& layer : recording.layers) add(layer.stream);
  add(recording.stream);
  return result;
}

std::vector<double> positions_of(std::size_t windows, std::size_t T) {
  std::vector<double> positions;
  for (std::size_t i = 0; i < windows * T; ++i) positions.push_back(static_cast<double>(i % T));
  return positions;
}

void shuffle(std::vector<double>& values) {
  Rng rng(1, "shuffled positions");
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[rng.below(i)]);
}

}  // namespace

double next_loss(const Gpt& model, const Encoded& validation) {
  use_single_threaded_blas();
  Workers workers(0);
  return evaluate(model, validation, {.context = model.config().context}, workers).loss;
}

std::unique_ptr<Gpt> without_positions(const Run& run) {
  const Gpt& trained = *run.model;
  GptConfig config = trained.config();
  const bool scaled = config.embedding_scale == EmbeddingScale::on ||
                      (config.embedding_scale == EmbeddingScale::as_scheme_asks &&
                       trained.scheme().traits().scales_embedding);
  config.embedding_scale = scaled ? EmbeddingScale::on : EmbeddingScale::off;
  config.scheme = "none";
  config.options = {};
  config.random_positions = 0;
  Rng rng(1, "weights");
  auto bare = std::make_unique<Gpt>(config, rng);
  std::map<std::string, Var> weights;
  for (const NamedParameter& parameter : trained.parameters())
    weights.emplace(parameter.path, parameter.value);
  for (NamedParameter& parameter : bare->parameters())
    parameter.value.mutable_value() = weights.at(parameter.path).value();
  return bare;
}

std::string ablation_name(bool causal, const std::string& scheme, std::size_t layers) {
  return fmt::format("toy-{}-{}-{}", causal ? "causal" : "unmasked", scheme, layers);
}

Ablation measure_ablation(const fs::path& runs, bool causal, const std::string& scheme) {
  Ablation ablation{.causal = causal, .scheme = scheme};
  const auto loss = [&](const Run& run, const Gpt& model, const Encoded& validation) {
    return causal ? next_loss(model, validation)
                  : blank_loss(run, model, validation, kMeasuredTokens);
  };
  const auto as_trained = [&](const Run& run, const Encoded& validation) {
    return loss(run, *run.model, validation);
  };
  for (std::size_t layers = 1; layers <= kDeepest; ++layers) {
    const auto with = runs_named(runs, ablation_name(causal, scheme, layers));
    const auto without = runs_named(runs, ablation_name(causal, "none", layers));
    if (with.empty() || without.empty()) continue;
    ablation.seeds = with.size();
    ablation.rows.push_back(
        {.layers = layers,
         .with = over_runs(with, kMeasuredTokens, as_trained),
         .without = over_runs(without, kMeasuredTokens, as_trained),
         .taken_away =
             over_runs(with, kMeasuredTokens, [&](const Run& run, const Encoded& validation) {
               return loss(run, *without_positions(run), validation);
             })});
    if (ablation.rows.size() > 1) continue;
    const RunConfig config = load_run_config(with.front());
    ablation.blind = token_entropy(validation_of(config, kMeasuredTokens), config.model.vocabulary);
    if (causal) ablation.floor = load_corpus(config.text, config.train.seed).entropy_floor;
  }
  return ablation;
}

PositionProbe probe_positions(const Run& run, const Encoded& validation) {
  const std::size_t T = run.config.model.context;
  check<DataError>(validation.size() >= (kFitted + kTested) * T,
                   "the probe takes {} tokens of validation text, got {}", (kFitted + kTested) * T,
                   validation.size());
  const auto fitted = streams(*run.model, validation, 0, kFitted);
  const auto tested = streams(*run.model, validation, kFitted, kTested);
  const std::vector<double> positions = positions_of(kFitted, T), wanted = positions_of(kTested, T);
  std::vector<double> mixed = positions;
  shuffle(mixed);
  PositionProbe probe{.scheme = run.config.model.scheme};
  for (std::size_t layer = 0; layer < fitted.size(); ++layer) {
    const auto error = [&](const std::vector<double>& targets) {
      return mean_absolute_error(fit_probe(fitted[layer], targets).read(tested[layer]), wanted);
    };
    probe.error.push_back(error(positions));
    probe.shuffled.push_back(error(mixed));
  }
  const std::vector<double> middle(wanted.size(), (static_cast<double>(T) - 1) / 2);
  probe.guess = mean_absolute_error(middle, wanted);
  return probe;
}

bool breaks(const Ablation& ablation) {
  double most = 0;
  for (const AblationRow& row : ablation.rows)
    most = std::max(most, ablation.blind - row.with.mean);
  const auto fails = [&](const AblationRow& row) {
    return ablation.blind - row.without.mean <= kNextToNothing * most;
  };
  return most > 0.1 * ablation.blind &&
         std::all_of(ablation.rows.begin(), ablation.rows.end(), fails);
}

double probe_of_random_tokens(const xt::xarray<double>& encoding, std::uint64_t seed) {
  const std::size_t T = encoding.shape(0), C = encoding.shape(1);
  Rng rng(seed, "random tokens");
  const double deviation = root_mean_square(encoding);
  auto tokens = xt::xarray<double>::from_shape({kRandomTokens, C});
  for (double& value : tokens) value = deviation * rng.normal();
  const auto sums = [&](std::size_t windows) {
    auto rows = xt::xarray<double>::from_shape({windows * T, C});
    for (std::size_t n = 0; n < windows * T; ++n) {
      const std::size_t token = rng.below(kRandomTokens);
      for (std::size_t c = 0; c < C; ++c) rows(n, c) = tokens(token, c) + encoding(n % T, c);
    }
    return rows;
  };
  const xt::xarray<double> fitted = sums(kFitted), tested = sums(kTested);
  return mean_absolute_error(fit_probe(fitted, positions_of(kFitted, T)).read(tested),
                             positions_of(kTested, T));
}

std::optional<PositionProbe> probe_runs(const fs::path& runs, const std::string& scheme) {
  const auto folders = runs_named(runs, "toy-" + scheme);
  if (folders.empty()) return std::nullopt;
  PositionProbe mean;
  const auto seeds = static_cast<double>(folders.size());
  for (const fs::path& folder : folders) {
    const Run run = load_run(folder);
    const PositionProbe probe = probe_positions(run, validation_of(run.config, kMeasuredTokens));
    mean.scheme = probe.scheme;
    mean.guess = probe.guess;
    mean.error.resize(probe.error.size());
    mean.shuffled.resize(probe.shuffled.size());
    for (std::size_t layer = 0; layer < probe.error.size(); ++layer) {
      mean.error[layer] += probe.error[layer] / seeds;
      mean.shuffled[layer] += probe.shuffled[layer] / seeds;
    }
  }
  return mean;
}

Loudness loudness_at_start(const xt::xarray<double>& encoding, double factor, std::uint64_t seed) {
  constexpr std::size_t kVocabulary = 1000;  // enough draws for three digits
  Rng rng(seed, "token vectors");
  auto tokens = xt::xarray<double>::from_shape({kVocabulary, encoding.shape(1)});
  for (double& value : tokens) value = factor * kInitialDeviation * rng.normal();
  return {root_mean_square(tokens), root_mean_square(encoding)};
}

std::optional<Spread> loss_of_runs(const fs::path& runs, const std::string& name) {
  const auto folders = runs_named(runs, name);
  if (folders.empty()) return std::nullopt;
  return over_runs(folders, kMeasuredTokens, [](const Run& run, const Encoded& validation) {
    return next_loss(*run.model, validation);
  });
}

double token_entropy(const Encoded& tokens, std::size_t vocabulary) {
  std::vector<double> counts(vocabulary, 0.0);
  for (const std::int32_t token : tokens) ++counts.at(static_cast<std::size_t>(token));
  double entropy = 0;
  for (const double count : counts) {
    const double share = count / static_cast<double>(tokens.size());
    if (share > 0) entropy -= share * std::log(share);
  }
  return entropy;
}

std::string rival_name(const std::string& scheme) { return "toy-small-" + scheme; }

std::string mini_gpt_name(bool on) { return on ? "toy-mini-gpt-on" : "toy-mini-gpt-off"; }

}  // namespace phasor
