// What Lab 06 proves: the learner's two functions, the model, and every training.
#pragma once
#include "labs/common/lab.hpp"
#include "labs/common/training.hpp"

namespace phasor::lab06 {

/// The block and the learned positions. Returns whether there is something to go on with.
bool prove_written(Lab& lab);

/// Of a fresh model with each scheme: is it a language model?
void prove_models(Lab& lab, const Plan& plan, std::size_t vocabulary);

/// What must be true of any training, whatever the scheme.
void check_training(Lab& lab, const std::vector<Outcome>& outcomes, const Corpus& corpus);

/// A model that is to be looked at, not trained.
Gpt fresh_model(GptConfig config, std::size_t vocabulary, const std::string& scheme);

}  // namespace phasor::lab06
