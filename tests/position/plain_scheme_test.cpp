// Schemes made of plain functions: the library's own, written again without it.
#include "phasor/position/plain_scheme.hpp"

#include <cmath>

#include "phasor/position/alibi.hpp"
#include "tests/core/expect_error.hpp"
#include "tests/position/hooks.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

using Numbers = PlainFunctions::Numbers;

// The same sums, angles of order 10 and a logarithm, each rounded once.
constexpr double kSame = sizeof(Real) == 8 ? 1e-13 : 1e-5;

PlainFunctions nothing() {
  return {
      .parameters =
          [](std::size_t heads) {
            return xt::zeros<double>({heads, std::size_t{0}});
          },
      .bias = [](const Numbers&, std::size_t, double) { return 0.0; },
      .bias_slopes = [](const Numbers&, std::size_t, double) { return Numbers::from_shape({0}); },
      .angle = [](std::size_t, std::size_t, double) { return 0.0; },
      .is_relative = true};
}

/// kerple_log, whose parameters are a head's r1 and r2.
PlainFunctions like_kerple() {
  PlainFunctions functions = nothing();
  functions.parameters = [](std::size_t heads) {
    Numbers parameters = xt::zeros<double>({heads, std::size_t{2}});
    for (std::size_t h = 0; h < heads; ++h) {
      parameters(h, 0) = 0.5 + 0.25 * static_cast<double>(h);
      parameters(h, 1) = 1 - 0.125 * static_cast<double>(h);
    }
    return parameters;
  };
  functions.bias = [](const Numbers& p, std::size_t h, double distance) {
    return -p(h, 0) * std::log1p(p(h, 1) * distance);
  };
  functions.bias_slopes = [](const Numbers& p, std::size_t h, double distance) {
    return Numbers{-std::log1p(p(h, 1) * distance), -p(h, 0) * distance / (1 + p(h, 1) * distance)};
  };
  return functions;
}

std::unique_ptr<Scheme> made(const PlainFunctions& functions, SchemeSizes sizes = {kC, kH, 16}) {
  Rng rng(1);
  const SchemeEntry entry = plain_scheme("plain", "made of functions", functions);
  return entry.make(sizes, Options("plain", entry.options, {}), rng);
}

std::unique_ptr<Scheme> library_scheme(const std::string& name) {
  Rng rng(1);
  return make_scheme(name, {}, {kC, kH, 16}, rng);
}

Attended read_by(const Scheme& scheme) {
  return through(scheme, Var(normal({kB, kS, kC})), {0, 1, 2.5, 3, 4.25, 6, 8});
}

REAL_TEST(PlainScheme, without_functions_is_none) {
  EXPECT_EQ(relative_difference(read_by(*made(nothing())).out.value(),
                                read_by(*library_scheme("none")).out.value()),
            0);
}

REAL_TEST(PlainScheme, turns_as_rope_does) {
  PlainFunctions functions = nothing();
  functions.angle = [](std::size_t pair, std::size_t pairs, double position) {
    return position * std::pow(10000, -static_cast<double>(pair) / static_cast<double>(pairs));
  };
  const Attended own = read_by(*made(functions)), rope = read_by(*library_scheme("rope"));
  EXPECT_LE(relative_difference(own.logits.value(), rope.logits.value()), kSame);
  EXPECT_LE(relative_difference(own.out.value(), rope.out.value()), kSame);
}

REAL_TEST(PlainScheme, adds_what_alibi_adds) {
  PlainFunctions functions = nothing();
  const std::vector<double> slopes = alibi_slopes(kH);
  functions.bias = [slopes](const Numbers&, std::size_t head, double distance) {
    return -slopes[head] * distance;
  };
  const Attended own = read_by(*made(functions)), alibi = read_by(*library_scheme("alibi"));
  EXPECT_LE(relative_difference(own.weights.value(), alibi.weights.value()), kSame);
  EXPECT_LE(relative_difference(own.out.value(), alibi.out.value()), kSame);
}

REAL_TEST(PlainScheme, trains_as_kerple_does) {
  const auto own = made(like_kerple());
  const auto kerple = library_scheme("kerple_log");
  const Numbers start = like_kerple().parameters(kH);
  for (NamedParameter parameter : kerple->parameters())
    for (std::size_t h = 0; h < kH; ++h)
      parameter.value.mutable_value()(h) =
          static_cast<Real>(start(h, parameter.path == "r1" ? 0 : 1));
  const auto gradient_of = [](const Scheme& scheme) {
    const Var out = read_by(scheme).out;
    backward(out, normal(out.shape(), 7));
    return scheme.parameters();
  };
  const auto mine = gradient_of(*own), theirs = gradient_of(*kerple);
  ASSERT_EQ(mine.size(), 1u);
  for (std::size_t h = 0; h < kH; ++h)
    for (std::size_t i = 0; i < 2; ++i) {
      const double wanted = static_cast<double>(theirs[i].value.grad()(h));
      // A sum of some hundred products.
      EXPECT_NEAR(static_cast<double>(mine[0].value.grad()(h, i)), wanted,
                  20 * kSame * std::max(1.0, std::abs(wanted)))
          << h << " " << theirs[i].path;
    }
}

REAL_TEST(PlainScheme, says_what_is_wrong_with_a_function) {
  PlainFunctions functions = nothing();
  functions.parameters = [](std::size_t) { return Numbers{1, 2}; };
  expect_error<ConfigError>([&] { made(functions); }, {"[plain]", "[3, N]", "zeros({3, 0})"});
  functions = nothing();
  functions.bias = [](const Numbers&, std::size_t, double distance) {
    return std::log(distance);  // of 0
  };
  expect_error<ConfigError>([&] { read_by(*made(functions)); },
                            {"[plain]", "head 0", "distance 0"});
  functions = nothing();
  functions.angle = [](std::size_t, std::size_t, double) { return std::nan(""); };
  expect_error<ConfigError>([&] { read_by(*made(functions)); }, {"[plain]", "angle of pair 0"});
  functions = like_kerple();
  functions.bias_slopes = nothing().bias_slopes;
  expect_error<ConfigError>(
      [&] {
        const Var out = read_by(*made(functions)).out;
        backward(out, normal(out.shape(), 7));
      },
      {"[plain]", "bias_slopes must be [2]"});
  expect_error<ConfigError>([] { made(nothing(), {9, 3, 16}); }, {"[plain]", "even"});
}

REAL_TEST(PlainScheme, asks_for_no_bias_of_the_future) {
  PlainFunctions functions = nothing();
  double least = 0;
  functions.bias = [&least](const Numbers&, std::size_t, double distance) {
    least = std::min(least, distance);
    return -distance;
  };
  read_by(*made(functions));
  EXPECT_EQ(least, 0);
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
