// Lab 06 as a learner meets it, and wrong solutions that its checks must catch.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "labs/lab06_mini_gpt/proof.hpp"
#include "tests/labs/guide.hpp"

namespace phasor {
namespace {

using lab06::Written;
using mini_gpt::Array;
using mini_gpt::BlockWeights;

/// So few steps that all is trained in seconds: what is tested is the lab.
class Lab06 : public test::LabTest<Lab06> {
 public:
  static constexpr const char* kLab = "lab06_mini_gpt";
  static constexpr const char* kOptions = "--steps 16";

 protected:
  static test::AuditedClaim claim(const std::string& id) {
    return test::summary_of(out()).claim(id);
  }
};

TEST_F(Lab06, PassesItsOwnChecks) {
  EXPECT_EQ(run_->code, 0) << run_->text;
  const test::Summary summary = test::summary_of(out());
  EXPECT_EQ(summary.checks_failed, 0);
  EXPECT_EQ(summary.checks_passed, 16);  // those of trained losses need more steps
}

TEST_F(Lab06, GoesFromPredictionToQuestion) {
  test::expect_in_order(run_->text,
                        {"PREDICT", "BUILD", "CHECK", "EXPERIMENT", "LOOK", "EXPLAIN", "AUDIT"});
}

TEST_F(Lab06, DrawsItsFigures) {
  test::expect_figures(out(), {{"lab06-loss-toy", ""},
                               {"lab06-position-toy", ""},
                               {"lab06-loss-kjv", ""},
                               {"lab06-position-kjv", ""},
                               {"lab06-attention-none", ""},
                               {"lab06-attention-sinusoidal", ""},
                               {"lab06-attention-learned", ""},
                               {"lab06-attention-rope", ""},
                               {"lab06-attention-alibi", ""},
                               {"lab06-probe", ""},
                               {"lab06-ablation", "D2-F3"},
                               {"lab06-mini-gpt", "D3-M"},
                               {"lab06-rivals", ""},
                               {"lab06-heads", ""}});
}

TEST_F(Lab06, MeasuresItsClaims) {
  for (const test::AuditedClaim& claim : test::summary_of(out()).claims)
    EXPECT_NE(claim.verdict, "not measured yet") << claim.id;
  EXPECT_EQ(claim("D2-readable").verdict, "holds");
  EXPECT_EQ(claim("D0-bounded-is-quiet").verdict, "fails");
  const auto probe = claim("D2-readable").numbers;
  EXPECT_LT(probe.at("error"), 1);
  EXPECT_NEAR(probe.at("none"), 16, 0.5);
}

TEST_F(Lab06, GuideIsWhole) {
  test::expect_causes(kLab, lab06::kCauses);
  test::expect_parts(kLab);
  test::expect_quoted(kLab, run_->text, {"0.172", "2.87", "16.0", "25.7", "20.42"});
}

/// Commands of the guide as a reader types them, with fewer steps and in a folder of their own.
TEST_F(Lab06, CommandsOfTheGuideRun) {
  const test::Replacements replacements = {{"--steps \\d+", "--steps 4"},
                                           {"--eval-every \\d+", "--eval-every 2"},
                                           {"out/lab06", out().string()},
                                           {" runs/", " " + folder_->path().string() + "/"}};
  EXPECT_GE(test::expect_commands_run(kLab, replacements, false), 9u);
}

// --- wrong solutions -----------------------------------------------------------------------------

Array right_block(const Array& x, const BlockWeights& w) {
  const Array y = x + mini_gpt::attention(mini_gpt::layer_norm(x, w.norm1), w.attention);
  return y + mini_gpt::mlp(mini_gpt::layer_norm(y, w.norm2), w.mlp);
}

Array right_positions(const Array& x, const Array& table, const std::vector<std::size_t>& places) {
  Array result = x;
  for (std::size_t t = 0; t < places.size(); ++t) {
    if (places[t] >= table.shape(0)) throw std::out_of_range("no row");
    for (std::size_t c = 0; c < x.shape(1); ++c) result(t, c) += table(places[t], c);
  }
  return result;
}

std::size_t failures(const Written& written) {
  return test::failed(lab06::prove(written)).size() + (lab06::unusable(written).empty() ? 0 : 1);
}

TEST(Lab06Checks, PassARightSolution) {
  EXPECT_EQ(failures({.block = right_block, .positions = right_positions}), 0U);
}

TEST(Lab06Checks, FailWrongBlocks) {
  const std::vector<std::pair<std::string, decltype(Written::block)>> wrong = {
      {"norms behind the parts",
       [](const Array& x, const BlockWeights& w) {
         const Array y =
             mini_gpt::layer_norm(Array(x + mini_gpt::attention(x, w.attention)), w.norm1);
         return mini_gpt::layer_norm(Array(y + mini_gpt::mlp(y, w.mlp)), w.norm2);
       }},
      {"nothing is added to the stream",
       [](const Array& x, const BlockWeights& w) {
         const Array y = mini_gpt::attention(mini_gpt::layer_norm(x, w.norm1), w.attention);
         return mini_gpt::mlp(mini_gpt::layer_norm(y, w.norm2), w.mlp);
       }},
      {"the first norm twice",
       [](const Array& x, const BlockWeights& w) {
         const Array y = x + mini_gpt::attention(mini_gpt::layer_norm(x, w.norm1), w.attention);
         return Array(y + mini_gpt::mlp(mini_gpt::layer_norm(y, w.norm1), w.mlp));
       }},
      {"the MLP reads what attention read",
       [](const Array& x, const BlockWeights& w) {
         const Array y = x + mini_gpt::attention(mini_gpt::layer_norm(x, w.norm1), w.attention);
         return Array(y + mini_gpt::mlp(mini_gpt::layer_norm(x, w.norm2), w.mlp));
       }},
      {"no norms", [](const Array& x, const BlockWeights& w) {
         const Array y = x + mini_gpt::attention(x, w.attention);
         return Array(y + mini_gpt::mlp(y, w.mlp));
       }}};
  for (const auto& [mistake, block] : wrong)
    EXPECT_GE(failures({.block = block, .positions = right_positions}), 2U) << mistake;
}

TEST(Lab06Checks, FailWrongPositions) {
  const std::vector<std::pair<std::string, decltype(Written::positions)>> wrong = {
      {"rows in order, whatever the positions",
       [](const Array& x, const Array& table, const std::vector<std::size_t>& places) {
         std::vector<std::size_t> order(places.size());
         for (std::size_t t = 0; t < order.size(); ++t) order[t] = t;
         for (const std::size_t place : places)
           if (place >= table.shape(0)) throw std::out_of_range("no row");
         return right_positions(x, table, order);
       }},
      {"positions beyond the table wrap round",
       [](const Array& x, const Array& table, std::vector<std::size_t> places) {
         for (std::size_t& place : places) place %= table.shape(0);
         return right_positions(x, table, places);
       }},
      {"the last row for all beyond",
       [](const Array& x, const Array& table, std::vector<std::size_t> places) {
         for (std::size_t& place : places) place = std::min(place, table.shape(0) - 1);
         return right_positions(x, table, places);
       }},
      {"from one",
       [](const Array& x, const Array& table, std::vector<std::size_t> places) {
         for (std::size_t& place : places) {
           if (place >= table.shape(0)) throw std::out_of_range("no row");
           place = (place + 1) % table.shape(0);
         }
         return right_positions(x, table, places);
       }},
      {"in place of the tokens",
       [](const Array& x, const Array& table, const std::vector<std::size_t>& places) {
         return Array(right_positions(x, table, places) - x);
       }}};
  for (const auto& [mistake, positions] : wrong)
    EXPECT_GE(failures({.block = right_block, .positions = positions}), 1U) << mistake;
}

TEST(Lab06Checks, NoticeWhatIsNoArrayOfTheRightSize) {
  Written written{.block = [](const Array&, const BlockWeights&) { return Array(); },
                  .positions = right_positions};
  EXPECT_NE(lab06::unusable(written), "");
  written.block = [](const Array& x, const BlockWeights&) { return Array(x * NAN); };
  EXPECT_NE(lab06::unusable(written), "");
}

TEST(Lab06Checks, NoticeOneLossThatIsNoNumber) {
  std::vector<double> losses(lab06::kGoldenLosses.begin(), lab06::kGoldenLosses.end());
  EXPECT_EQ(lab06::ten_losses_error(losses), 0);
  losses[0] = std::nan("");
  EXPECT_TRUE(std::isnan(lab06::ten_losses_error(losses)));
}

TEST(Lab06Options, WrongUseIsOneClearLine) {
  test::expect_wrong_use(Lab06::kLab, "--text /nowhere");
}

}  // namespace
}  // namespace phasor
