#include "labs/lab10_longer/figures.hpp"

#include <algorithm>
#include <cmath>

#include "phasor/course/band.hpp"

namespace phasor::lab10 {
namespace {

std::size_t seeds_of(const Study& study) { return study.curves[0].runs(); }

std::vector<Reference> floor_of(const Corpus& corpus) {
  if (!corpus.entropy_floor) return {};
  return {{fmt::format("entropy {:.2f}", *corpus.entropy_floor), *corpus.entropy_floor}};
}

/// Ticks at the lengths themselves.
Axis length_axis(const std::vector<double>& lengths, const std::string& title) {
  Axis axis{.title = title, .low = lengths.front(), .high = 1.02 * lengths.back(), .log_base = 2};
  for (const double length : lengths) axis.ticks.emplace_back(length, fmt::format("{:g}", length));
  return axis;
}

/// One axis for all panels. Logarithmic, so that schemes that are close and schemes that are lost
/// can be seen in one picture: a step up is the same percentage everywhere.
void share_loss_axis(std::vector<Panel>& panels) {
  double least = INFINITY, most = 0;
  for (const Panel& panel : panels) {
    const auto& lines = std::get<LinePanel>(panel.content);
    for (const Reference& reference : lines.references) least = std::fmin(least, reference.y);
    for (const Series& series : lines.series)
      for (const auto* values : {&series.y, &series.low, &series.high})
        for (const double y : *values) {
          least = std::fmin(least, y);
          most = std::fmax(most, y);
        }
  }
  Axis axis{
      .title = "loss (nats per character)", .low = 0.9 * least, .high = 1.1 * most, .log_base = 2};
  for (const double tick : {0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0})
    if (tick > *axis.low && tick < *axis.high)
      axis.ticks.emplace_back(tick, fmt::format("{:g}", tick));
  for (Panel& panel : panels) panel.y = axis;
}

Series series_of(const LengthCurve& curve) {
  Series series{.label = curve.label, .mark = Mark::kLineAndPoints};
  for (std::size_t i = 0; i < curve.multiples.size(); ++i)
    if (curve.reaches(i))
      append(series, static_cast<double>(curve.multiples[i] * curve.trained), curve.loss(i),
             curve.runs());
  return series;
}

std::vector<double> lengths_of(const LengthCurve& curve) {
  std::vector<double> lengths;
  for (const std::size_t multiple : curve.multiples)
    lengths.push_back(static_cast<double>(multiple * curve.trained));
  return lengths;
}

/// "alibi 1.02, rope 1.40, ..." in the longest windows, from the lowest loss on.
std::string ranking(const std::vector<LengthCurve>& curves) {
  std::vector<std::pair<double, std::string>> order;
  for (const LengthCurve& curve : curves)
    if (curve.reaches(curve.multiples.size() - 1))
      order.emplace_back(curve.loss(curve.multiples.size() - 1).mean, curve.label);
  std::sort(order.begin(), order.end());
  std::vector<std::string> parts;
  for (const auto& [loss, label] : order) parts.push_back(fmt::format("{} {:.2f}", label, loss));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// The speed of every pair of one head, and the share of it that is left.
struct Slowed {
  std::vector<Panel> panels = {};
  std::string words = {};   ///< the shares
  std::size_t on_ramp = 0;  ///< pairs that YaRN neither keeps nor slows by all of s
};

Axis pair_axis(std::size_t pairs) {
  Axis axis{.title = "pair of columns"};
  for (std::size_t c = 0; c < pairs; c += (pairs + 7) / 8)
    axis.ticks.emplace_back(static_cast<double>(c), fmt::to_string(c));
  return axis;
}

Slowed slowed(double s, const TrainedRotation& rotation) {
  LinePanel frequencies{.key = true}, share{.key = true};
  Slowed result;
  const xt::xarray<double> original = inverse_frequencies(Scaling::kInterpolation, 1, rotation);
  std::vector<std::string> words;
  const auto add = [&](const std::string& label, const xt::xarray<double>& w) {
    Series of_pair{.label = label, .mark = Mark::kLineAndPoints}, of_original = of_pair;
    std::vector<std::string> parts;
    for (std::size_t c = 0; c < w.size(); ++c) {
      of_pair.y.push_back(w(c));
      of_original.y.push_back(w(c) / original(c));
      parts.push_back(fmt::format("{:.2f}", of_original.y.back()));
    }
    words.push_back(fmt::format("{} {}", label, fmt::join(parts, " ")));
    frequencies.series.push_back(of_pair);
    share.series.push_back(of_original);
  };
  add("as trained", original);
  words.clear();
  add("PI", inverse_frequencies(Scaling::kInterpolation, s, rotation));
  add("NTK", inverse_frequencies(Scaling::kNtk, s, rotation));
  add("YaRN", inverse_frequencies(Scaling::kYarn, s, rotation));
  // Beside the ramp a share is 1 / s or 1 but for rounding.
  for (const double left : share.series.back().y)
    result.on_ramp += left > 1 / s + 1e-9 && left < 1 - 1e-9;
  result.words = fmt::format("{}", fmt::join(words, "; "));
  const Axis pair = pair_axis(original.size());
  const std::string head = fmt::format("head of width {}: ", rotation.width);
  result.panels = {{.title = head + "how fast a pair turns",
                    .x = pair,
                    .y = {.title = "radians per position", .log_base = 10},
                    .content = frequencies},
                   {.title = head + "share of that speed left",
                    .x = pair,
                    .y = {.title = "share", .low = 0, .high = 1.05},
                    .content = share}};
  return result;
}

}  // namespace

Figure frequencies_figure(double s, const TrainedRotation& rotation) {
  TrainedRotation wide_rotation = rotation;
  wide_rotation.width = kWideHead;
  const Slowed narrow = slowed(s, rotation), wide = slowed(s, wide_rotation);
  Figure figure{
      .id = "lab10-frequencies",
      .title = fmt::format("Three ways to make a rotation reach {:g} times further", s),
      .caption = fmt::format(
          "What is left of each pair's speed at width {}, from the fastest pair on: {}. "
          "Interpolation slows all alike; NTK leaves the first as it is and slows the last by "
          "{:g}; YaRN keeps those that turn {:g} times or more within {:g} characters and slows "
          "those that turn {:g} times or less by all of {:g}. Between them lies its ramp: {} of "
          "the {} pairs of a head of width {}, {} of the {} at width {}.",
          rotation.width, narrow.words, s, rotation.beta, rotation.length, rotation.alpha, s,
          narrow.on_ramp, rotation.width / 2, rotation.width, wide.on_ramp, kWideHead / 2,
          kWideHead),
      .alt = fmt::format("Line charts over the pairs of a head of width {} and one of width {}: "
                         "radians per position, falling, and the share of the original speed that "
                         "is left. At width {}: {}.",
                         rotation.width, kWideHead, rotation.width, narrow.words),
      .panels = narrow.panels,
      .columns = 2};
  figure.panels.insert(figure.panels.end(), wide.panels.begin(), wide.panels.end());
  return figure;
}

Figure length_figure(const Study& study, const Corpus& corpus) {
  std::vector<Panel> panels;
  for (const Group& group : groups()) {
    LinePanel lines{.references = floor_of(corpus)};
    for (const std::string& scheme : group.schemes)
      lines.series.push_back(series_of(study.curve(scheme)));
    panels.push_back({.title = group.title,
                      .x = length_axis(lengths_of(study.curves[0]), "window (characters)"),
                      .content = lines});
  }
  share_loss_axis(panels);
  const std::string words = ranking(study.curves);
  const LengthCurve& first = study.curves[0];
  const std::size_t last = first.trained * first.multiples.back();
  return {.id = "lab10-length",
          .title = fmt::format("Trained on {} characters, read in windows of up to {}",
                               first.trained, last),
          .caption = fmt::format("Loss in windows of {} characters: {}. {}", last, words,
                                 seeds_text(seeds_of(study))),
          .alt = fmt::format("Four line charts of loss against window length, one line for each of "
                             "{} schemes. In the longest windows: {}.",
                             study.curves.size(), words),
          .panels = panels,
          .columns = 2};
}

Figure scalings_figure(const Study& study, const Corpus& corpus) {
  LinePanel lines{.references = floor_of(corpus)};
  for (const LengthCurve& curve : study.scalings) {
    lines.series.push_back(series_of(curve));
    if (curve.label == "none") lines.series.back().label = "as trained";
  }
  std::vector<Panel> panels{{.title = "",
                             .x = length_axis(lengths_of(study.scalings[0]), "window (characters)"),
                             .content = lines}};
  share_loss_axis(panels);
  panels[0].title = "nothing is trained again";
  std::vector<std::string> parts, tuned;
  BarPanel bars{.groups = {{.label = "before"}, {.label = "after"}}};
  for (const Tuned& one : study.tuned) {
    bars.categories.push_back(one.kind == "none" ? "as trained" : one.kind);
    bars.groups[0].values.push_back(one.before.mean);
    bars.groups[1].values.push_back(one.after.mean);
    tuned.push_back(fmt::format("{} {:.2f}", bars.categories.back(), one.after.mean));
  }
  const std::size_t longer = kTunedMultiple * study.scalings[0].trained;
  panels.push_back({.title = fmt::format("at {} characters, {} steps of training there", longer,
                                         study.tuning_steps),
                    .y = {.title = "loss (nats per character)", .low = 0},
                    .content = bars});
  for (const LengthCurve& curve : study.scalings)
    parts.push_back(fmt::format("{} {}", curve.label == "none" ? "as trained" : curve.label,
                                phasor::text_of(curve)));
  const std::string words = fmt::format("{}", fmt::join(parts, "; "));
  return {
      .id = "lab10-scalings",
      .title = "RoPE slowed by as much as the window is longer",
      .caption = fmt::format("Nothing is trained again. Loss of {}. {}", words,
                             seeds_text(seeds_of(study))),
      .alt = fmt::format("Line chart of loss against window length for RoPE as trained and with "
                         "five scalings: {}.",
                         words),
      .panels = panels};
}

Figure windows_figure(const Study& study, const Corpus& corpus) {
  std::vector<Panel> panels;
  std::vector<std::string> parts;
  for (const Windows& one : study.windows) {
    Series apart{.label = "side by side", .mark = Mark::kLineAndPoints},
        sliding{.label = "sliding", .mark = Mark::kLineAndPoints};
    std::vector<double> lengths;
    for (std::size_t i = 0; i < one.lengths.size(); ++i) {
      lengths.push_back(static_cast<double>(one.lengths[i]));
      append(apart, lengths.back(), one.apart[i], seeds_of(study));
      append(sliding, lengths.back(), one.sliding[i], seeds_of(study));
    }
    panels.push_back(
        {.title = one.scheme,
         .x = length_axis(lengths, "window (characters)"),
         .content = LinePanel{.series = {apart, sliding}, .references = floor_of(corpus)}});
    const std::size_t trained = 2;  // a quarter, a half, the training length
    const auto both = [&](std::size_t i) {
      return fmt::format("{:.2f} and {:.2f}", one.apart[i].mean, one.sliding[i].mean);
    };
    parts.push_back(
        fmt::format("{} {}, {}", one.scheme, both(trained), both(one.lengths.size() - 1)));
  }
  share_loss_axis(panels);
  const std::string words = fmt::format("{}", fmt::join(parts, "; "));
  const std::size_t T = study.curves[0].trained, last = T * study.curves[0].multiples.back();
  return {
      .id = "lab10-windows",
      .title = "Windows side by side and windows that slide",
      .caption = fmt::format(
          "Loss side by side and sliding, first at {}, then at {} characters: {}. Side by side, "
          "the first characters of every window are read with nothing before them; sliding by "
          "a quarter of its length, a window counts only its last quarter. Where sliding is "
          "level, the scheme is steady, and what side by side lies above it is the price of "
          "the first characters: a longer window pays it less often, which is no use of "
          "distant text. Where sliding lies higher, the far places of the window are read "
          "badly, and side by side hides that among the near ones. {}",
          T, last, words, seeds_text(seeds_of(study))),
      .alt = fmt::format("Four line charts, one a scheme, of loss against window length, for "
                         "windows side by side and sliding ones. At {} and at {} characters: "
                         "{}.",
                         T, last, words),
      .panels = panels,
      .columns = 2};
}

Figure position_figure(const Study& study, const Corpus& corpus) {
  LinePanel lines{.references = floor_of(corpus)};
  std::vector<std::string> parts;
  for (const ByPosition& one : study.positions) {
    Series series{.label = one.scheme};
    for (std::size_t i = 0; i < one.place.size(); ++i)
      append(series, one.place[i], one.loss[i], seeds_of(study));
    lines.series.push_back(series);
    parts.push_back(fmt::format("{} {:.2f}", one.scheme, one.loss.back().mean));
  }
  const std::size_t T = study.curves[0].trained, last = T * study.curves[0].multiples.back();
  Axis places{.title = "place in the window (characters); the first mark ends what was trained"};
  for (std::size_t place = T; place <= last; place += place < 2 * T ? T : 2 * T)
    places.ticks.emplace_back(static_cast<double>(place), fmt::to_string(place));
  std::vector<Panel> panels{{.title = "", .x = places, .content = lines}};
  share_loss_axis(panels);
  const std::string words = fmt::format("{}", fmt::join(parts, ", "));
  return {.id = "lab10-position",
          .title = fmt::format("Loss at each place of windows of {} characters", last),
          .caption = fmt::format("The models were trained on the first {} places. Means over {} "
                                 "neighbouring places; at the end of the window: {}. {}",
                                 T, T / 4, words, seeds_text(seeds_of(study))),
          .alt = fmt::format("Line chart of loss against the place in a window, one line for each "
                             "of {} schemes. At the end: {}.",
                             study.positions.size(), words),
          .panels = panels};
}

}  // namespace phasor::lab10
