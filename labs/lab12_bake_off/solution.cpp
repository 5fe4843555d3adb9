// One solution. To do the lab, write your own; README.md beside this file says how to begin.
//
// A spotlight for each head: the bias is highest at a distance c, which training may move, and
// falls off to both sides as a power law does, with a sharpness s that training may change,
//   -s ln(1 + (distance - c)^2),  so that weights fall like 1 / (1 + (distance - c)^2)^s.
// Head 0 starts as a sharp light on the token before; the others see far and wide. No angles.
#include <cmath>

#include "labs/lab12_bake_off/exercise.hpp"

std::string my_idea() { return "a spotlight for each head, the first on the token before"; }

bool my_scheme_is_relative() { return true; }

/// For each head c and ln s: the sharpness is e^parameter, which stays above 0.
xt::xarray<double> my_parameters(std::size_t heads) {
  xt::xarray<double> parameters = xt::zeros<double>({heads, std::size_t{2}});
  for (std::size_t h = 0; h < heads; ++h) {
    parameters(h, 0) = h == 0 ? 1 : 0;
    parameters(h, 1) = std::log(h == 0 ? 4 : 0.04 / static_cast<double>(h));
  }
  return parameters;
}

double my_bias(const xt::xarray<double>& parameters, std::size_t head, double distance) {
  const double off = distance - parameters(head, 0);
  return -std::exp(parameters(head, 1)) * std::log1p(off * off);
}

xt::xarray<double> my_bias_slopes(const xt::xarray<double>& parameters, std::size_t head,
                                  double distance) {
  const double off = distance - parameters(head, 0), sharpness = std::exp(parameters(head, 1));
  return {sharpness * 2 * off / (1 + off * off), -sharpness * std::log1p(off * off)};
}

double my_angle(std::size_t, std::size_t, double) { return 0; }
