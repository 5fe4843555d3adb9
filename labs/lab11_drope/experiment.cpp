#include "labs/lab11_drope/experiment.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <mutex>

#include "labs/common/training.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/progress.hpp"
#include "phasor/course/runs.hpp"
#include "phasor/position/rotation.hpp"
#include "phasor/tensor/gemm.hpp"
#include "phasor/train/checkpoint.hpp"

namespace phasor::lab11 {
namespace {

namespace fs = std::filesystem;
using Records = std::vector<MetricsRecord>;

constexpr const char *kRotary = "rope", *kNone = "none";
constexpr double kBase = 10000;

/// [positions, pairs].
RotatedModel rotation_of(const GptConfig& config) {
  const std::vector<double> w = rotation_frequencies(kBase, config.width / config.heads);
  RotatedModel values;
  values.cosine = values.sine = xt::zeros<double>({config.context, w.size()});
  for (std::size_t p = 0; p < config.context; ++p)
    for (std::size_t c = 0; c < w.size(); ++c) {
      values.cosine(p, c) = std::cos(static_cast<double>(p) * w[c]);
      values.sine(p, c) = std::sin(static_cast<double>(p) * w[c]);
    }
  return values;
}

bool all_are(const xt::xarray<double>& values, double wanted) {
  return std::all_of(values.begin(), values.end(), [&](double value) { return value == wanted; });
}

/// One way of training with one seed.
struct Way {
  std::string name, scheme;
  RunConfig config;
  Records records = {};
  std::unique_ptr<Gpt> model = {};
};

/// A text in two parts, and what is told of every step.
struct Bench {
  const Split& text;
  std::function<void(double loss)> on_step;
};

double validation_loss(const Gpt& model, const Bench& bench, std::size_t tokens) {
  Workers workers(1);
  return evaluate(model, bench.text.validation,
                  {.context = model.config().context, .token_limit = tokens}, workers)
      .loss;
}

/// Whether a record is due: at equal distances, and close together right after the drop.
bool is_due(std::size_t step, const TrainConfig& train) {
  if (step % train.eval_every == 0 || step == train.steps) return true;
  return step > train.drop_positions_at && std::has_single_bit(step - train.drop_positions_at) &&
         step - train.drop_positions_at < train.eval_every;
}

/// Trains from step `from` to step `to`, with a schedule of its own: warm-up and cosine. Records go
/// to `records`; the state before the first step is recorded when there is none yet.
void train_part(Gpt& model, const TrainConfig& train, std::size_t from, std::size_t to,
                const Bench& bench, Records& records) {
  Workers workers(1);
  TrainConfig config = train;
  config.drop_positions_at = 0;  // whoever calls has dropped them
  config.steps = to - from;
  config.warmup = std::min(config.warmup, config.steps);
  // Not the batches of the first part once more.
  const RandomBatches batches(bench.text.train, train.batch, model.config().context, train.seed);
  const BatchSource source = [&batches, from](std::uint64_t step, std::uint64_t micro) {
    return batches.at(from + step, micro);
  };
  Trainer trainer(model, config, source, workers);
  const auto step = [&] { return from + trainer.steps_done(); };
  const auto record = [&](std::optional<double> loss) {
    records.push_back({.step = step(),
                       .train_loss = loss,
                       .validation_loss = validation_loss(model, bench, train.eval_tokens)});
  };
  if (records.empty()) record(std::nullopt);
  RunningLoss running;
  while (step() < to) {
    const StepReport report = trainer.step();
    running.loss_sum += report.loss;
    ++running.steps;
    bench.on_step(report.loss);
    if (!is_due(step(), train)) continue;
    record(running.loss_sum / static_cast<double>(running.steps));
    running = {};
  }
}

/// As train_run leaves it, but for a checkpoint: such a run is not resumed.
void save(const Way& way, const fs::path& folder) {
  RunConfig config = way.config;
  if (!way.model->has_dropped_positions()) config.train.drop_positions_at = 0;
  save_run(folder, config, *way.model, way.records);
}

/// The second part of the way that drops, by `drop`.
void train_dropped(Way& way, const Gpt& trained, const Bench& bench, const Dropping& drop) {
  const TrainConfig& train = way.config.train;
  const std::size_t from = train.drop_positions_at;
  const Training recalibrate = [&](const RotatedModel& start, std::size_t length,
                                   std::size_t steps) {
    GptConfig config = way.config.model;
    config.context = length;
    const std::unique_ptr<Gpt> model = model_of(start, config);
    way.records.clear();
    train_part(*model, train, from, from + steps, bench, way.records);
    RotatedModel result = plain_values(*model);
    result.cosine = start.cosine;
    result.sine = start.sine;
    return result;
  };
  const RotatedModel result =
      drop(plain_values(trained), way.config.model.context, train.steps - from, recalibrate);
  way.model = model_of(result, way.config.model);
}

std::vector<Way> ways_of(const Plan& plan, const Corpus& corpus) {
  std::vector<Way> ways;
  for (const std::uint64_t seed : plan.seeds)
    for (const auto& [name, scheme] :
         {std::pair{kRotary, kRotary}, std::pair{"dropped", kRotary}, std::pair{kNone, kNone}}) {
      Way way{.name = fmt::format("{}-{}-{}", short_name(corpus), name, seed),
              .scheme = scheme,
              .config = plan.config};
      way.config.text = corpus.name;
      way.config.model.scheme = scheme;
      way.config.train.seed = seed;
      describe_text(way.config, corpus.text, CharTokenizer::from_text(corpus.text));
      ways.push_back(std::move(way));
    }
  return ways;
}

/// Three ways a seed stand side by side in this order.
constexpr std::size_t kKept = 0, kDropped = 1, kWays = 3;

void first_part(Way& way, const Bench& bench) {
  Rng rng(way.config.train.seed, "weights");
  way.model = std::make_unique<Gpt>(way.config.model, rng);
  train_part(*way.model, way.config.train, 0, way.config.train.drop_positions_at, bench,
             way.records);
}

}  // namespace

RotatedModel plain_values(const Gpt& model) {
  RotatedModel values = rotation_of(model.config());
  for (const NamedParameter& parameter : model.parameters())
    values.weights[parameter.path] = xt::cast<double>(parameter.value.value());
  return values;
}

std::unique_ptr<Gpt> model_of(const RotatedModel& values, GptConfig config) {
  const RotatedModel original = rotation_of(config);
  const bool gone = all_are(values.cosine, 1) && all_are(values.sine, 0);
  check<ConfigError>(gone || (values.cosine == original.cosine && values.sine == original.sine),
                     "[lab11] the rotation is neither RoPE's nor gone: make every cosine 1 and "
                     "every sine 0");
  Rng rng(0, "weights");
  auto model = std::make_unique<Gpt>(config, rng);
  std::vector<NamedParameter> parameters = model->parameters();
  check<ConfigError>(parameters.size() == values.weights.size(),
                     "[lab11] the model has {} weights, got {}; hand on all of them",
                     parameters.size(), values.weights.size());
  for (NamedParameter& parameter : parameters) {
    const auto found = values.weights.find(parameter.path);
    Tensor& place = parameter.value.mutable_value();
    check<ConfigError>(found != values.weights.end() && found->second.shape() == place.shape(),
                       "[lab11] the weight {} is missing or has another shape; hand it on as it is",
                       parameter.path);
    place = xt::cast<Real>(found->second);
  }
  if (gone && config.scheme != kNone) model->drop_positions();
  return model;
}

void train_ways(const Plan& plan, const Corpus& corpus, const Dropping& drop) {
  use_single_threaded_blas();
  for (const char* name : {kRotary, "dropped", kNone})
    remove_runs(plan.folder, fmt::format("{}-{}", short_name(corpus), name));
  const Split text = split(CharTokenizer::from_text(corpus.text).encode(corpus.text));
  std::vector<Way> ways = ways_of(plan, corpus);
  const std::size_t before = plan.config.train.drop_positions_at,
                    after = plan.config.train.steps - before;
  const auto total = static_cast<std::int64_t>(plan.seeds.size() * (2 * before + kWays * after));
  Progress progress(fmt::format("{} seeds, three ways", plan.seeds.size()), total);
  std::int64_t done = 0;
  std::mutex mutex;
  const Bench bench{text, [&](double loss) {
                      const std::lock_guard lock(mutex);
                      progress.update(++done, fmt::format("loss {:.3f}", loss));
                    }};
  Workers workers(0);
  workers.run(2 * plan.seeds.size(), [&](std::size_t i) {
    first_part(ways[i / 2 * kWays + (i % 2 == 0 ? kKept : kWays - 1)], bench);
  });
  // What is dropped is what was trained, so the weights are copied before anybody trains on.
  std::vector<std::unique_ptr<Gpt>> trained;
  for (std::size_t seed = 0; seed < plan.seeds.size(); ++seed) {
    const Way& kept = ways[seed * kWays + kKept];
    trained.push_back(model_of(plain_values(*kept.model), kept.config.model));
  }
  workers.run(ways.size(), [&](std::size_t i) {
    Way& way = ways[i];
    if (i % kWays == kDropped)
      train_dropped(way, *trained[i / kWays], bench, drop);
    else
      train_part(*way.model, way.config.train, before, way.config.train.steps, bench, way.records);
    save(way, plan.folder / way.name);
  });
  progress.finish();
}

}  // namespace phasor::lab11
