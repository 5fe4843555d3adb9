// What every positional scheme has to hold to, checked in a small model: for a scheme that somebody
// has just written.
#pragma once
#include "phasor/model/gpt.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// One property, and how far the scheme is from it.
struct SchemeCheck {
  std::string what;
  double measured;   ///< infinite where `problem` was thrown
  double tolerance;  ///< of rounding, in the precision at hand
  std::string problem = {};
  bool passed() const { return measured <= tolerance; }  // NaN does not pass
};

/// Builds a model of two layers and three heads with the scheme of this name (schemes.hpp), with
/// weights large enough that each of them matters, and checks:
///   - there is a finite logit for every character, as far as the training length;
///   - beyond it too, or a PositionError if the scheme says where its positions end;
///   - a later character changes no earlier logit;
///   - one character at a time with a cache equals all at once;
///   - a short text after a long one is read as before it: nothing is kept between calls;
///   - the traits count the parameters;
///   - the gradient of each parameter is the slope of the loss, along three random directions;
///   - if the scheme calls itself relative: a common shift of all positions changes nothing.
/// Throws ConfigError when there is no such scheme or option. Whatever else the scheme throws
/// fails the check in which it does.
std::vector<SchemeCheck> check_scheme(const std::string& name, const OptionValues& options = {});

}  // namespace phasor::inline PHASOR_PRECISION
