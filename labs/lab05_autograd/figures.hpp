// The figures of Lab 05. Captions and alt texts are computed from the numbers drawn.
#pragma once
#include "labs/lab05_autograd/bigram.hpp"
#include "labs/lab05_autograd/steps.hpp"
#include "phasor/analysis/spread.hpp"
#include "phasor/figure/figure.hpp"

namespace phasor::lab05 {

/// The V: errors against step size, in double and in float.
Figure steps_figure(const StepCurves& in_double, const StepCurves& in_float);

/// The graph of y = x * x + x * w with its gradients, and that of a model with its shapes.
Figure graph_figure(const Tape& small, Id y, const Tape& model, Id loss);

/// One model over seeds.
struct Trained {
  std::string label;
  double floor;  ///< the loss of a counted table that sees as much
  std::vector<Curve> curves;
  Spread final_loss() const;
};

/// Losses against steps, and how far they are above the floors of the first and the last model.
Figure loss_figure(const std::vector<Trained>& models, const std::string& text);

}  // namespace phasor::lab05
