// What is measured on models that Lab 06 trained: what is lost without positions, whether position
// can be read out of the activations, and how an encoding compares with another one.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "phasor/analysis/spread.hpp"
#include "phasor/figure/figure.hpp"
#include "phasor/train/run.hpp"

namespace phasor {

/// The same weights in a model without positions: what remains when an encoding is taken away
/// after training. Parameters of the scheme are left out.
std::unique_ptr<Gpt> without_positions(const Run& run);

/// Models of one depth, with positions, without, and with positions in training alone.
struct AblationRow {
  std::size_t layers = 0;
  Spread with = {}, without = {}, taken_away = {};  // nats per character, over seeds
};
/// What the removal of an encoding costs, depth by depth.
struct Ablation {
  bool causal = true;       ///< the next character; else blanks, filled in from both sides
  std::string scheme = {};  ///< the encoding that is removed
  std::size_t seeds = 0;
  std::vector<AblationRow> rows = {};
  /// Causal: the entropy of the text, where it is known. Unmasked: none.
  std::optional<double> floor = {};
  /// The loss of a reader that knows how often characters occur, and nothing else.
  double blind = 0;
};
/// Of runs called toy-causal-SCHEME-LAYERS-SEED or toy-unmasked-SCHEME-LAYERS-SEED, SCHEME also
/// none. No rows when there are none.
Ablation measure_ablation(const std::filesystem::path& runs, bool causal,
                          const std::string& scheme);
/// What a model has learned is what it saves against a reader that knows how often characters
/// occur. Without its encoding it learns next to nothing when that is at most this share of the
/// most that it saves with one: who sees all characters but one, in no order, knows a little more
/// than how often each occurs.
inline constexpr double kNextToNothing = 0.2;
/// Whether the encoding is what the model lives on: with it, it saves a tenth of that reader's loss
/// at some depth, and without it next to nothing at any.
bool breaks(const Ablation& ablation);
/// The name of such a run, without its seed.
std::string ablation_name(bool causal, const std::string& scheme, std::size_t layers);
inline constexpr std::size_t kDeepest = 8;  // layers that are looked for
/// The encoding that is removed.
inline constexpr const char* kRemoved = "rope";

/// How far off a linear probe is that reads a token's place in the window out of the stream.
struct PositionProbe {
  std::string scheme;
  /// Mean absolute error on windows that the probe was not fitted on, in positions: of the sum of
  /// token and encoding, then behind each block.
  std::vector<double> error = {};
  /// The same for a probe fitted on positions that were shuffled: what is no signal.
  std::vector<double> shuffled = {};
  /// The error of guessing the middle of the window.
  double guess = 0;
};
PositionProbe probe_positions(const Run& run, const Encoded& validation);
/// Mean over the runs TEXT-SCHEME-SEED; none when there are none.
std::optional<PositionProbe> probe_runs(const std::filesystem::path& runs,
                                        const std::string& scheme);

/// The error of the same probe on random token vectors, each as long as the rows of `encoding`,
/// [T, C], which is added to them: more tokens than the model has directions.
double probe_of_random_tokens(const xt::xarray<double>& encoding, std::uint64_t seed);
inline constexpr std::size_t kRandomTokens = 1000;

/// Root mean square of the values that tokens and positions bring to the first block.
struct Loudness {
  double token = 0, position = 0;
  double ratio() const { return position / token; }
};
/// Of token vectors as GPT-2 draws them, times `factor`, and the rows of `encoding`, [T, C].
Loudness loudness_at_start(const xt::xarray<double>& encoding, double factor, std::uint64_t seed);

/// Mean loss of predicting the next token of `validation`, in windows of the model's context.
double next_loss(const Gpt& model, const Encoded& validation);
/// Tokens of validation text that losses are measured on: they are then good to 0.01.
inline constexpr std::size_t kMeasuredTokens = 20000;

/// Validation loss of the runs NAME-SEED, over seeds; none when there are none.
std::optional<Spread> loss_of_runs(const std::filesystem::path& runs, const std::string& name);

/// Nats per character for a reader that knows how often each token occurs and nothing of what
/// stands around it: the entropy of single tokens.
double token_entropy(const Encoded& tokens, std::size_t vocabulary);

/// The name of small models of learned and of sinusoidal positions, without their seed: cheap
/// enough to be trained with several seeds.
std::string rival_name(const std::string& scheme);

/// The name of the Mini-GPT of kMiniGptContext tokens, its additive encoding on or off, without the
/// seed.
std::string mini_gpt_name(bool on);
inline constexpr std::size_t kMiniGptContext = 128;

}  // namespace phasor
