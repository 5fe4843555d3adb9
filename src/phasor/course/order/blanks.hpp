// Fill in the blanks: what a model that sees both sides of a character can be asked. Predicting the
// next character makes no sense for it, since it sees that character.
#pragma once
#include "phasor/train/run.hpp"

namespace phasor {

/// What stands in the place of a character that is to be predicted, and how many of a window do:
/// 15 of 100, as in Devlin et al. (2018), arXiv 1810.04805, section 3.1.
inline constexpr const char* kBlank = "_";
inline constexpr double kBlankShare = 0.15;

/// The characters of `text` and the blank. Throws DataError when the text has that character.
CharTokenizer tokenizer_with_blank(const std::string& text);

/// The windows' own tokens become the targets at places that are drawn, as many in each window and
/// at least one; there the input is the blank. Targets elsewhere do not count.
Batch with_blanks(Batch windows, std::int64_t blank, Rng& rng);

/// Mean loss at the blanks, in nats, over about `tokens` tokens of `validation` in windows of the
/// model's context. The places are always the same.
double blank_loss(const Run& run, const Gpt& model, const Encoded& validation, std::size_t tokens);

/// The largest difference between the log-probabilities that a model gives at two blanks of one
/// window: 0 when it cannot tell one blank from another.
double blank_difference(const Run& run, const Encoded& validation);

/// Trains a model of `config` to fill in the blanks of `corpus` and writes a run that load_run
/// reads. `threads` 0: all cores; the numbers do not depend on it. `on_step` is told the number of
/// steps done and the loss.
void train_on_blanks(RunConfig config, const Corpus& corpus, const std::filesystem::path& folder,
                     std::size_t threads = 0,
                     const std::function<void(std::size_t step, double loss)>& on_step = {});

}  // namespace phasor
