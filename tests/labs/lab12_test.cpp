// Lab 12 as a learner meets it: its program, its guide, and what its checks do with mistakes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "labs/lab12_bake_off/proof.hpp"
#include "tests/labs/guide.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;

/// So few steps that all is trained in seconds: what is tested is the lab, not the schemes.
class Lab12 : public test::LabTest<Lab12> {
 public:
  static constexpr const char* kLab = "lab12_bake_off";
  static constexpr const char* kOptions = "--steps 6";

 protected:
  static bool printed(const std::string& words) {
    return run_->text.find(words) != std::string::npos;
  }
};

TEST_F(Lab12, PassesItsOwnChecks) {
  EXPECT_EQ(run_->code, 0) << run_->text;
  const test::Summary summary = test::summary_of(out());
  EXPECT_EQ(summary.lab, "lab12");
  EXPECT_EQ(summary.figures, 3);
  EXPECT_EQ(summary.checks_failed, 0);
  EXPECT_EQ(summary.checks_passed, 10);
  EXPECT_EQ(summary.claims.size(), 9u);
  // In so few steps no task is learned, so nothing can carry over; and no model has begun to use
  // its sinusoidal vectors, so nothing can be said of their worth.
  const std::set<std::string> early{"D0-carries-over-in-tasks", "D1-rope-favourite",
                                    "D2-cheaper-than-learned", "D3-base-harmless",
                                    "D3-sinusoidal-reasonable"};
  for (const auto& claim : summary.claims)
    EXPECT_EQ(claim.verdict == "not measured yet", early.contains(claim.id)) << claim.id;
}

TEST_F(Lab12, GoesThroughItsSections) {
  test::expect_in_order(run_->text,
                        {"PREDICT", "BUILD", "CHECK", "LOOK", "EXPERIMENT", "EXPLAIN", "AUDIT"});
}

TEST_F(Lab12, ComparesEverySchemeAndTheLearners) {
  for (const char* scheme : {"none", "sinusoidal", "learned", "shaw", "transformer_xl", "deberta",
                             "t5_bias", "alibi", "kerple_log", "sandwich", "fire", "dynamic_bias",
                             "cope", "rope", "p_rope", "xpos", "pope", "forgetting", "mine"}) {
    EXPECT_TRUE(fs::exists(out() / "runs" / fmt::format("toy-{}-1", scheme))) << scheme;
    EXPECT_TRUE(printed(fmt::format(" {}  ", scheme))) << scheme;
  }
  for (const char* run :
       {"toy-rope-3", "toy-sinusoidal_beside-2", "toy-sinusoidal_128-1",
        "toy-sinusoidal_128_tuned-3", "copy-mine-1", "reverse-rope-1", "addition-none-1"})
    EXPECT_TRUE(fs::exists(out() / "runs" / run / "model.safetensors")) << run;
  EXPECT_FALSE(fs::exists(out() / "runs" / "toy-shaw-2"));
  // The paragraphs that the lab writes itself.
  for (const char* words : {"is lowest", "Seeds alone move a loss by some", "Kazemnejad",
                            "learned has no encoding there", "copy is learned at 6"})
    EXPECT_NE(test::replaced(run_->text, "\\s+", " ").find(words), std::string::npos) << words;
}

TEST_F(Lab12, MakesItsFigures) {
  test::expect_figures(out(),
                       {{"lab12-mine", ""}, {"lab12-bake-off", ""}, {"lab12-schemes", "D0-T1"}});
}

TEST_F(Lab12, SameBytesOnTheNextRun) {
  const test::TemporaryFolder again;
  ASSERT_EQ(run_into(again.path()).code, 0);
  EXPECT_EQ(test::expect_same_files(out(), again.path()), 12u);
}

TEST_F(Lab12, GuideIsWhole) {
  test::expect_parts(kLab);
  test::expect_causes(kLab, lab12::kCauses);
}

TEST_F(Lab12, EveryCommandOfTheGuideRuns) {
  const test::Replacements replacements = {
      {" --steps [0-9]+", ""},  // with those of the suite instead it has been run
      {"^labs/run 12 .+", std::string("$& ") + kOptions},
      {"--full", "$& --text " + test::short_text()},  // every scheme does everything
      {"out/lab12", out().string()}};
  EXPECT_GE(test::expect_commands_run(kLab, replacements, true), 5u);
}

TEST_F(Lab12, NumbersOfTheGuideAreTheLabs) {
  test::expect_quoted(kLab, run_->text, {"-33.146", "-0.333", "27136"});
}

