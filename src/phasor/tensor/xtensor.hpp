// xtensor, xtensor-blas and xsimd, as the installed release lays them out. What differs between
// releases is settled here and in src/dependencies.cmake, nowhere else.
#pragma once

#if __has_include(<xtensor/containers/xarray.hpp>)  // xtensor 0.26 and later
#include <xtensor/containers/xarray.hpp>
#include <xtensor/core/xmath.hpp>
#include <xtensor/views/xview.hpp>
#define PHASOR_XNPY <xtensor/io/xnpy.hpp>
#else
#include <xtensor/xarray.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>
#define PHASOR_XNPY <xtensor/xnpy.hpp>
#endif
#include <xsimd/xsimd.hpp>

/// Two headers that few files need and that take long to compile are included by name, after this
/// one: `#include PHASOR_XLINALG` (linear algebra), `#include PHASOR_XNPY` (NumPy files).
#define PHASOR_XLINALG <xtensor-blas/xlinalg.hpp>

namespace phasor {

/// Sum of the elements of a register. Not named reduce_add: a call would find xsimd's own as well.
template <class Element, class Architecture>
Element sum_of_lanes(const xsimd::batch<Element, Architecture>& batch) {
#if XSIMD_VERSION_MAJOR >= 9
  return xsimd::reduce_add(batch);
#else
  return xsimd::hadd(batch);
#endif
}

}  // namespace phasor
