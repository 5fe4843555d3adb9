// The verdicts on length: the numbers behind them, and that they change when the numbers do.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/course/length/claims.hpp"
#include "phasor/course/length/figures.hpp"
#include "phasor/course/topics.hpp"
#include "tests/course/claim_numbers.hpp"
#include "tests/figure/sample.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;
using test::measured;

/// One run trained on 64, with these losses at 1, 2, 4 and 8 times; a loss of 0: no positions.
LengthCurve curve(const std::string& label, const std::vector<double>& losses) {
  LengthCurve result{.label = label, .trained = 64, .multiples = {1, 2, 4, 8}};
  for (const double loss : losses)
    result.losses.push_back(loss > 0 ? std::vector{loss} : std::vector<double>{});
  return result;
}

const LengthCurve kFlat = curve("flat", {1, 0.99, 1.01, 1.04});
const LengthCurve kClimbs = curve("climbs", {1, 1.3, 2, 3});
const LengthCurve kEnds = curve("ends", {1, 0, 0, 0});

TEST(LengthCurve, RiseIsAgainstTheSameRun) {
  LengthCurve two{.trained = 64, .multiples = {1, 2}, .losses = {{1, 2}, {1.5, 2}}};
  // Half more in the first run, nothing in the second: all exact in binary.
  EXPECT_EQ(two.rise(1).mean, 0.25);
  EXPECT_EQ(two.rise(1).least, 0);
  EXPECT_EQ(two.rise(1).most, 0.5);
}

TEST(LengthCurve, SteadyToTheLastLengthBeforeTheFirstRise) {
  EXPECT_EQ(steady_to(kFlat), 8u);
  EXPECT_EQ(steady_to(kClimbs), 1u);
  EXPECT_EQ(steady_to(kEnds), 1u);
  EXPECT_EQ(steady_to(curve("", {1, 1.02, 1.04, 1.06})), 4u);
  // Steady again further out does not count.
  EXPECT_EQ(steady_to(curve("", {1, 1.2, 1, 1})), 1u);
  EXPECT_EQ(steady_to(curve("", {1, NAN, 1, 1})), 1u);
}

TEST(LengthCurve, IsWrittenOnceInFullAndElsewhereByItsEnds) {
  EXPECT_EQ(text_of(kClimbs),
            "1.000 at 64, 1.300 (+30 %) at 128, 2.000 (+100 %) at 256, 3.000 (+200 %) at 512");
  EXPECT_EQ(ends_of(kClimbs), "1.000 at 64, 3.000 (+200 %) at 512");
  EXPECT_EQ(ends_of(kEnds), "1.000 at 64, no positions at 512");
}

TEST(LengthVerdicts, FormulaReachesInTheory) {
  EXPECT_EQ(reach_of_formula(kFlat).verdict, Verdict::kHolds);
  EXPECT_EQ(reach_of_formula(kClimbs).verdict, Verdict::kHoldsIf);
  EXPECT_EQ(reach_of_formula(kEnds).verdict, Verdict::kFails);
  EXPECT_TRUE(reach_of_formula(kClimbs).measured.starts_with("Only if it means no more than"));
}

TEST(LengthVerdicts, TableEnds) {
  EXPECT_EQ(end_of_table(64, 65).verdict, Verdict::kHolds);
  EXPECT_EQ(end_of_table(64, 128).verdict, Verdict::kFails);
  EXPECT_EQ(end_of_table(64, 0).verdict, Verdict::kFails);
  EXPECT_EQ(unseen_lengths(64, 65, kFlat).verdict, Verdict::kHolds);
  EXPECT_EQ(unseen_lengths(64, 65, kClimbs).verdict, Verdict::kHoldsIf);
  EXPECT_EQ(unseen_lengths(64, 65, kEnds).verdict, Verdict::kFails);
  EXPECT_EQ(unseen_lengths(64, 0, kFlat).verdict, Verdict::kFails);
}

TEST(LengthVerdicts, Steadiness) {
  EXPECT_EQ(steadiness(kFlat).verdict, Verdict::kHolds);
  EXPECT_EQ(steadiness(kClimbs).verdict, Verdict::kFails);
  const Finding some = steadiness(curve("", {1, 1.01, 1.5, 2}));
  EXPECT_EQ(some.verdict, Verdict::kHoldsIf);
  EXPECT_TRUE(some.measured.starts_with("Only up to 2 times")) << some.measured;
}

