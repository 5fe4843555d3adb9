// What is claimed of biases on the logits, measured on every scheme and on trained models.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/core/larger.hpp"
#include "phasor/course/bias/claims.hpp"
#include "phasor/course/runs.hpp"
#include "phasor/data/batches.hpp"
#include "phasor/ops/cross_entropy.hpp"
#include "phasor/ops/elementwise.hpp"
#include "phasor/ops/layout.hpp"
#include "phasor/ops/matmul.hpp"
#include "phasor/position/alibi.hpp"
#include "phasor/position/schemes.hpp"
#include "phasor/position/t5_bias.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTokens = 16;
constexpr SchemeSizes kSizes{.width = 64, .heads = 4, .context = 64};

/// A scheme whose parameters are drawn at random: some start at zero and would show nothing.
std::unique_ptr<Scheme> drawn(const SchemeEntry& entry) {
  Rng rng(1, entry.name);
  auto scheme = make_scheme(entry.name, {}, kSizes, rng);
  for (NamedParameter& parameter : scheme->parameters())
    for (Real& value : parameter.value.mutable_value().storage())
      value += Real(0.5) * static_cast<Real>(rng.normal());
  scheme->constrain();
  return scheme;
}

/// Scores of one layer before and after the scheme's score hook, [1, H, T, T].
struct Scores {
  Tensor before, after;
};

/// Of random queries and keys; `content` chooses which.
Scores scores(const Scheme& scheme, std::uint64_t content, double first) {
  const NoGrad no_grad;
  Rng rng(content, "content");
  const Positions positions = consecutive_positions(kTokens, first);
  const auto tokens = [&] { return Var(random_normal({1, kTokens, kSizes.width}, 0, 1, rng)); };
  const Var q = split_heads(scheme.embed(tokens(), positions), kSizes.heads);
  const Var k = split_heads(scheme.embed(tokens(), positions), kSizes.heads);
  const auto scale = static_cast<Real>(1 / std::sqrt(static_cast<double>(kSizes.head_width())));
  const Context context{positions, positions, scale, true, tokens()};
  const QK turned = scheme.rotate(q, k, context);
  Mask hidden = Mask::from_shape({kTokens, kTokens});
  for (std::size_t m = 0; m < kTokens; ++m)
    for (std::size_t n = 0; n < kTokens; ++n) hidden(m, n) = n > m;
  const Var logits = masked_fill(matmul(turned.q, turned.k, {.transpose_b = true, .scale = scale}),
                                 hidden, Real(-1e30));
  return {logits.value(), scheme.score(logits, turned.q, turned.k, context).value()};
}

/// Largest |a - b| where a query sees the key.
double difference(const Tensor& a, const Tensor& b) {
  double most = 0;
  for (std::size_t h = 0; h < kSizes.heads; ++h)
    for (std::size_t m = 0; m < kTokens; ++m)
      for (std::size_t n = 0; n <= m; ++n)
        most = larger(most, std::abs(static_cast<double>(a(0, h, m, n) - b(0, h, m, n))));
  return most;
}

// Scores of order ten in float are rounded to 1e-6; whatever matters shows in the second digit.
constexpr double kFloatRounding = 1e-3;

/// How much of what the scheme adds changes with the content.
double mixing(const SchemeEntry& entry) {
  const auto scheme = drawn(entry);
  const Scores one = scores(*scheme, 1, 0), other = scores(*scheme, 2, 0);
  const Tensor added_to_one = one.after - one.before;
  const Tensor added_to_other = other.after - other.before;
  return difference(added_to_one, added_to_other);
}

Finding keeps_apart(const Evidence&) {
  std::vector<std::string> apart, mixed, others;
  double most = 0, least = 1e300;
  for (const SchemeEntry& entry : schemes()) {
    const bool is_bias = entry.kind == "bias";
    if (!is_bias && entry.kind != "relative" && entry.kind != "content") continue;
    const double change = mixing(entry);
    if (is_bias) {
      (change < kFloatRounding ? apart : mixed).push_back(entry.name);
      most = larger(most, change);
    } else {
      others.push_back(entry.name);
      least = smaller(least, change);
    }
  }
  return {mixed.empty() ? Verdict::kHolds : Verdict::kFails,
          fmt::format("What {} add to the scores is the same for two random contents to {:.1e}{}. "
                      "Schemes in which content meets position ({}) add something else, by {:.2f} "
                      "or more.",
                      fmt::join(apart, ", "), most,
                      mixed.empty() ? "" : fmt::format("; not so {}", fmt::join(mixed, ", ")),
                      fmt::join(others, ", "), least),
          {{"apart", static_cast<double>(apart.size())},
           {"mixed", static_cast<double>(mixed.size())},
           {"most", most}}};
}

