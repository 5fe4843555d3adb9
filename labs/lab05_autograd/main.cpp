// Lab 05: write six backward functions, prove them, and train with them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "labs/common/table.hpp"
#include "labs/lab05_autograd/figures.hpp"
#include "labs/lab05_autograd/proof.hpp"
#include "phasor/data/corpus.hpp"

namespace phasor::lab05 {
namespace {

constexpr std::size_t kCharacters = 20000;  // of the text that the models are trained on

void predict(Lab& lab) {
  lab.section("predict", "write your answers down before you read on");
  lab.say("1. y is the sum of the outputs of a softmax. What is the gradient of y by its inputs?");
  lab.say(
      "2. A gradient is checked by central differences in double. Which step gives the smallest "
      "error: h = 1e-2, 1e-5 or 1e-10?");
  lab.say(
      "3. Somebody's embedding_backward sets the rows of dtable where it should add. Does the loss "
      "of a model that is trained with it still fall? How would you notice?");
}

void build(Lab& lab) {
  lab.section("build", "six backward functions");
  lab.show(table({{"function", "gets", "adds to"},
                  {"mul_backward", "dy, a, b", "da, db"},
                  {"matmul_backward", "dy, a, b", "da, db"},
                  {"softmax_backward", "dy, y", "dx"},
                  {"layer_norm_backward", "dy, x, weight, epsilon", "dx, dweight, dbias"},
                  {"embedding_backward", "dy, rows", "dtable"},
                  {"cross_entropy_backward", "dloss, logits, targets", "dlogits"}}));
  lab.say(
      "A tape (tape.cpp) writes down what is computed and then calls your functions, the last "
      "operation first. It has one backward of its own, that of add: da += dy, db += dy.");
}

void look(Lab& lab) {
  lab.section("look", "how good can a check be, and what a graph looks like");
  Rng rng(3, "lab05-steps");
  Array x = random_array({4, 8}, rng);
  for (double& value : x) value = static_cast<float>(value);  // the same numbers in both
  const Array dy = random_array({4, 8}, rng);
  const StepCurves fine =
      measure_steps(softmax_in_double, x, dy, std::numeric_limits<double>::epsilon(), 1e-13);
  StepCurves coarse =
      measure_steps(softmax_in_float, x, dy, std::numeric_limits<float>::epsilon(), 1e-7);
  coarse.wrong.clear();  // one such line says enough
  lab.figure(steps_figure(fine, coarse));
  // Within these ends one of the two errors is a hundred times the other.
  lab.check("central: slope between h = 1e-3 and 1e-1", slope(fine.h, fine.central, 9e-4, 0.11), 2,
            0.1);
  lab.check("one-sided: slope between h = 1e-5 and 1e-2",
            slope(fine.h, fine.one_sided, 9e-6, 0.011), 1, 0.1);
  // Rounding is no smooth function of h: single points lie some tens of percent off the line.
  lab.check("central: slope between h = 1e-12 and 1e-7", slope(fine.h, fine.central, 9e-13, 1.1e-7),
            -1, 0.25);
  lab.say(
      "The two errors are equal where h^2 = eps / h for central differences, h = eps^(1/3) = "
      "{:.0e}, and where h = eps / h for one-sided ones, h = eps^(1/2) = {:.0e}. The lowest points "
      "measured are at {:.0e} and {:.0e}.",
      std::cbrt(std::numeric_limits<double>::epsilon()),
      std::sqrt(std::numeric_limits<double>::epsilon()), fine.h[best(fine.central)],
      fine.h[best(fine.one_sided)]);
}

void draw_graphs(Lab& lab, const Triples& triples) {
  Tape small, large;
  const Id y = write_small(small);
  Rng rng(1, "lab05-graph");
  const Written model = write_loss(large, two_layer_model(triples.vocabulary(), 1),
                                   drawn(triples, Training().batch, rng));
  large.backward(model.loss, Array(1.0));
  lab.figure(graph_figure(small, y, large, model.loss));
}

std::string visible(const std::string& character) {
  return character == "\n" ? "line end" : character == " " ? "blank" : character;
}

/// What follows the commonest letter: counted, and learned by gradient descent.
void show_followers(Lab& lab, const Triples& triples, const Array& learned_logits) {
  const Array counted = counted_table(triples), learned = softmax(learned_logits);
  std::vector<std::size_t> seen(triples.vocabulary(), 0);
  for (const std::size_t last : triples.last) ++seen[last];
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (triples.characters[i] == " ") seen[i] = 0;  // a letter says more
  const auto row =
      static_cast<std::size_t>(std::max_element(seen.begin(), seen.end()) - seen.begin());
  std::vector<std::size_t> order(triples.vocabulary());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return counted(row, a) > counted(row, b); });
  std::vector<std::vector<std::string>> rows = {
      {"after " + triples.characters[row]}, {"counted"}, {"learned"}};
  for (std::size_t i = 0; i < std::min<std::size_t>(6, order.size()); ++i) {
    rows[0].push_back(visible(triples.characters[order[i]]));
    rows[1].push_back(fmt::format("{:.3f}", counted(row, order[i])));
    rows[2].push_back(fmt::format("{:.3f}", learned(row, order[i])));
  }
  lab.say("What the bigram model has learned is the table that one could have counted:");
  lab.show(table(rows));
}

