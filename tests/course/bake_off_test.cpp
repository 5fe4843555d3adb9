// What is measured on models to compare schemes, and verdicts that change when runs are not what
// their names say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/course/bake_off/figures.hpp"
#include "phasor/course/bake_off/measures.hpp"
#include "phasor/course/topics.hpp"
#include "phasor/tensor/gemm.hpp"
#include "tests/course/claim_numbers.hpp"
#include "tests/figure/sample.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;

using test::number;
using test::says;

// --- what is measured on models

/// A model on the toy language, as lab 12 trains them but smaller.
void train(const fs::path& folder, const std::string& name, const std::string& scheme,
           std::size_t steps, std::size_t layers = 2, const OptionValues& options = {},
           double lr = 1e-2) {
  use_single_threaded_blas();
  static const Corpus corpus = load_corpus("toy", 1);
  RunConfig config{.text = "toy"};
  config.model.width = 16;
  config.model.heads = 2;
  config.model.layers = layers;
  config.model.context = 32;
  config.model.scheme = scheme;
  config.model.options = options;
  config.train.batch = 8;
  config.train.steps = steps;
  config.train.lr = lr;
  config.train.min_lr = std::min(lr, config.train.min_lr);
  config.train.warmup = 10;
  config.train.eval_every = steps;
  config.train.eval_tokens = 1000;
  train_run(
      config, corpus,
      {.folder = folder / name, .if_exists = IfRunExists::overwrite, .final_evaluation = false});
}

/// Runs for the claims, trained once for all tests.
class BakeOffClaims : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TemporaryFolder;
    for (const char* scheme : {"none", "sinusoidal", "learned", "rope", "alibi", "transformer_xl"})
      train(runs(), fmt::format("toy-{}-1", scheme), scheme, 150);
    // As many steps that lead nowhere: next to it any encoding is in use.
    train(runs(), kIdle, "none", 150, 2, {}, 1e-9);
  }
  static void TearDownTestSuite() { delete folder_; }
  static fs::path runs() { return folder_->path() / "lab12" / "runs"; }

  static Finding measured(const std::string& id, const fs::path& results) {
    for (const Claim& claim : bake_off_claims())
      if (claim.id == id) {
        EXPECT_EQ(claim.lab, "lab12");
        return claim.measure({.results = results});
      }
    ADD_FAILURE() << "there is no claim " << id;
    return {};
  }
  static Finding measured(const std::string& id) { return measured(id, folder_->path()); }

  /// The same runs with some of them replaced by others under their names.
  class Swapped {
   public:
    using Pair = std::pair<std::string, std::string>;
    explicit Swapped(const std::vector<Pair>& pairs) {
      const fs::path there = folder_.path() / "lab12" / "runs";
      fs::create_directories(there);
      fs::copy(runs(), there, fs::copy_options::recursive);
      for (const auto& [name, by] : pairs) {
        fs::remove_all(there / name);
        fs::copy(runs() / by, there / name, fs::copy_options::recursive);
      }
    }
    Swapped(const std::string& name, const std::string& by) : Swapped({Pair{name, by}}) {}
    const fs::path& results() const { return folder_.path(); }

   private:
    test::TemporaryFolder folder_;
  };

  static constexpr const char* kIdle = "idle-1";
  static const inline Swapped::Pair kUnderway{"toy-none-1", kIdle};
  static test::TemporaryFolder* folder_;
};
test::TemporaryFolder* BakeOffClaims::folder_ = nullptr;

TEST_F(BakeOffClaims, AreNotMeasuredWithoutRuns) {
  const test::TemporaryFolder empty;
  EXPECT_EQ(bake_off_claims().size(), 9u);
  for (const Claim& claim : bake_off_claims()) {
    const Finding finding = claim.measure({.results = empty.path()});
    EXPECT_EQ(finding.verdict, Verdict::kNotMeasured) << claim.id;
    EXPECT_TRUE(says(finding, "labs/run 12")) << finding.measured;
  }
}

TEST_F(BakeOffClaims, LossesAreThoseOfEvaluation) {
  const phasor::Run run = load_run(runs() / "toy-rope-1");
  const Encoded text = split(run.tokenizer.encode(load_corpus("toy", 1).text)).validation;
  Workers workers(2);
  // As many characters as there are: both then read every window.
  const Encoded part(text.begin(), text.begin() + 6000);
  for (const std::size_t context : {32, 128})
    EXPECT_NEAR(loss_at(run, part, context),
                evaluate(*run.model, part, {.context = context}, workers).loss, 1e-5);
  EXPECT_NEAR(loss_at(run, part, 32, 900), loss_at(run, part, 32), 1e-3);
  EXPECT_TRUE(std::isnan(loss_at(load_run(runs() / "toy-learned-1"), part, 64)));
}

