#include "phasor/position/rope_scaling.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "phasor/core/error.hpp"
#include "phasor/position/rotation.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

using Kind = RopeScaling::Kind;

constexpr const char* kForm = "none, pi:S, ntk:S, dynamic_ntk:F, yarn:S or llama3:S";

const std::vector<std::pair<std::string, Kind>> kKinds{
    {"none", Kind::none}, {"pi", Kind::pi},
    {"ntk", Kind::ntk},   {"dynamic_ntk", Kind::dynamic_ntk},
    {"yarn", Kind::yarn}, {"llama3", Kind::llama3}};

/// Fills in kind and factor from "yarn:4". Only dynamic_ntk makes sense without a factor.
void read(const std::string& scheme, const std::string& text, RopeScaling& scaling) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const auto known = std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& kind) {
    return kind.first == text.substr(0, colon);
  });
  bool is_right = known != kKinds.end();
  if (is_right) scaling.kind = known->second;
  if (colon < text.size()) {
    const char *start = text.data() + colon + 1, *end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(start, end, scaling.factor);
    is_right = is_right && scaling.kind != Kind::none && problem == std::errc() && stop == end &&
               scaling.factor >= 1 && scaling.factor <= 1e6;
  } else {
    is_right = is_right && (scaling.kind == Kind::none || scaling.kind == Kind::dynamic_ntk);
  }
  check<ConfigError>(
      is_right,
      "[{}] --scaling must be {}, with a factor from 1 to 1e6, got '{}'; for example "
      "--scaling yarn:4",
      scheme, kForm, text);
}

/// The pair, as a real number, that makes `turns` turns over L positions.
double pair_with_turns(double turns, double base, std::size_t rotated, double L) {
  return static_cast<double>(rotated) * std::log(L / (turns * 2 * std::numbers::pi)) /
         (2 * std::log(base));
}

}  // namespace

double RopeScaling::stretch(double length) const {
  if (kind == Kind::ntk) return factor;
  if (kind != Kind::dynamic_ntk || length <= trained_length) return 1;
  const double share = length / trained_length;
  return paper_form ? share : factor * share - (factor - 1);
}

double RopeScaling::base(double base, std::size_t rotated, double length) const {
  const auto R = static_cast<double>(rotated);
  const double s = stretch(length);
  return s == 1 ? base : base * std::pow(s, R / (R - 2));
}

std::vector<double> RopeScaling::original_share(double base, std::size_t rotated) const {
  std::vector<double> share(rotated / 2, 1.0);
  if (kind != Kind::yarn && kind != Kind::llama3) return share;
  const bool by_pair = kind == Kind::yarn && !paper_ramp;
  const auto last = static_cast<double>(rotated - 1);
  const double from =
      std::max(std::floor(pair_with_turns(beta, base, rotated, trained_length)), 0.0);
  const double to =
      std::min(std::ceil(pair_with_turns(alpha, base, rotated, trained_length)), last);
  const std::vector<double> original = rotation_frequencies(base, rotated);
  for (std::size_t c = 0; c < share.size(); ++c) {
    const double turns = trained_length * original[c] / (2 * std::numbers::pi);
    const double k = by_pair
                         ? 1 - (static_cast<double>(c) - from) / (to == from ? 0.001 : to - from)
                         : (turns - alpha) / (beta - alpha);
    share[c] = std::clamp(k, 0.0, 1.0);
  }
  return share;
}

std::vector<double> RopeScaling::frequencies(double base_given, std::size_t rotated,
                                             double length) const {
  std::vector<double> result = rotation_frequencies(base(base_given, rotated, length), rotated);
  if (kind == Kind::pi)
    for (double& frequency : result) frequency /= factor;
  const std::vector<double> share = original_share(base_given, rotated);
  for (std::size_t c = 0; c < result.size(); ++c)
    if (share[c] < 1) result[c] *= share[c] + (1 - share[c]) / factor;
  return result;
}

std::vector<OptionSpec> rope_scaling_options() {
  const std::vector<std::string> ramps{"yarn:4", "llama3:8"};
  return {{"scaling",
           TextOption{"none", kForm, {"pi:2", "ntk:4", "dynamic_ntk:2", "yarn:4", "llama3:8"}},
           "slows the rotation to reach beyond the trained length by a factor"},
          {"original", NumberOption{0, 0, 1e9}, "trained length L, 0: the context",
           Needs{"scaling", {"dynamic_ntk:2", "yarn:4", "llama3:8"}}},
          {"form", ChoiceOption{{"hf", "paper"}}, "how dynamic_ntk follows the length",
           Needs{"scaling", {"dynamic_ntk"}}},
          {"ramp", ChoiceOption{{"code", "paper"}}, "what yarn's ramp is linear in",
           Needs{"scaling", {"yarn:4"}}},
          {"alpha", NumberOption{0, 0, 1e6}, "turns in L where the ramp ends, 0: its own",
           Needs{"scaling", ramps}},
          {"beta", NumberOption{0, 0, 1e6}, "turns in L where the ramp begins, 0: its own",
           Needs{"scaling", ramps}},
          {"attention_factor", NumberOption{0, 0, 100}, "on cos and sin, 0: yarn's 0.1 ln s + 1",
           Needs{"scaling", {"yarn:4"}}}};
}

RopeScaling rope_scaling(const std::string& scheme, const Options& options, std::size_t rotated,
                         std::size_t context) {
  RopeScaling scaling;
  read(scheme, options.text("scaling"), scaling);
  scaling.trained_length = options.number_or("original", static_cast<double>(context));
  scaling.paper_form = options.choice("form") == "paper";
  scaling.paper_ramp = options.choice("ramp") == "paper";
  const bool is_yarn = scaling.kind == Kind::yarn;
  scaling.alpha = options.number_or("alpha", 1);
  scaling.beta = options.number_or("beta", is_yarn ? 32 : 4);
  scaling.attention_factor =
      options.number_or("attention_factor", is_yarn ? 0.1 * std::log(scaling.factor) + 1 : 1);
  check<ConfigError>(!scaling.changes_base() || rotated > 2,
                     "[{}] --scaling {} stretches the base by s^(R/(R-2)) and needs more than one "
                     "pair, got R = {}; choose a larger --width or --scaling pi",
                     scheme, options.text("scaling"), rotated);
  check<ConfigError>(
      scaling.kind != Kind::dynamic_ntk || !scaling.paper_form || scaling.factor == 1,
      "[{}] the paper's form of dynamic_ntk has no factor, got '{}'; write --scaling "
      "dynamic_ntk, or --form hf",
      scheme, options.text("scaling"));
  check<ConfigError>(scaling.beta > scaling.alpha,
                     "[{}] --beta must be above --alpha, got {:g} and {:g}", scheme, scaling.beta,
                     scaling.alpha);
  return scaling;
}

}  // namespace phasor::inline PHASOR_PRECISION
