// The experiment of Lab 06: the same Mini-GPT with one positional scheme after the other
// (labs/common/training.hpp), and the yardstick that its losses are held against.
#pragma once
#include "labs/common/training.hpp"

namespace phasor::lab06 {

/// Nats per character for a reader that knows how often each character occurs and nothing of what
/// stands before it: the entropy of the single characters.
double character_entropy(const std::string& text);

}  // namespace phasor::lab06
