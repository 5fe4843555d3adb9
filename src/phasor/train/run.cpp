#include "phasor/train/run.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"
#include "phasor/data/json.hpp"
#include "phasor/position/schemes.hpp"
#include "phasor/tensor/gemm.hpp"
#include "phasor/train/checkpoint.hpp"
#include "phasor/train/diagnose.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr const char *kConfig = "config.json", *kModel = "model.safetensors",
                     *kCheckpoint = "checkpoint.safetensors", *kMetrics = "metrics.jsonl";

/// Everything that is in motion while a run trains.
class Session {
 public:
  Session(const RunConfig& config, const Corpus& corpus, const CharTokenizer& tokenizer,
          const RunOptions& options)
      : config_(config),
        options_(options),
        workers_(options.threads),
        tokens_(split(tokenizer.encode(corpus.text))),
        rng_(config.train.seed, "weights"),
        model_(config.model, rng_),
        trainer_(model_, config.train, tokens_.train, workers_) {
    use_single_threaded_blas();
    // Found out now, not after the first hundred steps.
    SequentialWindows(tokens_.validation, 1, config.model.context);
  }

  void resume() {
    if (!std::filesystem::exists(path(kCheckpoint))) return;  // stopped before the first one
    running_ = load_checkpoint(path(kCheckpoint), trainer_);
    records_ = read_metrics(path(kMetrics), trainer_.steps_done());
    saved_step_ = resumed_at_ = trainer_.steps_done();
  }

  RunReport train() {
    if (records_.empty()) record(std::nullopt);
    const std::size_t steps = config_.train.steps;
    bool stopped = false;
    while (trainer_.steps_done() < steps && !stopped) {
      const StepReport report = trainer_.step();
      running_.loss_sum += report.loss;
      ++running_.steps;
      const std::size_t done = trainer_.steps_done();
      if (options_.on_step) options_.on_step(done, report.loss);
      if (done % config_.train.eval_every == 0 || done == steps) {
        const double mean = running_.loss_sum / static_cast<double>(running_.steps);
        running_ = {};
        record(StepReport{mean, report.gradient_norm, report.learning_rate});
      }
      stopped = options_.should_stop && options_.should_stop();
    }
    if (stopped && saved_step_ < trainer_.steps_done()) save();
    if (trainer_.steps_done() == steps && options_.final_evaluation && !records_.back().final_loss)
      record_final_loss();
    return {records_, resumed_at_, trainer_.steps_done(), saved_step_, model_.parameter_count()};
  }

 private:
  std::filesystem::path path(const char* name) const { return options_.folder / name; }

  /// Throws TrainingError when it is not finite: weights that went bad replace no good ones.
  double validation_loss(std::size_t token_limit,
                         const std::function<void(double)>& on_progress = {}) {
    const std::size_t context = config_.model.context;
    const EvaluateOptions options{
        .context = context, .token_limit = token_limit, .on_progress = on_progress};
    const double loss = evaluate(model_, tokens_.validation, options, workers_).loss;
    if (std::isfinite(loss)) return loss;
    const Batch batch = SequentialWindows(tokens_.validation, 1, context).at(0);
    const std::string culprit = first_bad_tensor(model_, batch, {});
    throw TrainingError(fmt::format(
        "step {}: the validation loss is {}; the first tensor that went bad is {}; lower --lr (now "
        "{:g}), lengthen --warmup or set --clip 1",
        trainer_.steps_done(), std::abs(loss), culprit.empty() ? "in a later window" : culprit,
        config_.train.lr));
  }

  /// Evaluates, then writes the checkpoint last of all: what a resumed run finds beyond its
  /// checkpoint it drops and computes again.
  void record(const std::optional<StepReport>& report) {
    MetricsRecord record{.step = trainer_.steps_done(),
                         .validation_loss = validation_loss(config_.train.eval_tokens)};
    if (report) {
      record.train_loss = report->loss;
      record.gradient_norm = report->gradient_norm;
      record.learning_rate = report->learning_rate;
    }
    records_.push_back(record);
    write_metrics(path(kMetrics), records_);
    save();
    if (options_.on_record) options_.on_record(record);
  }

  /// The checkpoint last: a run that is killed in between goes on from the one before.
  void save() {
    save_weights(path(kModel), model_);
    save_checkpoint(path(kCheckpoint), trainer_, running_);
    saved_step_ = trainer_.steps_done();
  }

  void record_final_loss() {
    records_.back().final_loss = validation_loss(0, options_.on_final_evaluation);
    write_metrics(path(kMetrics), records_);
    if (options_.on_record) options_.on_record(records_.back());
  }

  const RunConfig& config_;
  const RunOptions& options_;
  Workers workers_;
  Split tokens_;
  Rng rng_;
  Gpt model_;
  Trainer trainer_;
  std::vector<MetricsRecord> records_;
  RunningLoss running_;  // since the last record
  std::size_t saved_step_ = 0, resumed_at_ = 0;
};

