// Every hook of every scheme against differences, by its inputs and by its parameters.
#ifdef PHASOR_DOUBLE
#include <cstdio>

#include "phasor/autograd/gradcheck.hpp"
#include "tests/position/hooks.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

// The project's bound; differences in double are right to about 1e-10 (gradcheck.hpp), and a wrong
// factor or a missing term is off by 1e-2 and more.
constexpr double kBound = 1e-6;

/// gradcheck wants a result that depends on an input: hooks that hand theirs on are no exception.
double error_of(const TensorFunction& f, const std::vector<Shape>& shapes) {
  std::vector<Tensor> inputs;
  for (const Shape& shape : shapes) inputs.push_back(normal(shape, inputs.size() + 1));
  return gradcheck(f, inputs).relative_error;
}

/// The smallest |x| that a relu is given while `f` runs.
double nearest_kink(const std::function<void()>& f) {
  double nearest = 1;
  const ObserveOps observe([&](const Var& result, const std::vector<Var>& inputs) {
    if (std::string(result.name()) != "relu") return;
    for (const Real x : inputs[0].value()) nearest = std::min(nearest, std::abs(x));
  });
  f();
  return nearest;
}

/// The scheme with parameters at which differences mean something: relu has no derivative at 0, nor
/// |c|, and a step of 0.002 in a weight moves what relu gets by 0.016 at distance 8. With a network
/// of three hidden units some draw of its weights keeps away from that.
std::unique_ptr<Scheme> smooth(Variant variant) {
  for (const OptionSpec& spec : variant.entry->options)
    if (spec.name == "hidden") variant.options["hidden"] = "3";
  for (std::uint64_t seed = 1; seed < 2000; ++seed) {
    auto scheme = variant.make();
    nudge(*scheme, 0.1, seed);
    for (NamedParameter parameter : scheme->parameters())
      if (parameter.path == "c") parameter.value.mutable_value().fill(Real(0.3));
    const Var x(normal({kB, kS, kC}));
    if (nearest_kink([&] { through(*scheme, x, uneven_positions(*scheme)); }) > 0.02) return scheme;
  }
  ADD_FAILURE() << variant.name << ": every draw has a relu near its kink";
  return variant.make();
}

REAL_TEST(SchemeGradient, of_every_hook_equals_differences) {
  for (const Variant& variant : variants()) {
    const auto scheme = smooth(variant);
    const Positions keys = uneven_positions(*scheme), queries = last_positions(keys, kT);
    const Context context{queries, keys, Real(0.5), true, Var(normal({kB, kS, kC}, 9))};
    const Shape q{kB, kH, kT, kD}, k{kB, kH, kS, kD}, logits{kB, kH, kT, kS};
    const double embed = error_of(
        [&](const std::vector<Var>& in) { return scheme->embed(in[0], keys); }, {{kB, kS, kC}});
    const double rotate = error_of(
        [&](const std::vector<Var>& in) {
          const QK turned = scheme->rotate(in[0], in[1], context);
          return concatenate({turned.q, turned.k}, 2);
        },
        {q, k});
    const double score = error_of(
        [&](const std::vector<Var>& in) { return scheme->score(in[0], in[1], in[2], context); },
        {logits, q, k});
    const double mix =
        error_of([&](const std::vector<Var>& in) { return scheme->mix(in[0], in[1], context); },
                 {q, logits});
    EXPECT_LE(embed, kBound) << variant.name << ", embed";
    EXPECT_LE(rotate, kBound) << variant.name << ", rotate";
    EXPECT_LE(score, kBound) << variant.name << ", score";
    EXPECT_LE(mix, kBound) << variant.name << ", mix";
    std::printf("  %-32s embed %.0e  rotate %.0e  score %.0e  mix %.0e\n", variant.name.c_str(),
                embed, rotate, score, mix);
  }
}

REAL_TEST(SchemeGradient, through_attention_equals_differences) {
  for (const Variant& variant : variants()) {
    const auto scheme = smooth(variant);
    const Positions positions = uneven_positions(*scheme);
    const Var x(normal({kB, kS, kC}), true);
    const auto out = [&] { return through(*scheme, x, positions).out; };
    const ParameterError worst = check_parameters(*scheme, out);
    EXPECT_LE(worst.relative, kBound) << variant.name << ", " << worst.path;
    const TensorFunction of_x = [&](const std::vector<Var>& in) {
      return through(*scheme, in[0], positions).out;
    };
    EXPECT_LE(gradcheck(of_x, {x.value()}).relative_error, kBound) << variant.name;
  }
}

REAL_TEST(SchemeGradient, reaches_every_parameter) {
  for (const Variant& variant : variants()) {
    const auto scheme = variant.make();
    nudge(*scheme, 0.1);
    const Var out =
        through(*scheme, Var(normal({kB, kS, kC}), true), uneven_positions(*scheme)).out;
    backward(out, normal(out.shape(), 3));
    for (const NamedParameter& parameter : scheme->parameters()) {
      // A constant added to all logits of a head: softmax does not see it.
      if (parameter.path.ends_with("down.bias")) continue;
      ASSERT_TRUE(parameter.value.has_grad()) << variant.name << ", " << parameter.path;
      EXPECT_GT(length(parameter.value.grad()), 1e-6) << variant.name << ", " << parameter.path;
    }
  }
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
#endif
