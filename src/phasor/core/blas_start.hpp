// What OpenBLAS does before main() begins.
#pragma once

namespace phasor {

/// OpenBLAS starts its threads while the program is loaded. Where they cannot start, because a
/// limit on processes is reached, it says so and interrupts the program (SIGINT). The program then
/// begins anew, with OPENBLAS_NUM_THREADS=1. Call this first in main(): from there on an interrupt
/// is one.
void end_blas_start();

}  // namespace phasor
