// Claims on what can be read from the inner product: nearness, distance, direction.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "phasor/analysis/collision.hpp"
#include "phasor/analysis/decay.hpp"
#include "phasor/analysis/similarity.hpp"
#include "phasor/course/product/measures.hpp"

namespace phasor::product_measure {
namespace {

constexpr double kBase = 10000;
constexpr double kRounding = 1e-9;  // as in measures.cpp

/// Cosine similarity of position 0 with every position.
std::vector<double> similarities(const Evidence& evidence, std::size_t positions,
                                 std::size_t width) {
  return dots_from(normalised(evidence.encode(positions, width, kBase)));
}

std::size_t most_similar(const std::vector<double>& similarity) {
  return static_cast<std::size_t>(std::max_element(similarity.begin() + 1, similarity.end()) -
                                  similarity.begin());
}

/// Position q for which row p . (matrix row q) is largest, q at most 8 away from p.
std::size_t best_partner(const xt::xarray<double>& pe, const xt::xarray<double>& moved_rows,
                         std::size_t p) {
  std::size_t best = p;
  double most = -1e300;
  for (std::size_t q = p - std::min<std::size_t>(p, 8); q <= p + 8; ++q) {
    double dot = 0;
    for (std::size_t i = 0; i < pe.shape(1); ++i) dot += pe(p, i) * moved_rows(q, i);
    if (dot > most) {
      most = dot;
      best = q;
    }
  }
  return best;
}

}  // namespace

Finding neighbours_alike(const Evidence& evidence) {
  constexpr std::array<std::size_t, 9> kWidths = {2, 4, 6, 8, 10, 12, 16, 32, 64};
  std::size_t from = 0;
  Finding finding{Verdict::kFails, "", {}};
  for (const std::size_t width : kWidths) {
    const std::size_t best = most_similar(similarities(evidence, 10001, width));
    finding.numbers.push_back(
        {fmt::format("most similar distance, width {}", width), static_cast<double>(best)});
    if (best != 1)
      from = 0;
    else if (from == 0)
      from = width;
  }
  if (from > 0) finding.verdict = from == kWidths[0] ? Verdict::kHolds : Verdict::kHoldsIf;
  const std::vector<double> narrow = similarities(evidence, 7, 8);
  const std::vector<double> wide = similarities(evidence, 2, 128);
  finding.numbers.push_back({"from width", static_cast<double>(from)});
  finding.numbers.push_back({"distance 1, width 8", narrow[1]});
  finding.numbers.push_back({"distance 6, width 8", narrow[6]});
  finding.measured = fmt::format(
      "{}: among distances up to 10,000 the neighbour is then the most similar. The fastest pair "
      "turns by 57 degrees at every step, and few pairs do not outvote it: at width 8 distance 6 "
      "({:.3f}) beats distance 1 ({:.3f}). At width 128 neighbours reach {:.3f}.",
      from > 0 ? fmt::format("the width is at least {}", from)
               : std::string("at none of the widths 2 to 64"),
      narrow[6], narrow[1], wide[1]);
  return finding;
}

Finding nearer_not_always(const Evidence& evidence) {
  const std::vector<double> share = similarities(evidence, 7, 8);
  return {share[6] > share[3] ? Verdict::kHolds : Verdict::kFails,
          fmt::format("At width 8 positions 6 apart have similarity {:.3f}, positions 3 apart "
                      "{:.3f}: the fastest pair makes a turn in 6.28 positions.",
                      share[6], share[3]),
          {{"distance 3", share[3]}, {"distance 6", share[6]}}};
}

Finding ten_and_twenty(const Evidence& evidence) {
  constexpr std::size_t kLast = 2048;
  std::size_t found = 0, first = 0;
  double closest = 2;
  for (std::size_t width = 2; width <= kLast; width += 2) {
    const xt::xarray<double> pe = evidence.encode(21, width, kBase);
    const std::vector<double> dots = dots_from(pe, 10), length = norms(pe);
    const double margin = (dots[15] / length[15] - dots[20] / length[20]) / length[10];
    closest = std::min(closest, margin);
    if (margin < 0 && found++ == 0) first = width;
  }
  return {found > 0 ? Verdict::kHolds : Verdict::kFails,
          found > 0
              ? fmt::format("At {} of the even widths 2 to {} position 20 is the more similar one, "
                            "first at width {}.",
                            found, kLast, first)
              : fmt::format("At every even width from 2 to {} position 15 is the more similar one, "
                            "by at least {:.3f}. Such pairs exist, but not these.",
                            kLast, closest),
          {{"widths", static_cast<double>(found)}, {"closest", closest}}};
}

Finding not_of_distance(const Evidence& evidence) {
  const double spread = widest_spread(evidence.encode(128, 128, kBase));
  const std::vector<double> share = similarities(evidence, 128, 128);
  const std::size_t up = steps_up(share);
  const bool of_distance = spread < kRounding;
  const std::string words = fmt::format(
      "the product is a function of distance and of nothing else (128 positions, width 128: pairs "
      "at one distance agree to {:.1g}); what it does not keep is which comes first, and, as {} of "
      "127 steps go up, an order of the distances.",
      spread, up);
  const std::string otherwise = fmt::format(
      "Pairs at one distance differ by up to {:.2g}: the product is no function of distance.",
      spread);
  return {of_distance ? (up > 0 ? Verdict::kHoldsIf : Verdict::kFails) : Verdict::kHolds,
          of_distance ? fmt::format("to tell means to tell it back: {}", words) : otherwise,
          {{"spread", spread}, {"steps up", static_cast<double>(up)}}};
}

Finding tells_distance(const Evidence& evidence) {
  constexpr std::array<std::size_t, 4> kWidths = {4, 32, 128, 512};
  Finding finding{Verdict::kFails, "", {}};
  std::vector<std::size_t> reach;
  for (const std::size_t width : kWidths) {
    reach.push_back(readable_up_to(similarities(evidence, 1001, width)));
    finding.numbers.push_back(
        {fmt::format("readable, width {}", width), static_cast<double>(reach.back())});
  }
  if (reach[3] >= 1000)
    finding.verdict = Verdict::kHolds;
  else if (reach[1] > 0)
    finding.verdict = Verdict::kHoldsIf;
  finding.measured = fmt::format(
      "the tokens are near: at widths {} a product belongs to one distance only up to distance {}. "
      "Beyond that the curve comes back to values it has had (1,001 positions).",
      fmt::join(kWidths, ", "), fmt::join(reach, ", "));
  return finding;
}

Finding two_to_the_left(const Evidence& evidence) {
  constexpr std::size_t kWidth = 32;
  const xt::xarray<double> pe = evidence.encode(520, kWidth, kBase);
  const xt::xarray<double> on = moved(pe, sinusoidal_shift(2, kWidth, kBase));
  double sides = 0;
  bool found = true;
  for (const std::size_t p : {10, 500}) {
    const std::vector<double> dots = dots_from(pe, p);
    sides = std::max(sides, std::abs(dots[p - 2] - dots[p + 2]));
    found = found && best_partner(pe, on, p) == p - 2;
  }
  const bool blind = sides < kRounding;
  return {blind && found ? Verdict::kHoldsIf : Verdict::kFails,
          fmt::format("a matrix stands between the two encodings: the raw product is the same two "
                      "to the left and two to the right (to within {:.1g}). With the rotation by "
                      "two positions between them the largest product {} two to the left, at "
                      "position 10 as at 500.",
                      sides, found ? "is" : "is not"),
          {{"left minus right", sides}, {"found", found ? 1.0 : 0.0}}};
}

Finding distance_structure(const Evidence& evidence) {
  std::vector<double> distance = distances_from(evidence.encode(50, 128, kBase));
  std::size_t until = 0;
  while (until + 1 < distance.size() && distance[until + 1] > distance[until]) ++until;
  const std::size_t down = distance.size() - 1 - steps_up(distance);
  Finding finding{
      down == 0   ? Verdict::kHolds
      : until > 0 ? Verdict::kHoldsIf
                  : Verdict::kFails,
      "",
      {{"grows up to", static_cast<double>(until)}, {"steps down", static_cast<double>(down)}}};
  std::vector<std::string> ten;
  for (std::size_t n = 0; n < 10; ++n) {
    ten.push_back(fmt::format("{:.4f}", distance[n]));
    finding.numbers.push_back({fmt::format("distance {}", n), distance[n]});
  }
  finding.measured = fmt::format(
      "the positions are at most {} apart: at width 128 the distances are {} for 0 to 9 positions, "
      "and {} of the 49 steps up to 49 positions go down. Its square is d - 2 PE(p) · PE(q): it "
      "says what the product says.",
      until, fmt::join(ten, ", "), down);
  return finding;
}

Finding no_near_collision(const Evidence& evidence) {
  const RowPair nearest = nearest_pair(evidence.encode(100, 128, kBase));
  return {nearest.distance >= 0.01 ? Verdict::kHolds : Verdict::kFails,
          fmt::format("Of the 4,950 pairs at width 128 positions {} and {} come nearest: {:.4f}.",
                      nearest.first, nearest.second, nearest.distance),
          {{"nearest", nearest.distance}}};
}

}  // namespace phasor::product_measure