TEST(LengthVerdicts, CarriesOverBetter) {
  EXPECT_EQ(carries_over_better(kFlat, kClimbs).verdict, Verdict::kHolds);
  EXPECT_EQ(carries_over_better(kClimbs, kFlat).verdict, Verdict::kFails);
  EXPECT_EQ(carries_over_better(kFlat, kFlat).verdict, Verdict::kFails);
  // Lower everywhere, but from a much lower start: its increase is the larger one at 8 times.
  const Finding lower =
      carries_over_better(curve("a", {0.5, 0.6, 1, 2}), curve("b", {1.1, 1.6, 2.1, 2.4}));
  EXPECT_EQ(lower.verdict, Verdict::kHoldsIf);
  EXPECT_NE(lower.measured.find("in nats, is less at 128 and 256 alone."), std::string::npos)
      << lower.measured;
  // The increases by which it is judged: 1 less 0.5 beside 2.1 less 1.1.
  EXPECT_NE(lower.measured.find("1.000 (+0.500) at 256"), std::string::npos) << lower.measured;
  EXPECT_NE(lower.measured.find("2.100 (+1.000) at 256"), std::string::npos) << lower.measured;
}

TEST(LengthVerdicts, DifferencesInsideTheSpreadAreNoise) {
  const auto with_seeds = [](double shift) {
    LengthCurve result{.trained = 64, .multiples = {1, 2}};
    for (const double loss : {1.0, 2.0})
      result.losses.push_back({loss + shift - 0.1, loss + shift, loss + shift + 0.1});
    return result;
  };
  EXPECT_EQ(best_at_the_end(with_seeds(0), {with_seeds(0.3)}).verdict, Verdict::kHolds);
  EXPECT_EQ(best_at_the_end(with_seeds(0), {with_seeds(0.15)}).verdict, Verdict::kHoldsIf);
  EXPECT_EQ(best_at_the_end(with_seeds(0.15), {with_seeds(0)}).verdict, Verdict::kHoldsIf);
  EXPECT_EQ(best_at_the_end(with_seeds(0.3), {with_seeds(0)}).verdict, Verdict::kFails);
}

TEST(LengthVerdicts, BestAtTheEnd) {
  EXPECT_EQ(best_at_the_end(kFlat, {kClimbs, kEnds}).verdict, Verdict::kHolds);
  EXPECT_EQ(best_at_the_end(kClimbs, {kFlat}).verdict, Verdict::kFails);
  EXPECT_EQ(best_at_the_end(kFlat, {curve("", {1, 1, 1, 1.05})}).verdict, Verdict::kHoldsIf);
}

TEST(LengthVerdicts, Scaling) {
  const std::vector<LengthCurve> poor{curve("", {2, 2, 2, 2}), curve("", {2, 2, 2, 2})},
      good{curve("", {2, 2, 2, 2}), curve("", {1.02, 1, 1, 1})};
  EXPECT_EQ(reach_of_scaling(kClimbs, {kClimbs, kFlat}, poor).verdict, Verdict::kHolds);
  EXPECT_EQ(reach_of_scaling(kClimbs, {curve("", {1, 1, 1, 2})}, poor).verdict, Verdict::kHoldsIf);
  EXPECT_EQ(reach_of_scaling(kClimbs, {kClimbs}, poor).verdict, Verdict::kFails);
  EXPECT_EQ(reach_of_scaling(kClimbs, {kClimbs}, good).verdict, Verdict::kHoldsIf);
  // What training does without a scaling, the first of them, does not count for the scalings.
  EXPECT_EQ(reach_of_scaling(kClimbs, {kClimbs}, {good[1], poor[1]}).verdict, Verdict::kFails);
  // As little as what it does with and without one alike.
  const Finding alike = reach_of_scaling(kClimbs, {kClimbs}, {good[1], good[1]});
  EXPECT_EQ(alike.verdict, Verdict::kFails);
  EXPECT_NE(alike.measured.find("the training does it and not the scaling"), std::string::npos)
      << alike.measured;
  EXPECT_EQ(reach_of_scaling(kClimbs, {kClimbs}, poor).measured.find("does it"), std::string::npos);
}

