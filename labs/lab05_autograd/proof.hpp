// The proof that six functions are the gradients they should be.
#pragma once
#include "labs/common/lab.hpp"
#include "labs/lab05_autograd/tape.hpp"

namespace phasor::lab05 {

// Sums of at most six terms of order one, in another order than PyTorch's: a few units in the last
// place, 1e-15. Every mistake that is worth the name is above 1e-3.
inline constexpr double kRounding = 1e-12;
// Central differences with the step kStep leave about 1e-10 (the V of lab05-steps); inputs are of
// order one, and a third derivative of a few hundred would still pass.
inline constexpr double kDifferences = 1e-7;
// Float rounds each number to 6e-8; a row of layer norm adds up a few of them.
inline constexpr double kSingle = 1e-5;

/// Checks all six functions, alone and on graphs.
void prove(Lab& lab);

/// Shows what a cotangent of ones lets pass.
void show_ones(Lab& lab);

/// y = x * x + x * w at x = 3, w = -2, with its gradients. x is the first leaf.
Id write_small(Tape& tape);

}  // namespace phasor::lab05
