// What every scheme must hold to, and whether its traits say the truth.
#include <set>

#include "tests/core/expect_error.hpp"
#include "tests/position/hooks.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr bool kIsDouble = sizeof(Real) == 8;
// Sums of 12 products, an angle of up to 10 and a softmax: about 1e-15 and 1e-6 of rounding.
constexpr double kSame = kIsDouble ? 1e-13 : 1e-4;
// What a scheme does to weights of order 0.1 is far above rounding in both precisions.
constexpr double kDifferent = 1e-3;

Var tokens() { return Var(normal({kB, kS, kC})); }

REAL_TEST(Scheme, keeps_shapes) {
  for (const Variant& variant : variants()) {
    const auto scheme = variant.make();
    const Attended attended = through(*scheme, tokens(), uneven_positions(*scheme));
    EXPECT_EQ(attended.logits.shape(), (Shape{kB, kH, kT, kS})) << variant.name;
    EXPECT_EQ(attended.out.shape(), (Shape{kB, kH, kT, kD})) << variant.name;
    for (const Real value : attended.out.value()) EXPECT_TRUE(std::isfinite(value)) << variant.name;
  }
}

/// The weights of the future are exactly zero, so nothing may differ, not by a bit.
REAL_TEST(Scheme, the_future_does_not_reach_the_past) {
  for (const Variant& variant : variants()) {
    const auto scheme = variant.make();
    nudge(*scheme, 0.1);
    const Positions positions = uneven_positions(*scheme);
    const Tensor before = through(*scheme, tokens(), positions).out.value();
    for (std::size_t changed = 0; changed < kS; ++changed) {
      Tensor x = tokens().value();
      for (std::size_t c = 0; c < kC; ++c) x(1, changed, c) += static_cast<Real>(c) - 4;
      const Tensor after = through(*scheme, Var(x), positions).out.value();
      for (std::size_t t = 0; t < kT; ++t) {
        double difference = 0;
        for (std::size_t h = 0; h < kH; ++h)
          for (std::size_t d = 0; d < kD; ++d)
            difference = larger(
                difference, static_cast<double>(std::abs(after(1, h, t, d) - before(1, h, t, d))));
        if (kS - kT + t < changed)
          EXPECT_EQ(difference, 0) << variant.name << ": token " << changed << ", query " << t;
        else
          EXPECT_GT(difference, kDifferent)
              << variant.name << ": token " << changed << ", query " << t;
      }
    }
  }
}

REAL_TEST(Scheme, a_shift_of_all_positions_changes_nothing_if_and_only_if_it_is_relative) {
  for (const Variant& variant : variants()) {
    const auto scheme = variant.make();
    nudge(*scheme, 0.1);
    const Traits traits = scheme->traits();
    const Positions positions = uneven_positions(*scheme);
    const Attended before = through(*scheme, tokens(), positions);
    std::vector<double> shifts{3};
    if (!traits.max_positions) shifts.push_back(traits.whole_positions ? 100 : 100.5);
    double largest = 0;
    for (const double shift : shifts) {
      const Attended after = through(*scheme, tokens(), shifted(positions, shift));
      const double weights = largest_difference(after.weights.value(), before.weights.value());
      const double out = relative_difference(after.out.value(), before.out.value());
      if (traits.is_relative) {
        EXPECT_LE(weights, kSame) << variant.name << ", shift " << shift;
        EXPECT_LE(out, kSame) << variant.name << ", shift " << shift;
      }
      largest = larger(largest, std::min(weights, out));
    }
    // One that looks at lengths, such as fire beyond its threshold, may not notice a small shift.
    if (!traits.is_relative) {
      EXPECT_GT(largest, kDifferent) << variant.name;
    }
  }
}

/// Where tokens stand must be nothing to `none`, nor to schemes in which the content counts.
REAL_TEST(Scheme, distances_matter_to_all_but_none_and_content) {
  for (const Variant& variant : variants()) {
    const auto scheme = variant.make();
    nudge(*scheme, 0.1);
    const auto weights = [&](const Positions& positions) {
      return Tensor(through(*scheme, tokens(), positions).weights.value());
    };
    const double difference =
        largest_difference(weights({0, 1, 2, 3, 4, 5, 6}), weights({0, 2, 4, 6, 8, 10, 12}));
    if (variant.entry->kind == "none" || variant.entry->kind == "content")
      EXPECT_EQ(difference, 0) << variant.name;
    else
      EXPECT_GT(difference, kDifferent) << variant.name;
  }
}

