#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <optional>

#include "phasor/cli/commands.hpp"
#include "phasor/cli/usage.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/program.hpp"
#include "phasor/core/progress.hpp"
#include "phasor/core/text.hpp"

namespace phasor::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;

/// While one lives, Ctrl-C asks training to stop after the step it is in. A second one kills.
class StopOnInterrupt {
 public:
  StopOnInterrupt() {
    interrupted = 0;
    before_ = std::signal(SIGINT, [](int) {
      interrupted = 1;
      std::signal(SIGINT, SIG_DFL);
    });
  }
  ~StopOnInterrupt() { std::signal(SIGINT, before_); }
  StopOnInterrupt(const StopOnInterrupt&) = delete;
  StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;

 private:
  void (*before_)(int);
};

/// A resumed run takes its configuration from the folder; options given on the command line must
/// agree with it.
RunConfig resumed_config(const TrainCommand& command) {
  RunConfig saved = load_resumed_config(command.out);
  const nlohmann::json before = to_json(saved), given = to_json(command.config);
  const auto differs = [&](const nlohmann::json& a, const nlohmann::json& b) {
    for (const auto& [name, value] : b.items())
      check<ConfigError>(!command.given.contains(name) || a.at(name) == value,
                         "{} was trained with {} {}, not {}; leave the option out to resume it, or "
                         "choose another --out",
                         command.out.string(), name, a.at(name).dump(), value.dump());
  };
  differs(before.at("model"), given.at("model"));
  differs(before.at("train"), given.at("train"));
  differs({{"text", before.at("text")}}, {{"text", given.at("text")}});
  return saved;
}

std::string header_of(const RunConfig& config, const Corpus& corpus, std::size_t parameters) {
  return fmt::format(
      "Training {} on {}: width {}, {} heads, {} layers, context {}, {} parameters.\n"
      "{} steps of {} x {} tokens, learning rate {:g} to {:g}, seed {}.\n",
      config.model.scheme, corpus.name, config.model.width, config.model.heads, config.model.layers,
      config.model.context, parameters, config.train.steps,
      config.train.batch * config.train.accumulate, config.model.context, config.train.lr,
      config.train.min_lr, config.train.seed);
}

void print_records(const RunReport& report, const Corpus& corpus) {
  fmt::print("{:>8} {:>12} {:>17}\n", "step", "train loss", "validation loss");
  for (const MetricsRecord& record : report.records)
    fmt::print("{:>8} {:>12} {:>17.4f}\n", record.step,
               record.train_loss ? fmt::format("{:.4f}", *record.train_loss) : "-",
               record.validation_loss);
  if (const auto& last = report.records.back(); last.final_loss)
    fmt::print("Loss on the whole validation text: {:.4f} nats per character.\n", *last.final_loss);
  if (corpus.entropy_floor)
    fmt::print("The text's entropy, the floor of every loss: {:.4f} nats per character.\n",
               *corpus.entropy_floor);
}

void print_json(const RunReport& report, const RunConfig& config) {
  const MetricsRecord& last = report.records.back();
  nlohmann::ordered_json json{{"steps", report.steps_done},
                              {"saved_step", report.saved_step},
                              {"parameters", report.parameter_count},
                              {"scheme", config.model.scheme},
                              {"validation_loss", last.validation_loss}};
  if (last.train_loss) json["train_loss"] = *last.train_loss;
  if (last.final_loss) json["final_loss"] = *last.final_loss;
  fmt::print("{}\n", json.dump(2));
}

/// The size is known before training, and worth seeing before waiting for it.
std::size_t parameters_of(RunConfig config, const Corpus& corpus) {
  describe_text(config, corpus.text, CharTokenizer::from_text(corpus.text));
  Rng rng(config.train.seed, "weights");
  return Gpt(config.model, rng).parameter_count();
}

/// Progress bars of a training: one for the steps, one for the evaluation at the end.
class Bars {
 public:
  explicit Bars(const RunConfig& config)
      : steps_(config.train.steps),
        tokens_in_step_(static_cast<double>(config.train.batch * config.train.accumulate *
                                            config.model.context)) {}

  void on_step(std::size_t step, double loss) {
    if (!bar_) {
      first_step_ = step - 1;
      bar_.emplace("training", static_cast<std::int64_t>(steps_),
                   static_cast<std::int64_t>(first_step_));
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin_;
    const double rate = static_cast<double>(step - first_step_) * tokens_in_step_ / seconds.count();
    bar_->update(static_cast<std::int64_t>(step),
                 fmt::format("loss {:.4f}  {:.0f} tokens/s", loss, rate));
    if (step == steps_) bar_->finish();
  }

  void on_evaluation(double share) {
    if (!evaluation_) evaluation_.emplace("evaluating", 1000);
    evaluation_->update(static_cast<std::int64_t>(1000 * share));
    if (share >= 1) evaluation_->finish();
  }

 private:
  std::size_t steps_, first_step_ = 0;
  double tokens_in_step_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::optional<Progress> bar_, evaluation_;
};

RunReport train_with_bars(const TrainCommand& command, const RunConfig& config,
                          const Corpus& corpus) {
  const StopOnInterrupt stop_on_interrupt;
  Bars bars(config);
  return train_run(config, corpus,
                   {.folder = command.out,
                    .if_exists = command.if_exists,
                    .threads = command.threads,
                    .on_step = [&](std::size_t step, double loss) { bars.on_step(step, loss); },
                    .on_final_evaluation = [&](double share) { bars.on_evaluation(share); },
                    .should_stop = [] { return interrupted != 0; }});
}

}  // namespace

int run(const TrainCommand& command) {
  const bool resumes = command.if_exists == IfRunExists::resume;
  const RunConfig config = resumes ? resumed_config(command) : command.config;
  config.train.validate();
  const Corpus corpus = load_corpus(config.text, config.train.seed);
  if (!command.json) fmt::print("{}", header_of(config, corpus, parameters_of(config, corpus)));
  flush_output();

  const RunReport report = train_with_bars(command, config, corpus);
  if (report.steps_done < config.train.steps) {
    fmt::print(command.json ? stderr : stdout,
               "Stopped at step {}; saved at step {}. To go on: {} train --resume --out {}\n",
               report.steps_done, report.saved_step, program_name(),
               printable(command.out.string()));
    return 130;
  }
  if (command.json) {
    print_json(report, config);
    return 0;
  }
  if (report.resumed_at == config.train.steps)
    fmt::print("This run was finished already; nothing was left to train.\n");
  print_records(report, corpus);
  fmt::print(
      "Saved in {}: config.json, metrics.jsonl, model.safetensors, checkpoint.safetensors.\n"
      "Try: {} generate --run {} --prompt \"the \"\n",
      printable(command.out.string()), program_name(), printable(command.out.string()));
  return 0;
}

}  // namespace phasor::cli
