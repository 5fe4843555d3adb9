#include "phasor/position/rope.hpp"

#include <algorithm>

#include "phasor/core/error.hpp"
#include "phasor/position/rope_scaling.hpp"
#include "phasor/position/rotation.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

class Rope : public RotationScheme {
 public:
  Rope(double base, const Pairing& pairing, const RopeScaling& scaling)
      : base_(base), pairing_(pairing), scaling_(scaling) {}

  QK rotate(const Var& q, const Var& k, const Context& context) const override {
    const std::vector<double> turns = frequencies(context.keys);
    return {rotate_pairs(q, context.queries, turns, pairing_, factor()),
            rotate_pairs(k, context.keys, turns, pairing_, factor())};
  }

  std::vector<double> frequencies(const Positions& keys) const override {
    const double length = keys.empty() ? 0 : *std::max_element(keys.begin(), keys.end()) + 1;
    return scaling_.frequencies(base_, 2 * pairing_.pairs, length);
  }

  double factor() const override { return scaling_.attention_factor; }

  Traits traits() const override {
    Traits traits;
    // The angles of dynamic_ntk depend on where the text ends.
    traits.is_relative = scaling_.kind != RopeScaling::Kind::dynamic_ntk;
    traits.bias_ignores_content = true;
    traits.can_be_dropped = true;
    return traits;
  }

  std::vector<Fact> facts() const override {
    const std::size_t R = 2 * pairing_.pairs;
    const double L = scaling_.trained_length;
    std::vector<double> left = scaling_.frequencies(base_, R, 2 * L);
    const std::vector<double> trained = rotation_frequencies(base_, R);
    for (std::size_t c = 0; c < left.size(); ++c) left[c] /= trained[c];
    std::vector<Fact> facts = {{"trained length L", {L}}};
    if (scaling_.changes_base()) {
      facts.push_back({"the base is stretched by s, at L and at 2 L",
                       {scaling_.stretch(L), scaling_.stretch(2 * L)}});
      facts.push_back(
          {"base at L and at 2 L", {scaling_.base(base_, R, L), scaling_.base(base_, R, 2 * L)}});
    }
    facts.push_back({"factor on cos and sin, and on logits", {factor(), factor() * factor()}});
    facts.push_back({"speed at 2 L, as a share of the trained one", left});
    if (scaling_.kind == RopeScaling::Kind::yarn || scaling_.kind == RopeScaling::Kind::llama3)
      facts.push_back({"k, 1: as trained, 0: divided by s", scaling_.original_share(base_, R)});
    return facts;
  }

 private:
  double base_;
  Pairing pairing_;
  RopeScaling scaling_;
};

std::unique_ptr<Scheme> make(const SchemeSizes& sizes, const Options& options, Rng&) {
  const std::size_t D = sizes.head_width();
  const double fraction = options.number("fraction");
  const Pairing pairing{static_cast<std::size_t>(fraction * static_cast<double>(D) / 2),
                        options.choice("pairing") == "interleaved"};
  check_even_head_width("rope", D);
  check<ConfigError>(pairing.pairs > 0,
                     "[rope] fraction {} of head_dim {} leaves no pair to rotate; choose a larger "
                     "--fraction",
                     fraction, D);
  return std::make_unique<Rope>(options.number("base"), pairing,
                                rope_scaling("rope", options, 2 * pairing.pairs, sizes.context));
}

}  // namespace

SchemeEntry rope() {
  std::vector<OptionSpec> options{
      {"base", NumberOption{10000, 2, 1e12}, "base of the wavelengths"},
      {"pairing", ChoiceOption{{"interleaved", "half"}}, "which columns pair up"},
      {"fraction", NumberOption{1, 0, 1}, "share of each head that is rotated"}};
  for (const OptionSpec& spec : rope_scaling_options()) options.push_back(spec);
  return {.name = "rope",
          .kind = "rotation",
          .summary = "queries and keys are rotated by their position",
          .paper = "Su et al. 2021, arXiv 2104.09864",
          .equation = "equation 34",
          .options = options,
          .make = make};
}

}  // namespace phasor::inline PHASOR_PRECISION
