// The loss of a language model.
#pragma once
#include "phasor/autograd/backward.hpp"
#include "phasor/core/ignore.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// loss = mean over counted positions of log(sum(exp(logits))) - logits[target], in nats.
/// logits: [..., V], targets: [...] in [0, V) or `ignore_index` -> scalar.
/// dlogits = (softmax(logits) - onehot(target)) / counted, 0 where ignored. Softmax and loss are
/// one op, so no probability is stored and no logarithm of zero is taken.
/// Throws ShapeError when the shapes do not fit, DataError on a target outside the vocabulary or
/// when every target is ignored.
Var cross_entropy(const Var& logits, const Indices& targets, std::int64_t ignore_index = kIgnore);

}  // namespace phasor::inline PHASOR_PRECISION
