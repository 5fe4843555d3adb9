#include "phasor/position/none.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

class None : public Scheme {
 public:
  std::optional<Var> added_bias(const Context&) const override { return Var(); }

  Traits traits() const override {
    Traits traits;
    traits.is_relative = true;
    traits.bias_ignores_content = true;
    return traits;
  }
};

}  // namespace

SchemeEntry none() {
  return {
      .name = "none",
      .kind = "none",
      .summary = "nothing is added; order comes from the causal mask alone",
      .paper = "Haviv et al. 2022, arXiv 2203.16634",
      .equation = "-",
      .options = {},
      .make = [](const SchemeSizes&, const Options&, Rng&) { return std::make_unique<None>(); }};
}

}  // namespace phasor::inline PHASOR_PRECISION
