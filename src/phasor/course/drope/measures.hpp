// RoPE dropped during training, beside RoPE kept and a model that never had it: lab 11's runs.
#pragma once
#include "phasor/course/length/measures.hpp"

namespace phasor {

/// The validation loss of one way of training, over its steps.
struct DropeArm {
  std::string label = {};
  std::vector<std::size_t> steps = {};
  std::vector<std::vector<double>> losses = {};  ///< [record][run], nats per token

  Spread loss(std::size_t record) const { return spread_of(losses[record]); }
  Spread last() const { return loss(losses.size() - 1); }
  /// The record after so many steps. Throws DataError when there is none.
  std::size_t record_at(std::size_t step) const;
};

/// Three ways of training, from the same number of steps: with RoPE to the end; with RoPE up to
/// `dropped_at`, without it from there on; and never with it.
struct DropeStudy {
  std::size_t dropped_at = 0, steps = 0, runs = 0;
  DropeArm kept = {}, dropped = {},
           control = {};  ///< `dropped` begins with the loss right after the drop
  /// Losses in longer windows: of the three, and of RoPE slowed by as much (NTK).
  LengthCurve kept_length = {}, scaled_length = {}, dropped_length = {}, control_length = {};

  /// The loss just before and just after the drop.
  Spread before() const { return kept.loss(kept.record_at(dropped_at)); }
  Spread after() const { return dropped.loss(0); }
  /// Steps from the drop until the mean loss is no higher than it was before; none: never.
  std::optional<std::size_t> healed_after() const;
  /// Steps until the mean loss of the control is no higher than `loss`; none: never.
  std::optional<std::size_t> control_steps_to(double loss) const;
};

/// From the runs TEXT-rope, TEXT-dropped and TEXT-none in `folder`; none when one is not there.
/// `with_lengths`: whether longer windows are read too.
std::optional<DropeStudy> drope_study(const std::filesystem::path& folder, const std::string& text,
                                      bool with_lengths);

/// The dropped runs in longer windows, logits times 1 + c ln(l / L) (dropped.hpp).
LengthCurve with_temperature(const std::filesystem::path& folder, const std::string& text,
                             double c);

}  // namespace phasor
