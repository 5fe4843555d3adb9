#include "phasor/ops/cross_entropy.hpp"

#include "phasor/core/error.hpp"
#include "phasor/tensor/kernels/softmax.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

std::size_t count_targets(const Var& logits, const Indices& targets, std::int64_t ignore_index) {
  check(logits.rank() >= 1, "[cross_entropy] logits need at least 1 axis, got {}", logits.shape());
  const Shape rows(logits.shape().begin(), logits.shape().end() - 1);
  check(shape_of(targets) == rows, "[cross_entropy] logits {} need targets of shape {}, got {}",
        logits.shape(), rows, shape_of(targets));
  const auto vocabulary = static_cast<std::int64_t>(logits.shape().back());
  std::size_t counted = 0;
  for (const std::int64_t target : targets) {
    if (target == ignore_index) continue;
    check<DataError>(target >= 0 && target < vocabulary,
                     "[cross_entropy] target {} is outside the vocabulary of {}; targets run from "
                     "0 to {}, or {} to be ignored",
                     target, vocabulary, vocabulary - 1, ignore_index);
    ++counted;
  }
  check<DataError>(counted > 0, "[cross_entropy] every target is {} (ignored); give at least one",
                   ignore_index);
  return counted;
}

}  // namespace

Var cross_entropy(const Var& logits, const Indices& targets, std::int64_t ignore_index) {
  const std::size_t counted = count_targets(logits, targets, ignore_index);
  const std::size_t vocabulary = logits.shape().back();
  std::vector<kernel::LogNormaliser> normalisers;
  Tensor weights = kernel::softmax(logits.value(), &normalisers);
  double total = 0;
  for (std::size_t row = 0; row < targets.size(); ++row) {
    const std::int64_t target = targets.data()[row];
    if (target == ignore_index) continue;
    const auto [top, log_sum] = normalisers[row];
    const Real logit = logits.value().data()[row * vocabulary + static_cast<std::size_t>(target)];
    total -= static_cast<double>((logit - top) - log_sum);
  }
  const Tensor loss = scalar(static_cast<Real>(total / static_cast<double>(counted)));

  return Var::op("cross_entropy", loss, {logits},
                 [weights = std::move(weights), targets, ignore_index, counted,
                  vocabulary](const OpGrad& g) mutable {
                   if (!g.needs(0)) return;
                   Tensor dx = std::move(weights);  // backward is called once
                   const Real factor = g.dy().data()[0] / static_cast<Real>(counted);
                   for (std::size_t row = 0; row < targets.size(); ++row) {
                     Real* out = dx.data() + row * vocabulary;
                     const std::int64_t target = targets.data()[row];
                     const bool counts = target != ignore_index;
                     if (counts) out[target] -= 1;
                     for (std::size_t i = 0; i < vocabulary; ++i) out[i] *= counts ? factor : 0;
                   }
                   g.add(0, std::move(dx));
                 });
}

}  // namespace phasor::inline PHASOR_PRECISION