void check_losses(Lab& lab, const std::vector<Trained>& models) {
  for (const Trained& model : models) {
    double least = std::numeric_limits<double>::infinity();
    for (const Curve& curve : model.curves)
      least = std::min(least, *std::min_element(curve.losses.begin(), curve.losses.end()));
    // The floor is a minimum over all models, but both are sums of 20000 rounded terms.
    lab.check(model.label + ": never below its floor", least >= model.floor - kRounding,
              fmt::format("{:.4f} against {:.4f}", least, model.floor));
  }
  const double start = models[0].curves[0].losses[0], end = models[0].final_loss().mean;
  const double floor = models[0].floor;
  lab.check("bigram: nine tenths of the way down to the floor",
            end - floor <= 0.1 * (start - floor),
            fmt::format("from {:.3f} to {:.3f}, the floor is {:.3f}", start, end, floor));
}

void tell_wrong(Lab& lab, const Trained& right, const Trained& wrong) {
  const Spread a = right.final_loss(), b = wrong.final_loss();
  lab.say(
      "The model whose lookup overwrites rows of its gradient fell from {:.3f} to {:.3f}; the "
      "right one is at {:.3f}. {} A loss that falls proves nothing about a gradient; the check "
      "against differences does.",
      wrong.curves[0].losses[0], b.mean, a.mean,
      right.curves.size() == 1 ? "This is one seed; --full trains three."
      : lie_apart(a, b)        ? "The spreads over three seeds lie apart."
                               : "Over three seeds that is no difference beyond seed noise.");
}

void experiment(Lab& lab, const Triples& triples, const std::string& text) {
  lab.section("experiment", "your functions train models");
  const double after_one = counted_entropy(triples, 1), after_two = counted_entropy(triples, 2);
  lab.say(
      "{} characters of {}, {} different ones. Tables counted from them cost {:.3f} nats per "
      "character without context, {:.3f} after one character and {:.3f} after two.",
      triples.size(), text, triples.vocabulary(), counted_entropy(triples, 0), after_one,
      after_two);
  Training training;
  if (lab.full()) training.steps = 900;
  if (lab.full()) training.evaluate_every = 45;
  std::vector<Trained> models = {{"bigram", after_one, {}},
                                 {"overwriting bigram", after_one, {}},
                                 {"two layers", after_two, {}}};
  Array learned;
  for (std::uint64_t run = 0; run < (lab.full() ? 3 : 1); ++run) {
    const std::uint64_t seed = lab.options().seed + run;
    Model bigram = bigram_model(triples.vocabulary());
    Model overwriting = overwriting_model(triples.vocabulary());
    Model two_layers = two_layer_model(triples.vocabulary(), seed);
    models[0].curves.push_back(train(bigram, triples, training, seed));
    models[1].curves.push_back(train(overwriting, triples, training, seed));
    models[2].curves.push_back(train(two_layers, triples, training, seed));
    if (run == 0) learned = bigram.parameters[0];
  }
  lab.figure(loss_figure(models, text));
  check_losses(lab, models);
  show_followers(lab, triples, learned);
  tell_wrong(lab, models[0], models[1]);
}

void explain(Lab& lab) {
  lab.section("explain", "answer from the figures");
  lab.say(
      "Why does the V of lab05-steps have two arms, why is the right arm of the central "
      "differences steeper, and what would you see there if your softmax_backward were wrong? "
      "Then find the wrong backward in lab05-loss: would its curve alone have told you?");
}

void run(Lab& lab) {
  const auto& file = lab.options().text;
  const Corpus corpus = load_corpus(file ? file->string() : "toy", lab.options().seed);
  const Triples triples = triples_of(corpus.text, kCharacters);
  const std::string text = file ? file->filename().string() : "the toy language";
  predict(lab);
  build(lab);
  prove(lab);
  if (!lab.goes_on()) return;
  show_ones(lab);
  look(lab);
  draw_graphs(lab, triples);
  experiment(lab, triples, text);
  lab.audit();
  explain(lab);
}

}  // namespace
}  // namespace phasor::lab05

int main(int argc, char** argv) {
  return phasor::run_lab({"lab05_autograd", "Autograd: backward by hand",
                          "Write six backward functions, prove them, and train with them."},
                         argc, argv, {}, phasor::lab05::run);
}
