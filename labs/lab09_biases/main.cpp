// Lab 09: slopes, buckets and the shift; maps of every bias, and what training makes of them.
#include <algorithm>
#include <cmath>

#include "labs/common/lab.hpp"
#include "labs/common/table.hpp"
#include "labs/common/training.hpp"
#include "labs/lab09_biases/exercise.hpp"
#include "labs/lab09_biases/figures.hpp"
#include "labs/lab09_biases/proof.hpp"
#include "phasor/course/attention_figure.hpp"
#include "phasor/tensor/gemm.hpp"

namespace phasor::lab09 {
namespace {

const Written kWritten = {::alibi_slopes, ::t5_bucket, ::relative_shift};

void predict(Lab& lab) {
  lab.section("predict", "write your answers down before you read on");
  lab.say("1. ALiBi with 8 heads has the slopes 1/2, 1/4, ... 1/256. Which has it with 6 heads?");
  lab.say(
      "2. T5 has 32 buckets and a largest distance of 128. From which distance on are all "
      "distances in the same bucket?");
  lab.say(
      "3. T5's biases are trained, in windows of 64 characters. Will they fall with distance as "
      "ALiBi's lines do? And what will they be at distance 100?");
}

void build(Lab& lab) {
  std::vector<std::vector<std::string>> rows = {{"heads", "slopes"}};
  for (const std::size_t heads : {6, 8, 12}) {
    rows.push_back({fmt::to_string(heads)});
    for (const double slope : ::alibi_slopes(heads))
      rows.back().push_back(fmt::format("{:.4g}", slope));
  }
  lab.say("Slopes, head by head:");
  lab.show(table(rows));
  rows = {{"distance"}, {"causal"}, {"both sides"}};
  for (const double rel :
       {-100., -8., -1., 0., 1., 8., 16., 19., 32., 64., 112., 113., 128., 1e6}) {
    rows[0].push_back(fmt::format("{:g}", rel));
    rows[1].push_back(fmt::to_string(::t5_bucket(rel, 32, 128, true)));
    rows[2].push_back(fmt::to_string(::t5_bucket(rel, 32, 128, false)));
  }
  lab.say("Buckets of 32, up to distance 128:");
  lab.show(table(rows));
}

void look(Lab& lab) {
  lab.section("look", "slopes, stairs, the shift, and every bias of the library");
  lab.figure(slopes_figure(kWritten));
  lab.figure(buckets_figure(kWritten));
  lab.figure(shift_figure(kWritten));
  lab.figure(maps_figure());
}

Plan plan_of(const Lab& lab) {
  const std::uint64_t seed = lab.options().seed;
  Plan plan;
  plan.schemes = {"alibi", "t5_bias"};
  plan.seeds = {seed};
  plan.folder = lab.options().out / "runs";
  plan.train.lr = 3e-3;
  plan.train.min_lr = 3e-4;
  plan.side_by_side = true;
  if (lab.full()) {
    plan.schemes = {"alibi", "t5_bias", "kerple_log", "none"};
    plan.seeds = {seed, seed + 1, seed + 2};
    plan.train.steps = 800;
    return plan;
  }
  plan.train.batch = 16;
  plan.train.steps = 240;
  plan.train.warmup = 20;
  plan.train.eval_every = 60;
  plan.train.eval_tokens = 5000;
  plan.evaluation_tokens = 20000;
  return plan;
}

void show_losses(Lab& lab, const std::vector<Outcome>& outcomes) {
  std::vector<std::vector<std::string>> rows = {{"scheme", "validation loss", "least", "most"}};
  for (const Outcome& outcome : outcomes) {
    const Spread loss = final_loss(outcome);
    rows.push_back({outcome.scheme, fmt::format("{:.4f}", loss.mean),
                    fmt::format("{:.4f}", loss.least), fmt::format("{:.4f}", loss.most)});
  }
  lab.show(table(rows));
  const Spread lines = final_loss(outcomes[0]), buckets = final_loss(outcomes[1]);
  const double gap = std::abs(lines.mean - buckets.mean);
  const std::size_t seeds = outcomes[0].runs.size();
  if (seeds == 1)
    lab.say(
        "{} and {} differ by {:.3f}. One seed cannot say whether that is noise; --full trains "
        "three.",
        outcomes[0].scheme, outcomes[1].scheme, gap);
  else
    lab.say(
        "{} and {} differ by {:.3f}; over {} seeds their spreads {}.", outcomes[0].scheme,
        outcomes[1].scheme, gap, seeds,
        lie_apart(lines, buckets) ? "do not overlap" : "overlap: no difference beyond seed noise");
}

/// The slopes of the model's heads beside how far they look.
void show_reach(Lab& lab, const AttentionMaps& maps) {
  const std::vector<double> slopes = ::alibi_slopes(maps.heads());
  std::vector<std::vector<std::string>> rows = {{"layer", "head", "slope", "mean distance"}};
  for (const HeadFocus& focus : head_focus(maps))
    rows.push_back({fmt::to_string(focus.layer + 1), fmt::to_string(focus.head + 1),
                    fmt::format("{:.4g}", slopes[focus.head]),
                    fmt::format("{:.1f}", focus.distance)});
  lab.say(
      "How far the heads of the trained ALiBi model look, in characters. The slope is a pull "
      "towards the near; content can outweigh it:");
  lab.show(table(rows));
}

/// The start of the text's validation part, short enough for labels on the axes.
std::string sample_of(const Run& run, const Corpus& corpus) {
  Encoded tokens = split(run.tokenizer.encode(corpus.text)).validation;
  tokens.resize(std::min<std::size_t>(tokens.size(), 32));
  return run.tokenizer.decode(tokens);
}

void experiment(Lab& lab, const Corpus& corpus) {
  lab.section("experiment",
              "lines that are given and a table that is learned, on " + short_name(corpus));
  const Plan plan = plan_of(lab);
  const std::vector<Outcome> outcomes = train_all(plan, corpus);
  show_losses(lab, outcomes);
  const BucketTables tables = bucket_tables(load_run(outcomes[1].folders[0]));
  lab.figure(table_figure(tables));
  const Run lines = load_run(outcomes[0].folders[0]);
  const AttentionMaps maps =
      attention_maps(*lines.model, lines.tokenizer, sample_of(lines, corpus));
  lab.figure(attention_figure(
      maps, {.id = "lab09-attention",
             .title = fmt::format("Where the heads of a trained ALiBi model look, after {} steps",
                                  plan.train.steps)}));
  show_reach(lab, maps);
  lab.say(
      "These biases are known for longer texts, which are not measured here: lab 10 does that. On "
      "WikiText-103 at the training length perplexity was 19.73 with ALiBi and 19.65 with T5's "
      "buckets (Press et al. 2021, table 2).");
}

void explain(Lab& lab) {
  lab.section("explain", "answer from the figures");
  lab.say(
      "In lab09-table the last rows have hardly changed. How many, and why these? What would the "
      "model do with a key 100 characters back, and what would a model with ALiBi do with it? "
      "lab09-slopes and lab09-buckets say how each of them sees that distance.");
}

/// The learner's slopes as a bias: -m_h |query - key|.
xt::xarray<double> bias_of_slopes(std::size_t heads, const std::vector<double>& queries,
                                  const std::vector<double>& keys) {
  const std::vector<double> slopes = ::alibi_slopes(heads);
  xt::xarray<double> bias = xt::zeros<double>({heads, queries.size(), keys.size()});
  for (std::size_t h = 0; h < heads; ++h)
    for (std::size_t m = 0; m < queries.size(); ++m)
      for (std::size_t n = 0; n < keys.size(); ++n)
        bias(h, m, n) = -slopes[h] * std::abs(queries[m] - keys[n]);
  return bias;
}

void run(Lab& lab) {
  use_single_threaded_blas();
  const Corpus corpus = corpus_of(lab.options());
  predict(lab);
  lab.section("build", "slopes and buckets");
  if (!lab.check_usable("six slopes for 6 heads, a bucket below 32, a 3 x 3 array from a 3 x 3 one",
                        [] { return unusable(kWritten); }))
    return;
  build(lab);
  lab.section("check", "the authors' numbers, and a double loop");
  print_checks(lab, prove(kWritten), kCauses);
  if (!lab.goes_on()) return;
  look(lab);
  experiment(lab, corpus);
  lab.audit({.bias = bias_of_slopes, .bucket = ::t5_bucket});
  explain(lab);
}

}  // namespace
}  // namespace phasor::lab09

int main(int argc, char** argv) {
  return phasor::run_lab({"lab09_biases", "Biases on the scores",
                          "Write ALiBi's slopes, T5's buckets and the relative shift."},
                         argc, argv, {}, phasor::lab09::run);
}
