// The numbers behind the verdicts on order, and verdicts that change with what is fed in.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "phasor/course/order/figures.hpp"
#include "phasor/course/order/word_order.hpp"
#include "phasor/course/topics.hpp"
#include "tests/course/claim_numbers.hpp"

namespace phasor {
namespace {

using test::measured;
using test::number;

// What should be the same comes out of the same numbers added in another order: some ten roundings
// of 1e-16. What should differ differs by a thousandth of its size or more in all five draws.
constexpr double kSame = 1e-14, kSeen = 1e-3;

TEST(OrderClaims, EquivariantWithoutAMask) {
  const Finding finding = measured("D4-equivariant");
  EXPECT_EQ(finding.verdict, Verdict::kHolds);
  EXPECT_LE(number(finding, "unmasked"), kSame);
  EXPECT_GE(number(finding, "causal, least"), kSeen);
}

TEST(OrderClaims, InvariantOnlyAfterPooling) {
  const Finding finding = measured("D1-invariant");
  EXPECT_EQ(finding.verdict, Verdict::kHoldsIf);
  EXPECT_LE(number(finding, "pooled"), kSame);
  EXPECT_GE(number(finding, "outputs, least"), kSeen);
  EXPECT_GE(number(finding, "pooled, causal"), kSeen);
}

TEST(OrderClaims, SameWeightsOnlyWithoutMaskAndEncoding) {
  const Finding finding = measured("D1-same-weights");
  EXPECT_EQ(finding.verdict, Verdict::kHoldsIf);
  EXPECT_LE(number(finding, "plain"), kSame);
  EXPECT_GE(number(finding, "causal, least"), kSeen);
  EXPECT_GE(number(finding, "encoded, least"), kSeen);
}

TEST(OrderClaims, TwoCausalLayersSeeTheOrder) {
  const Finding finding = measured("D1-blind-to-order");
  EXPECT_EQ(finding.verdict, Verdict::kHoldsIf);
  EXPECT_LE(number(finding, "unmasked, two layers"), kSame);
  EXPECT_LE(number(finding, "causal, one layer"), kSame);
  EXPECT_GE(number(finding, "causal, two layers, least"), kSeen);
}

TEST(OrderClaims, CopiesDifferUnderAMask) {
  const Finding finding = measured("D2-places-alike");
  EXPECT_EQ(finding.verdict, Verdict::kHoldsIf);
  EXPECT_LE(number(finding, "unmasked"), kSame);
  EXPECT_GE(number(finding, "causal, least"), kSeen);
}

TEST(OrderClaims, AnEncodingOrARecurrenceTellsThemApart) {
  const Finding added = measured("D1-position-added");
  EXPECT_EQ(added.verdict, Verdict::kHolds);
  for (const char* name : {"weights, least", "full stop, least", "copies, least"})
    EXPECT_GE(number(added, name), kSeen) << name;
  const Finding recurrent = measured("D1-recurrent-order");
  EXPECT_EQ(recurrent.verdict, Verdict::kHolds);
  EXPECT_GE(number(recurrent, "states, least"), kSeen);
}

TEST(OrderClaims, HaveWhatATableNeeds) {
  const std::vector<Claim> all = order_claims();
  EXPECT_EQ(all.size(), 7u);
  for (const Claim& claim : all) {
    EXPECT_EQ(claim.lab, "lab00") << claim.id;
    EXPECT_TRUE(claim.figure.starts_with("lab00-")) << claim.id;
    EXPECT_TRUE(claim.id.starts_with(claim.document.substr(0, 2)) ||
                claim.document.find(claim.id.substr(0, 2)) != std::string::npos)
        << claim.id;
  }
}

// --- broken evidence
// ------------------------------------------------------------------------------

/// An encoding that repeats after two positions gives dog the same vector at 0 and at 2.
TEST(OrderClaimsBroken, AnEncodingWithPeriodTwoAddsNoPosition) {
  const Evidence repeats = {.encode = [](std::size_t positions, std::size_t width, double base) {
    xt::xarray<double> pe = sinusoid(positions, width, base);
    for (std::size_t p = 2; p < positions; ++p)
      for (std::size_t i = 0; i < width; ++i) pe(p, i) = pe(p % 2, i);
    return pe;
  }};
  EXPECT_EQ(measured("D1-position-added", repeats).verdict, Verdict::kFails);
  // The others but for one number take no encoding.
  EXPECT_EQ(measured("D1-blind-to-order", repeats).verdict, Verdict::kHoldsIf);
}

/// A wrong base, a swapped pair and linear spacing still give every position a vector of its own.
TEST(OrderClaimsBroken, AnyVectorOfItsOwnIsEnough) {
  const Encoder swapped = [](std::size_t positions, std::size_t width, double base) {
    xt::xarray<double> pe = sinusoid(positions, width, base);
    for (std::size_t p = 0; p < positions; ++p)
      for (std::size_t i = 0; i < width; i += 2) std::swap(pe(p, i), pe(p, i + 1));
    return pe;
  };
  for (const Encoder& encode : {Encoder(test::wrong_base), swapped, test::linear_spacing()})
    EXPECT_EQ(measured("D1-position-added", {.encode = encode}).verdict, Verdict::kHolds);
}

/// Attention that fades with the distance between rows sees order without an encoding.
TEST(OrderClaimsBroken, AttentionWithABiasOfItsOwnIsNotBlind) {
  const Evidence biased = {
      .attend = [](const auto& q, const auto& k, const auto& v, const auto& mask) {
        xt::xarray<double> faded = attended(q, k, v, mask);
        for (std::size_t i = 0; i < faded.shape(0); ++i)
          for (std::size_t c = 0; c < faded.shape(1); ++c)
            faded(i, c) += 0.1 * static_cast<double>(i) * v(0, c);
        return faded;
      }};
  for (const char* id : {"D4-equivariant", "D1-invariant", "D1-same-weights", "D1-blind-to-order",
                         "D2-places-alike"})
    EXPECT_EQ(measured(id, biased).verdict, Verdict::kFails) << id;
}

/// Attention of which one output is no number.
TEST(OrderClaimsBroken, WhatIsNoNumberIsNoSameness) {
  const Evidence none = {.attend = [](const auto& q, const auto& k, const auto& v, const auto&) {
    xt::xarray<double> rows = attended(q, k, v, full_mask(q.shape(0)));
    rows(0, 0) = std::nan("");
    return rows;
  }};
  for (const char* id : {"D4-equivariant", "D1-invariant", "D1-blind-to-order", "D2-places-alike"})
    EXPECT_EQ(measured(id, none).verdict, Verdict::kFails) << id;
}

/// Attention that forgets its mask is blind at any depth.
TEST(OrderClaimsBroken, WithoutItsMaskEverythingHolds) {
  const Evidence open = {.attend = [](const auto& q, const auto& k, const auto& v, const auto&) {
    return attended(q, k, v, full_mask(q.shape(0)));
  }};
  for (const char* id : {"D1-blind-to-order", "D2-places-alike"})
    EXPECT_EQ(measured(id, open).verdict, Verdict::kHolds) << id;
}

// --- figures
// --------------------------------------------------------------------------------------

TEST(OrderFigures, PairWeightsShowMaskPositionAndDepth) {
  const Figure figure = pair_weights_figure({});
  check_figure(figure);
  EXPECT_EQ(figure.claims_id, "D1-F1");
  ASSERT_EQ(figure.panels.size(), 8u);
  const auto difference = [&](std::size_t panel) {
    const auto& map = std::get<HeatmapPanel>(figure.panels[panel].content);
    EXPECT_EQ(map.column_labels.size(), 6u);
    double largest = 0;
    for (std::size_t n = 0; n < 6; ++n)
      largest = std::max(largest, std::abs(map.values(0, n) - map.values(1, n)));
    return largest;
  };
  for (std::size_t panel = 0; panel < 8; ++panel) {
    const bool same = figure.panels[panel].title.starts_with("no mask, no position");
    EXPECT_EQ(same, panel == 0 || panel == 2);
    if (same)
      EXPECT_LE(difference(panel), kSame) << panel;
    else
      EXPECT_GE(difference(panel), kSeen) << panel;
  }
}

TEST(OrderFigures, DepthAndShufflesAreDrawnFromTheMeasures) {
  const Figure depth = depth_figure({}, 1, 3);
  check_figure(depth);
  const auto& last = std::get<LinePanel>(depth.panels[0].content);
  ASSERT_EQ(last.series.size(), 4u);
  const auto condition = [&](const char* name) -> const Series& {
    return *std::find_if(last.series.begin(), last.series.end(),
                         [&](const Series& series) { return series.label == name; });
  };
  EXPECT_LE(condition("causal mask, no position").y[0], kSame);
  EXPECT_GE(condition("causal mask, no position").y[1], kSeen);
  EXPECT_LE(condition("no mask, no position").high[5], 10 * kSame);  // six layers of rounding
  EXPECT_GE(condition("no mask, with position").low[0], kSeen);
  const Figure shuffles = shuffles_figure({});
  check_figure(shuffles);
  for (const Series& series : std::get<LinePanel>(shuffles.panels[0].content).series)
    EXPECT_EQ(series.y.size(), 119u);
}

}  // namespace
}  // namespace phasor
