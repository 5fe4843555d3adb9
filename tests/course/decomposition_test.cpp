// Attention scores of a model taken apart, on one whose weights are drawn large enough to matter.
#include "phasor/course/decomposition/measures.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "phasor/course/bake_off/measures.hpp"
#include "phasor/course/decomposition/figures.hpp"
#include "phasor/course/runs.hpp"
#include "phasor/course/topics.hpp"
#include "tests/core/expect_error.hpp"
#include "tests/course/claim_numbers.hpp"
#include "tests/figure/sample.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;
using Array = xt::xarray<double>;
using test::number;

/// A run that was never trained, with weights like those of a trained one in size.
void write_run(const fs::path& folder, const std::string& scheme) {
  const Corpus corpus = load_corpus("toy", 1);
  RunConfig config;
  config.model.width = 32;
  config.model.heads = 2;
  config.model.context = 32;
  config.model.scheme = scheme;
  describe_text(config, corpus.text, CharTokenizer::from_text(corpus.text));
  Rng rng(1, "weights");
  Gpt model(config.model, rng);
  for (NamedParameter& parameter : model.parameters())
    for (Real& value : parameter.value.mutable_value())
      value += static_cast<Real>(0.2 * rng.normal());
  save_run(folder, config, model);
}

class DecompositionClaims : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TemporaryFolder;
    write_run(folder_->path() / "lab07" / "runs" / "toy-sinusoidal-1", "sinusoidal");
    write_run(folder_->path() / "rope", "rope");
  }
  static void TearDownTestSuite() { delete folder_; }

  static phasor::Run run() { return load_run(decomposed_run(folder_->path() / "lab07").value()); }

  static Finding measured(const std::string& id, const Encoder& encode = sinusoid) {
    return test::measured(id, {.encode = encode, .results = folder_->path()});
  }

  static test::TemporaryFolder* folder_;
};
test::TemporaryFolder* DecompositionClaims::folder_ = nullptr;

Array other_base(std::size_t T, std::size_t d, double) { return sinusoid(T, d, 100); }

/// Sines where cosines belong as well.
Array sines_alone(std::size_t T, std::size_t d, double base) {
  Array pe = sinusoid(T, d, base);
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t c = 1; c < d; c += 2) pe(t, c) = pe(t, c - 1);
  return pe;
}

TEST_F(DecompositionClaims, FourTermsAreTheModelsScore) {
  const Finding finding = measured("D0-four-terms");
  EXPECT_EQ(finding.verdict, Verdict::kHolds) << finding.measured;
  EXPECT_LT(number(finding, "error"), 2e-6);  // single precision, of the largest score
  const Finding broken = measured("D0-four-terms", other_base);
  EXPECT_EQ(broken.verdict, Verdict::kFails) << broken.measured;
  EXPECT_GT(number(broken, "error"), 0.01);
}

TEST_F(DecompositionClaims, ALeftOutTermIsSeen) {
  const FirstLayer layer =
      take_apart(run(), kSentence, sinusoid,
                 [](const Array& x, const Array& p, const Array& wq, const Array& wk) {
                   ScoreTerms terms = decompose(x, p, wq, wk);
                   terms.position_content = terms.content_position;
                   return terms;
                 });
  EXPECT_GT(layer.error(), 0.01);
}

TEST_F(DecompositionClaims, InvarianceIsOfTheEncodingAlone) {
  const Finding finding = measured("D4-invariance-in-attention");
  EXPECT_EQ(finding.verdict, Verdict::kHoldsIf) << finding.measured;
  EXPECT_NEAR(number(finding, "encoding"), 1, 1e-9);  // rounding
  EXPECT_LT(number(finding, "positions"), 0.95);
  EXPECT_LT(number(finding, "scores"), 0.95);
  const Finding broken = measured("D4-invariance-in-attention", sines_alone);
  EXPECT_EQ(broken.verdict, Verdict::kFails) << broken.measured;
}

TEST_F(DecompositionClaims, SharesAddUp) {
  const Finding finding = measured("D0-entangled");
  double sum = 0;
  for (const auto& [name, value] : finding.numbers) sum += value;
  EXPECT_NEAR(sum, 1, 1e-9);  // means of sums that are 1 up to rounding
  const auto silent = [](std::size_t T, std::size_t d, double) {
    return Array(xt::zeros<double>({T, d}));
  };
  const Finding broken = measured("D0-entangled", silent);
  EXPECT_EQ(broken.verdict, Verdict::kFails) << broken.measured;
  EXPECT_EQ(number(broken, "position-position"), 0);
}