/// How much scores change when all positions are moved by 100; infinite where there is no such
/// position.
double shifted(const SchemeEntry& entry) try {
  const auto scheme = drawn(entry);
  return difference(scores(*scheme, 1, 0).after, scores(*scheme, 1, 100).after);
} catch (const PositionError&) {
  return std::numeric_limits<double>::infinity();
}

/// The same of a bias by itself, as a share of its largest value.
double shifted(const HeadBias& bias) {
  const Positions near = consecutive_positions(kTokens), far = consecutive_positions(kTokens, 100);
  const xt::xarray<double> before = bias(kSizes.heads, near, near);
  const xt::xarray<double> after = bias(kSizes.heads, far, far);
  double most = 0, largest = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    most = larger(most, std::abs(after.data()[i] - before.data()[i]));
    largest = larger(largest, std::abs(before.data()[i]));
  }
  return most / largest;
}

Finding moves_with_text(const Evidence& evidence) {
  std::vector<std::string> same, changed, absolute;
  for (const SchemeEntry& entry : schemes()) {
    const bool stays = shifted(entry) < kFloatRounding;
    if (entry.kind == "additive" && !stays)
      absolute.push_back(entry.name);
    else if (entry.kind != "none" && entry.kind != "additive")
      (stays ? same : changed).push_back(entry.name);
  }
  const bool linear = shifted(evidence.bias) < kFloatRounding;
  const Verdict verdict = !linear || same.empty() ? Verdict::kFails
                          : changed.empty()       ? Verdict::kHolds
                                                  : Verdict::kHoldsIf;
  return {
      verdict,
      conditional(
          verdict, "what is added is a function of the offset alone",
          fmt::format(
              "with all positions moved by 100 the scores of random content stay the same "
              "in {} of {} schemes that work inside attention{}. They also change in those "
              "that are added to the tokens ({}).",
              same.size(), same.size() + changed.size(),
              changed.empty() ? "" : fmt::format("; they change in {}", fmt::join(changed, ", ")),
              fmt::join(absolute, ", "))),
      {{"same", static_cast<double>(same.size())},
       {"changed", static_cast<double>(changed.size())},
       {"linear", linear ? 1.0 : 0.0}}};
}

/// Nats per token over windows that stand at positions first, first + 1, ...
double loss_at(const Run& run, const Encoded& tokens, double first) {
  constexpr std::size_t kWindows = 16;  // in a pass
  const NoGrad no_grad;
  const std::size_t T = run.config.model.context;
  const SequentialWindows windows(tokens, kWindows, T);
  double sum = 0, count = 0;
  for (std::size_t pass = 0; pass < windows.count(); ++pass) {
    const Batch batch = windows.at(pass);
    const Var logits = (*run.model)(batch.inputs, {.positions = consecutive_positions(T, first)});
    const double mean = static_cast<double>(cross_entropy(logits, batch.targets).value()());
    sum += mean * static_cast<double>(batch.targets.size());
    count += static_cast<double>(batch.targets.size());
  }
  return sum / count;
}

/// How much a run's loss changes when its windows stand 500 positions further on.
double change_of_loss(const Run& run, const Encoded& validation) {
  return loss_at(run, validation, 500) - loss_at(run, validation, 0);
}

Finding whole_model_moves(const Evidence& evidence) {
  const fs::path runs = evidence.folder_of("lab09") / "runs";
  std::vector<std::string> words;
  std::vector<std::pair<std::string, double>> numbers;
  double most = 0;
  for (const std::string& name : {alibi().name, t5_bias().name}) {
    const auto folders = runs_named(runs, fmt::format("toy-{}", name));
    if (folders.empty()) return not_measured(runs / fmt::format("toy-{}-1", name), "lab09");
    const Spread change = over_runs(folders, 8000, change_of_loss);
    const double largest = larger(std::abs(change.least), std::abs(change.most));
    words.push_back(
        largest > 0 ? fmt::format("the loss with {} changes by {:.1e} nats at most", name, largest)
                    : fmt::format("the loss with {} does not change", name));
    numbers.emplace_back(name, largest);
    most = larger(most, largest);
  }
  return {most < kFloatRounding ? Verdict::kHolds : Verdict::kFails,
          fmt::format("When a text is moved on by 500 positions, {} (trained models).",
                      fmt::join(words, " and ")),
          numbers};
}

}  // namespace

std::vector<Claim> bias_model_claims() {
  return {{"D0-bias-apart", "D0",
           "A bias by relative position, added to the scores, keeps position apart from content.",
           "lab09", "lab09-maps", keeps_apart},
          {"D0-moves-with-text", "D0",
           "Schemes that put relative position into attention do not mind where the text stands.",
           "lab09", "lab09-maps", moves_with_text},
          {"D0-whole-model-moves", "D0, D1",
           "With a relative bias a whole model, layer upon layer, does not mind where its text "
           "stands.",
           "lab09", "lab09-table", whole_model_moves}};
}

}  // namespace phasor
