// The numbers behind the verdicts on the inner product, and verdicts that change with the encoding.
#include "phasor/course/product/figures.hpp"
#include "phasor/course/topics.hpp"
#include "tests/course/claim_numbers.hpp"
#include "tests/course/product_golden.hpp"

namespace phasor {
namespace {

// Both sides are sums of at most 1024 cosines whose angles, below 10,000, are known to 1e-12;
// frequencies made in two ways differ in the last place. Shares of d/2 are no worse than that.
constexpr double kSame = 2e-12;

Finding found(const std::string& id, const Evidence& evidence = {}) {
  return test::measured(product_claims(), id, evidence);
}

Verdict verdict(const std::string& id, const Encoder& encode) {
  return found(id, {.encode = encode}).verdict;
}

TEST(ProductClaims, DistanceAloneDecides) {
  const Finding finding = found("D4-distance-alone");
  EXPECT_EQ(finding.verdict, Verdict::kHolds);
  EXPECT_LT(test::number(finding, "spread of 15 x 8"), 1e-14);  // eight products below 1
  EXPECT_LT(test::number(finding, "spread of 256 x 128"), 1e-12);
  for (std::size_t n = 0; n < 7; ++n)
    EXPECT_NEAR(test::number(finding, fmt::format("distance {}", 2 * n + 1)), kFlatLines[n], 1e-14);
  // Any frequencies will do; a position that is not linear, or a pair of two frequencies, will not.
  EXPECT_EQ(verdict("D4-distance-alone", test::wrong_base), Verdict::kHolds);
  EXPECT_EQ(verdict("D4-distance-alone", test::linear_spacing()), Verdict::kHolds);
  EXPECT_EQ(verdict("D4-distance-alone", test::squared_position()), Verdict::kFails);
  EXPECT_EQ(verdict("D4-distance-alone", test::split_pairs), Verdict::kFails);
  EXPECT_EQ(verdict("D4-distance-alone", test::swapped_cosines), Verdict::kHolds);
}

TEST(ProductClaims, SumOfCosines) {
  const Finding finding = found("D4-sum-of-cosines");
  EXPECT_EQ(finding.verdict, Verdict::kHolds);
  EXPECT_NEAR(test::number(finding, "product"), kProduct[0], 64 * kSame);
  EXPECT_LT(test::number(finding, "error"), 1e-11);
  EXPECT_EQ(verdict("D4-sum-of-cosines", test::wrong_base), Verdict::kFails);
  EXPECT_EQ(verdict("D4-sum-of-cosines", test::linear_spacing()), Verdict::kFails);
  EXPECT_EQ(verdict("D4-sum-of-cosines", test::split_pairs), Verdict::kFails);
}

TEST(ProductClaims, ACommonShiftChangesNothing) {
  const Finding finding = found("D4-common-shift");
  EXPECT_EQ(finding.verdict, Verdict::kHolds);
  // Angles near 10,000 are known to 1e-12; sums of 16 pairs.
  EXPECT_LT(test::number(finding, "largest change"), 2e-11);
  EXPECT_EQ(verdict("D4-common-shift", test::squared_position()), Verdict::kFails);
  EXPECT_EQ(verdict("D4-common-shift", test::split_pairs), Verdict::kFails);
}

TEST(ProductClaims, FarProductsFollowALogarithm) {
  const Finding finding = found("D3-goes-to-zero");
  EXPECT_EQ(finding.verdict, Verdict::kFails);
  EXPECT_NEAR(test::number(finding, "share at 50"), kFarShares[0], kSame);
  EXPECT_NEAR(test::number(finding, "share at 100"), kFarShares[1], kSame);
  EXPECT_NEAR(test::number(finding, "share at 1000"), kFarShares[2], kSame);
  // Means of cosines of angles up to 6500, known to 1e-12.
  EXPECT_NEAR(test::number(finding, "mean about 1000, width 512"), kFarMeans[0], 1e-11);
  EXPECT_NEAR(test::number(finding, "mean about 6000, width 512"), kFarMeans[1], 1e-11);
  // Waves in equal steps do fall out of step, and with base 100 the law has ended by 50.
  EXPECT_EQ(verdict("D3-goes-to-zero", test::linear_spacing()), Verdict::kHolds);
  EXPECT_EQ(verdict("D3-goes-to-zero", test::wrong_base), Verdict::kHolds);
}

TEST(ProductClaims, CloseToHalfTheWidthForOneStepOnly) {
  const Finding finding = found("D3-close-to-half-width");
  EXPECT_EQ(finding.verdict, Verdict::kHoldsIf);
  EXPECT_EQ(test::number(finding, "up to distance"), 1);
  EXPECT_NEAR(test::number(finding, "share at 1"), kNearShares[0], kSame);
  EXPECT_NEAR(test::number(finding, "share at 2"), kNearShares[1], kSame);
  EXPECT_EQ(verdict("D3-close-to-half-width", test::linear_spacing()), Verdict::kFails);
  EXPECT_EQ(verdict("D3-close-to-half-width", test::one_wave(1000)), Verdict::kHolds);
}

TEST(ProductClaims, FallsWithSwings) {
  const Finding finding = found("D3-falls-with-swings");
  EXPECT_EQ(finding.verdict, Verdict::kHolds);
  EXPECT_EQ(test::number(finding, "steps up"), kFall64[0]);
  EXPECT_NEAR(test::number(finding, "least"), kFall64[1], kSame);
  EXPECT_EQ(test::number(finding, "least at"), kFall64[2]);
  EXPECT_EQ(verdict("D3-falls-with-swings", test::one_wave(1000)), Verdict::kFails);  // no swing
  EXPECT_EQ(verdict("D3-falls-with-swings", test::one_wave(16)), Verdict::kFails);    // no fall
}

TEST(ProductClaims, SimilarityDoesNotFallSmoothly) {
  const Finding finding = found("D1-smooth-fall");
  EXPECT_EQ(finding.verdict, Verdict::kFails);
  EXPECT_EQ(test::number(finding, "steps up"), kFall24[0]);
  EXPECT_NEAR(test::number(finding, "least"), kFall24[1], kSame);
  EXPECT_EQ(verdict("D1-smooth-fall", test::one_wave(100)), Verdict::kHolds);
}

TEST(ProductClaims, SimilarityIsAMatterOfDistance) {
  const Finding finding = found("D1-mainly-distance");
  EXPECT_EQ(finding.verdict, Verdict::kHolds);
  EXPECT_LT(test::number(finding, "spread"), 1e-14);
  EXPECT_EQ(verdict("D1-mainly-distance", test::squared_position()), Verdict::kFails);
}

TEST(ProductClaims, NeighboursAreTheMostSimilarFromWidthTwelve) {
  const Finding finding = found("D4-neighbours-alike");
  EXPECT_EQ(finding.verdict, Verdict::kHoldsIf);
  EXPECT_EQ(test::number(finding, "from width"), 12);
  std::size_t n = 0;
  for (const int width : {2, 4, 6, 8, 10, 12, 16, 32, 64})
    EXPECT_EQ(test::number(finding, fmt::format("most similar distance, width {}", width)),
              kMostSimilar[n++]);
  EXPECT_NEAR(test::number(finding, "distance 6, width 8"), kThreeAndSix[1], kSame);
  EXPECT_EQ(verdict("D4-neighbours-alike", test::one_wave(100000)), Verdict::kHolds);
  EXPECT_EQ(verdict("D4-neighbours-alike", test::one_wave(7)), Verdict::kFails);
}

TEST(ProductClaims, NearerIsNotAlwaysMoreSimilar) {
  const Finding finding = found("D0-nearer-not-always");
  EXPECT_EQ(finding.verdict, Verdict::kHolds);
  EXPECT_NEAR(test::number(finding, "distance 3"), kThreeAndSix[0], kSame);
  EXPECT_NEAR(test::number(finding, "distance 6"), kThreeAndSix[1], kSame);
  EXPECT_EQ(verdict("D0-nearer-not-always", test::one_wave(100)), Verdict::kFails);
}

TEST(ProductClaims, OneVectorTellsTwoScalesPairByPair) {
  const Finding finding = found("D3-two-scales");
  EXPECT_EQ(finding.verdict, Verdict::kHoldsIf);
  // Cosines of angles up to 1100, known to 1e-13.
  EXPECT_NEAR(test::number(finding, "least"), kThousand[0], kSame);
  EXPECT_NEAR(test::number(finding, "most"), kThousand[1], kSame);
  EXPECT_NEAR(test::number(finding, "next"), kThousand[2], kSame);
  // Pairs from 0.0005 to pi / 1100 = 0.0029 radians a step: 10000^(-k/32) for k = 21 to 26.
  EXPECT_EQ(test::number(finding, "pairs"), 6);
  EXPECT_EQ(verdict("D3-two-scales", test::linear_spacing()), Verdict::kFails);  // no slow pair
  EXPECT_EQ(verdict("D3-two-scales", test::wrong_base), Verdict::kFails);        // nor here
  EXPECT_EQ(verdict("D3-two-scales", test::one_wave(4000)), Verdict::kFails);    // no fast pair
}

TEST(ProductClaims, TenIsNearerToTwentyWithSmallBasesOnly) {
  const Finding finding = found("D0-ten-and-twenty");
  EXPECT_EQ(finding.verdict, Verdict::kHoldsIf);
  std::size_t n = 0;
  for (const double base : {2.0, 2.5, 3.0, 4.0, 5.0, 6.0})
    EXPECT_EQ(test::number(finding, fmt::format("widths, base {}", base)), kSmallBases[n++]);
  EXPECT_EQ(verdict("D0-ten-and-twenty", test::wrong_base), Verdict::kFails);  // base 100 always
  EXPECT_EQ(test::number(finding, "widths"), 0);
  EXPECT_NEAR(test::number(finding, "closest"), kTenAndTwenty[0], kSame);
  EXPECT_EQ(verdict("D0-ten-and-twenty", test::one_wave(10)), Verdict::kHolds);
}

TEST(ProductClaims, AFunctionOfDistanceThatDoesNotTellIt) {
  EXPECT_EQ(found("D0-not-of-distance").verdict, Verdict::kHoldsIf);
  EXPECT_EQ(verdict("D0-not-of-distance", test::squared_position()), Verdict::kHolds);
  EXPECT_EQ(verdict("D0-not-of-distance", test::one_wave(1000)), Verdict::kFails);
}

TEST(ProductClaims, DistanceIsReadableNearbyOnly) {
  const Finding finding = found("D2-product-tells-distance");
  EXPECT_EQ(finding.verdict, Verdict::kHoldsIf);
  std::size_t n = 0;
  for (const int width : {4, 32, 128, 512})
    EXPECT_EQ(test::number(finding, fmt::format("readable, width {}", width)), kReadable[n++]);
  EXPECT_EQ(verdict("D2-product-tells-distance", test::one_wave(5000)), Verdict::kHolds);
  EXPECT_EQ(verdict("D2-product-tells-distance", test::one_wave(7)), Verdict::kFails);
}

TEST(ProductClaims, SidesTakeAMatrix) {
  const Finding finding = found("D1-two-to-the-left");
  EXPECT_EQ(finding.verdict, Verdict::kHoldsIf);
  EXPECT_LT(test::number(finding, "left minus right"), 1e-12);
  EXPECT_EQ(test::number(finding, "found"), 1);
  // The rotation is that of the right encoding: it does not move these.
  EXPECT_EQ(verdict("D1-two-to-the-left", test::linear_spacing()), Verdict::kFails);
  EXPECT_EQ(verdict("D1-two-to-the-left", test::squared_position()), Verdict::kFails);
}

TEST(ProductClaims, DistancesOfRowsGrowAtFirst) {
  const Finding finding = found("D0-distance-structure");
  EXPECT_EQ(finding.verdict, Verdict::kHoldsIf);
  for (std::size_t n = 0; n < 10; ++n)
    // A root of a sum of 128 squares, each rounded at 1e-15.
    EXPECT_NEAR(test::number(finding, fmt::format("distance {}", n)), kDistances[n], 1e-13);
  EXPECT_EQ(test::number(finding, "grows up to"), kDistanceSteps[0]);
  EXPECT_EQ(test::number(finding, "steps down"), kDistanceSteps[1]);
  EXPECT_EQ(verdict("D0-distance-structure", test::one_wave(1000)), Verdict::kHolds);
}

TEST(ProductClaims, NoCollisionAmongAHundred) {
  const Finding finding = found("D0-no-near-collision");
  EXPECT_EQ(finding.verdict, Verdict::kHolds);
  EXPECT_NEAR(test::number(finding, "nearest"), kNearest[0], 1e-13);
  EXPECT_EQ(verdict("D0-no-near-collision", test::one_wave(10)), Verdict::kFails);
}

TEST(ProductClaims, SayWhatTheyMeasuredInOneOrTwoSentences) {
  for (const Claim& claim : product_claims()) {
    EXPECT_TRUE(claim.id.starts_with("D")) << claim.id;
    EXPECT_EQ(claim.lab, "lab03") << claim.id;
    const Finding finding = claim.measure({});
    EXPECT_GT(finding.measured.size(), 40u) << claim.id;
    EXPECT_EQ(finding.measured.find("{}"), std::string::npos) << claim.id;
    EXPECT_FALSE(finding.numbers.empty()) << claim.id;
  }
}

TEST(ProductFigures, FlatLinesAreFlat) {
  const Figure figure = flat_figure(dots_of(sinusoid(15, 8)), 8);
  EXPECT_NO_THROW(check_figure(figure));
  std::vector<double> heights;
  for (const Panel& panel : figure.panels) {
    const auto& lines = std::get<LinePanel>(panel.content);
    EXPECT_LE(lines.series.size(), 6u);
    for (const Series& series : lines.series) {
      heights.push_back(series.y[0]);
      for (const double value : series.y) EXPECT_NEAR(value, heights.back(), 1e-14);
    }
  }
  ASSERT_EQ(heights.size(), 7u);
  for (std::size_t n = 0; n < 7; ++n) EXPECT_NEAR(heights[n], kFlatLines[n], 1e-14);
  EXPECT_NE(figure.alt.find("3.5353 at distance 1"), std::string::npos) << figure.alt;
}

TEST(ProductFigures, LinesThatAreNotFlatAreSaidToBe) {
  const auto caption = [](const Encoder& encode) {
    return flat_figure(dots_of(encode(15, 8, 10000)), 8).caption;
  };
  EXPECT_NE(caption(sinusoid).find("where the pair is does not matter"), std::string::npos);
  EXPECT_NE(caption(test::squared_position()).find("where the pair is matters"), std::string::npos);
  EXPECT_NE(similarity_figure(test::split_pairs(24, 32, 10000)).caption.find("the place too"),
            std::string::npos);
}

TEST(ProductFigures, SimilarityAndProperties) {
  const Figure similarity = similarity_figure(sinusoid(24, 32));
  EXPECT_NO_THROW(check_figure(similarity));
  for (const char* part : {"0.957, 0.858 and 0.767", "distance 16: 0.495", "9 of 23"})
    EXPECT_NE(similarity.alt.find(part), std::string::npos) << part << similarity.alt;
  const Figure properties = properties_figure(sinusoid(512, 128));
  EXPECT_NO_THROW(check_figure(properties));
  for (const char* part : {"between 8.000000 and 8.000000", "47.1850", "0 pairs", "1.9526, 3.6382"})
    EXPECT_NE(properties.alt.find(part), std::string::npos) << part << properties.alt;
  EXPECT_THROW(properties_figure(sinusoid(99, 128)), std::runtime_error);
}

TEST(ProductFigures, ManyPositionsGiveSevenLines) {
  std::size_t lines = 0;
  for (const Panel& panel : flat_figure(dots_of(sinusoid(101, 4)), 4).panels)
    lines += std::get<LinePanel>(panel.content).series.size();
  EXPECT_EQ(lines, 7u);
  EXPECT_EQ(flat_figure(dots_of(sinusoid(3, 4)), 4).panels.size(), 1u);
}

TEST(ProductFigures, AreInTheTable) {
  std::vector<std::string> ids;
  for (const FigureEntry& entry : product_figures()) ids.push_back(entry.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"D4-F1", "D1-F3", "D0-F3"}));
}

}  // namespace
}  // namespace phasor
