// Lab 10 as a learner meets it: its program, its guide, and what its checks do with mistakes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <regex>

#include "labs/lab10_longer/proof.hpp"
#include "tests/labs/guide.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;
using test::any_of;

/// So few steps that all eighteen schemes are trained in seconds: what is tested is the lab, not
/// the schemes.
class Lab10 : public test::LabTest<Lab10> {
 public:
  static constexpr const char* kLab = "lab10_longer";
  static constexpr const char* kOptions = "--steps 8 --windows 1";
};

TEST_F(Lab10, PassesItsOwnChecks) {
  EXPECT_EQ(run_->code, 0) << run_->text;
  const test::Summary summary = test::summary_of(out());
  EXPECT_EQ(summary.figures, 6);
  EXPECT_EQ(summary.checks_failed, 0);
  EXPECT_EQ(summary.checks_passed, 21);
  EXPECT_EQ(summary.claims.size(), 9u);
  for (const auto& claim : summary.claims) EXPECT_NE(claim.verdict, "not measured yet") << claim.id;
}

TEST_F(Lab10, GoesThroughItsSections) {
  test::expect_in_order(run_->text,
                        {"PREDICT", "BUILD", "CHECK", "LOOK", "EXPERIMENT", "EXPLAIN", "AUDIT"});
}

TEST_F(Lab10, TrainsEverySchemeAndReadsIt) {
  for (const char* scheme : {"none", "sinusoidal", "learned", "shaw", "transformer_xl", "deberta",
                             "t5_bias", "alibi", "kerple_log", "sandwich", "fire", "dynamic_bias",
                             "cope", "rope", "p_rope", "xpos", "pope", "forgetting"}) {
    EXPECT_TRUE(fs::exists(out() / "runs" / (std::string("toy-") + scheme + "-1"))) << scheme;
    EXPECT_NE(run_->text.find(std::string("  ") + scheme + "  "), std::string::npos) << scheme;
  }
  // The paragraph that the lab writes itself.
  EXPECT_NE(run_->text.find("In windows of 512 characters"), std::string::npos);
  EXPECT_NE(run_->text.find("learned has no positions"), std::string::npos);
}

TEST_F(Lab10, MakesItsFigures) {
  test::expect_figures(out(), {{"lab10-frequencies", ""},
                               {"lab10-length", ""},
                               {"lab10-scalings", ""},
                               {"lab10-position", ""},
                               {"lab10-windows", ""},
                               {"lab10-table", "D1-T1"}});
}

TEST_F(Lab10, SameBytesOnTheNextRun) {
  const test::TemporaryFolder again;
  ASSERT_EQ(run_into(again.path()).code, 0);
  EXPECT_EQ(test::expect_same_files(out(), again.path()), 24u);
}

TEST_F(Lab10, GuideIsWhole) {
  test::expect_parts(kLab);
  test::expect_causes(kLab, lab10::kCauses);
}

/// Trainings are cut short, the runs are those of this test, and the text is a short one.
TEST_F(Lab10, EveryCommandOfTheGuideRuns) {
  const test::TemporaryFolder elsewhere;
  const test::Replacements replacements = {
      {"^labs/run.*", std::string("$& ") + kOptions},
      {"--full", "$& --text FILE"},
      {"out/lab10", out().string()},
      {"runs/anywhere", (elsewhere.path() / "anywhere").string()},
      {"--steps 300", "--steps 3"},
      {"FILE", test::short_text()}};
  EXPECT_GE(test::expect_commands_run(kLab, replacements, true), 16u);
}

TEST_F(Lab10, NumbersOfTheGuideAreTheLabs) {
  test::expect_quoted(kLab, run_->text, {"10.19", "41829.36593", "0.1498", "1.139"});
  const auto rotated = test::run_program(
      "phasor", "rotate --scheme rope --width 8 --scaling yarn:4 --ramp paper", "2>&1");
  test::expect_quoted(kLab, rotated.text, {"0.296"});
}

