// The numbers behind the claims about biases, and what broken biases make of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "phasor/course/claim.hpp"
#include "phasor/ops/elementwise.hpp"
#include "phasor/position/schemes.hpp"

namespace phasor {
namespace {

const Claim& claim(const std::string& id) {
  for (const Claim& one : claims())
    if (one.id == id) return one;
  throw std::runtime_error("there is no claim " + id);
}

double number(const Finding& finding, const std::string& name) {
  for (const auto& [key, value] : finding.numbers)
    if (key == name) return value;
  return std::nan("");
}

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
    EXPECT_EQ(name_of(claim(id).measure({}).verdict), name_of(kHolds)) << id;
}

TEST(BiasClaims, APenaltyThatBendsOrRewardsFails) {
  const auto linear = [](const HeadBias& bias) {
    return claim("D0-linear-penalty").measure({.bias = bias}).verdict;
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

TEST(BiasClaims, HeadsOfOneSlopeDoNotDiffer) {
  const HeadBias same = with_values([](double, double q, double k) { return -0.25 * (q - k); });
  EXPECT_EQ(claim("Press-heads-differ").measure({.bias = same}).verdict, kFails);
  const Finding finding = claim("Press-heads-differ").measure({});
  // sum r e^(-m r) / sum e^(-m r) = 1 / (e^m - 1); for 1/256 the 1024 keys cut the tail, which
  // takes T / (e^(m T) - 1) off.
  EXPECT_NEAR(number(finding, "first"), 1 / (std::exp(0.5) - 1), 1e-5);
  const double m = 1.0 / 256;
  EXPECT_NEAR(number(finding, "last"), 1 / (std::exp(m) - 1) - 1024 / (std::exp(1024 * m) - 1),
              1e-3);  // the bias is rounded to float
}

TEST(BiasClaims, BucketsThatGoOnOrThatAreEvenFail) {
  const auto verdict = [](const Bucketing& bucket) {
    return claim("Raffel-far-alike").measure({.bucket = bucket}).verdict;
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
  const Finding finding = claim("Raffel-far-alike").measure({});
  EXPECT_EQ(number(finding, "far buckets"), 1);
  EXPECT_EQ(number(finding, "alone"), 16);
  EXPECT_EQ(number(finding, "last begins"), 113);
}

TEST(BiasClaims, OneBiasIsNoFunctionOfTheOffset) {
  const Finding finding = claim("D0-moves-with-text").measure({});
  EXPECT_EQ(finding.verdict, kIf);
  EXPECT_EQ(number(finding, "changed"), 1);
  EXPECT_NE(finding.measured.find("they change in fire"), std::string::npos) << finding.measured;
  const HeadBias absolute = with_values([](double, double, double k) { return 0.01 * k; });
  EXPECT_EQ(claim("D0-moves-with-text").measure({.bias = absolute}).verdict, kFails);
}

TEST(BiasClaims, NoParametersAndATable) {
  const Finding finding = claim("Press-no-parameters").measure({});
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
  EXPECT_EQ(number(claim("D0-bias-apart").measure({}), "mixed"), 0);
  SchemeEntry leaky;
  leaky.name = "leaky";
  leaky.kind = "bias";
  leaky.make = [](const SchemeSizes&, const Options&, Rng&) { return std::make_unique<Leaky>(); };
  add_scheme(leaky);
  const Finding finding = claim("D0-bias-apart").measure({});
  remove_scheme("leaky");
  EXPECT_EQ(finding.verdict, kFails);
  EXPECT_EQ(number(finding, "mixed"), 1);
}

TEST(BiasClaims, TheTrainedOneSaysWhatToRun) {
  const Finding finding = claim("D0-whole-model-moves").measure({.results = "/nowhere"});
  EXPECT_EQ(finding.verdict, Verdict::kNotMeasured);
  EXPECT_NE(finding.measured.find("labs/run 09"), std::string::npos) << finding.measured;
}

}  // namespace
}  // namespace phasor
