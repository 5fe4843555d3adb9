// The numbers behind the claims about biases, and what broken biases make of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "phasor/course/claim.hpp"
#include "phasor/ops/elementwise.hpp"
#include "phasor/position/schemes.hpp"
#include "tests/course/claim_numbers.hpp"

namespace phasor {
namespace {

using test::measured;
using test::number;

constexpr Verdict kHolds = Verdict::kHolds, kFails = Verdict::kFails, kIf = Verdict::kHoldsIf;

/// A bias of value(h, query, key), h from 1.
template <class Value>
HeadBias with_values(Value value) {
  return [value](std::size_t heads, const std::vector<double>& queries,
                 const std::vector<double>& keys) {
    xt::xarray<double> bias = xt::zeros<double>({heads, queries.size(), keys.size()});
    for (std::size_t h = 0; h < heads; ++h)
      for (std::size_t m = 0; m < queries.size(); ++m)
        for (std::size_t n = 0; n < keys.size(); ++n)
          bias(h, m, n) = value(static_cast<double>(h + 1), queries[m], keys[n]);
    return bias;
  };
}

TEST(BiasClaims, TheLibrarysBiasesPass) {
  for (const char* id : {"D0-linear-penalty", "Press-no-parameters", "Press-heads-differ",
                         "Raffel-far-alike", "D0-bias-apart"})
    EXPECT_EQ(name_of(measured(id).verdict), name_of(kHolds)) << id;
}

TEST(BiasClaims, APenaltyThatBendsOrRewardsFails) {
  const auto linear = [](const HeadBias& bias) {
    return measured("D0-linear-penalty", {.bias = bias}).verdict;
  };
  EXPECT_EQ(
      linear(with_values([](double h, double q, double k) { return -std::exp2(-h) * (q - k); })),
      kHolds);
  EXPECT_EQ(linear(with_values(
                [](double h, double q, double k) { return -std::exp2(-h) * std::log1p(q - k); })),
            kFails);
  EXPECT_EQ(
      linear(with_values([](double h, double q, double k) { return std::exp2(-h) * (q - k); })),
      kFails);
}

TEST(BiasClaims, WhatIsNoNumberFails) {
  const HeadBias none = with_values([](double h, double q, double k) {
    return q - k == 3 ? std::nan("") : -std::exp2(-h) * (q - k);
  });
  for (const char* id : {"D0-linear-penalty", "Press-heads-differ", "D0-moves-with-text"})
    EXPECT_EQ(measured(id, {.bias = none}).verdict, kFails) << id;
}

TEST(BiasClaims, HeadsOfOneSlopeDoNotDiffer) {
  const HeadBias same = with_values([](double, double q, double k) { return -0.25 * (q - k); });
  EXPECT_EQ(measured("Press-heads-differ", {.bias = same}).verdict, kFails);
  const Finding finding = measured("Press-heads-differ");
  // sum r e^(-m r) / sum e^(-m r) = 1 / (e^m - 1); for 1/256 the 1024 keys cut the tail, which
  // takes T / (e^(m T) - 1) off.
  EXPECT_NEAR(number(finding, "first"), 1 / (std::exp(0.5) - 1), 1e-5);
  const double m = 1.0 / 256;
  EXPECT_NEAR(number(finding, "last"), 1 / (std::exp(m) - 1) - 1024 / (std::exp(1024 * m) - 1),
              1e-3);  // the bias is rounded to float
}

TEST(BiasClaims, BucketsThatGoOnOrThatAreEvenFail) {
  const auto verdict = [](const Bucketing& bucket) {
    return measured("Raffel-far-alike", {.bucket = bucket}).verdict;
  };
  EXPECT_EQ(verdict([](double distance, std::size_t buckets, double most, bool) {
              const double rest = static_cast<double>(buckets) / 2;
              if (distance < rest) return static_cast<std::size_t>(std::max(distance, 0.0));
              return static_cast<std::size_t>(rest + std::log(distance / rest) /
                                                         std::log(most / rest) * rest);
            }),
            kFails)
      << "without an end";
  EXPECT_EQ(verdict([](double distance, std::size_t buckets, double most, bool) {
              return std::min(static_cast<std::size_t>(std::max(distance, 0.0) *
                                                       static_cast<double>(buckets) / most),
                              buckets - 1);
            }),
            kFails)
      << "linear spacing";
  const Finding finding = measured("Raffel-far-alike");
  EXPECT_EQ(number(finding, "far buckets"), 1);
  EXPECT_EQ(number(finding, "alone"), 16);
  EXPECT_EQ(number(finding, "last begins"), 113);
}

TEST(BiasClaims, OneBiasIsNoFunctionOfTheOffset) {
  const Finding finding = measured("D0-moves-with-text");
  EXPECT_EQ(finding.verdict, kIf);
  EXPECT_EQ(number(finding, "changed"), 1);
  EXPECT_NE(finding.measured.find("they change in fire"), std::string::npos) << finding.measured;
  const HeadBias absolute = with_values([](double, double, double k) { return 0.01 * k; });
  EXPECT_EQ(measured("D0-moves-with-text", {.bias = absolute}).verdict, kFails);
}

TEST(BiasClaims, NoParametersAndATable) {
  const Finding finding = measured("Press-no-parameters");
  EXPECT_EQ(number(finding, "lines"), number(finding, "none"));
  EXPECT_EQ(number(finding, "buckets") - number(finding, "none"), 32 * 4);
}

/// Calls itself a bias, and looks at the queries.
class Leaky : public Scheme {
 public:
  Var score(const Var& logits, const Var&, const Var&, const Context&) const override {
    return mul(logits, logits);
  }
  Traits traits() const override { return {}; }
};

TEST(BiasClaims, ABiasThatReadsContentIsFound) {
  EXPECT_EQ(number(measured("D0-bias-apart"), "mixed"), 0);
  SchemeEntry leaky;
  leaky.name = "leaky";
  leaky.kind = "bias";
  leaky.make = [](const SchemeSizes&, const Options&, Rng&) { return std::make_unique<Leaky>(); };
  add_scheme(leaky);
  const Finding finding = measured("D0-bias-apart");
  remove_scheme("leaky");
  EXPECT_EQ(finding.verdict, kFails);
  EXPECT_EQ(number(finding, "mixed"), 1);
}

TEST(BiasClaims, TheTrainedOneSaysWhatToRun) {
  const Finding finding = measured("D0-whole-model-moves", {.results = "/nowhere"});
  EXPECT_EQ(finding.verdict, Verdict::kNotMeasured);
  EXPECT_NE(finding.measured.find("labs/run 09"), std::string::npos) << finding.measured;
}

}  // namespace
}  // namespace phasor
