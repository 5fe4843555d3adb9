#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "phasor/analysis/gram.hpp"
#include "phasor/analysis/singular.hpp"
#include "phasor/core/larger.hpp"
#include "phasor/course/attention_figure.hpp"
#include "phasor/course/decomposition/figures.hpp"
#include "phasor/course/runs.hpp"
#include "phasor/course/topics.hpp"

namespace phasor {
namespace {

using Array = xt::xarray<double>;

constexpr std::size_t kWindows = 20;  // of validation text, for means over heads

/// What a measurement of the trained model is handed.
struct Trained {
  Run run;
  Encoded validation;
  const Evidence& evidence;
};

/// A claim about the model that Lab 07 trains.
Claim on_model(std::string id, std::string document, std::string statement, std::string figure,
               std::function<Finding(const Trained&)> measure) {
  return {.id = std::move(id),
          .document = std::move(document),
          .statement = std::move(statement),
          .lab = "lab07",
          .figure = std::move(figure),
          .measure = [measure = std::move(measure)](const Evidence& evidence) {
            const auto folder = evidence.folder_of("lab07");
            const auto run = decomposed_run(folder);
            if (!run) return not_measured(folder / "runs" / "toy-sinusoidal-1", "lab07");
            Run loaded = load_run(*run);
            Encoded text = validation_of(loaded.config, kWindows * loaded.config.model.context);
            return measure({std::move(loaded), std::move(text), evidence});
          }};
}

Finding four_terms(const Trained& trained) {
  const FirstLayer layer = take_apart(trained.run, kSentence, trained.evidence.encode);
  const double error = layer.error();
  // The model computes in single precision: some ten roundings of 6e-8.
  return {
      error < 2e-5 ? Verdict::kHolds : Verdict::kFails,
      fmt::format("On all {} heads of a trained first layer, \"{}\": content and position, each "
                  "taken through the layer norm with the sigma of their sum, give four terms "
                  "that sum to the model's own score to {:.1e} of the largest. Deeper layers "
                  "have no such terms: by then the stream has mixed the two.",
                  layer.heads.size(), kSentence, error),
      {{"error", error}, {"heads", static_cast<double>(layer.heads.size())}}};
}

/// Mean over heads.
double mean_of(const std::vector<HeadParts>& parts, double HeadParts::*what) {
  double sum = 0;
  for (const HeadParts& head : parts) sum += head.*what / static_cast<double>(parts.size());
  return sum;
}

std::vector<HeadParts> parts_of(const Trained& trained) {
  return head_parts(trained.run, trained.validation, kWindows, trained.evidence.encode);
}

Finding invariance_in_attention(const Trained& trained) {
  const GptConfig& model = trained.run.config.model;
  const Array pe = trained.evidence.encode(model.context, model.width, 10000);
  const Invariance raw = invariance_of(trained.run, trained.validation, 0, trained.evidence.encode);
  const std::vector<HeadParts> parts = parts_of(trained);
  const double encoding = distance_share(raw.raw, true);
  const double positions = mean_of(parts, &HeadParts::positions_by_distance);
  const double scores = mean_of(parts, &HeadParts::scores_by_distance);
  // Rounding leaves an exact function of the distance within 1e-9; a thousandth is a real effect.
  const bool raw_holds = encoding > 1 - 1e-9, attention_holds = scores > 0.999;
  const Verdict verdict = attention_holds ? Verdict::kHolds
                          : raw_holds     ? Verdict::kHoldsIf
                                          : Verdict::kFails;
  return {
      verdict,
      conditional(verdict, "it is the bare encodings that are multiplied",
                  fmt::format("distance explains {:.4g} % of PE(i) . PE(j), {:.0f} % of the same "
                              "behind the trained W_Q and W_K (mean over heads) and {:.0f} % of "
                              "whole scores on text.",
                              100 * encoding, 100 * positions, 100 * scores)),
      {{"encoding", encoding}, {"positions", positions}, {"scores", scores}}};
}

Finding entangled(const Trained& trained) {
  std::array<double, 4> mean{};
  const std::vector<HeadParts> parts = parts_of(trained);
  for (const HeadParts& head : parts)
    for (std::size_t i = 0; i < 4; ++i)
      mean[i] += head.shares[i] / static_cast<double>(parts.size());
  std::vector<std::string> words;
  for (std::size_t i = 0; i < 4; ++i)
    words.push_back(fmt::format("{} {:.0f} %", kTermNames[i], 100 * mean[i]));
  // A term below a twentieth could be left out and attention would look much the same.
  const auto matters =
      std::count_if(mean.begin(), mean.end(), [](double share) { return std::abs(share) >= 0.05; });
  return {matters == 4 ? Verdict::kHolds : Verdict::kFails,
          fmt::format("Of the differences within rows of scores, mean over the {} heads of the "
                      "first layer: {}; {} of the four make at least 5 %.",
                      parts.size(), fmt::join(words, ", "), matters),
          {{"content-content", mean[0]},
           {"content-position", mean[1]},
           {"position-content", mean[2]},
           {"position-position", mean[3]}}};
}

Finding limited_patterns(const Trained& trained) {
  const GptConfig& model = trained.run.config.model;
  const std::size_t head_width = model.width / model.heads;
  const std::vector<HeadParts> parts = parts_of(trained);
  double rank = 0;
  for (const HeadParts& head : parts) rank = larger(rank, head.rank);
  // What the encoding itself can give, and what vectors at random can: rank is at most that.
  const SingularParts encoding =
      singular_parts(trained.evidence.encode(model.context, model.width, 10000));
  const std::size_t strong = encoding.above(kWeak), all = encoding.above(1e-10);
  const std::size_t full = std::min(model.context, model.width);
  const Verdict verdict = strong == 0 || strong == full ? Verdict::kFails : Verdict::kHoldsIf;
  return {
      verdict,
      conditional(
          verdict, fmt::format("heads are wider than the encoding has directions, {} here", strong),
          fmt::format("of the {} singular values of the encoding of {} positions {} are above "
                      "{:.0f} % of the largest and {} above 1e-10; of random vectors it would "
                      "be all. A free table of {} x {} scores has rank {}; what a trained head "
                      "makes of positions alone has rank {:.0f}, but heads are {} wide, and "
                      "with any encoding it could not be more.",
                      full, model.context, strong, 100 * kWeak, all, model.context, model.context,
                      model.context, rank, head_width)),
      {{"rank", rank},
       {"head width", static_cast<double>(head_width)},
       {"directions", static_cast<double>(strong)},
       {"directions to 1e-10", static_cast<double>(all)}}};
}

/// The weight on the previous character of the head that looks at it most, and of an even spread,
/// on the first window of the validation text.
struct PreviousFocus {
  double best = 0, even = 0;
};
PreviousFocus previous_focus(const Run& run, const Encoded& validation) {
  const auto length = static_cast<std::ptrdiff_t>(run.config.model.context);
  const Encoded window(validation.begin(), validation.begin() + length);
  const AttentionMaps maps =
      attention_maps(*run.model, run.tokenizer, run.tokenizer.decode(window));
  PreviousFocus focus{.even = even_focus(maps).previous};
  for (const HeadFocus& head : head_focus(maps)) focus.best = larger(focus.best, head.previous);
  return focus;
}

Finding previous_token(const Trained& trained) {
  const PreviousFocus focus = previous_focus(trained.run, trained.validation);
  const auto without = runs_named(trained.evidence.folder_of("lab06") / "runs", "toy-none");
  std::string control = "No model without an encoding is compared: lab 06 trains one.";
  std::vector<std::pair<std::string, double>> numbers = {{"best head", focus.best},
                                                         {"even", focus.even}};
  double best_without = 0;
  if (!without.empty()) {
    const Run bare = load_run(without.front());
    const Encoded text = validation_of(bare.config, bare.config.model.context);
    best_without = previous_focus(bare, text).best;
    numbers.emplace_back("best head without", best_without);
    control = fmt::format("In a model trained without an encoding (lab 06) it is {:.0f} %.",
                          100 * best_without);
  }
  const bool holds = focus.best > 2 * focus.even && focus.best > best_without;
  return {holds ? Verdict::kHolds : Verdict::kFails,
          fmt::format("The head that looks at the previous character most puts {:.0f} % of its "
                      "weight there, {:.1f} times what an even spread gives ({:.0f} %). {}",
                      100 * focus.best, focus.best / focus.even, 100 * focus.even, control),
          numbers};
}

Finding same_at_500(const Trained& trained) {
  const double half = static_cast<double>(trained.run.config.model.context) / 2;
  const double start = half_window_loss(trained.run, trained.validation, 0);
  const double later = half_window_loss(trained.run, trained.validation, half);
  const double far = half_window_loss(trained.run, trained.validation, 500);
  // Windows are the same text; what differs is where they stand. A tenth of a nat is far above
  // rounding, and what the second half of the trained positions differs by is counted in.
  const double margin = 0.1 + 2 * std::abs(later - start);
  const Verdict verdict = far - start <= margin ? Verdict::kHolds : Verdict::kHoldsIf;
  return {
      verdict,
      conditional(
          verdict, "the positions were trained",
          fmt::format("the same windows of {:.0f} characters cost {:.2f} "
                      "nats from position 0, {:.2f} from position {:.0f}, both trained, and {:.2f} "
                      "from position 500, where the distances are the same and the encodings new.",
                      half, start, later, half, far)),
      {{"at 0", start}, {"at half", later}, {"at 500", far}}};
}

}  // namespace

std::vector<Claim> decomposition_claims() {
  return {
      on_model("D0-four-terms", "D0",
               "With an encoding that is added, an attention score is the sum of four terms, of "
               "content or position of the query with content or position of the key.",
               "lab07-terms", four_terms),
      on_model(
          "D4-invariance-in-attention", "D4",
          "Distance and not absolute position drives the inner product that attention computes.",
          "lab07-invariance", invariance_in_attention),
      on_model("D0-entangled", "D0",
               "All four terms are in the score, with no part of the architecture that keeps "
               "position and content apart.",
               "lab07-shares", entangled),
      on_model("D0-limited-patterns", "D0",
               "A fixed encoding limits which patterns of position with position a head can form: "
               "inner products of encodings behind W_Q and W_K.",
               "lab07-invariance", limited_patterns),
      on_model("D0-adjacent", "D0",
               "The sinusoidal encoding is enough for heads to learn patterns of position, such as "
               "looking at the neighbour.",
               "lab07-attention", previous_token),
      on_model(
          "D1-same-at-500", "D1",
          "What a model learns about a distance works at position 500 as it does at position 5.",
          "lab07-invariance", same_at_500)};
}

}  // namespace phasor