/// The first group of the first match, as a number; NaN when there is none.
double number_in(const std::string& text, const std::string& pattern) {
  std::smatch match;
  return std::regex_search(text, match, std::regex(pattern)) ? std::stod(match[1]) : std::nan("");
}

/// What the checks measure in the model is what the tables say, which round to three decimals.
TEST_F(Lab10, TheLossesOfTheChecksAreThoseOfTheTables) {
  const std::string& text = run_->text;
  const std::string measured =
      ": your frequencies, in the trained model, at 256 characters: ([0-9.]+)";
  const std::string at_256 = " +[0-9.]+ +[0-9.]+ +([0-9.]+)";
  for (const std::string kind : {"pi", "ntk"})
    EXPECT_NEAR(number_in(text, "  " + kind + measured), number_in(text, "  " + kind + at_256),
                5e-4);
  EXPECT_NEAR(number_in(text, "yarn, its frequencies alone" + measured),
              number_in(text, R"(straight in turns \(yours\) +([0-9.]+))"), 5e-4);
  EXPECT_EQ(number_in(text, "  yarn" + at_256),
            number_in(text, R"(the authors' code\) +[0-9.]+ +([0-9.]+))"));
}

TEST(Lab10Options, WrongUseIsOneClearLine) {
  for (const char* arguments : {"--nonsense", "--steps -1", "--quick --full"})
    test::expect_wrong_use(Lab10::kLab, arguments);
}

// --- what the checks do with mistakes ------------------------------------------------------------

/// The frequencies with something else in one place.
struct Mistake {
  double pi = 1;             ///< interpolation divides by s to this power
  bool wide = false;         ///< NTK's exponent D / (D + 2)
  bool whole = false;        ///< NTK's factor without an exponent
  bool by_pair = false;      ///< YaRN's ramp straight in the number of the pair
  bool upside_down = false;  ///< YaRN slows the fast pairs
  bool open = false;         ///< YaRN's ramp is not cut off
  bool radians = false;      ///< YaRN's turns without the 2 pi
  double own_base = 0, exponent = 2;
  bool accepts_none = false, accepts_odd = false, accepts_one_pair = false;

  double kept(const TrainedRotation& r, std::size_t c, double turns) const {
    const double last = static_cast<double>(r.width) / 2 - 1;
    double k = by_pair ? 1 - static_cast<double>(c) / last : (turns - r.alpha) / (r.beta - r.alpha);
    if (!open) k = std::clamp(k, 0.0, 1.0);
    return upside_down ? 1 - k : k;
  }

  xt::xarray<double> operator()(Scaling kind, double s, const TrainedRotation& r) const {
    if (r.width == 0 && !accepts_none) throw std::invalid_argument("none");
    if (r.width % 2 != 0 && !accepts_odd) throw std::invalid_argument("odd");
    if (kind == Scaling::kNtk && r.width == 2 && !accepts_one_pair)
      throw std::invalid_argument("one pair");
    const auto D = static_cast<double>(r.width);
    double base = own_base > 0 ? own_base : r.base;
    if (kind == Scaling::kNtk) base *= whole ? s : std::pow(s, wide ? D / (D + 2) : D / (D - 2));
    auto w = xt::xarray<double>::from_shape({r.width / 2});
    for (std::size_t c = 0; c < w.size(); ++c) {
      w(c) = std::pow(base, -exponent * static_cast<double>(c) / D);
      if (kind == Scaling::kInterpolation) w(c) /= std::pow(s, pi);
      if (kind != Scaling::kYarn) continue;
      const double k = kept(r, c, r.length * w(c) / (radians ? 1 : 2 * std::numbers::pi));
      w(c) *= k + (1 - k) / s;
    }
    return w;
  }
};

std::vector<std::string> failed(const lab10::Frequencies& frequencies) {
  return test::failed(lab10::prove(frequencies));
}

TEST(Lab10Checks, PassWhatIsRight) {
  EXPECT_EQ(lab10::unusable(Mistake{}), "");
  EXPECT_TRUE(failed(Mistake{}).empty());
}

