#include "phasor/course/length/measures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "phasor/core/error.hpp"

namespace phasor {
namespace {

/// Empty when the scheme has no positions that far.
std::optional<double> loss_at(const Run& run, const Encoded& validation, std::size_t length,
                              Workers& workers) {
  try {
    return evaluate(*run.model, validation, {.context = length}, workers).loss;
  } catch (const PositionError&) {
    return std::nullopt;
  }
}

}  // namespace

Spread LengthCurve::rise(std::size_t i) const {
  std::vector<double> rises;
  for (std::size_t run = 0; run < losses[i].size(); ++run)
    rises.push_back(losses[i][run] / losses[0][run] - 1);
  return spread_of(rises);
}

LengthCurve length_curve(const std::string& label, const std::vector<std::filesystem::path>& runs,
                         const LengthOptions& options) {
  Workers workers(0);
  LengthCurve curve{.label = label, .multiples = options.multiples};
  curve.losses.resize(options.multiples.size());
  Encoded validation;
  std::string fingerprint;
  for (const std::filesystem::path& folder : runs)
    for (std::size_t i = 0; i < options.multiples.size(); ++i) {
      const std::size_t multiple = options.multiples[i];
      const Run run =
          load_run(folder, options.options ? options.options(multiple) : OptionValues());
      if (options.prepare) options.prepare(*run.model);
      curve.trained = run.config.model.context;
      // One token more than is predicted. The runs of a lab share their text.
      if (run.config.fingerprint != fingerprint)
        validation = validation_of(run.config, options.tokens + 1);
      fingerprint = run.config.fingerprint;
      if (const auto loss = loss_at(run, validation, multiple * curve.trained, workers))
        curve.losses[i].push_back(*loss);
    }
  return curve;
}

std::size_t steady_to(const LengthCurve& curve) {
  std::size_t reached = 1;
  for (std::size_t i = 0; i < curve.multiples.size(); ++i) {
    if (!curve.reaches(i) || !(curve.rise(i).mean <= kSteady)) break;
    reached = curve.multiples[i];
  }
  return reached;
}

std::string text_of(const LengthCurve& curve) { return text_of(curve, curve.multiples); }

std::string ends_of(const LengthCurve& curve) {
  return text_of(curve, {curve.multiples.front(), curve.multiples.back()});
}

std::string text_of(const LengthCurve& curve, const std::vector<std::size_t>& multiples) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < curve.multiples.size(); ++i) {
    if (std::count(multiples.begin(), multiples.end(), curve.multiples[i]) == 0) continue;
    const std::size_t length = curve.multiples[i] * curve.trained;
    if (!curve.reaches(i)) {
      parts.push_back(fmt::format("no positions at {}", length));
      continue;
    }
    const std::string change =
        i == 0 ? std::string() : fmt::format(" ({:+.0f} %)", 100 * curve.rise(i).mean);
    parts.push_back(fmt::format("{:.3f}{} at {}", curve.loss(i).mean, change, length));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

OptionValues scaled(const std::string& kind, std::size_t multiple) {
  if (multiple == 1) return {};
  OptionValues options{{"scaling", fmt::format("{}:{}", kind, multiple)}};
  if (kind == "yarn" || kind == "llama3") options["beta"] = fmt::to_string(kYarnTurns);
  return options;
}

}  // namespace phasor
