// Claims on what can be read from the inner product: nearness, distance, direction.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "phasor/analysis/collision.hpp"
#include "phasor/analysis/decay.hpp"
#include "phasor/analysis/similarity.hpp"
#include "phasor/core/larger.hpp"
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
      "among distances up to 10,000 the neighbour is the most similar {}. The fastest pair turns "
      "by 57 degrees at every step, and few pairs do not outvote it: at width 8 distance 6 has "
      "{:.3f} and distance 1 {:.3f}. At width 128 neighbours reach {:.3f}.",
      from > 0 ? fmt::format("from width {} on", from)
               : std::string("at none of the widths 2 to 64"),
      narrow[6], narrow[1], wide[1]);
  finding.measured =
      conditional(finding.verdict, fmt::format("the width is at least {}", from), finding.measured);
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
  constexpr std::array<double, 6> kSmall = {2, 2.5, 3, 4, 5, 6};
  constexpr std::size_t kLast = 2048, kLastSmall = 128;
  const auto margin = [&](std::size_t width, double base) {
    const xt::xarray<double> pe = evidence.encode(21, width, base);
    const std::vector<double> dots = dots_from(pe, 10), length = norms(pe);
    return (dots[15] / length[15] - dots[20] / length[20]) / length[10];
  };
  std::size_t usual = 0, elsewhere = 0;
  double closest = 2;
  for (std::size_t width = 2; width <= kLast; width += 2) {
    const double found = margin(width, kBase);
    closest = smaller(closest, found);
    usual += found < 0;
  }
  std::vector<std::size_t> counts;
  double last = 0;
  Finding finding{
      Verdict::kFails, "", {{"widths", static_cast<double>(usual)}, {"closest", closest}}};
  for (const double base : kSmall) {
    std::size_t count = 0;
    for (std::size_t width = 4; width <= kLastSmall; width += 2) count += margin(width, base) < 0;
    counts.push_back(count);
    elsewhere += count;
    if (count > 0) last = base;
    finding.numbers.push_back({fmt::format("widths, base {}", base), static_cast<double>(count)});
  }
  if (usual > 0 || elsewhere > 0) finding.verdict = usual > 0 ? Verdict::kHolds : Verdict::kHoldsIf;
  finding.measured = conditional(
      finding.verdict, fmt::format("the base is small, up to about {:g}", last),
      fmt::format("position 20 is the more similar one at {} of the 63 even widths from 4 to {} "
                  "with bases {}. With base 10000 it is so at {} of the even widths from 2 to {}, "
                  "where position 15 is ahead by {:.3f} at the least.",
                  fmt::join(counts, ", "), kLastSmall, fmt::join(kSmall, ", "), usual, kLast,
                  closest));
  return finding;
}

Finding two_scales(const Evidence& evidence) {
  constexpr std::size_t kWidth = 64, kFrom = 900, kTo = 1100;
  const xt::xarray<double> pe = evidence.encode(kTo + 1, kWidth, kBase);
  const std::vector<double> share = dots_from(normalised(pe));
  const auto ends = std::minmax_element(share.begin() + kFrom, share.end());
  const std::vector<double> turns = turns_between(pe, 0, 1);
  // A pair tells distances apart up to half of its wave. To tell a thousand from a tenth more or
  // less it must turn by a tenth of a radian at the least between them; so must one in a step.
  const double step = angle_between(*std::max_element(turns.begin(), turns.end()), 0);
  std::size_t reading = 0;
  for (std::size_t k = 0; k < turns.size(); ++k)
    reading += turns[k] * kTo < std::acos(-1.0) && turns[k] * (kTo - kFrom) > 0.1;
  const double swing = *ends.second - *ends.first;
  const bool pairs = step > 0.1 && reading > 0;
  // The product alone would do if it were the same about 1000 to a tenth of its scale.
  const Verdict verdict = !pairs        ? Verdict::kFails
                          : swing < 0.1 ? Verdict::kHolds
                                        : Verdict::kHoldsIf;
  return {verdict,
          conditional(
              verdict, "its pairs are read one by one, as a matrix can",
              fmt::format("at width {} the fastest pair turns by {:.2f} radians from a token to "
                          "the next, and {} of {} pairs turn by more than a tenth of a radian "
                          "between distances {} and {} and by less than half a turn up to there. "
                          "The raw product tells the next token ({:.2f} of d/2) but not about a "
                          "thousand back: between those distances it swings from {:.2f} to {:.2f}.",
                          kWidth, step, reading, turns.size(), kFrom, kTo, share[1], *ends.first,
                          *ends.second)),
          {{"pairs", static_cast<double>(reading)},
           {"least", *ends.first},
           {"most", *ends.second},
           {"next", share[1]}}};
}

Finding not_of_distance(const Evidence& evidence) {
  const double spread = widest_spread(evidence.encode(128, 128, kBase));
  const std::vector<double> share = similarities(evidence, 128, 128);
  const std::size_t up = steps_up(share);
  const bool of_distance = spread < kRounding;
  const Verdict verdict = !of_distance ? Verdict::kHolds
                          : up > 0     ? Verdict::kHoldsIf
                                       : Verdict::kFails;
  const std::string words = fmt::format(
      "the product is a function of distance and of nothing else (128 positions, width 128: pairs "
      "at one distance agree to {:.1g}); what it does not keep is which comes first, and, as {} of "
      "127 steps go up, an order of the distances.",
      spread, up);
  const std::string otherwise = fmt::format(
      "Pairs at one distance differ by up to {:.2g}: the product is no function of distance.",
      spread);
  return {verdict,
          of_distance ? conditional(verdict,
                                    "it means that the distance cannot be read back from the "
                                    "product",
                                    words)
                      : otherwise,
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
      "at widths {} a product belongs to one distance only up to distance {}. Beyond that the "
      "curve comes back to values it has had (1,001 positions).",
      fmt::join(kWidths, ", "), fmt::join(reach, ", "));
  finding.measured = conditional(finding.verdict, "the tokens are near", finding.measured);
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
    sides = larger(sides, std::abs(dots[p - 2] - dots[p + 2]));
    found = found && best_partner(pe, on, p) == p - 2;
  }
  const Verdict verdict = sides < kRounding && found ? Verdict::kHoldsIf : Verdict::kFails;
  return {
      verdict,
      conditional(
          verdict, "a matrix stands between the two encodings",
          fmt::format("the raw product is the same two "
                      "to the left and two to the right (to within {:.1g}). With the rotation by "
                      "two positions between them the largest product {} two to the left, at "
                      "position 10 as at 500.",
                      sides, found ? "is" : "is not")),
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
      "at width 128 the distances are {} for 0 to 9 positions, and {} of the 49 steps up to 49 "
      "positions go down. The square of the distance is d - 2 PE(p) · PE(q), so that it goes down "
      "wherever the inner product goes up.",
      fmt::join(ten, ", "), down);
  finding.measured = conditional(
      finding.verdict, fmt::format("the positions are at most {} apart", until), finding.measured);
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