TEST(Lab10Checks, FailForTypicalMistakes) {
  EXPECT_TRUE(any_of(failed(Mistake{.pi = -1}), "PI by 3: what the fastest"));
  EXPECT_TRUE(any_of(failed(Mistake{.pi = 2}), "PI, width 16"));
  EXPECT_TRUE(any_of(failed(Mistake{.wide = true}), "NTK by 3: what the slowest"));
  EXPECT_TRUE(any_of(failed(Mistake{.wide = true}), "takes the place of 10000"));
  EXPECT_TRUE(any_of(failed(Mistake{.whole = true}), "NTK by 3: what the slowest"));
  EXPECT_TRUE(any_of(failed(Mistake{.by_pair = true}), "pair 33"));
  EXPECT_TRUE(any_of(failed(Mistake{.upside_down = true}), "YaRN by 3: what the fastest"));
  EXPECT_TRUE(any_of(failed(Mistake{.open = true}), "YaRN, width 16"));
  EXPECT_TRUE(any_of(failed(Mistake{.own_base = 10000}), "width 16, base 50"));
  EXPECT_TRUE(any_of(failed(Mistake{.exponent = 1}), "width 16, base 50"));
  EXPECT_TRUE(any_of(failed(Mistake{.radians = true}), "pair 33"));
  EXPECT_TRUE(any_of(failed(Mistake{.accepts_none = true}), "width of 0"));
  EXPECT_TRUE(any_of(failed(Mistake{.accepts_odd = true}), "odd width"));
  EXPECT_TRUE(any_of(failed(Mistake{.accepts_one_pair = true}), "single pair"));
}

/// What the guide says of slowing by 1: it shows wrong speeds, and no wrong slowing.
TEST(Lab10Checks, ByOneShowsSpeedsThatAreWrongFromTheStart) {
  for (const char* kind : {"PI by 1", "NTK by 1", "YaRN by 1"}) {
    EXPECT_TRUE(any_of(failed(Mistake{.own_base = 10000}), kind)) << kind;
    EXPECT_TRUE(any_of(failed(Mistake{.exponent = 1}), kind)) << kind;
  }
  for (const Mistake& mistake : {Mistake{.pi = 2}, Mistake{.wide = true}, Mistake{.open = true},
                                 Mistake{.upside_down = true}}) {
    EXPECT_FALSE(any_of(failed(mistake), "by 1"));
    EXPECT_TRUE(any_of(failed(mistake), "by 3"));
  }
}

TEST(Lab10Checks, FailForOneFrequencyThatIsNoNumber) {
  const auto names = failed([](Scaling kind, double s, const TrainedRotation& rotation) {
    xt::xarray<double> w = Mistake{}(kind, s, rotation);
    w(0) = std::nan("");
    return w;
  });
  for (const char* kind : {"PI", "NTK", "YaRN"})
    EXPECT_TRUE(any_of(names, std::string(kind) + ", width 16, base 50")) << kind;
}

/// Why the ends alone are not enough: a ramp by pair has the right ends.
TEST(Lab10Checks, ARampByPairHasTheRightEnds) {
  const std::vector<std::string> names = failed(Mistake{.by_pair = true});
  EXPECT_FALSE(any_of(names, "YaRN by 3: what the fastest"));
  EXPECT_FALSE(any_of(names, "YaRN by 3: what the slowest"));
  EXPECT_TRUE(any_of(names, "YaRN, width 16"));
}

TEST(Lab10Checks, NothingToProveIsFoundFirst) {
  EXPECT_NE(lab10::unusable([](Scaling, double, const TrainedRotation& r) {
              return xt::xarray<double>(xt::zeros<double>({r.width / 2}));  // the stub of the guide
            }),
            "");
  EXPECT_NE(lab10::unusable([](Scaling, double, const TrainedRotation&) {
              return xt::xarray<double>(xt::ones<double>({3}));
            }),
            "");
}

}  // namespace
}  // namespace phasor
