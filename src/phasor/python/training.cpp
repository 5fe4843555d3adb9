// Training with a callback, which an interrupt of the interpreter stops after the step it is in.
#include <pybind11/stl/filesystem.h>

#include "phasor/core/error.hpp"
#include "phasor/data/json.hpp"
#include "phasor/python/bindings.hpp"
#include "phasor/python/errors.hpp"
#include "phasor/train/run.hpp"

namespace phasor::python {
namespace {

using namespace pybind11::literals;

/// Tells Python of every step, and learns from it whether to go on.
class Listener {
 public:
  explicit Listener(const py::object& on_step) : on_step_(on_step) {}

  void operator()(std::size_t step, double loss) {
    const py::gil_scoped_acquire locked;
    try {
      // An interrupt comes out of this call, as every call of a Python function looks for signals.
      // Only False stops: a function without a return gives None.
      stops_ = on_step_(step, loss).is(py::bool_(false));
    } catch (py::error_already_set& problem) {
      if (problem.matches(PyExc_KeyboardInterrupt))
        interrupted_ = true;
      else
        problem_ = std::current_exception();
    }
  }
  bool should_stop() const { return stops_ || interrupted_ || problem_; }
  bool interrupted() const { return interrupted_; }
  /// What the callback raised, once training has ended and saved.
  void rethrow() const {
    if (problem_) std::rethrow_exception(problem_);
  }

 private:
  const py::object& on_step_;
  bool stops_ = false, interrupted_ = false;
  std::exception_ptr problem_;
};

py::dict described(const MetricsRecord& record) {
  return py::dict("step"_a = record.step, "train_loss"_a = record.train_loss,
                  "validation_loss"_a = record.validation_loss,
                  "learning_rate"_a = record.learning_rate,
                  "gradient_norm"_a = record.gradient_norm, "final_loss"_a = record.final_loss);
}

IfRunExists if_run_exists(bool resume, bool overwrite) {
  check<ConfigError>(!(resume && overwrite),
                     "--resume goes on with the run that is there, --overwrite replaces it; choose "
                     "one of them");
  if (resume) return IfRunExists::resume;
  return overwrite ? IfRunExists::overwrite : IfRunExists::refuse;
}

py::dict train(const std::string& config_json, const std::filesystem::path& folder, bool resume,
               bool overwrite, std::size_t threads, bool final_evaluation,
               const py::object& on_step) {
  const RunConfig config = run_config_from_json(parse_json(config_json));
  const IfRunExists if_exists = if_run_exists(resume, overwrite);
  Listener listener(on_step);
  const RunReport report = without_lock([&] {
    return train_run(config, load_corpus(config.text, config.train.seed),
                     {.folder = folder,
                      .if_exists = if_exists,
                      .threads = threads,
                      .final_evaluation = final_evaluation,
                      .on_step = std::ref(listener),
                      .should_stop = [&] { return listener.should_stop(); }});
  });
  listener.rethrow();
  py::list records;
  for (const MetricsRecord& record : report.records) records.append(described(record));
  return py::dict("records"_a = records, "resumed_at"_a = report.resumed_at,
                  "steps_done"_a = report.steps_done, "saved_step"_a = report.saved_step,
                  "parameter_count"_a = report.parameter_count,
                  "interrupted"_a = listener.interrupted());
}

}  // namespace

void bind_training(py::module_& module) {
  module.def("train", train, "config"_a, "folder"_a, "resume"_a, "overwrite"_a, "threads"_a,
             "final_evaluation"_a, "on_step"_a,
             "Trains into a folder. on_step(step, loss) is called after every step; False stops.");
  module.def(
      "corpus",
      [](const std::string& source, std::uint64_t seed) {
        const Corpus corpus = without_lock([&] { return load_corpus(source, seed); });
        return std::pair(corpus.text, corpus.entropy_floor);
      },
      "source"_a, "seed"_a, "(text, its entropy in nats per character where that is known).");
}

}  // namespace phasor::python
