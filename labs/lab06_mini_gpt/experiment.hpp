// The experiments of Lab 06: what is trained, how long, and under which names.
#pragma once
#include "labs/common/lab.hpp"
#include "labs/common/training.hpp"

namespace phasor::lab06 {

/// What was asked for, or else what the profile wants.
std::size_t steps_or(std::size_t asked, const Lab& lab, std::size_t quick, std::size_t full);
/// `records` evaluations during `steps` steps.
TrainConfig training(std::size_t steps, std::size_t records, double lr);
/// A plan of small models, two at a time, that nothing but the course's own measures evaluate.
Plan small_plan(const Lab& lab, std::size_t seeds);

// `steps` of every training; 0: enough to compare, more with --full.

/// The same Mini-GPT with one positional scheme after the other, on the toy language or on a text.
Plan comparison_plan(const Lab& lab, std::size_t steps);

/// Models of several depths with and without positions: causal ones predict the next character,
/// unmasked ones fill in blanks (phasor/course/order/blanks.hpp).
void train_ablation(const Lab& lab, const Corpus& toy, std::size_t steps);

/// The Mini-GPT of 128 tokens, its additive encoding on and off.
void train_mini_gpt(const Lab& lab, const Corpus& toy, std::size_t steps);

/// Small models with learned and with sinusoidal positions, several seeds of each.
void train_rivals(const Lab& lab, const Corpus& toy, std::size_t steps);

}  // namespace phasor::lab06
