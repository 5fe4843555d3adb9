#include "phasor/course/length/figures.hpp"

#include <fmt/format.h>

#include "phasor/core/error.hpp"
#include "phasor/course/topics.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;

LengthCurve curve_of(const fs::path& folder, const std::string& name, const std::string& label,
                     const LengthOptions& options = {}) {
  const std::vector<fs::path> runs = runs_named(folder, name);
  check<DataError>(!runs.empty(), "there is no run {}; make it with: labs/run 10",
                   (folder / (name + "-1")).string());
  return length_curve(label, runs, options);
}

Cell measured(const LengthCurve& curve) {
  return {reach_in_words(curve), static_cast<double>(steady_to(curve))};
}

/// "sinusoidal: ...; learned: ...", for caption and alt text.
std::string in_words(const Comparison& comparison) {
  std::vector<std::string> parts;
  for (const LengthCurve* curve : {&comparison.sinusoidal, &comparison.learned, &comparison.rotary,
                                   &comparison.scaled, &comparison.linear})
    parts.push_back(fmt::format("{} {}", curve->label, reach_in_words(*curve)));
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace

Comparison compare_lengths(const fs::path& folder) {
  const LengthOptions yarn{
      .options = [](std::size_t multiple) { return scaled("yarn", multiple); }};
  return {curve_of(folder, "toy-sinusoidal", "Sinusoidal"),
          curve_of(folder, "toy-learned", "Learned"), curve_of(folder, "toy-rope", "RoPE"),
          curve_of(folder, "toy-rope", "RoPE with YaRN", yarn),
          curve_of(folder, "toy-alibi", "ALiBi")};
}

std::string reach_in_words(const LengthCurve& curve) {
  const std::size_t last = curve.multiples.size() - 1, steady = steady_to(curve);
  if (!curve.reaches(last)) return fmt::format("no: stops at {} tokens", steady * curve.trained);
  const std::string end =
      fmt::format("{:+.0f} % loss at {} times", 100 * curve.rise(last).mean, curve.multiples[last]);
  if (steady == curve.multiples[last]) return fmt::format("yes: {}", end);
  return steady == 1 ? fmt::format("no: {}", end) : fmt::format("to {} times; {}", steady, end);
}

Figure comparison_figure(const Comparison& c) {
  const std::size_t T = c.sinusoidal.trained, last = c.sinusoidal.multiples.back();
  TablePanel table{
      .columns = {{"encoding"}, {"used by"}, {"idea"}, {"said of longer texts"}, {"measured"}}};
  table.rows = {
      {"Sinusoidal", "the first Transformer", "fixed sines and cosines, added", "yes, in theory",
       measured(c.sinusoidal)},
      {"Learned", "BERT, GPT-2", "a trained vector a position, added", "no: the table ends",
       measured(c.learned)},
      {"RoPE", "LLaMA, Mistral", "queries and keys turned by their position",
       "yes, better than sinusoidal", measured(c.rotary)},
      {"RoPE with YaRN", "long-context LLaMA", "the slow pairs turned more slowly still",
       "4 to 8 times", measured(c.scaled)},
      {"ALiBi", "BLOOM", "logits fall with distance", "yes, strongly", measured(c.linear)}};
  const std::string words = in_words(c);
  return {
      .id = "lab10-table",
      .claims_id = "D1-T1",
      .title = "Which encodings carry over to longer texts",
      .caption = fmt::format(
          "The last column is measured: models of this lab, trained on windows of {} "
          "characters and read in windows of up to {} ({}). A loss that rises by at most {:.0f} "
          "% counts as steady. {}.",
          T, last * T, seeds_of(c.sinusoidal.runs()), 100 * kSteady, words),
      .alt = fmt::format("Table of five encodings with who uses them, their idea, what is said "
                         "of longer texts and what was measured: {}.",
                         words),
      .panels = {{.content = table}}};
}

std::vector<FigureEntry> length_figures() {
  return {{"D1-T1", "lab10", "Comparison of encodings, with how far each was measured to reach",
           [](const fs::path& results) {
             return comparison_figure(compare_lengths(results / "lab10" / "runs"));
           }}};
}

}  // namespace phasor
