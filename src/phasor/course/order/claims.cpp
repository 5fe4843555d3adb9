// What texts say of attention and word order. Statements hold for any weights or for none, so each
// is measured on five draws; what a mask or an encoding changes is far above rounding in all.
#include <fmt/format.h>

#include <algorithm>

#include "phasor/analysis/spread.hpp"
#include "phasor/core/larger.hpp"
#include "phasor/course/order/word_order.hpp"
#include "phasor/course/topics.hpp"

namespace phasor {
namespace {

constexpr std::uint64_t kDraws = 5;

/// Sums of at most 16 terms of size 1 to 10, through at most two layers: some ten roundings of
/// 1e-16 each. Nothing that depends on the order comes near it.
constexpr double kSame = 1e-13;
/// A difference that a model can use: a thousandth of what is compared.
constexpr double kSeen = 1e-3;

template <class Measure>
Spread over_draws(Measure measure) {
  std::vector<double> values;
  for (std::uint64_t seed = 1; seed <= kDraws; ++seed) values.push_back(measure(seed));
  return spread_of(values);
}

/// The largest value of one member over all shuffles and draws, and the least over those shuffles
/// that move something.
Spread of_shuffles(bool causal, double Shuffle::*member, const Evidence& evidence) {
  std::vector<double> values;
  for (std::uint64_t seed = 1; seed <= kDraws; ++seed)
    for (const Shuffle& shuffle : all_shuffles(causal, seed, evidence))
      if (shuffle.moved > 0) values.push_back(shuffle.*member);
  return spread_of(values);
}

Finding equivariant(const Evidence& evidence) {
  const Spread open = of_shuffles(false, &Shuffle::equivariant, evidence);
  const Spread causal = of_shuffles(true, &Shuffle::equivariant, evidence);
  return {open.most <= kSame ? Verdict::kHolds : Verdict::kFails,
          fmt::format("Over all 120 orders of five words and {} draws of the weights the largest "
                      "|f(Px) - P f(x)| is {:.1e}. It takes attention without a mask: under a "
                      "causal one it is at least {:.2g} for every order that moves a word.",
                      kDraws, open.most, causal.least),
          {{"unmasked", open.most}, {"causal, least", causal.least}}};
}

Finding invariant(const Evidence& evidence) {
  const Spread raw = of_shuffles(false, &Shuffle::invariant, evidence);
  const Spread pooled = of_shuffles(false, &Shuffle::pooled, evidence);
  const Spread causal = of_shuffles(true, &Shuffle::pooled, evidence);
  // Written so that what is no number fails.
  const Verdict verdict = !(pooled.most <= kSame) ? Verdict::kFails
                          : !(raw.most <= kSeen)  ? Verdict::kHoldsIf
                                                  : Verdict::kHolds;
  const std::string rest = fmt::format(
      "the mean of the outputs moves by at most {:.1e} when the words are shuffled, the outputs "
      "themselves by {:.2g} to {:.2g}, because they are shuffled along. With a causal mask the "
      "mean moves too, by up to {:.2g}.",
      pooled.most, raw.least, raw.most, causal.most);
  return {
      verdict,
      conditional(verdict, "the outputs are pooled and there is no mask", rest),
      {{"outputs, least", raw.least}, {"pooled", pooled.most}, {"pooled, causal", causal.most}}};
}

Finding same_weights(const Evidence& evidence) {
  const auto differences = [&](const Condition& condition, std::size_t layer) {
    return over_draws(
        [&](std::uint64_t seed) { return weight_difference(condition, layer, seed, evidence); });
  };
  const Spread first = differences({false, false}, 0), second = differences({false, false}, 1);
  const Spread causal = differences({true, false}, 0), encoded = differences({false, true}, 0);
  const double plain = larger(first.most, second.most);
  const Verdict verdict = !(plain <= kSame)                               ? Verdict::kFails
                          : !(larger(causal.most, encoded.most) <= kSeen) ? Verdict::kHoldsIf
                                                                          : Verdict::kHolds;
  const std::string rest = fmt::format(
      "without both, the weights between dog, bites and man differ by at most {:.1e} between the "
      "sentences, in the first layer and in the second. With a causal mask one of them differs by "
      "{:.2g} to {:.2g}, with an encoding by {:.2g} to {:.2g}.",
      plain, causal.least, causal.most, encoded.least, encoded.most);
  return {verdict,
          conditional(verdict, "there is neither a mask nor an encoding", rest),
          {{"plain", plain}, {"causal, least", causal.least}, {"encoded, least", encoded.least}}};
}

Finding blind(const Evidence& evidence) {
  const auto differences = [&](bool causal, std::size_t layers) {
    return over_draws([&](std::uint64_t seed) {
      return last_word_difference({causal, false}, layers, seed, evidence);
    });
  };
  const Spread open = differences(false, 2), one = differences(true, 1);
  const Spread two = differences(true, 2);
  const double same = larger(open.most, one.most);
  const Verdict verdict = !(same <= kSame)       ? Verdict::kFails
                          : !(two.most <= kSeen) ? Verdict::kHoldsIf
                                                 : Verdict::kHolds;
  const std::string rest = fmt::format(
      "the output at the full stop differs by {:.1e} between the two sentences. Two causal "
      "layers, as in a GPT, tell them apart without any encoding: by {:.2g} to {:.2g} of its "
      "length.",
      same, two.least, two.most);
  return {verdict,
          conditional(verdict, "there is no mask, or only one causal layer", rest),
          {{"unmasked, two layers", open.most},
           {"causal, one layer", one.most},
           {"causal, two layers, least", two.least}}};
}

Finding copies(const Evidence& evidence) {
  const auto differences = [&](bool causal) {
    return over_draws([&](std::uint64_t seed) {
      return copies_difference({causal, false}, 1, seed, evidence);
    });
  };
  const Spread open = differences(false), causal = differences(true);
  const Verdict verdict = !(open.most <= kSame)     ? Verdict::kFails
                          : !(causal.most <= kSeen) ? Verdict::kHoldsIf
                                                    : Verdict::kHolds;
  const std::string rest = fmt::format(
      "without a mask the outputs at both dogs of \"dog bites dog\" differ by {:.2g}. Under a "
      "causal mask they see different words and differ after one layer by {:.2g} to {:.2g} of "
      "their length.",
      open.most, causal.least, causal.most);
  return {verdict,
          conditional(verdict, "there is no mask", rest),
          {{"unmasked", open.most}, {"causal, least", causal.least}}};
}

Finding position_added(const Evidence& evidence) {
  const Spread weights = over_draws([&](std::uint64_t seed) {
    return weight_difference({false, true}, 0, seed, evidence);
  });
  const Spread last = over_draws([&](std::uint64_t seed) {
    return last_word_difference({false, true}, 1, seed, evidence);
  });
  const Spread copy = over_draws([&](std::uint64_t seed) {
    return copies_difference({false, true}, 1, seed, evidence);
  });
  const double least = smaller(weights.least, smaller(last.least, copy.least));
  return {least > kSeen ? Verdict::kHolds : Verdict::kFails,
          fmt::format("One layer without a mask: with the encoding added, a pair's weight differs "
                      "between the sentences by {:.2g} to {:.2g}, the output at the full stop by "
                      "{:.2g} to {:.2g} of its length, and two dogs in one sentence by {:.2g} to "
                      "{:.2g}.",
                      weights.least, weights.most, last.least, last.most, copy.least, copy.most),
          {{"weights, least", weights.least},
           {"full stop, least", last.least},
           {"copies, least", copy.least}}};
}

Finding recurrent(const Evidence&) {
  const Spread states = over_draws(recurrent_difference);
  return {states.least > kSeen ? Verdict::kHolds : Verdict::kFails,
          fmt::format("A recurrent net with random weights and no encoding ends the two sentences "
                      "in states that differ by {:.2g} to {:.2g} of their length.",
                      states.least, states.most),
          {{"states, least", states.least}}};
}

}  // namespace

std::vector<Claim> order_claims() {
  return {
      {"D4-equivariant", "D4",
       "A plain self-attention layer commutes with shuffling: shuffled words give the same "
       "outputs, shuffled alike.",
       "lab00", "lab00-shuffles", equivariant},
      {"D1-invariant", "D1, D2",
       "Self-attention is invariant: it gives the same whatever the order of its words.", "lab00",
       "lab00-shuffles", invariant},
      {"D1-same-weights", "D1",
       "The attention weights between dog, bites and man are the same in \"dog bites man\" and in "
       "\"man bites dog\".",
       "lab00", "lab00-pair-weights", same_weights},
      {"D1-blind-to-order", "D0, D1, D2",
       "A transformer without a positional encoding is blind to the order of its words.", "lab00",
       "lab00-depth", blind},
      {"D2-places-alike", "D2",
       "A transformer without an encoding cannot tell where one word stands from where another "
       "does: two copies of a word look the same.",
       "lab00", "lab00-depth", copies},
      {"D1-position-added", "D1, D4",
       "Adding a vector for the position makes the same word different in another place, so that "
       "the two sentences come apart.",
       "lab00", "lab00-pair-weights", position_added},
      {"D1-recurrent-order", "D1, D2",
       "A recurrent net needs no positional encoding: order is in the way it computes.", "lab00",
       "lab00-depth", recurrent},
  };
}

}  // namespace phasor