TEST(Lab12Options, WrongUseIsOneClearLine) {
  for (const char* arguments : {"--nonsense", "--steps -1", "--quick --full", "--text /nowhere"})
    test::expect_wrong_use(Lab12::kLab, arguments);
}

// --- what the checks do with mistakes

using Numbers = PlainFunctions::Numbers;
using Strings = std::vector<std::string>;

/// bias = -a ln(1 + b distance) with a and b in each head, and rope's angles.
PlainFunctions sound() {
  return {.parameters =
              [](std::size_t heads) {
                return 0.5 * xt::ones<double>({heads, std::size_t{2}});
              },
          .bias = [](const Numbers& p, std::size_t h,
                     double distance) { return -p(h, 0) * std::log1p(p(h, 1) * distance); },
          .bias_slopes =
              [](const Numbers& p, std::size_t h, double distance) {
                return Numbers{-std::log1p(p(h, 1) * distance),
                               -p(h, 0) * distance / (1 + p(h, 1) * distance)};
              },
          .angle =
              [](std::size_t pair, std::size_t pairs, double position) {
                return position *
                       std::pow(10000, -static_cast<double>(pair) / static_cast<double>(pairs));
              },
          .is_relative = true};
}

std::vector<std::string> failed(const PlainFunctions& functions) {
  std::vector<std::string> names;
  for (const SchemeCheck& check : lab12::prove(functions, 4))
    if (!check.passed()) names.push_back(check.what);
  return names;
}

const std::string kSlopes = "my_bias_slopes against differences of my_bias";
const std::string kGradients = "gradients are the slopes of the loss";
const std::string kShift = "a common shift of all positions changes nothing";

TEST(Lab12Mistakes, AnotherSchemePasses) { EXPECT_EQ(failed(sound()), Strings()); }

TEST(Lab12Mistakes, WrongSlopesAreSeenInDoubleAndInTheModel) {
  PlainFunctions wrong = sound();
  wrong.bias_slopes = [](const Numbers& p, std::size_t h, double distance) {
    // The inner derivative of the second is forgotten.
    return Numbers{-std::log1p(p(h, 1) * distance), -p(h, 0) / (1 + p(h, 1) * distance)};
  };
  EXPECT_EQ(failed(wrong), (Strings{kSlopes, kGradients}));
  wrong.bias_slopes = [](const Numbers&, std::size_t, double distance) {
    return Numbers{-std::log1p(distance)};  // one of two
  };
  EXPECT_EQ(failed(wrong), (Strings{kSlopes, kGradients}));
  wrong.bias_slopes = [](const Numbers&, std::size_t, double) -> Numbers {
    throw std::runtime_error("not written yet");
  };
  EXPECT_EQ(failed(wrong), (Strings{kSlopes, kGradients}));
}

TEST(Lab12Mistakes, ASmallMistakeInASlopeIsSeenInDouble) {
  PlainFunctions wrong = sound();
  wrong.bias_slopes = [right = wrong.bias_slopes](const Numbers& p, std::size_t h,
                                                  double distance) {
    Numbers slopes = right(p, h, distance);
    slopes(1) *= 1.001;
    return slopes;
  };
  EXPECT_EQ(failed(wrong), Strings{kSlopes});
}

TEST(Lab12Mistakes, WhatIsNotRelativeMustNotSaySo) {
  PlainFunctions wrong = sound();
  wrong.angle = [](std::size_t, std::size_t, double position) { return std::sqrt(position); };
  EXPECT_EQ(failed(wrong), Strings{kShift});
  wrong.is_relative = false;
  EXPECT_EQ(failed(wrong), Strings());
}

TEST(Lab12Mistakes, BiasThatIsNoNumberFails) {
  PlainFunctions wrong = sound();
  wrong.bias = [](const Numbers&, std::size_t, double distance) { return -std::log(distance); };
  const Strings names = failed(wrong);
  EXPECT_GE(names.size(), 5u);
  EXPECT_EQ(names[1], "a finite logit for every character");
}

TEST(Lab12Mistakes, ParametersNeedARowForEachHead) {
  PlainFunctions wrong = sound();
  EXPECT_EQ(lab12::unusable(wrong, 4), "");
  wrong.parameters = [](std::size_t) { return Numbers{1, 2}; };
  EXPECT_NE(lab12::unusable(wrong, 4), "");
  wrong.parameters = [](std::size_t) { return xt::zeros<double>({2, 4}); };
  EXPECT_NE(lab12::unusable(wrong, 4), "");
}

}  // namespace
}  // namespace phasor
