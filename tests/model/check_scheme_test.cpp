// The checks that a new scheme goes through: all of the library's pass, and typical mistakes fail.
#include "phasor/model/check_scheme.hpp"

#include <cmath>

#include "phasor/ops/ops.hpp"
#include "phasor/position/plain_scheme.hpp"
#include "tests/core/expect_error.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

using Numbers = PlainFunctions::Numbers;

std::vector<std::string> failed_of(const std::string& name) {
  std::vector<std::string> failed;
  for (const SchemeCheck& check : check_scheme(name))
    if (!check.passed()) failed.push_back(check.what);
  return failed;
}

REAL_TEST(CheckScheme, all_of_the_library_pass) {
  for (const SchemeEntry& entry : schemes())
    for (const SchemeCheck& check : check_scheme(entry.name))
      EXPECT_TRUE(check.passed()) << entry.name << ": " << check.what << ": " << check.measured
                                  << " above " << check.tolerance << " " << check.problem;
}

REAL_TEST(CheckScheme, looks_at_what_a_scheme_says_of_itself) {
  const auto names = [](const std::string& scheme) {
    std::string all;
    for (const SchemeCheck& check : check_scheme(scheme)) all += check.what + "; ";
    return all;
  };
  EXPECT_NE(names("rope").find("shift"), std::string::npos);
  EXPECT_EQ(names("sinusoidal").find("shift"), std::string::npos);
  EXPECT_NE(names("learned").find("refused"), std::string::npos);
  EXPECT_NE(names("t5_bias").find("slopes of the loss"), std::string::npos);
  EXPECT_EQ(names("alibi").find("slopes of the loss"), std::string::npos);
  expect_error<ConfigError>([] { check_scheme("nothing"); }, {"unknown scheme"});
  expect_error<ConfigError>([] { check_scheme("rope", {{"slope", "1"}}); }, {"slope"});
}

/// A scheme with a mistake, in the table for as long as it lives.
class WithScheme {
 public:
  explicit WithScheme(SchemeEntry entry) : name_(entry.name) { add_scheme(std::move(entry)); }
  ~WithScheme() { remove_scheme(name_); }
  WithScheme(const WithScheme&) = delete;
  WithScheme& operator=(const WithScheme&) = delete;

 private:
  std::string name_;
};

/// bias = -p distance for one parameter a head, and no rotation.
PlainFunctions sound() {
  return {.parameters =
              [](std::size_t heads) {
                return xt::ones<double>({heads, std::size_t{1}});
              },
          .bias = [](const Numbers& p, std::size_t h,
                     double distance) { return -0.3 * p(h, 0) * distance; },
          .bias_slopes = [](const Numbers&, std::size_t,
                            double distance) { return Numbers{-0.3 * distance}; },
          .angle = [](std::size_t pair, std::size_t,
                      double position) { return position / static_cast<double>(1 + pair); },
          .is_relative = true};
}

std::vector<std::string> failed_with(const PlainFunctions& functions) {
  const WithScheme scheme(plain_scheme("candidate", "on trial", functions));
  return failed_of("candidate");
}

