// What schemes say they add to the logits must be what they add, and attention that relies on it
// must give what attention through all hooks gives.
#include <set>

#include "phasor/position/dropped.hpp"
#include "tests/ops/attention_cases.hpp"
#include "tests/position/hooks.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

/// Where queries and keys stand; queries are the last T.
struct Place {
  const char* name;
  Positions keys;
  std::size_t T;
  bool causal = true;
};

std::vector<Place> places() {
  return {{"from 0", consecutive_positions(7), 7},
          {"from 5", consecutive_positions(7, 5), 7},
          {"from 5, cached keys", consecutive_positions(7, 5), 3},
          {"one query", consecutive_positions(7), 1},
          {"one query, one key", consecutive_positions(1, 6), 1},
          {"forty", consecutive_positions(40), 40},
          {"with gaps", {0, 2, 5, 9}, 4},
          {"with gaps, cached keys", {0, 2, 5, 9}, 2},
          {"gaps among the cached keys alone", {0, 2, 3, 4, 5}, 3},
          {"from 0, unmasked", consecutive_positions(7), 7, false},
          {"with gaps, unmasked", {0, 2, 5, 9}, 3, false}};
}

/// The bias of both forms and of none as [H, T, S].
Tensor spread_out(const Var& bias, std::size_t T, std::size_t S) {
  if (!bias) return zeros({kH, T, S});
  return bias.rank() == 2 ? spread(bias, T).value() : bias.value();
}

/// The largest |score(logits) - (logits + bias)| of the pairs that are seen, nothing where no bias
/// is known; and whether mix leaves what it is given.
std::optional<double> difference_at(const Place& place, const Scheme& scheme,
                                    const std::string& name) {
  const std::size_t S = place.keys.size(), T = place.T;
  const Positions queries = last_positions(place.keys, T);
  const Context context{queries, place.keys, Real(0.5), place.causal, Var(normal({kB, S, kC}, 9))};
  const std::optional<Var> bias = scheme.added_bias(context);
  if (!bias) return std::nullopt;
  const Tensor added = spread_out(*bias, T, S);
  EXPECT_EQ(shape_of(added), (Shape{kH, T, S})) << name << ", " << place.name;
  const Var q(normal({kB, kH, T, kD}, 2)), k(normal({kB, kH, S, kD}, 3));
  const Var logits(normal({kB, kH, T, S}, 4)), out(normal({kB, kH, T, kD}, 5));
  const Tensor scored = scheme.score(logits, q, k, context).value();
  double largest = 0;
  for (std::size_t b = 0; b < kB; ++b)
    for (std::size_t h = 0; h < kH; ++h)
      for (std::size_t t = 0; t < T; ++t)
        for (std::size_t s = 0; s < (place.causal ? S - T + t + 1 : S); ++s) {
          const Real wanted = logits.value()(b, h, t, s) + added(h, t, s);
          largest = larger(largest, std::abs(static_cast<double>(scored(b, h, t, s) - wanted)));
        }
  EXPECT_TRUE(identical(scheme.mix(out, softmax(logits), context).value(), out.value())) << name;
  return largest;
}

/// Only a network of distances may round otherwise for seven of them than for thirteen, where BLAS
/// multiplies; through panels it does not.
double bound(const std::string& scheme) { return scheme == "dynamic_bias" ? 100 * kEpsilon : 0; }

REAL_TEST(AddedBias, is_what_score_adds) {
  for (const Variant& variant : variants()) {
    const auto scheme = variant.make();
    nudge(*scheme, 0.1);
    scheme->constrain();
    for (const Place& place : places()) {
      if (!place.causal && scheme->traits().causal_only) continue;
      const std::optional<double> difference = difference_at(place, *scheme, variant.name);
      if (!difference) continue;
      EXPECT_LE(*difference, bound(variant.entry->name)) << variant.name << ", " << place.name;
    }
  }
  for (const double temperature : {0.0, 0.5})
    for (const Place& place : places())
      EXPECT_EQ(difference_at(place, *dropped_positions(temperature, 4), "dropped"), 0.0);
}

