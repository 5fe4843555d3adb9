// Gradients two ways: by your functions on a tape, and by differences.
#pragma once
#include <functional>
#include <vector>

#include "labs/lab05_autograd/tape.hpp"
#include "phasor/core/rng.hpp"

namespace phasor::lab05 {

/// Writes an expression of the inputs onto the tape and returns the place of its value.
using Expression = std::function<Id(Tape& tape, const std::vector<Id>& inputs)>;
/// The same without a tape.
using Function = std::function<Array(const std::vector<Array>& inputs)>;

/// The value of an expression.
Function value_of(const Expression& expression);

/// d sum(dy * y) / d input for every input, by backward. With `times` above 1 backward runs so
/// often on one tape, and the gradients of the inputs add up.
std::vector<Array> gradients_of(const Expression& expression, const std::vector<Array>& inputs,
                                const Array& dy, int times = 1);

enum class Difference { kCentral, kOneSided };

/// The same by differences of L = sum(dy * f(inputs)), moving one number x of the inputs at a time:
///
///   central    (L(x + h) - L(x - h)) / 2h    error h^2/6 |L'''| + eps |L| / h
///   one-sided  (L(x + h) - L(x)) / h         error h/2 |L''|    + eps |L| / h
///
/// The first term of an error is what the Taylor series leaves, the second is rounding: L has a
/// relative error of about eps, and the difference is divided by h.
std::vector<Array> numeric_gradients(const Function& f, std::vector<Array> inputs, const Array& dy,
                                     double h, Difference difference);

/// The step for central differences in double: h^2 and eps / h are equal at eps^(1/3) = 6e-6.
inline constexpr double kStep = 6e-6;

/// max |a - b| / max(|a|, |b|), the larger number of all, for the pair of arrays where it is
/// largest. Infinite when shapes differ or a value is not a number; 0 when all are 0.
double relative_error(const std::vector<Array>& a, const std::vector<Array>& b);

/// Independent normal numbers.
Array random_array(const std::vector<std::size_t>& shape, Rng& rng);

}  // namespace phasor::lab05