/// What is wrong with an option is, when it came from config.json, wrong with that file.
template <class Make>
auto naming_config(const std::filesystem::path& folder, const Make& make) try {
  return make();
} catch (const Error& problem) {
  const std::string file = (folder / kConfig).string(), message = problem.what();
  if (message.starts_with(folder.string())) throw;  // says so already
  throw CheckpointError(fmt::format("{}: {}", file, message));
}

nlohmann::json read_config(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kConfig;
  check<CheckpointError>(std::filesystem::is_regular_file(file),
                         "{} holds no run (there is no {}); give the --out folder of a training",
                         folder.string(), kConfig);
  try {
    nlohmann::json json = parse_json(read_file(file));
    check<CheckpointError>(json.is_object(),
                           "{} is damaged: it is no JSON object; restore it or train again",
                           file.string());
    return json;
  } catch (const nlohmann::json::exception& problem) {
    throw CheckpointError(
        fmt::format("{} is damaged: {}; restore it or train again", file.string(), problem.what()));
  }
}

/// Throws unless the run in the folder was made with `config`.
void check_same(const std::filesystem::path& folder, const RunConfig& config) {
  check<ConfigError>(load_run_config(folder).fingerprint == config.fingerprint,
                     "the text {} is not the one that {} was trained on; restore it, or choose "
                     "another --out",
                     config.text, folder.string());
  const nlohmann::json saved = read_config(folder).flatten(), wanted = to_json(config).flatten();
  const auto value_in = [](const nlohmann::json& json, const std::string& name) {
    return json.contains(name) ? json.at(name).dump() : "nothing";
  };
  const auto check_names_of = [&](const nlohmann::json& either) {
    for (const auto& [name, value] : either.items())
      check<ConfigError>(value.is_null() || value_in(saved, name) == value_in(wanted, name),
                         "{} was trained with {} = {}, not {}; leave the option out, or choose "
                         "another --out",
                         folder.string(), name.substr(1), value_in(saved, name),
                         value_in(wanted, name));
  };
  check_names_of(wanted);  // null stands for no options at all: their names are on the other side
  check_names_of(saved);
}

}  // namespace

RunConfig load_run_config(const std::filesystem::path& folder) {
  return naming_config(folder, [&] { return run_config_from_json(read_config(folder)); });
}

Run load_run(const std::filesystem::path& folder, const OptionValues& options) {
  RunConfig config = load_run_config(folder);
  for (const auto& [name, value] : options) config.model.options[name] = value;
  if (!options.empty()) {  // what is wrong with them is not wrong with config.json
    Rng rng(0);
    make_scheme(config.model.scheme, config.model.options, config.model.sizes(), rng);
  }
  auto [tokenizer, model] = naming_config(folder, [&config] {
    Rng rng(config.train.seed, "weights");
    return std::pair(CharTokenizer::from_symbols(config.symbols),
                     std::make_unique<Gpt>(config.model, rng));
  });
  check<CheckpointError>(tokenizer.vocabulary_size() == config.model.vocabulary,
                         "{} is damaged: it has {} symbols for a vocabulary of {}; restore it or "
                         "train again",
                         (folder / kConfig).string(), tokenizer.vocabulary_size(),
                         config.model.vocabulary);
  check<CheckpointError>(std::filesystem::exists(folder / kModel),
                         "{} has no {} yet; its training stopped before the first evaluation, "
                         "continue it with --resume",
                         folder.string(), kModel);
  load_weights(folder / kModel, *model);
  return {std::move(config), std::move(tokenizer), std::move(model)};
}

void save_run(const std::filesystem::path& folder, const RunConfig& config, const Gpt& model) {
  make_folder(folder);
  write_file(folder / kConfig, to_json(config).dump(2) + "\n");
  save_weights(folder / kModel, model);
}

RunReport train_run(RunConfig config, const Corpus& corpus, const RunOptions& options) {
  const CharTokenizer tokenizer = CharTokenizer::from_text(corpus.text);
  describe_text(config, corpus.text, tokenizer);
  config.train.validate();
  const bool exists = std::filesystem::exists(options.folder / kConfig);
  check<ConfigError>(!exists || options.if_exists != IfRunExists::refuse,
                     "{} already holds a run; continue it with --resume, replace it with "
                     "--overwrite, or choose another --out",
                     options.folder.string());
  const bool resumes = exists && options.if_exists == IfRunExists::resume;
  if (resumes) check_same(options.folder, config);

  Session session(config, corpus, tokenizer, options);
  make_folder(options.folder);
  remove_drafts(options.folder);
  if (resumes) {
    session.resume();
  } else {
    for (const char* name : {kCheckpoint, kModel, kMetrics})
      std::filesystem::remove(options.folder / name);
    write_file(options.folder / kConfig, to_json(config).dump(2) + "\n");
  }
  return session.train();
}

}  // namespace phasor::inline PHASOR_PRECISION
