// A scheme that the library does not have, added by somebody else, as position/README.md says: it
// then trains, generates and is refused options like any other.
#include "phasor/model/generate.hpp"
#include "phasor/ops/ops.hpp"
#include "phasor/train/run.hpp"
#include "tests/core/expect_error.hpp"
#include "tests/real_test.hpp"
#include "tests/train/tiny_run.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

/// logits - strength * sqrt(|rel|).
class RootBias : public BiasScheme {
 public:
  explicit RootBias(double strength)
      : strength_(add_parameter("strength", full({1}, static_cast<Real>(strength)))) {}

  Var bias(const Context& context) const override {
    Tensor roots = empty({1, context.queries.size(), context.keys.size()});
    Real* out = roots.data();
    for (const double query : context.queries)
      for (const double key : context.keys)
        *out++ = static_cast<Real>(-std::sqrt(std::abs(query - key)));
    return mul(Var(roots), strength_);
  }

  Traits traits() const override {
    Traits traits;
    traits.is_relative = true;
    traits.bias_ignores_content = true;
    traits.parameter_count = 1;
    return traits;
  }

 private:
  Var& strength_;
};

SchemeEntry root_bias() {
  return {.name = "root_bias",
          .kind = "bias",
          .summary = "logits fall with the square root of distance",
          .paper = "nobody, nowhere",
          .equation = "-",
          .options = {{"strength", NumberOption{0.5, 0, 10}, "of the fall"}},
          .make = [](const SchemeSizes&, const Options& options, Rng&) {
            return std::make_unique<RootBias>(options.number("strength"));
          }};
}

REAL_TEST(OutsideScheme, is_a_scheme_like_any_other) {
  add_scheme(root_bias());
  const auto folder = scratch_folder();
  RunConfig config = tiny_run("root_bias");
  config.model.options = {{"strength", "2"}};
  run_in(folder / "run", config);
  const auto trained = load_run(folder / "run");
  EXPECT_EQ(trained.model->parameter_count(), [&] {
    GptConfig none = trained.config.model;
    none.scheme = "none";
    none.options = {};
    Rng rng(1);
    return Gpt(none, rng).parameter_count() + 1;
  }());
  EXPECT_EQ(generate(*trained.model, {1, 2, 3}, 20, {.beyond_context = true}).size(), 20U);
  Rng rng(1);
  expect_error<ConfigError>(
      [&] {
        make_scheme("root_bias", {{"slope", "1"}}, config.model.sizes(), rng);
      },
      {"[root_bias] has no option 'slope'", "strength"});
  expect_error<ConfigError>([] { add_scheme(root_bias()); }, {"root_bias", "already"});
  remove_scheme("root_bias");
  expect_error<ConfigError>([] { find_scheme("root_bias"); }, {"unknown scheme"});
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
