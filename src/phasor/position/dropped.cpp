#include "phasor/position/dropped.hpp"

#include <algorithm>
#include <cmath>

#include "phasor/ops/elementwise.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

class Dropped : public Scheme {
 public:
  Dropped(double temperature, double trained_length)
      : temperature_(temperature), trained_length_(trained_length) {}

  QK rotate(const Var& q, const Var& k, const Context& context) const override {
    const double length = *std::max_element(context.keys.begin(), context.keys.end()) + 1;
    if (temperature_ == 0 || length <= trained_length_) return {q, k};
    const double factor = 1 + temperature_ * std::log(length / trained_length_);
    return {scale(q, static_cast<Real>(factor)), k};
  }

  std::optional<Var> added_bias(const Context&) const override { return Var(); }

  Traits traits() const override {
    Traits traits;
    traits.is_relative = temperature_ == 0;
    traits.bias_ignores_content = true;
    return traits;
  }

 private:
  double temperature_, trained_length_;
};

}  // namespace

std::unique_ptr<Scheme> dropped_positions(double temperature, double trained_length) {
  return std::make_unique<Dropped>(temperature, trained_length);
}

}  // namespace phasor::inline PHASOR_PRECISION
