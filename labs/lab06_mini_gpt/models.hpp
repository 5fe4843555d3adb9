// The models of Lab 06, and what must be true of them: fresh, and after any training.
#pragma once
#include "labs/common/lab.hpp"
#include "labs/common/training.hpp"

namespace phasor::lab06 {

/// A model that is to be looked at, not trained.
Gpt fresh_model(GptConfig config, std::size_t vocabulary, const std::string& scheme);

/// Of a fresh model with each scheme: is it a language model?
void check_models(Lab& lab, const Plan& plan, std::size_t vocabulary);

/// What must be true of any training, whatever the scheme.
void check_training(Lab& lab, const std::vector<Outcome>& outcomes, const Corpus& corpus);

}  // namespace phasor::lab06