TEST_F(BakeOffClaims, RopeAgainstThoseBefore) {
  const Swapped underway({kUnderway});
  const Finding real = measured("D1-rope-favourite", underway.results());
  EXPECT_TRUE(real.verdict == Verdict::kHolds || real.verdict == Verdict::kHoldsIf);
  EXPECT_LT(number(real, "rope"), number(real, "sinusoidal"));
  // No lower than itself.
  const Swapped swapped({kUnderway, {"toy-rope-1", "toy-sinusoidal-1"}});
  EXPECT_EQ(measured("D1-rope-favourite", swapped.results()).verdict, Verdict::kFails);
}

TEST_F(BakeOffClaims, SinusoidalAgainstNone) {
  const Swapped underway({kUnderway});
  const Finding real = measured("D3-sinusoidal-reasonable", underway.results());
  const Swapped swapped({kUnderway, {"toy-sinusoidal-1", "toy-rope-1"}});
  const Finding better = measured("D3-sinusoidal-reasonable", swapped.results());
  EXPECT_EQ(better.verdict, Verdict::kHolds);
  EXPECT_GT(number(better, "share"), number(real, "share"));
}

TEST_F(BakeOffClaims, VectorsThatAreNotInUseSayNothing) {
  train(runs(), "toy-sinusoidal_128-1", "sinusoidal", 150);
  train(runs(), "toy-sinusoidal_128_tuned-1", "sinusoidal", 150, 2, {{"base", "24.9"}});
  const Swapped level("toy-sinusoidal-1", "toy-none-1"), underway({kUnderway});
  for (const char* id : {"D1-rope-favourite", "D3-sinusoidal-reasonable", "D2-cheaper-than-learned",
                         "D3-base-harmless"}) {
    const Finding finding = measured(id, level.results());
    EXPECT_EQ(finding.verdict, Verdict::kNotMeasured) << id;
    EXPECT_TRUE(says(finding, "After 150 steps")) << finding.measured;
    EXPECT_TRUE(says(finding, "has not begun to use them")) << finding.measured;
    EXPECT_NE(measured(id, underway.results()).verdict, Verdict::kNotMeasured) << id;
  }
}

TEST_F(BakeOffClaims, TwoCausalLayersReadOrderOneDoesNot) {
  EXPECT_EQ(measured("D1-trained-without-encoding").verdict, Verdict::kFails);
  train(runs(), "one-layer", "none", 150, 1);
  const Swapped swapped("toy-none-1", "one-layer");
  const Finding blind = measured("D1-trained-without-encoding", swapped.results());
  EXPECT_EQ(blind.verdict, Verdict::kHolds);
  // The same numbers are added in another order.
  EXPECT_NEAR(number(blind, "intact"), number(blind, "shuffled"), 1e-5);
  EXPECT_GT(number(blind, "rope shuffled"), number(blind, "rope intact") + 0.01);
}

TEST_F(BakeOffClaims, RelativePositionsDoNotNoticeAShift) {
  const Finding real = measured("D0-relative-removes-absolute");
  EXPECT_EQ(real.verdict, Verdict::kHolds);
  EXPECT_NEAR(number(real, "relative here"), number(real, "relative there"), 1e-3);
  const Swapped swapped("toy-transformer_xl-1", "toy-sinusoidal-1");
  EXPECT_EQ(measured("D0-relative-removes-absolute", swapped.results()).verdict, Verdict::kFails);
}

TEST_F(BakeOffClaims, TableCostsItsRows) {
  const Swapped underway({kUnderway});
  EXPECT_EQ(number(measured("D2-cheaper-than-learned", underway.results()), "parameters"), 32 * 16);
  const Swapped swapped("toy-learned-1", "toy-none-1");
  EXPECT_EQ(measured("D2-cheaper-than-learned", swapped.results()).verdict, Verdict::kFails);
}

