// Lab 00: write attention, prove that it does not see order, and find out what makes it see.
#include "labs/common/lab.hpp"
#include "labs/common/table.hpp"
#include "labs/lab00_order/exercise.hpp"
#include "labs/lab00_order/proof.hpp"
#include "phasor/course/order/figures.hpp"
#include "phasor/course/order/word_order.hpp"

namespace phasor::lab00 {
namespace {

void predict(Lab& lab) {
  lab.section("predict", "write your answers down before you read on");
  lab.say(
      "1. Attention without a mask reads \"dog bites man .\" and then \"man bites dog .\". Is the "
      "weight of dog on bites the same in both? And with a causal mask?");
  lab.say(
      "2. No encoding, a causal mask, and only the output at the full stop to look at. Can one "
      "layer tell the two sentences apart? Can two?");
  lab.say("3. In \"dog bites dog .\" without a mask: do the two dogs get the same output?");
}

/// The weights of one layer in both sentences, as they are at their places.
void build(Lab& lab, const Evidence& evidence) {
  lab.section("build", "one layer, no mask, no encoding");
  lab.say(
      "Weights are what comes out when the identity goes in as V. Row: who looks; column: at "
      "whom.");
  for (const auto* sentence : {&kDogBitesMan, &kManBitesDog}) {
    std::vector<std::string> words;
    for (const std::size_t word : *sentence) words.push_back(kWords[word]);
    const xt::xarray<double> weights =
        read_sentence(*sentence, {}, 1, lab.options().seed, evidence).weights[0];
    std::vector<std::vector<std::string>> rows = {{""}};
    rows[0].insert(rows[0].end(), words.begin(), words.end());
    for (std::size_t i = 0; i < words.size(); ++i) {
      rows.push_back({words[i]});
      for (std::size_t j = 0; j < words.size(); ++j)
        rows.back().push_back(fmt::format("{:.4f}", weights(i, j)));
    }
    lab.show(table(rows));
  }
  lab.say("Find the weight of dog on bites in both tables, then that of bites on man.");
}

void check_functions(Lab& lab) {
  lab.section("check", "is it attention, and is it blind to order?");
  print_checks(lab, prove(::attention, ::permute, lab.options().seed), kCauses);
  const Equivariance causal = equivariance(::attention, ::permute, true, lab.options().seed);
  constexpr const char* kOrders =
      "under a causal mask f(Px) = P f(x) fails for each of the 119 orders";
  lab.check(kOrders, causal.least > 1e-3 && std::isfinite(causal.most),
            fmt::format("the difference is {:.2g} to {:.2g}", causal.least, causal.most),
            cause_of(kOrders, kCauses));
}

void experiment(Lab& lab, const Evidence& evidence) {
  const std::size_t draws = lab.full() ? 30 : 3;
  lab.section("experiment", "mask, depth and position");
  lab.say(
      "Weights and word vectors are random here: what you see belongs to the shape of the "
      "computation, not to anything learned. {} draws of them, seeds {} to {}.",
      draws, lab.options().seed, lab.options().seed + draws - 1);
  lab.figure(depth_figure(evidence, lab.options().seed, draws));
}

void explain(Lab& lab) {
  lab.section("explain", "answer from the figures");
  lab.say(
      "Without any encoding one causal layer gives the full stop the same output in both "
      "sentences, and two causal layers do not. Both see the same four words. What is in the "
      "second layer's input that is not in the first one's? Look at lab00-depth, and at the panels "
      "of layer 1 under a causal mask in lab00-pair-weights: whom does dog see in each sentence? "
      "The full stop, which is not drawn, sees all words in both.");
}

void run(Lab& lab) {
  predict(lab);
  if (!lab.check_usable("attention and permute give finite numbers in the right shapes",
                        [] { return unusable(::attention, ::permute); }))
    return;
  const Evidence evidence = {.attend = ::attention};
  build(lab, evidence);
  check_functions(lab);
  if (!lab.goes_on()) return;
  lab.section("look", "the two sentences, and all orders of five words");
  lab.figure(pair_weights_figure(evidence, lab.options().seed));
  lab.figure(shuffles_figure(evidence, lab.options().seed));
  experiment(lab, evidence);
  lab.audit(evidence);
  explain(lab);
}

}  // namespace
}  // namespace phasor::lab00

int main(int argc, char** argv) {
  return phasor::run_lab(
      {"lab00_order", "Does attention see order?",
       "Write attention, prove that it is blind to order, and find what is not."},
      argc, argv, {}, phasor::lab00::run);
}
