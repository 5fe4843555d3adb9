#include "phasor/position/scheme.hpp"

#include "phasor/ops/elementwise.hpp"

namespace phasor::inline PHASOR_PRECISION {

Var Scheme::embed(const Var& x, const Positions&) const { return x; }

QK Scheme::rotate(const Var& q, const Var& k, const Context&) const { return {q, k}; }

Var Scheme::score(const Var& logits, const Var&, const Var&, const Context&) const {
  return logits;
}

Var Scheme::mix(const Var& out, const Var&, const Context&) const { return out; }

Var BiasScheme::score(const Var& logits, const Var&, const Var&, const Context& context) const {
  return add(logits, bias(context));
}

}  // namespace phasor::inline PHASOR_PRECISION
