// Figures of models that Lab 06 trained, from what course/training/measures.hpp measures.
#pragma once
#include "phasor/course/training/measures.hpp"

namespace phasor {

/// D2-F3: the loss by depth with positions, without, and with positions taken away after training;
/// one panel for causal models and one for models that see both sides.
Figure ablation_figure(const Ablation& causal, const Ablation& unmasked);

/// D3-M: validation loss against steps of the Mini-GPT of 128 tokens, its additive encoding on and
/// off. Reads the runs toy-mini-gpt-NAME-SEED. Throws DataError when there are none.
Figure mini_gpt_figure(const std::filesystem::path& runs);

/// Validation loss against steps of small models with learned and with sinusoidal positions. Reads
/// the runs toy-small-SCHEME-SEED. Throws DataError when there are none.
Figure rivals_figure(const std::filesystem::path& runs);

/// The error of reading a position out of the stream, layer by layer, one line for each scheme.
Figure probe_figure(const std::vector<PositionProbe>& probes);

}  // namespace phasor
