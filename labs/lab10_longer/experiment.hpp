// The experiment of Lab 10: every scheme is trained on short windows and read in longer ones.
#pragma once
#include <numbers>

#include "labs/common/training.hpp"
#include "labs/lab10_longer/exercise.hpp"
#include "labs/lab10_longer/tuning.hpp"
#include "phasor/course/length/measures.hpp"

namespace phasor::lab10 {

/// Schemes that share a panel, because they tell positions in the same way.
struct Group {
  std::string title;
  std::vector<std::string> schemes;
};
/// All schemes of the library: absolute, rotations, biases, content.
std::vector<Group> groups();

/// A scheme's losses in windows that stand side by side, and in windows that slide by a quarter of
/// their length.
struct Windows {
  std::string scheme = {};
  std::vector<std::size_t> lengths = {};
  std::vector<Spread> apart = {}, sliding = {};
};

/// Losses at the places of the longest windows, means over some neighbouring places.
struct ByPosition {
  std::string scheme = {};
  std::vector<double> place = {};
  std::vector<Spread> loss = {};
};

/// A ramp of the library's YaRN from 1 to kYarnTurns, in turns or, when 2 pi is forgotten, radians.
struct YarnRamp {
  const char *name, *ramp;
  double turns;  ///< what the ramp takes for one turn, in turns

  /// Scheme options that slow by kTunedMultiple, with or without the factor on cos and sin.
  OptionValues options(bool with_factor) const;
};
inline constexpr YarnRamp kYarnRamps[] = {
    {"straight in turns (yours)", "paper", 1},
    {"straight in radians (2 pi forgotten)", "paper", 0.5 * std::numbers::inv_pi},
    {"straight in pairs (the authors' code)", "code", 1}};

/// Losses of RoPE under YaRN in windows of kTunedMultiple T characters.
struct RampLoss {
  std::string ramp = {};
  Spread alone = {}, with_factor = {};  // frequencies alone, and cos and sin times 0.1 ln s + 1
};

/// Everything that is measured after training, scheme by scheme in the order of the groups.
struct Study {
  std::vector<LengthCurve> curves;
  std::vector<LengthCurve> scalings;  // of RoPE
  std::vector<Windows> windows;
  std::vector<ByPosition> positions;
  std::vector<RampLoss> ramps;  // of kYarnRamps
  std::vector<Tuned> tuned;
  std::size_t tuning_steps = 0;

  const LengthCurve& curve(const std::string& scheme) const;
};

/// The runs of a plan by scheme, as train_all left them, and RoPE tuned for `tuning_steps`.
/// `tokens`: of the validation text, which every length predicts.
Study measure(const std::vector<Outcome>& outcomes, const Corpus& corpus, std::size_t tokens,
              std::size_t tuning_steps);

/// A model of lab 10 whose rotation is the learner's: the weights of a run of RoPE, with
/// inverse_frequencies(kind, s, ...) in place of its frequencies. Mean loss in windows of
/// s * T characters.
double loss_with(Scaling kind, double s, const std::filesystem::path& run,
                 const Encoded& validation);

/// What the lab knows of the rotation of a run, for inverse_frequencies.
TrainedRotation rotation_of(const RunConfig& config);

}  // namespace phasor::lab10
