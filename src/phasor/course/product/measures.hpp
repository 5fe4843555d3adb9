// What is measured for the claims about the inner product; claims.cpp says what is claimed.
#pragma once
#include "phasor/course/claim.hpp"

namespace phasor::product_measure {

Finding distance_alone(const Evidence& evidence);
Finding sum_of_cosines_holds(const Evidence& evidence);
Finding common_shift(const Evidence& evidence);
Finding goes_to_zero(const Evidence& evidence);
Finding close_to_half_width(const Evidence& evidence);
Finding falls_with_swings(const Evidence& evidence);
Finding smooth_fall(const Evidence& evidence);
Finding mainly_distance(const Evidence& evidence);
Finding neighbours_alike(const Evidence& evidence);
Finding nearer_not_always(const Evidence& evidence);
Finding ten_and_twenty(const Evidence& evidence);
Finding two_scales(const Evidence& evidence);
Finding not_of_distance(const Evidence& evidence);
Finding tells_distance(const Evidence& evidence);
Finding two_to_the_left(const Evidence& evidence);
Finding distance_structure(const Evidence& evidence);
Finding no_near_collision(const Evidence& evidence);

}  // namespace phasor::product_measure
