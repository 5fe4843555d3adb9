// What is measured for the claims about the choices in the encoding; claims.cpp says what is
// claimed.
#pragma once
#include "phasor/course/claim.hpp"

namespace phasor::design_measure {

Finding linear_position(const Evidence& evidence);
Finding position_in_denominator(const Evidence& evidence);
Finding inverse_has_no_matrix(const Evidence& evidence);
Finding sine_alone(const Evidence& evidence);
Finding two_phases(const Evidence& evidence);
Finding pair_product(const Evidence& evidence);
Finding base_not_sacred(const Evidence& evidence);
Finding base_is_overkill(const Evidence& evidence);
Finding base_for_length(const Evidence& evidence);
Finding one_frequency(const Evidence& evidence);
Finding equal_resolution(const Evidence& evidence);
Finding arithmetic_spacing(const Evidence& evidence);
Finding fourier_basis(const Evidence& evidence);
Finding no_two_alike(const Evidence& evidence);
Finding incommensurate(const Evidence& evidence);

}  // namespace phasor::design_measure