TEST_F(DecompositionClaims, PatternsHaveTheRankOfAHead) {
  const Finding finding = measured("D0-limited-patterns");
  EXPECT_EQ(finding.verdict, Verdict::kHoldsIf);
  EXPECT_EQ(number(finding, "directions"), 10);  // numpy.linalg.svd of 32 x 32
  EXPECT_EQ(number(finding, "directions to 1e-10"), 15);
  // Vectors at random have as many directions as columns, and limit nothing but by their width.
  const auto at_random = [](std::size_t T, std::size_t d, double) {
    return random_tokens(1, T, d);
  };
  EXPECT_EQ(measured("D0-limited-patterns", at_random).verdict, Verdict::kFails);
  // 32 positions and a head of 16; the encoding's slow pairs hardly differ in so few positions.
  EXPECT_LE(number(finding, "rank"), 16);
  EXPECT_GT(number(finding, "rank"), 8);
}

TEST_F(DecompositionClaims, SayWhenTheLabHasNotRun) {
  const test::TemporaryFolder nothing;
  for (const Claim& claim : decomposition_claims()) {
    const Finding finding = claim.measure({.results = nothing.path()});
    EXPECT_EQ(finding.verdict, Verdict::kNotMeasured) << claim.id;
    EXPECT_NE(finding.measured.find("labs/run 07"), std::string::npos) << finding.measured;
  }
  EXPECT_THROW(decomposition_figures().at(0).make(nothing.path()), DataError);
}

TEST_F(DecompositionClaims, FiguresAreDrawnFromTheModel) {
  const Figure terms = decomposition_figures().at(0).make(folder_->path());
  check_figure(terms);
  EXPECT_EQ(terms.claims_id, "D0-F4");
  ASSERT_EQ(terms.panels.size(), 6U);
  // The first four maps sum to the fifth, grey where the future is.
  const auto map = [&](std::size_t i) -> const Array& {
    return std::get<HeatmapPanel>(terms.panels[i].content).values;
  };
  const std::size_t T = map(0).shape(0);
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t s = 0; s < T; ++s) {
      EXPECT_EQ(std::isnan(map(4)(t, s)), s > t);
      if (s > t) continue;
      const double sum = map(0)(t, s) + map(1)(t, s) + map(2)(t, s) + map(3)(t, s);
      EXPECT_NEAR(map(4)(t, s), sum, 1e-12);  // a few roundings of numbers of order ten
    }
  const phasor::Run loaded = run();
  const Encoded validation = validation_of(loaded.config, 20 * 32);
  const std::vector<HeadParts> parts = head_parts(loaded, validation, 20);
  check_figure(shares_figure(parts));
  const Figure invariance = invariance_figure(invariance_of(loaded, validation, 1));
  check_figure(invariance);
  EXPECT_NE(invariance.caption.find("100 % of the encoding itself"), std::string::npos)
      << invariance.caption;
}

TEST_F(DecompositionClaims, ARelativeSchemeCostsTheSameEverywhere) {
  const phasor::Run rope = load_run(folder_->path() / "rope"), sinusoidal = run();
  const Encoded validation = validation_of(rope.config, 2000);
  const auto moved = [&](const phasor::Run& model) {
    const std::size_t context = model.config.model.context;
    return std::abs(loss_at(model, validation, context, 500) - loss_at(model, validation, context));
  };
  // Angles of 500 radians are rounded to 3e-5 in single precision.
  EXPECT_LT(moved(rope), 1e-2);
  EXPECT_GT(moved(sinusoidal), 1e-2);
}

TEST(NumericalRank, CountsIndependentRows) {
  EXPECT_EQ(numerical_rank(xt::eye<double>(4)), 4U);
  EXPECT_EQ(numerical_rank(xt::zeros<double>({3, 4})), 0U);
  EXPECT_EQ(numerical_rank({{1, 2, 3}, {2, 4, 6}, {1, 0, 1}}), 2U);
}

}  // namespace
}  // namespace phasor