TEST(LengthVerdicts, Stability) {
  const std::vector<double> constant(100, 4), growing{4, 4, 4.5};
  EXPECT_EQ(stability(constant, kFlat).verdict, Verdict::kHolds);
  EXPECT_EQ(stability(constant, kClimbs).verdict, Verdict::kHoldsIf);
  EXPECT_EQ(stability(growing, kFlat).verdict, Verdict::kFails);
}

TEST(LengthScalings, AsTheLibraryReadsThem) {
  EXPECT_TRUE(scaled("ntk", 1).empty());
  EXPECT_EQ(scaled("ntk", 4), (OptionValues{{"scaling", "ntk:4"}}));
  EXPECT_EQ(scaled("yarn", 8), (OptionValues{{"scaling", "yarn:8"}, {"beta", "8"}}));
}

// --- on runs -------------------------------------------------------------------------------------

/// Runs of three steps, as lab 10 leaves them.
class LengthRuns : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TemporaryFolder;
    const Corpus corpus = load_corpus("toy", 1);
    for (const char* name : {"sinusoidal", "learned", "rope", "alibi", "t5_bias", "kerple_log"})
      train(name, name, 1, corpus);
    train("rope", "rope", 2, corpus);
    for (const char* name : {"tuned_none", "tuned_ntk", "tuned_yarn"})
      train("rope", name, 1, corpus);
  }
  static void TearDownTestSuite() { delete folder_; }

  static void train(const std::string& scheme, const std::string& name, std::uint64_t seed,
                    const Corpus& corpus) {
    RunConfig config{.text = corpus.name};
    config.model.width = 16;
    config.model.heads = 2;
    config.model.layers = 1;
    config.model.context = 8;
    config.model.scheme = scheme;
    config.train = {.batch = 2, .steps = 3, .warmup = 1, .seed = seed, .eval_tokens = 64};
    train_run(config, corpus,
              {.folder = runs() / fmt::format("toy-{}-{}", name, seed), .final_evaluation = false});
  }
  static fs::path runs() { return folder_->path() / "lab10" / "runs"; }
  static Evidence evidence() { return {.results = folder_->path()}; }
  static test::TemporaryFolder* folder_;
};
test::TemporaryFolder* LengthRuns::folder_ = nullptr;

/// Puts the run of another scheme in the place of one, for as long as it lives.
class Swap {
 public:
  Swap(const fs::path& place, const fs::path& other) : place_(place) {
    fs::rename(place, place.string() + ".kept");
    fs::copy(other, place, fs::copy_options::recursive);
  }
  ~Swap() {
    fs::remove_all(place_);
    fs::rename(place_.string() + ".kept", place_);
  }

 private:
  fs::path place_;
};

TEST_F(LengthRuns, EveryClaimIsMeasured) {
  for (const Claim& one : length_claims()) {
    const Finding finding = one.measure(evidence());
    EXPECT_NE(finding.verdict, Verdict::kNotMeasured) << one.id;
    EXPECT_FALSE(finding.measured.empty()) << one.id;
    EXPECT_FALSE(finding.numbers.empty()) << one.id;
    for (const auto& [name, value] : finding.numbers)
      EXPECT_TRUE(std::isfinite(value)) << one.id << ": " << name;
  }
}

TEST_F(LengthRuns, WithoutRunsNothingIsMeasured) {
  const test::TemporaryFolder empty;
  for (const Claim& one : length_claims()) {
    const Finding finding = one.measure({.results = empty.path()});
    EXPECT_EQ(finding.verdict, Verdict::kNotMeasured) << one.id;
    EXPECT_NE(finding.measured.find("labs/run 10"), std::string::npos) << finding.measured;
  }
  EXPECT_THROW(compare_lengths(empty.path()), DataError);
}

