#include "phasor/position/p_rope.hpp"

#include <algorithm>
#include <cmath>

#include "phasor/position/rotation.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

class PRope : public RotationScheme {
 public:
  /// The pairs are those of the whole head; the slowest stand still.
  PRope(double base, std::size_t head_width, std::size_t kept, bool is_interleaved)
      : pairing_{head_width / 2, is_interleaved},
        frequencies_(rotation_frequencies(base, head_width)) {
    for (std::size_t c = kept; c < frequencies_.size(); ++c) frequencies_[c] = 0;
  }

  QK rotate(const Var& q, const Var& k, const Context& context) const override {
    return {rotate_pairs(q, context.queries, frequencies_, pairing_),
            rotate_pairs(k, context.keys, frequencies_, pairing_)};
  }

  std::vector<double> frequencies(const Positions&) const override { return frequencies_; }

  Traits traits() const override {
    Traits traits;
    traits.is_relative = true;
    traits.bias_ignores_content = true;
    traits.can_be_dropped = true;
    return traits;
  }

 private:
  Pairing pairing_;
  std::vector<double> frequencies_;
};

std::unique_ptr<Scheme> make(const SchemeSizes& sizes, const Options& options, Rng&) {
  const std::size_t D = sizes.head_width();
  check_even_head_width("p_rope", D);
  const double kept = std::floor(options.number("kept") * static_cast<double>(D) / 2);
  return std::make_unique<PRope>(options.number("base"), D,
                                 static_cast<std::size_t>(std::max(kept, 1.0)),
                                 options.choice("pairing") == "interleaved");
}

}  // namespace

SchemeEntry p_rope() {
  return {.name = "p_rope",
          .kind = "rotation",
          .summary = "as rope, but the slowest pairs are not rotated",
          .paper = "Barbero et al. 2024, arXiv 2410.06205",
          .equation = "section 6.2",
          .options = {{"base", NumberOption{10000, 1, 1e12}, "base of the wavelengths"},
                      {"pairing", ChoiceOption{{"interleaved", "half"}}, "which columns pair up"},
                      {"kept", NumberOption{0.75, 0.01, 1}, "share of pairs that is rotated"}},
          .make = make};
}

}  // namespace phasor::inline PHASOR_PRECISION