TEST_F(BakeOffClaims, ANearlyUntrainedVariantIsWorse) {
  train(runs(), "toy-sinusoidal_beside-1", "sinusoidal", 150, 2, {{"combine", "concatenate"}});
  const Finding real = measured("D3-add-or-concatenate");
  EXPECT_NE(real.verdict, Verdict::kNotMeasured);
  EXPECT_EQ(measured("D0-interference").verdict == Verdict::kHolds,
            number(real, "beside") < number(real, "added"));
  const Swapped same("toy-sinusoidal_beside-1", "toy-sinusoidal-1");
  EXPECT_EQ(measured("D3-add-or-concatenate", same.results()).verdict, Verdict::kHolds);
  const Swapped better("toy-sinusoidal_beside-1", "toy-rope-1");
  EXPECT_EQ(measured("D0-interference", better.results()).verdict, Verdict::kHolds);
  const Swapped worse("toy-sinusoidal-1", "toy-rope-1");
  EXPECT_EQ(measured("D0-interference", worse.results()).verdict, Verdict::kFails);
}

TEST_F(BakeOffClaims, BasesAreReadFromTheirRuns) {
  train(runs(), "toy-sinusoidal_128-1", "sinusoidal", 150);
  train(runs(), "toy-sinusoidal_128_tuned-1", "sinusoidal", 150, 2, {{"base", "24.9"}});
  const Swapped underway({kUnderway});
  const Finding real = measured("D3-base-harmless", underway.results());
  EXPECT_TRUE(says(real, "base 24.9"));
  EXPECT_EQ(real.verdict == Verdict::kFails, number(real, "tuned") < number(real, "usual"));
  const Swapped same({kUnderway, {"toy-sinusoidal_128-1", "toy-sinusoidal_128_tuned-1"}});
  EXPECT_EQ(measured("D3-base-harmless", same.results()).verdict, Verdict::kHolds);
}

TEST_F(BakeOffClaims, TheLongestCommonTrainingIsCompared) {
  const test::TemporaryFolder folder;
  train(folder.path(), "toy-rope-1", "rope", 4);
  train(folder.path(), "toy-rope-2", "rope", 4);
  train(folder.path(), "toy-rope-5", "rope", 8);
  train(folder.path(), "toy-alibi-1", "alibi", 4);
  const auto both = runs_trained_alike(folder.path(), {"rope", "alibi"});
  ASSERT_EQ(both[0].size(), 2u);
  ASSERT_EQ(both[1].size(), 1u);
  EXPECT_EQ(runs_trained_alike(folder.path(), {"rope"})[0],
            std::vector<fs::path>{folder.path() / "toy-rope-5"});
  EXPECT_TRUE(runs_trained_alike(folder.path(), {"rope", "none"})[0].empty());
}

TEST_F(BakeOffClaims, OnlyRightAnswersScore) {
  GptConfig config;
  config.vocabulary = task_tokenizer().vocabulary_size();
  config.width = 8;
  config.heads = 2;
  config.context = line_width(Task::copy, 6);
  config.scheme = "learned";
  Rng rng(1);
  const Gpt model(config, rng);
  Workers workers(2);
  EXPECT_EQ(task_score(model, Task::copy, 6, workers), 0);
  EXPECT_TRUE(std::isnan(task_score(model, Task::copy, 7, workers)));
  for (const TaskPlan& plan : task_plans())
    for (const std::size_t length :
         {plan.trained, plan.trained + plan.trained / 3, 2 * plan.trained, 4 * plan.trained})
      EXPECT_EQ(std::count(plan.tested.begin(), plan.tested.end(), length), 1)
          << name_of(plan.task) << " " << length;
}

// --- the table of schemes

TEST_F(BakeOffClaims, TableOfSchemesHasYearAndMeasuredWeakness) {
  const std::vector<SchemeFacts> facts = facts_of_schemes(runs());
  ASSERT_EQ(facts.size(), 5u);
  EXPECT_TRUE(std::isnan(facts[1].far.mean));  // learned
  const Figure figure = schemes_figure(facts, 32);
  check_figure(figure);
  EXPECT_EQ(figure.claims_id, "D0-T1");
  const auto& rows = std::get<TablePanel>(figure.panels[0].content).rows;
  const std::vector<std::string> years{"2017", "2017", "2019", "2021", "2021"};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(rows[i][1].text, years[i]);
  EXPECT_EQ(rows[1][4].text, "no encoding for 128 characters; 512 parameters more");
  EXPECT_NE(rows[0][4].text.find(fmt::format("{:.2f} at 128", facts[0].far.mean)),
            std::string::npos)
      << rows[0][4].text;
  const test::TemporaryFolder empty;
  for (const FigureEntry& entry : bake_off_figures()) {
    EXPECT_THROW(entry.make(empty.path()), DataError);
    EXPECT_EQ(entry.make(folder_->path()).claims_id, "D0-T1");
  }
}

}  // namespace
}  // namespace phasor