REAL_TEST(Scheme, positions_end_where_max_positions_says) {
  for (const Variant& variant : variants()) {
    const auto scheme = variant.make();
    const auto limit = scheme->traits().max_positions;
    const auto at = [&](double last) {
      return through(*scheme, tokens(), consecutive_positions(kS, last - kS + 1)).out;
    };
    if (!limit) {
      const bool whole = scheme->traits().whole_positions;
      for (const double last : {whole ? 6 : 0.5, whole ? 1234 : 1234.25, 1e6})
        for (const Var out = at(last); const Real value : out.value())
          EXPECT_TRUE(std::isfinite(value)) << variant.name << " at " << last;
      continue;
    }
    const auto rows = static_cast<double>(*limit);
    EXPECT_NO_THROW(at(rows - 1)) << variant.name;
    const std::initializer_list<std::string> parts{"[" + variant.entry->name + "]",
                                                   std::to_string(*limit)};
    expect_error<PositionError>([&] { at(rows); }, parts);
    expect_error<PositionError>([&] { at(rows + 1e9); }, parts);
    expect_error<PositionError>([&] { at(kS - 2); }, parts);  // the first stands at -1
    expect_error<PositionError>([&] { at(rows - 1.5); }, parts);
    expect_error<PositionError>([&] { at(std::nan("")); }, parts);
  }
}

REAL_TEST(Scheme, kind_says_which_hooks_act) {
  for (const Variant& variant : variants()) {
    const auto scheme = variant.make();
    nudge(*scheme, 0.1);
    const Positions keys = uneven_positions(*scheme), queries = last_positions(keys, kT);
    const Context context{queries, keys, Real(0.5), true, Var(normal({kB, kS, kC}, 9))};
    const Var x = tokens(), q(normal({kB, kH, kT, kD}, 2)), k(normal({kB, kH, kS, kD}, 3));
    const Var logits(normal({kB, kH, kT, kS}, 4));
    const QK turned = scheme->rotate(q, k, context);
    const bool embeds = !identical(scheme->embed(x, keys).value(), x.value());
    const bool rotates = !identical(turned.q.value(), q.value());
    const bool scores = !identical(scheme->score(logits, q, k, context).value(), logits.value());
    EXPECT_EQ(rotates, !identical(turned.k.value(), k.value())) << variant.name;
    const std::string& kind = variant.entry->kind;
    const std::set<std::string> in_score{"bias", "relative", "content"};
    EXPECT_TRUE(in_score.contains(kind) ||
                (std::set<std::string>{"none", "additive", "rotation"}.contains(kind)));
    EXPECT_EQ(embeds, kind == "additive") << variant.name;
    EXPECT_EQ(rotates, kind == "rotation") << variant.name;
    EXPECT_EQ(scores, in_score.contains(kind)) << variant.name;
  }
}

REAL_TEST(Scheme, traits_count_the_parameters) {
  for (const Variant& variant : variants())
    for (const SchemeSizes sizes : {SchemeSizes{kC, kH, kContext}, SchemeSizes{24, 6, 9}}) {
      const auto scheme = variant.make(sizes);
      EXPECT_EQ(scheme->traits().parameter_count, scheme->parameter_count()) << variant.name;
      const bool is_table = variant.entry->name == "learned";  // rows times width
      if (is_table) {
        EXPECT_EQ(scheme->parameter_count(), sizes.context * sizes.width);
      }
    }
}

REAL_TEST(Scheme, traits_say_whether_the_bias_reads_content) {
  for (const Variant& variant : variants()) {
    const auto scheme = variant.make();
    nudge(*scheme, 0.1);
    const Positions keys = uneven_positions(*scheme), queries = last_positions(keys, kT);
    const auto bias = [&](std::uint64_t seed) {
      const Var inputs(normal({kB, kS, kC}, seed + 2));
      const Context context{queries, keys, Real(0.5), true, inputs};
      return Tensor(scheme
                        ->score(Var(zeros({kB, kH, kT, kS})), Var(normal({kB, kH, kT, kD}, seed)),
                                Var(normal({kB, kH, kS, kD}, seed + 1)), context)
                        .value());
    };
    EXPECT_EQ(identical(bias(5), bias(50)), scheme->traits().bias_ignores_content) << variant.name;
  }
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
