#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "phasor/core/error.hpp"
#include "phasor/tensor/gemm.hpp"
#include "phasor/train/checkpoint.hpp"
#include "phasor/train/diagnose.hpp"
#include "phasor/train/run.hpp"
#include "phasor/train/run_folder.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

/// Everything that is in motion while a run trains.
class Session {
 public:
  Session(const RunConfig& config, const Corpus& corpus, const CharTokenizer& tokenizer,
          const RunOptions& options)
      : config_(config),
        options_(options),
        digest_(config_digest(to_json(config))),
        files_(options.folder),
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
    if (!std::filesystem::exists(files_.checkpoint)) return check_nothing_is_lost();
    const CheckpointNotes notes = load_checkpoint(files_.checkpoint, trainer_);
    const std::size_t done = trainer_.steps_done(), steps = config_.train.steps;
    check<CheckpointError>(done <= steps,
                           "{} has done {} steps, config.json asks for {}; restore it, or train "
                           "again with --overwrite",
                           files_.checkpoint.string(), done, steps);
    records_ = read_metrics(files_.metrics, done);
    check_records(files_.metrics, records_, {config_.train.eval_every, steps}, done);
    check_digest_of_records(notes.metrics);
    running_ = notes.running;
    check<CheckpointError>(running_.steps == done - records_.back().step,
                           "{} has the losses of {} steps since step {}, expected {}; restore it, "
                           "or train again with --overwrite",
                           files_.checkpoint.string(), running_.steps, records_.back().step,
                           done - records_.back().step);
    saved_step_ = resumed_at_ = done;
    if (!weights_are_whole()) save_weights(files_.model, model_, digest_);
  }

  /// The folder that is written from now on.
  void use(const RunFolder& folder) { folder_ = &folder; }

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
    folder_->check_still_there();
    if (trainer_.steps_done() == steps && options_.final_evaluation && !records_.back().final_loss)
      record_final_loss();
    return {records_, resumed_at_, trainer_.steps_done(), saved_step_, model_.parameter_count()};
  }

 private:
  /// Without a checkpoint a run begins anew. That is right for one that was killed before its first
  /// one, with at most the metrics and the weights of step 0 on disk.
  void check_nothing_is_lost() const {
    const std::size_t records =
        read_metrics(files_.metrics, std::numeric_limits<std::size_t>::max()).size();
    const bool has_weights = std::filesystem::exists(files_.model);
    check<CheckpointError>(records == 1 || (records == 0 && !has_weights),
                           "{} has no checkpoint.safetensors to go on from; restore it, or train "
                           "again with --overwrite",
                           options_.folder.string());
  }

  /// A run that is killed after it has recorded its final loss, but before the checkpoint says so,
  /// computes it again.
  void check_digest_of_records(const std::string& digest) {
    if (digest.empty() || metrics_digest(records_) == digest) return;  // empty: an earlier version
    records_.back().final_loss.reset();
    check<CheckpointError>(metrics_digest(records_) == digest,
                           "{} holds other records than the checkpoint was saved with; restore "
                           "it, or train again with --overwrite",
                           files_.metrics.string());
  }

  /// If not, the checkpoint has them. Those of another program, without a digest, need only fit.
  bool weights_are_whole() const try {
    Rng rng(config_.train.seed, "weights");
    Gpt model(config_.model, rng);
    const TensorFile weights = read_weights(files_.model, config_.model, digest_);
    set_weights(files_.model, weights, model);
    const auto ours = model_.parameters();
    return !weights.has_digest ||
           std::all_of(ours.begin(), ours.end(), [&](const NamedParameter& parameter) {
             return *weights.find(parameter.path) == parameter.value.value();
           });
  } catch (const Error&) {
    return false;
  }

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
    write(files_.metrics, [&](const auto& file) { write_metrics(file, records_); });
    save();
    if (options_.on_record) options_.on_record(record);
  }

  /// The checkpoint last: a run that is killed in between goes on from the one before.
  void save() {
    write(files_.model, [&](const auto& file) { save_weights(file, model_, digest_); });
    write_checkpoint();
    saved_step_ = trainer_.steps_done();
  }

  void write_checkpoint() {
    write(files_.checkpoint, [&](const auto& file) {
      save_checkpoint(file, trainer_, {running_, digest_, metrics_digest(records_)});
    });
  }

  /// In the folder that was locked: a file that is written by its name would make it anew.
  template <class Write>
  void write(const std::filesystem::path& file, const Write& do_write) const {
    folder_->check_still_there();
    try {
      do_write(file);
    } catch (const DataError&) {
      folder_->check_still_there();  // if it went just now, that is the reason
      throw;
    }
  }

  /// Then the checkpoint once more, which says what the records are.
  void record_final_loss() {
    records_.back().final_loss = validation_loss(0, options_.on_final_evaluation);
    write(files_.metrics, [&](const auto& file) { write_metrics(file, records_); });
    write_checkpoint();
    folder_->check_still_there();
    if (options_.on_record) options_.on_record(records_.back());
  }

  const RunConfig& config_;
  const RunOptions& options_;
  const std::string digest_;
  const RunFiles files_;
  const RunFolder* folder_ = nullptr;
  Workers workers_;
  Split tokens_;
  Rng rng_;
  Gpt model_;
  Trainer trainer_;
  std::vector<MetricsRecord> records_;
  RunningLoss running_;  // since the last record
  std::size_t saved_step_ = 0, resumed_at_ = 0;
};

/// Throws unless the run in the folder was made with `config`.
void check_same(const std::filesystem::path& folder, const RunConfig& config) {
  check<ConfigError>(load_resumed_config(folder).fingerprint == config.fingerprint,
                     "the text {} is not the one that {} was trained on; restore it, or choose "
                     "another --out",
                     config.text, folder.string());
  const nlohmann::json saved = read_config(folder).json().flatten(),
                       wanted = to_json(config).flatten();
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

RunReport train_run(RunConfig config, const Corpus& corpus, const RunOptions& options) {
  const CharTokenizer tokenizer = CharTokenizer::from_text(corpus.text);
  describe_text(config, corpus.text, tokenizer);
  config.train.validate();
  std::optional<RunFolder> folder;
  const auto open = [&] {
    folder.emplace(options.folder);
    check<ConfigError>(!folder->holds_run() || options.if_exists != IfRunExists::refuse,
                       "{} already holds a run; continue it with --resume, replace it with "
                       "--overwrite, or choose another --out",
                       options.folder.string());
    const bool resumes = folder->holds_run() && options.if_exists == IfRunExists::resume;
    if (resumes) check_same(options.folder, config);
    return resumes;
  };
  // Before the model is built, which takes a while; but a new folder is made only after it, so that
  // an option that makes no sense leaves nothing behind.
  const bool exists = std::filesystem::exists(options.folder);
  bool resumes = exists && open();
  Session session(config, corpus, tokenizer, options);
  if (!exists) resumes = open();
  session.use(*folder);
  if (resumes)
    session.resume();
  else
    folder->begin(config);
  return session.train();
}

}  // namespace phasor::inline PHASOR_PRECISION