REAL_TEST(AddedBias, is_unknown_to_schemes_that_read_content_alone) {
  const std::set<std::string> wanted{"shaw", "transformer_xl", "deberta", "cope", "forgetting"};
  for (const Variant& variant : variants()) {
    const auto scheme = variant.make();
    for (const Place& place : places()) {
      if (!place.causal && scheme->traits().causal_only) continue;
      const Positions queries = last_positions(place.keys, place.T);
      const Context context{queries, place.keys, 1, place.causal};
      EXPECT_EQ(!scheme->added_bias(context), wanted.contains(variant.entry->name))
          << variant.name << ", " << place.name;
    }
    // Who has parts that attention does not know must not hide them.
    if (!scheme->traits().bias_ignores_content) {
      EXPECT_TRUE(wanted.contains(variant.entry->name)) << variant.name;
    }
  }
}

/// "[H, S]" is said where it holds, and the table is printed.
REAL_TEST(AddedBias, is_by_distance_where_positions_are_consecutive) {
  const std::set<std::string> by_distance{"alibi", "t5_bias", "kerple_log", "sandwich",
                                          "dynamic_bias"};
  for (const SchemeEntry& entry : schemes()) {
    Rng rng(1);
    const auto scheme = make_scheme(entry.name, {}, {kC, kH, kContext}, rng);
    std::string printed = "-";
    for (const Place& place : places()) {
      if (!place.causal && scheme->traits().causal_only) continue;
      const Positions queries = last_positions(place.keys, place.T);
      const std::optional<Var> bias = scheme->added_bias({queries, place.keys, 1, place.causal});
      if (!bias || !*bias) {
        printed = bias ? "nothing" : "unknown";
        EXPECT_FALSE(by_distance.contains(entry.name)) << entry.name;
        continue;
      }
      const std::string name = place.name;
      const bool consecutive = place.causal && name.find("gaps") == name.npos;
      const bool wanted = consecutive && by_distance.contains(entry.name);
      EXPECT_EQ(bias->rank(), wanted ? 2U : 3U) << entry.name << ", " << name;
      printed = by_distance.contains(entry.name) ? "[H, S]" : "[H, T, S]";
    }
    std::printf("  %-16s %s\n", entry.name.c_str(), printed.c_str());
  }
}

/// A bias that is trained gets the same gradient by either form.
REAL_TEST(AddedBias, has_the_gradient_of_the_score) {
  for (const SchemeEntry& entry : schemes())
    for (const Place& place : places()) {
      Rng rng(1);
      const auto scheme = make_scheme(entry.name, {}, {kC, kH, kContext}, rng);
      nudge(*scheme, 0.1);
      const Positions queries = last_positions(place.keys, place.T);
      const Context context{queries, place.keys, Real(0.5), place.causal};
      if (!place.causal && scheme->traits().causal_only) continue;
      const std::optional<Var> bias = scheme->added_bias(context);
      if (!bias || !*bias || !bias->requires_grad()) continue;
      const std::size_t T = place.T, S = place.keys.size();
      const Var q(normal({kB, kH, T, kD}, 2)), k(normal({kB, kH, S, kD}, 3));
      const Var v(normal({kB, kH, S, kD}, 4));
      const Tensor dy = normal({kB, kH, T, kD}, 5);
      const auto gradients = [&](const Var& out) {
        std::vector<Tensor> all;
        for (NamedParameter& parameter : scheme->parameters()) parameter.value.clear_grad();
        backward(out, dy);
        for (const NamedParameter& parameter : scheme->parameters())
          all.push_back(parameter.value.grad());
        return all;
      };
      const AttentionOptions options{Real(0.5), place.causal};
      const std::vector<Tensor> got = gradients(attention(q, k, v, *bias, options));
      const Var score = scheme->score(Var(zeros({1, kH, T, S})), q, k, context);
      const std::vector<Tensor> wanted =
          gradients(attention(q, k, v, reshape(score, {kH, T, S}), options));
      double largest = 1;  // the size of what goes in; one query with one key gets rounding alone
      for (const Tensor& gradient : wanted) largest = std::max(largest, length(gradient));
      for (std::size_t i = 0; i < got.size(); ++i)  // sums over 80 queries, of chains of 3 products
        EXPECT_LE(largest_difference(got[i], wanted[i]) / largest, 100 * kEpsilon)
            << entry.name << ", " << place.name;
    }
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
