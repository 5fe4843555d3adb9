#include "labs/lab10_longer/experiment.hpp"

#include <algorithm>
#include <numeric>

#include "phasor/core/error.hpp"
#include "phasor/core/progress.hpp"
#include "phasor/position/rotation.hpp"
#include "phasor/train/checkpoint.hpp"

namespace phasor::lab10 {
namespace {

constexpr std::size_t kLongest = 8;  // times the training length

/// Those whose windows are compared, one of a kind.
const std::vector<std::string> kCompared = {"none", "sinusoidal", "rope", "alibi"};
/// Those whose loss is drawn by position.
const std::vector<std::string> kDrawn = {"none", "sinusoidal", "rope", "alibi", "t5_bias", "cope"};
/// RoPE with the frequencies that somebody computed.
class GivenRotation : public RotationScheme {
 public:
  explicit GivenRotation(std::vector<double> frequencies) : frequencies_(std::move(frequencies)) {}

  QK rotate(const Var& q, const Var& k, const Context& context) const override {
    const Pairing pairing{frequencies_.size(), true};
    return {rotate_pairs(q, context.queries, frequencies_, pairing),
            rotate_pairs(k, context.keys, frequencies_, pairing)};
  }
  std::vector<double> frequencies(const Positions&) const override { return frequencies_; }
  Traits traits() const override {
    Traits traits;
    traits.is_relative = traits.bias_ignores_content = true;
    return traits;
  }

 private:
  std::vector<double> frequencies_;
};

constexpr const char* kGiven = "yours";

const Outcome* find(const std::vector<Outcome>& outcomes, const std::string& scheme) {
  const auto found = std::find_if(outcomes.begin(), outcomes.end(),
                                  [&](const Outcome& one) { return one.scheme == scheme; });
  return found == outcomes.end() ? nullptr : &*found;
}

/// Windows of a quarter of the training length to eight times that length.
Windows windows_of(const Outcome& outcome, const Encoded& validation, Workers& workers) {
  const std::size_t T = load_run_config(outcome.folders[0]).model.context;
  Windows result{.scheme = outcome.scheme};
  for (std::size_t length = T / 4; length <= kLongest * T; length *= 2) {
    std::vector<double> apart, sliding;
    for (const auto& folder : outcome.folders) {
      const Run run = load_run(folder);
      const auto loss = [&](std::size_t stride) {
        return evaluate(*run.model, validation, {.context = length, .stride = stride}, workers)
            .loss;
      };
      apart.push_back(loss(length));
      sliding.push_back(loss(length / 4));
    }
    result.lengths.push_back(length);
    result.apart.push_back(spread_of(apart));
    result.sliding.push_back(spread_of(sliding));
  }
  return result;
}

double mean_of(const std::vector<double>& values, std::size_t first, std::size_t count) {
  return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(first),
                         values.begin() + static_cast<std::ptrdiff_t>(first + count), 0.0) /
         static_cast<double>(count);
}

ByPosition by_position(const Outcome& outcome, const Encoded& validation, Workers& workers) {
  std::vector<std::vector<double>> losses;  // [run][place]
  std::size_t T = 0;
  for (const auto& folder : outcome.folders) {
    const Run run = load_run(folder);
    T = run.config.model.context;
    losses.push_back(
        evaluate(*run.model, validation, {.context = kLongest * T}, workers).by_position);
  }
  ByPosition result{.scheme = outcome.scheme};
  const std::size_t bin = T / 4;
  for (std::size_t first = 0; first < kLongest * T; first += bin) {
    std::vector<double> means;
    for (const auto& run : losses) means.push_back(mean_of(run, first, bin));
    result.place.push_back(static_cast<double>(first) + static_cast<double>(bin - 1) / 2);
    result.loss.push_back(spread_of(means));
  }
  return result;
}

std::vector<LengthCurve> scalings_of(const Outcome& rope, std::size_t tokens, Progress& progress,
                                     std::int64_t& done) {
  std::vector<LengthCurve> curves;
  for (const char* kind : {"none", "pi", "ntk", "dynamic_ntk", "yarn", "llama3"}) {
    LengthOptions options{.tokens = tokens};
    if (std::string(kind) != "none")
      options.options = [kind](std::size_t multiple) { return scaled(kind, multiple); };
    curves.push_back(length_curve(kind, rope.folders, options));
    progress.update(++done, fmt::format("rope with {}", kind));
  }
  return curves;
}

RampLoss ramp_loss(const YarnRamp& ramp, const Outcome& rope, const Encoded& validation,
                   Workers& workers) {
  const auto loss = [&](bool with_factor) {
    std::vector<double> losses;
    for (const auto& folder : rope.folders) {
      const Run run = load_run(folder, ramp.options(with_factor));
      const std::size_t length = kTunedMultiple * run.config.model.context;
      losses.push_back(evaluate(*run.model, validation, {.context = length}, workers).loss);
    }
    return spread_of(losses);
  };
  return {ramp.name, loss(false), loss(true)};
}

}  // namespace

