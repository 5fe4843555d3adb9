#include "phasor/tensor/tensor.hpp"

namespace phasor::inline PHASOR_PRECISION {

Tensor random_normal(const Shape& shape, Real mean, Real standard_deviation, Rng& rng) {
  Tensor result = empty(shape);
  for (Real& value : result.storage())
    value = static_cast<Real>(mean + standard_deviation * rng.normal());
  return result;
}

}  // namespace phasor::inline PHASOR_PRECISION
