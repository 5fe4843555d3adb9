// Lab 06: one Mini-GPT, five positional schemes, two texts. What does position buy, where is it in
// the model, and what breaks without it?
#include <algorithm>
#include <cmath>

#include "labs/common/table.hpp"
#include "labs/lab06_mini_gpt/experiment.hpp"
#include "labs/lab06_mini_gpt/figures.hpp"
#include "labs/lab06_mini_gpt/heads.hpp"
#include "labs/lab06_mini_gpt/models.hpp"
#include "labs/lab06_mini_gpt/proof.hpp"
#include "phasor/course/attention_figure.hpp"
#include "phasor/course/training/figures.hpp"
#include "phasor/model/generate.hpp"
#include "phasor/position/schemes.hpp"
#include "phasor/tensor/gemm.hpp"

namespace phasor::lab06 {
namespace {

void predict(Lab& lab) {
  lab.section("predict", "write your answers down before you read on");
  lab.say("1. A model without any positional encoding: does it learn at all?");
  lab.say("2. Which of none, sinusoidal, learned, rope and alibi ends lowest, and by how much?");
  lab.say(
      "3. In the toy language the words of a sentence do not say who did what to whom; only "
      "their order does. Is the gap between `none` and the others larger there?");
  lab.say(
      "4. Take the encoding away from a trained model: does it fall back to what a model without "
      "one learns?");
}

void build(Lab& lab, const Plan& plan, std::size_t vocabulary) {
  lab.section("build", "a block, learned positions, and the line in which five models differ");
  std::vector<std::vector<std::string>> rows = {{"scheme", "enters as", "parameters", "relative"}};
  for (const std::string& scheme : plan.schemes) {
    const Gpt model = fresh_model(plan.model, vocabulary, scheme);
    rows.push_back({scheme, find_scheme(scheme).kind, fmt::to_string(model.parameter_count()),
                    model.scheme().traits().is_relative ? "yes" : "no"});
  }
  lab.say("Width {}, {} heads, {} layers, context {}, {} different characters:", plan.model.width,
          plan.model.heads, plan.model.layers, plan.model.context, vocabulary);
  lab.show(table(rows));
}

/// Whether there is something to go on with.
bool check_functions(Lab& lab) {
  lab.section("check", "is it a block, and are they positions?");
  const Written written;
  if (!lab.check_usable("block and add_learned_positions return [T, C], finite numbers",
                        [&] { return unusable(written); }))
    return false;
  print_checks(lab, prove(written), kCauses);
  const std::vector<double> losses = ten_losses(written);
  lab.say("Ten training steps of a model made of your block, and PyTorch's losses:");
  std::string yours = "  yours    ", torch = "  PyTorch  ";
  for (std::size_t step = 0; step < losses.size(); ++step) {
    yours += fmt::format(" {:.5f}", losses[step]);
    torch += fmt::format(" {:.5f}", kGoldenLosses.at(step));
  }
  lab.show(yours + "\n" + torch);
  return lab.goes_on();
}

void show_losses(Lab& lab, const std::vector<Outcome>& outcomes) {
  std::vector<std::vector<std::string>> rows = {
      {"scheme", "train loss", "validation loss", "least", "most"}};
  for (const Outcome& outcome : outcomes) {
    std::vector<double> train;
    for (const RunReport& run : outcome.runs) train.push_back(*run.records.back().train_loss);
    const Spread spread = final_loss(outcome);
    rows.push_back({outcome.scheme, fmt::format("{:.4f}", spread_of(train).mean),
                    fmt::format("{:.4f}", spread.mean), fmt::format("{:.4f}", spread.least),
                    fmt::format("{:.4f}", spread.most)});
  }
  lab.show(table(rows));
}

/// Best and second by mean loss, and whether their spreads over seeds overlap.
void tell_winner(Lab& lab, const std::vector<Outcome>& outcomes) {
  std::vector<const Outcome*> order;
  for (const Outcome& outcome : outcomes) order.push_back(&outcome);
  std::sort(order.begin(), order.end(), [](const Outcome* a, const Outcome* b) {
    return final_loss(*a).mean < final_loss(*b).mean;
  });
  const Spread first = final_loss(*order[0]), second = final_loss(*order[1]);
  const double gap = second.mean - first.mean;
  if (order[0]->runs.size() == 1)
    lab.say(
        "{} ends lowest, {:.4f} below {}. This is one seed: run the lab with --full for three "
        "and their spread before you believe a small gap.",
        order[0]->scheme, gap, order[1]->scheme);
  else if (!lie_apart(first, second))
    lab.say(
        "{} and {} differ by {:.4f}, inside the spread over seeds: no difference beyond seed "
        "noise.",
        order[0]->scheme, order[1]->scheme, gap);
  else
    lab.say("{} ends lowest, {:.4f} below {}, and their spreads over {} seeds do not overlap.",
            order[0]->scheme, gap, order[1]->scheme, order[0]->runs.size());
}

void show_text(Lab& lab, const std::vector<Outcome>& outcomes, const std::string& prompt) {
  lab.say("Each continues \"{}\" (temperature 0.8, seed 1):", prompt);
  for (const Outcome& outcome : outcomes) {
    const Run run = load_run(outcome.folders[0]);
    const Encoded tokens =
        generate(*run.model, run.tokenizer.encode(prompt), 120, {.temperature = 0.8, .seed = 1});
    std::string text = prompt + run.tokenizer.decode(tokens);
    std::replace(text.begin(), text.end(), '\n', '/');
    lab.show(fmt::format("  {:<10} {}", outcome.scheme, text));
  }
}

/// `long_enough`: for losses to be where they must be after a training.
void compare(Lab& lab, const Plan& plan, const Corpus& corpus, const std::string& prompt,
             bool long_enough) {
  lab.section("experiment", "five schemes on " + corpus.name);
  const std::vector<Outcome> outcomes = train_all(plan, corpus);
  show_losses(lab, outcomes);
  tell_winner(lab, outcomes);
  if (corpus.entropy_floor)
    lab.say("The entropy of this text is {:.4f} nats per character: the floor of every loss.",
            *corpus.entropy_floor);
  if (long_enough) check_training(lab, outcomes, corpus);
  lab.figure(loss_figure(outcomes, corpus));
  lab.figure(position_figure(outcomes, corpus));
  show_text(lab, outcomes, prompt);
}

/// The start of the first line of a text, to be continued.
std::string prompt_of(const Corpus& corpus) {
  const CharTokenizer tokenizer = CharTokenizer::from_text(corpus.text);
  Encoded tokens = tokenizer.encode(corpus.text);
  tokens.resize(std::min<std::size_t>(tokens.size(), 12));
  return tokenizer.decode(tokens);
}

/// Where the heads of the toy models look, and whether a linear map finds the position in the
/// stream.
void look(Lab& lab, const Plan& plan) {
  lab.section("look", "inside the models of the toy language");
  for (const std::string& scheme : plan.schemes) {
    const Run run = load_run(plan.folder / fmt::format("toy-{}-{}", scheme, plan.seeds[0]));
    const AttentionMaps maps = attention_maps(*run.model, run.tokenizer, "the dog bites the man.");
    lab.figure(attention_figure(
        maps, {.id = "lab06-attention-" + scheme, .title = "What each head looks at: " + scheme}));
    lab.show(table(focus_rows(maps)));
  }
  std::vector<PositionProbe> probes;
  for (const char* scheme : {"none", "sinusoidal", "learned"})
    probes.push_back(probe_runs(plan.folder, scheme).value());
  lab.figure(probe_figure(probes));
}

void show_ablation(Lab& lab, const Ablation& ablation) {
  std::vector<std::vector<std::string>> rows = {
      {"layers", ablation.scheme, "none", ablation.scheme + " taken away"}};
  for (const AblationRow& row : ablation.rows)
    rows.push_back({fmt::to_string(row.layers), fmt::format("{:.3f}", row.with.mean),
                    fmt::format("{:.3f}", row.without.mean),
                    fmt::format("{:.3f}", row.taken_away.mean)});
  lab.say("{} (knowing only how often characters occur: {:.3f}):",
          ablation.causal ? "Causal, the next character" : "Unmasked, blanks", ablation.blind);
  lab.show(table(rows));
}

void ablate(Lab& lab, const Plan& plan, const Corpus& toy, std::size_t steps) {
  lab.section("experiment", "remove the encoding: what breaks?");
  train_ablation(lab, toy, steps);
  const Ablation causal = measure_ablation(plan.folder, true, kRemoved);
  const Ablation unmasked = measure_ablation(plan.folder, false, kRemoved);
  show_ablation(lab, causal);
  show_ablation(lab, unmasked);
  lab.figure(ablation_figure(causal, unmasked));
}

void switch_encoding(Lab& lab, const Plan& plan, const Corpus& toy, std::size_t steps) {
  lab.section("experiment", "the additive encoding on and off, learned and fixed");
  train_mini_gpt(lab, toy, steps);
  lab.figure(mini_gpt_figure(plan.folder));
  train_rivals(lab, toy, steps);
  lab.figure(rivals_figure(plan.folder));
}

void tie_heads(Lab& lab, const Corpus& toy, std::size_t steps) {
  lab.section("experiment", "a head of its own, or the token embedding as the head");
  const std::vector<HeadRow> rows = train_heads(lab, toy, steps);
  lab.say("Loss over {} seeds, and what is kept of the stream that the first block reads:",
          rows[0].own.outcome.runs.size());
  lab.show(heads_table(rows));
  for (const std::string& paragraph : reading_of_heads(rows)) lab.say("{}", paragraph);
  lab.figure(heads_figure(rows, toy));
}

void explain(Lab& lab) {
  lab.section("explain", "the question");
  lab.say(
      "`none` gets no positions at all and still learns. Where can the order it knows come from? "
      "Look at lab06-probe (where does its stream know the position?), at lab06-ablation (what if "
      "nothing is hidden?), and at the loss by position on the toy language: at which places is "
      "`none` furthest from `rope` and `alibi`, and why there?");
}

void body(Lab& lab, std::size_t steps) {
  use_single_threaded_blas();
  const Plan plan = comparison_plan(lab, steps);
  const Corpus toy = load_corpus("toy", lab.options().seed);
  const Corpus text = load_corpus(lab.options().text ? lab.options().text->string() : "kjv");
  const std::size_t vocabulary = CharTokenizer::from_text(toy.text).vocabulary_size();
  predict(lab);
  build(lab, plan, vocabulary);
  if (!check_functions(lab)) return;
  check_models(lab, plan, vocabulary);
  compare(lab, plan, toy, "the dog ", steps == 0);
  compare(lab, plan, text, lab.options().text ? prompt_of(text) : "In the beginning ", steps == 0);
  look(lab, plan);
  ablate(lab, plan, toy, steps);
  switch_encoding(lab, plan, toy, steps);
  tie_heads(lab, toy, steps);
  lab.audit();
  explain(lab);
}

}  // namespace
}  // namespace phasor::lab06

int main(int argc, char** argv) {
  std::int64_t steps = 0;
  const std::vector<phasor::ExtraOption> extras = {
      {"--steps", "steps of every training, to try the lab quickly; 0: enough to compare", &steps,
       0, 1e6}};
  return phasor::run_lab({"lab06_mini_gpt", "The Mini-GPT and its positions",
                          "Train one small GPT with five positional schemes and compare them."},
                         argc, argv, extras, [&](phasor::Lab& lab) {
                           phasor::lab06::body(lab, static_cast<std::size_t>(steps));
                         });
}
