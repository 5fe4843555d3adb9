#include "labs/lab05_autograd/proof.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "labs/common/check_list.hpp"
#include "labs/common/table.hpp"
#include "labs/lab05_autograd/bigram.hpp"
#include "labs/lab05_autograd/operations.hpp"
#include "labs/lab05_autograd/steps.hpp"
#include "phasor/analysis/matrix.hpp"

namespace phasor::lab05 {
namespace {

/// As the guide has them.
constexpr Cause kCauses[] = {
    {"PyTorch", "any wrong formula; an epsilon in the wrong place"},
    {"central differences", "a forgotten transpose"},
    {"library's", "a lab and a library that mean different things by one name"},
    {"called twice", "a gradient that is set and not added to"},
    {"x * x", "a gradient that is set and not added to"},
};

/// A check of something that runs the learner's code, which may throw.
void check_error(Lab& lab, const std::string& what, double tolerance,
                 const std::function<double()>& error) {
  try {
    lab.check(what, error(), 0, tolerance, cause_of(what, kCauses));
  } catch (const std::exception& problem) {
    lab.check(what, false, problem.what(), cause_of(what, kCauses));
  }
}

void prove_operation(Lab& lab, const Operation& operation) {
  const Sample golden = golden_sample(operation), random = random_sample(operation);
  const auto yours = [&](const Sample& sample, int times = 1) {
    return gradients_of(operation.expression, sample.inputs, sample.dy, times);
  };
  check_error(lab, operation.name + ": against PyTorch", kRounding,
              [&] { return relative_error(yours(golden), golden.gradients); });
  check_error(lab, operation.name + ": against central differences", kDifferences, [&] {
    return relative_error(
        yours(random), numeric_gradients(value_of(operation.expression), random.inputs, random.dy,
                                         kStep, Difference::kCentral));
  });
  check_error(lab, operation.name + ": against the library's, in float", kSingle,
              [&] { return relative_error(yours(random), library_gradients(operation, random)); });
  check_error(lab, operation.name + ": called twice it adds twice", kRounding, [&] {
    std::vector<Array> doubled = yours(random);
    for (Array& gradient : doubled) gradient *= 2;
    return relative_error(yours(random, 2), doubled);
  });
}

/// The two-layer model on a few letters, its parameters random so that no gradient vanishes.
double network_error() {
  const Triples few = triples_of("a tape reads back", 100);
  Model model = two_layer_model(few.vocabulary(), 1);
  Rng rng(1, "lab05-network");
  for (Array& parameter : model.parameters) {
    const std::vector<std::size_t> shape(parameter.shape().begin(), parameter.shape().end());
    parameter = 0.5 * random_array(shape, rng);
  }
  const Expression loss = [&](Tape& tape, const std::vector<Id>& in) {
    return model.loss(tape, in, few);
  };
  const Array dy(1.5);
  return relative_error(
      gradients_of(loss, model.parameters, dy),
      numeric_gradients(value_of(loss), model.parameters, dy, kStep, Difference::kCentral));
}

void prove_graphs(Lab& lab) {
  check_error(lab, "y = x * x + x * w: |dx - (2x + w)| at x = 3, w = -2", 0, [] {
    Tape tape;
    write_small(tape);
    return std::abs(tape[0].gradient() - 4);  // whole numbers: no rounding
  });
  check_error(lab, "every parameter of a two-layer model: against central differences",
              kDifferences, network_error);
}

/// The largest difference, not relative: with ones the gradient itself is zero.
double softmax_error(const Expression& expression, const Array& x, const Array& dy) {
  return largest_difference(
      gradients_of(expression, {x}, dy)[0],
      numeric_gradients(softmax_in_double, {x}, dy, kStep, Difference::kCentral)[0]);
}

}  // namespace

Id write_small(Tape& tape) {
  const Id x = tape.leaf("x", Array(3.0)), w = tape.leaf("w", Array(-2.0));
  const Id square = tape.mul(x, x), product = tape.mul(x, w);
  const Id y = tape.add(square, product);
  tape.backward(y, Array(1.0));
  return y;
}

void prove(Lab& lab) {
  lab.section("check", "are they the gradients? (largest relative differences)");
  for (const Operation& operation : operations()) prove_operation(lab, operation);
  prove_graphs(lab);
}

void show_ones(Lab& lab) {
  lab.say(
      "Why is dy random in every check, and not all ones? Here is the largest difference between "
      "backward and differences for four backward functions of softmax, three of them wrong:");
  Rng rng(2, "lab05-ones");
  const Array x = random_array({4, 6}, rng), random = random_array({4, 6}, rng);
  const Array ones = xt::ones_like(x);
  const Operation right = operations()[2];
  std::vector<std::vector<std::string>> rows = {{"backward", "dy = ones", "dy random"}};
  double unseen = 0, seen = std::numeric_limits<double>::infinity();
  const auto measure = [&](const std::string& name, const Expression& expression) {
    const double with_ones = softmax_error(expression, x, ones);
    const double with_random = softmax_error(expression, x, random);
    rows.push_back({name, fmt::format("{:.1e}", with_ones), fmt::format("{:.1e}", with_random)});
    return std::pair(with_ones, with_random);
  };
  measure("yours", right.expression);
  for (const WrongSoftmax& wrong : wrong_softmaxes()) {
    const auto [with_ones, with_random] = measure(wrong.formula, wrong.expression);
    unseen = std::max(unseen, with_ones);
    seen = std::min(seen, with_random);
  }
  lab.show(table(rows));
  lab.say(
      "The outputs of a softmax add up to 1 whatever its inputs are, so the gradient of their sum "
      "is zero, and everything that gives zero passes.");
  lab.check("with ones, no wrong backward is noticed: largest error", unseen, 0, kDifferences);
  lab.check("with a random dy, each of them is", seen > 0.01, fmt::format("{:.2g} or more", seen));
}

}  // namespace phasor::lab05
