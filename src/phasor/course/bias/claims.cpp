// What is claimed of biases on the logits.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "phasor/core/larger.hpp"
#include "phasor/course/bias/claims.hpp"
#include "phasor/course/topics.hpp"
#include "phasor/model/gpt.hpp"
#include "phasor/position/alibi.hpp"
#include "phasor/position/none.hpp"
#include "phasor/position/schemes.hpp"
#include "phasor/position/t5_bias.hpp"

namespace phasor {

xt::xarray<double> linear_bias(std::size_t heads, const std::vector<double>& queries,
                               const std::vector<double>& keys) {
  const SchemeEntry entry = alibi();
  Rng rng(1);
  const auto scheme = make_scheme(entry.name, {}, {8 * heads, heads, keys.size()}, rng);
  const Context context{queries, keys, 1, true};
  const NoGrad no_grad;
  const Tensor bias = dynamic_cast<const BiasScheme&>(*scheme).bias(context).value();
  xt::xarray<double> result = xt::zeros<double>({heads, queries.size(), keys.size()});
  std::copy(bias.begin(), bias.end(), result.begin());
  return result;
}

std::size_t distance_bucket(double distance, std::size_t buckets, double max_distance,
                            bool causal) {
  return t5_bucket(distance, buckets, max_distance, causal);
}

namespace {

/// What each head adds for a key r tokens back, r = 0 .. count - 1: [heads][count].
std::vector<std::vector<double>> by_distance(const Evidence& evidence, std::size_t heads,
                                             std::size_t count) {
  std::vector<double> keys(count);
  for (std::size_t i = 0; i < count; ++i) keys[i] = static_cast<double>(i);
  const xt::xarray<double> bias = evidence.bias(heads, {keys.back()}, keys);
  std::vector<std::vector<double>> values(heads, std::vector<double>(count));
  for (std::size_t h = 0; h < heads; ++h)
    for (std::size_t r = 0; r < count; ++r) values[h][r] = bias(h, 0, count - 1 - r);
  return values;
}

Finding penalty_is_linear(const Evidence& evidence) {
  constexpr std::size_t T = 128;
  double bend = 0, steepest = -1e300;
  for (const std::size_t heads : {6, 8, 12}) {
    for (const std::vector<double>& values : by_distance(evidence, heads, T)) {
      const double slope = values[T - 1] / (T - 1);
      for (std::size_t r = 0; r < T; ++r)
        bend = larger(
            bend, std::abs(values[r] - slope * static_cast<double>(r)) / std::abs(values[T - 1]));
      steepest = larger(steepest, slope);
    }
  }
  // The scheme computes in float: each value is rounded to 6e-8 of itself.
  const bool holds = bend < 1e-6 && steepest < 0;
  return {holds ? Verdict::kHolds : Verdict::kFails,
          fmt::format("With 6, 8 and 12 heads and distances up to {}: what a head adds strays from "
                      "a straight line through 0 by at most {:.1e} of its largest value, and every "
                      "slope is {}.",
                      T - 1, bend, steepest < 0 ? "negative" : "not negative"),
          {{"bend", bend}, {"flattest slope", steepest}}};
}

Finding no_parameters(const Evidence&) {
  const auto count = [](const SchemeEntry& scheme) {
    GptConfig config;
    config.vocabulary = 32;
    config.scheme = scheme.name;
    Rng rng(1, "weights");
    return Gpt(config, rng).parameter_count();
  };
  const std::size_t bare = count(none()), lines = count(alibi()), table = count(t5_bias());
  return {lines == bare ? Verdict::kHolds : Verdict::kFails,
          fmt::format("The model has {} parameters without positions, {} with straight lines, {} "
                      "with a trained bias for each of 32 buckets and 4 heads.",
                      bare, lines, table),
          {{"none", static_cast<double>(bare)},
           {"lines", static_cast<double>(lines)},
           {"buckets", static_cast<double>(table)}}};
}

/// The mean distance at which a head looks when content says nothing: the bias alone, in a softmax.
double reach(const std::vector<double>& bias) {
  double total = 0, sum = 0;
  for (std::size_t r = 0; r < bias.size(); ++r) {
    const double weight = std::exp(bias[r] - bias[0]);
    total += weight;
    sum += weight * static_cast<double>(r);
  }
  return sum / total;
}

Finding heads_differ(const Evidence& evidence) {
  constexpr std::size_t kHeads = 8, T = 1024;
  std::vector<double> reaches;
  for (const std::vector<double>& values : by_distance(evidence, kHeads, T))
    reaches.push_back(reach(values));
  double least_step = 1e300;
  for (std::size_t h = 1; h < kHeads; ++h)
    least_step = smaller(least_step, reaches[h] / reaches[h - 1]);
  return {least_step > 1.5 ? Verdict::kHolds : Verdict::kFails,
          fmt::format("{} heads, {} keys of equal content: a head looks back {:.1f} tokens on "
                      "average, each at least {:.2f} times as far as the one before.",
                      kHeads, T, fmt::join(reaches, ", "), least_step),
          {{"first", reaches.front()}, {"last", reaches.back()}, {"least step", least_step}}};
}

Finding far_is_alike(const Evidence& evidence) {
  constexpr std::size_t kBuckets = 32;
  constexpr double kFar = 128;
  const auto bucket = [&](double distance) {
    return evidence.bucket(distance, kBuckets, kFar, true);
  };
  std::set<std::size_t> far;
  for (double distance = kFar; distance <= 100000; distance = std::floor(1.3 * distance) + 1)
    far.insert(bucket(distance));
  std::size_t alone = 0;  // distances from 0 on that share their bucket with no other
  const auto at = [&](std::size_t distance) { return bucket(static_cast<double>(distance)); };
  while (alone < kBuckets && at(alone) == alone && at(alone + 1) != alone) ++alone;
  double last = kFar;  // the first distance of the last bucket
  while (last > 0 && bucket(last - 1) == bucket(kFar)) --last;
  const bool holds = far.size() == 1 && alone >= kBuckets / 2;
  return {
      holds ? Verdict::kHolds : Verdict::kFails,
      fmt::format("{} buckets up to distance {:g}, causal: {} distances from 0 on have a "
                  "bucket each; from {:g} to 100,000 there {} {} bucket{}, which begins at {:g} "
                  "already.",
                  kBuckets, kFar, alone, kFar, far.size() == 1 ? "is" : "are", far.size(),
                  far.size() == 1 ? "" : "s", last),
      {{"far buckets", static_cast<double>(far.size())},
       {"alone", static_cast<double>(alone)},
       {"last begins", last}}};
}

}  // namespace

std::vector<Claim> bias_claims() {
  std::vector<Claim> claims = {
      {"D0-linear-penalty", "D0, D1",
       "ALiBi subtracts from every score a penalty that is linear in distance.", "lab09",
       "lab09-slopes", penalty_is_linear},
      {"Press-no-parameters", "Press et al. 2021", "ALiBi adds no parameters to a model.", "lab09",
       "lab09-slopes", no_parameters},
      {"Press-heads-differ", "Press et al. 2021", "The heads of ALiBi reach differently far.",
       "lab09", "lab09-slopes", heads_differ},
      {"Raffel-far-alike", "Raffel et al. 2020",
       "T5's buckets tell near distances apart one by one and see all distances beyond 128 alike.",
       "lab09", "lab09-buckets", far_is_alike}};
  for (Claim& claim : bias_model_claims()) claims.push_back(std::move(claim));
  return claims;
}

}  // namespace phasor
