// The number type. Everything that computes with tensors is written once for `Real` and built
// twice: as float (the product) and as double (gradient checks). The two builds live in separate
// inline namespaces, phasor::f32 and phasor::f64, so one program can link both.
#pragma once

#ifdef PHASOR_DOUBLE
#define PHASOR_PRECISION f64
namespace phasor::inline f64 {
using Real = double;
}
#else
#define PHASOR_PRECISION f32
namespace phasor::inline f32 {
using Real = float;
}
#endif
