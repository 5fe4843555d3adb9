// Where training went wrong.
#pragma once
#include "phasor/data/batches.hpp"
#include "phasor/model/gpt.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// Names the first tensor with a value that is not finite, in the order in which a step makes them:
/// the parameters, then the results of the ops of a forward pass, then `gradients` (which may be
/// empty). Empty when all are finite.
std::string first_bad_tensor(const Gpt& model, const Batch& batch,
                             const std::vector<Tensor>& gradients);

}  // namespace phasor::inline PHASOR_PRECISION