REAL_TEST(CheckScheme, typical_mistakes_of_a_learner_fail) {
  EXPECT_TRUE(failed_with(sound()).empty());
  PlainFunctions functions = sound();
  functions.angle = [](std::size_t, std::size_t, double position) { return position * position; };
  EXPECT_EQ(failed_with(functions),
            std::vector<std::string>{"a common shift of all positions changes nothing"});
  functions.is_relative = false;  // said openly, it is no mistake
  EXPECT_TRUE(failed_with(functions).empty());

  const std::vector<std::string> slopes{"gradients are the slopes of the loss"};
  functions = sound();
  functions.bias_slopes = [](const Numbers&, std::size_t, double distance) {
    return Numbers{0.3 * distance};  // the sign
  };
  EXPECT_EQ(failed_with(functions), slopes);
  functions.bias_slopes = [](const Numbers&, std::size_t, double) { return Numbers{0.0}; };
  EXPECT_EQ(failed_with(functions), slopes);
  functions.bias_slopes = [](const Numbers&, std::size_t head, double distance) {
    return Numbers{head == 0 ? 0 : -0.3 * distance};  // one head forgotten
  };
  EXPECT_EQ(failed_with(functions), slopes);

  functions = sound();
  functions.bias = [](const Numbers&, std::size_t, double distance) {
    return -std::log(distance);  // of 0 at the token itself
  };
  EXPECT_GE(failed_with(functions).size(), 4u);
  functions = sound();
  functions.bias = [calls = 0](const Numbers&, std::size_t, double) mutable {
    return 0.1 * ++calls;  // not a function of its arguments
  };
  const std::vector<std::string> failed = failed_with(functions);
  EXPECT_NE(
      std::find(failed.begin(), failed.end(), "a short text after a long one is read as before"),
      failed.end());
}

/// A bias that looks at the place in the sequence instead of the position, or at the future, and
/// traits that lie.
class Wrong : public BiasScheme {
 public:
  enum class Mistake { by_place, miscounted, endless_table };
  explicit Wrong(Mistake mistake) : mistake_(mistake) {}

  Var bias(const Context& context) const override {
    const std::size_t T = context.queries.size(), S = context.keys.size();
    Tensor result = zeros({1, T, S});
    for (std::size_t t = 0; t < T; ++t)
      for (std::size_t s = 0; s < S; ++s)
        if (mistake_ == Mistake::by_place)  // rows counted from 0, cache or not
          result(0, t, s) = -static_cast<Real>(t > s ? t - s : s - t) / 2;
    return Var(result);
  }

  Traits traits() const override {
    Traits traits;
    traits.bias_ignores_content = true;
    if (mistake_ == Mistake::miscounted) traits.parameter_count = 3;
    if (mistake_ == Mistake::endless_table) traits.max_positions = 16;
    return traits;
  }

 private:
  Mistake mistake_;
};

std::vector<std::string> failed_with(Wrong::Mistake mistake) {
  SchemeEntry entry{.name = "candidate",
                    .kind = "bias",
                    .summary = "",
                    .paper = "-",
                    .equation = "-",
                    .options = {},
                    .make = [mistake](const SchemeSizes&, const Options&, Rng&) {
                      return std::make_unique<Wrong>(mistake);
                    }};
  const WithScheme scheme(entry);
  return failed_of("candidate");
}

REAL_TEST(CheckScheme, typical_mistakes_in_a_class_fail) {
  EXPECT_EQ(failed_with(Wrong::Mistake::by_place),
            std::vector<std::string>{"one character at a time equals all at once"});
  EXPECT_EQ(failed_with(Wrong::Mistake::miscounted),
            std::vector<std::string>{"the traits count the parameters"});
  EXPECT_EQ(failed_with(Wrong::Mistake::endless_table),
            std::vector<std::string>{"positions beyond its last are refused"});
}

/// Lets every token see the mean of all inputs, those to come too.
class Seer : public Scheme {
 public:
  Var embed(const Var& x, const Positions&) const override {
    const Var all = mean(x, 1);  // [B, C]
    return add(x, reshape(all, {x.shape()[0], 1, x.shape()[2]}));
  }
  Traits traits() const override { return {}; }
};

REAL_TEST(CheckScheme, a_look_into_the_future_fails) {
  SchemeEntry entry{
      .name = "seer",
      .kind = "additive",
      .summary = "",
      .paper = "-",
      .equation = "-",
      .options = {},
      .make = [](const SchemeSizes&, const Options&, Rng&) { return std::make_unique<Seer>(); }};
  const WithScheme scheme(entry);
  const std::vector<std::string> failed = failed_of("seer");
  EXPECT_NE(std::find(failed.begin(), failed.end(), "a later character changes no earlier logit"),
            failed.end());
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