TEST_F(LengthRuns, AnotherSchemeInThePlaceOfTheTableReadsOn) {
  EXPECT_EQ(measured("D1-learned-table-ends", evidence()).verdict, Verdict::kHolds);
  const Swap swap(runs() / "toy-learned-1", runs() / "toy-alibi-1");
  EXPECT_EQ(measured("D1-learned-table-ends", evidence()).verdict, Verdict::kFails);
  EXPECT_EQ(measured("D2-unseen-lengths", evidence()).verdict, Verdict::kFails);
}

TEST_F(LengthRuns, ATableInThePlaceOfTheFormulaDoesNotReach) {
  EXPECT_NE(measured("D1-sinusoidal-in-theory", evidence()).verdict, Verdict::kFails);
  const Swap swap(runs() / "toy-sinusoidal-1", runs() / "toy-learned-1");
  EXPECT_EQ(measured("D1-sinusoidal-in-theory", evidence()).verdict, Verdict::kFails);
}

TEST_F(LengthRuns, AnEncodingThatGrowsIsNotStable) {
  EXPECT_NE(measured("D2-stable-when-long", evidence()).verdict, Verdict::kFails);
  Evidence broken = evidence();
  broken.encode = [](std::size_t positions, std::size_t width, double base) {
    xt::xarray<double> pe = sinusoid(positions, width, base);
    for (std::size_t p = 0; p < positions; ++p) pe(p, 1) = 0;  // a sine without its cosine
    return pe;
  };
  EXPECT_EQ(measured("D2-stable-when-long", broken).verdict, Verdict::kFails);
}

TEST_F(LengthRuns, AreFoundByNameInTheOrderOfTheirSeeds) {
  EXPECT_EQ(runs_named(runs(), "toy-rope"),
            (std::vector{runs() / "toy-rope-1", runs() / "toy-rope-2"}));
  EXPECT_TRUE(runs_named(runs(), "toy").empty());
  EXPECT_TRUE(runs_named(runs() / "nowhere", "toy-rope").empty());
}

/// The text was drawn with seed 1, which is not the seed of the second run.
TEST_F(LengthRuns, TheirTextIsFoundAgain) {
  const Encoded first = validation_of(load_run_config(runs() / "toy-rope-1"), 100);
  EXPECT_EQ(first.size(), 100u);
  EXPECT_EQ(validation_of(load_run_config(runs() / "toy-rope-2"), 100), first);
  RunConfig other = load_run_config(runs() / "toy-rope-1");
  other.fingerprint = "another text";
  EXPECT_THROW(validation_of(other, 100), DataError);
}

TEST_F(LengthRuns, EveryLengthPredictsTheSameText) {
  const LengthCurve rope = length_curve("", runs_named(runs(), "toy-rope"), {.tokens = 640});
  ASSERT_EQ(rope.losses.size(), 4u);
  ASSERT_EQ(rope.runs(), 2u);
  const phasor::Run run = load_run(runs() / "toy-rope-2");
  Workers workers(1);
  const Encoded validation = validation_of(run.config, 641);
  for (std::size_t i = 0; i < 4; ++i) {
    const Evaluation evaluation =
        evaluate(*run.model, validation, {.context = 8 * rope.multiples[i]}, workers);
    EXPECT_EQ(evaluation.tokens, 640u);
    EXPECT_EQ(rope.losses[i][1], evaluation.loss);  // the same sums in the same order
  }
  const LengthCurve learned = length_curve("", runs_named(runs(), "toy-learned"), {.tokens = 640});
  EXPECT_TRUE(learned.reaches(0));
  EXPECT_FALSE(learned.reaches(1));
}

TEST_F(LengthRuns, TheTableSaysWhatWasMeasured) {
  const Figure figure = comparison_figure(compare_lengths(runs()));
  check_figure(figure);
  EXPECT_EQ(figure.claims_id, "D1-T1");
  const auto& table = std::get<TablePanel>(figure.panels[0].content);
  ASSERT_EQ(table.rows.size(), 5u);
  EXPECT_EQ(table.rows[1].back().text, "no: stops at 8 tokens");
  EXPECT_NE(figure.alt.find("stops at 8 tokens"), std::string::npos);
  EXPECT_EQ(length_figures().at(0).id, "D1-T1");
  EXPECT_EQ(length_figures().at(0).make(folder_->path()).caption, figure.caption);
}

}  // namespace
}  // namespace phasor
