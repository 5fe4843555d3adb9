// A scheme from outside that is another one, but does not say what it adds to the logits: a model
// with it computes attention hook by hook.
#pragma once
#include "phasor/ops/ops.hpp"
#include "phasor/position/schemes.hpp"

namespace phasor::inline PHASOR_PRECISION {

class StepByStep : public Scheme {
 public:
  explicit StepByStep(std::unique_ptr<Scheme> inner) : inner_(std::move(inner)) {
    add_part("inner", *inner_);
  }
  Var embed(const Var& x, const Positions& positions) const override {
    return inner_->embed(x, positions);
  }
  QK rotate(const Var& q, const Var& k, const Context& context) const override {
    return inner_->rotate(q, k, context);
  }
  Var score(const Var& logits, const Var& q, const Var& k, const Context& context) const override {
    return inner_->score(logits, q, k, context);
  }
  Var mix(const Var& out, const Var& weights, const Context& context) const override {
    return inner_->mix(out, weights, context);
  }
  std::optional<Var> added_bias(const Context&) const override { return std::nullopt; }
  bool reads_inputs() const override { return inner_->reads_inputs(); }
  void constrain() override { inner_->constrain(); }
  Traits traits() const override { return inner_->traits(); }

 private:
  std::unique_ptr<Scheme> inner_;
};

/// While one lives, the table has scheme `name` a second time, as name() and step by step.
class StepByStepEntry {
 public:
  explicit StepByStepEntry(const std::string& name) {
    SchemeEntry entry = find_scheme(name);
    entry.name = this->name();
    entry.make = [make = entry.make](const SchemeSizes& sizes, const Options& options, Rng& rng) {
      return std::make_unique<StepByStep>(make(sizes, options, rng));
    };
    add_scheme(std::move(entry));
  }
  ~StepByStepEntry() { remove_scheme(name()); }
  StepByStepEntry(const StepByStepEntry&) = delete;
  StepByStepEntry& operator=(const StepByStepEntry&) = delete;

  static std::string name() { return "step_by_step"; }
};

}  // namespace phasor::inline PHASOR_PRECISION