OptionValues YarnRamp::options(bool with_factor) const {
  OptionValues options = scaled("yarn", kTunedMultiple);
  options["ramp"] = ramp;
  options["alpha"] = fmt::to_string(turns);
  options["beta"] = fmt::to_string(turns * kYarnTurns);
  // 0 is YaRN's own.
  options.insert_or_assign("attention_factor", std::string(with_factor ? "0" : "1"));
  return options;
}

std::vector<Group> groups() {
  std::vector<Group> result{{"no position, or added to the token", {}},
                            {"queries and keys are turned", {}},
                            {"a bias on the logits", {}},
                            {"content meets position", {}}};
  for (const SchemeEntry& entry : schemes()) {
    const std::size_t group = entry.kind == "none" || entry.kind == "additive" ? 0
                              : entry.kind == "rotation"                       ? 1
                              : entry.kind == "bias"                           ? 2
                                                                               : 3;
    result[group].schemes.push_back(entry.name);
  }
  return result;
}

const LengthCurve& Study::curve(const std::string& scheme) const {
  for (const LengthCurve& one : curves)
    if (one.label == scheme) return one;
  throw ConfigError(fmt::format("[lab10] {} was not measured", scheme));
}

Study measure(const std::vector<Outcome>& outcomes, const Corpus& corpus, std::size_t tokens,
              std::size_t tuning_steps) {
  Study study;
  Workers workers(0);
  const RunConfig config = load_run_config(outcomes[0].folders[0]);
  const Encoded validation = validation_of(config, tokens + 1);
  // Few characters stand at each place of the longest windows.
  const Encoded more = validation_of(config, 4 * tokens + 1);
  const auto pieces =
      static_cast<std::int64_t>(outcomes.size() + 6 + kCompared.size() + kDrawn.size());
  Progress progress("reading longer windows", pieces);
  std::int64_t done = 0;
  for (const Outcome& outcome : outcomes) {
    study.curves.push_back(length_curve(outcome.scheme, outcome.folders, {.tokens = tokens}));
    progress.update(++done, outcome.scheme);
  }
  study.scalings = scalings_of(*find(outcomes, "rope"), tokens, progress, done);
  for (const YarnRamp& ramp : kYarnRamps)
    study.ramps.push_back(ramp_loss(ramp, *find(outcomes, "rope"), validation, workers));
  for (const std::string& scheme : kCompared) {
    study.windows.push_back(windows_of(*find(outcomes, scheme), validation, workers));
    progress.update(++done, scheme + ", sliding");
  }
  for (const std::string& scheme : kDrawn) {
    study.positions.push_back(by_position(*find(outcomes, scheme), more, workers));
    progress.update(++done, scheme + ", by position");
  }
  progress.finish();
  study.tuning_steps = tuning_steps;
  study.tuned = tune(*find(outcomes, "rope"), corpus, tuning_steps, tokens);
  return study;
}

TrainedRotation rotation_of(const RunConfig& config) {
  return {config.model.width / config.model.heads, 10000, static_cast<double>(config.model.context),
          1, kYarnTurns};
}

double loss_with(Scaling kind, double s, const std::filesystem::path& folder,
                 const Encoded& validation) {
  RunConfig config = load_run_config(folder);
  const xt::xarray<double> given = inverse_frequencies(kind, s, rotation_of(config));
  const std::vector<double> frequencies(given.begin(), given.end());
  add_scheme({.name = kGiven,
              .kind = "rotation",
              .summary = "frequencies that somebody computed",
              .paper = "",
              .equation = "",
              .options = {},
              .make = [frequencies](const SchemeSizes&, const Options&, Rng&) {
                return std::make_unique<GivenRotation>(frequencies);
              }});
  const auto length = static_cast<std::size_t>(s * static_cast<double>(config.model.context));
  config.model.scheme = kGiven;
  Rng rng(0, "weights");
  Gpt model(config.model, rng);
  remove_scheme(kGiven);
  load_weights(folder / "model.safetensors", model);
  Workers workers(0);
  return evaluate(model, validation, {.context = length}, workers).loss;
}

}  // namespace phasor::lab10
