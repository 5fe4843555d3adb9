// How well trained models read windows longer than those they were trained on.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "phasor/course/runs.hpp"

namespace phasor {

/// Loss in longer and longer windows, of the runs of one scheme.
struct LengthCurve {
  std::string label = {};
  std::size_t trained = 0;                  ///< T, tokens in a window of training
  std::vector<std::size_t> multiples = {};  ///< of T: 1, 2, 4, 8
  /// [multiple][run], nats per token; empty where the scheme has no positions.
  std::vector<std::vector<double>> losses = {};

  std::size_t runs() const { return losses.empty() ? 0 : losses[0].size(); }
  /// Whether the scheme has positions for windows of multiples[i] T tokens.
  bool reaches(std::size_t i) const { return !losses[i].empty(); }
  Spread loss(std::size_t i) const { return spread_of(losses[i]); }
  /// Loss in windows of multiples[i] T tokens over that in windows of T, less one, over runs.
  Spread rise(std::size_t i) const;
};

struct LengthOptions {
  std::vector<std::size_t> multiples{1, 2, 4, 8};
  /// Validation tokens that every length predicts: the same ones, a multiple of the longest window.
  std::size_t tokens = 8192;
  /// Scheme options for windows that are `multiple` times as long as those of training; none: as
  /// the runs were trained.
  std::function<OptionValues(std::size_t multiple)> options = {};
  /// Done to every model before it reads.
  std::function<void(Gpt& model)> prepare = {};
};

/// Windows that do not overlap: of the longest, a token sees on average half a window before it.
LengthCurve length_curve(const std::string& label, const std::vector<std::filesystem::path>& runs,
                         const LengthOptions& options = {});

/// A loss that rises by no more than this share is called steady. Runs of a scheme that differ in
/// nothing but the seed lie about as far apart: between 2 and 8 percent in lab 10's full profile.
inline constexpr double kSteady = 0.05;

/// The largest multiple up to which the mean loss is steady, at least 1.
std::size_t steady_to(const LengthCurve& curve);

/// "1.10 at 64, 1.25 (+14 %) at 128, no positions at 256".
std::string text_of(const LengthCurve& curve);
/// The same of the first and of the longest windows alone, or of those of `multiples`.
std::string ends_of(const LengthCurve& curve);
std::string text_of(const LengthCurve& curve, const std::vector<std::size_t>& multiples);

/// Scheme options that slow a rotation: kind "ntk" and multiple 4 give {"scaling", "ntk:4"};
/// nothing at multiple 1. YaRN's ramp runs from 1 to kYarnTurns turns within T: at a short T no
/// pair makes the 32 turns of the paper's beta.
inline constexpr int kYarnTurns = 8;
OptionValues scaled(const std::string& kind, std::size_t multiple);

}  // namespace phasor
