// What texts say of moving an encoding by k positions.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "phasor/analysis/frequency.hpp"
#include "phasor/analysis/matrix.hpp"
#include "phasor/core/larger.hpp"
#include "phasor/course/shift/laws.hpp"
#include "phasor/course/topics.hpp"

namespace phasor {
namespace {

/// Angles here stay below 1500, where a double has an error of 1.2e-13; sums have up to 64 terms.
/// 1e-12 is some eight times that, and a wrong base or a swapped pair is off by more than 0.01.
constexpr double kRounding = 1e-12;
constexpr double kDegrees = 180 / std::numbers::pi;

Verdict holds_within(double error) {
  return error <= kRounding ? Verdict::kHolds : Verdict::kFails;
}

std::string offsets() { return fmt::format("k = {}", fmt::join(kShifts, ", ")); }

Finding linear(const Evidence& evidence) {
  const double error = worst_over_shifts(&ShiftLaws::shift, evidence);
  return {holds_within(error),
          fmt::format("Width {}, p = {}, {}: the largest entry of PE(p + k) - M_k PE(p) is {:.1e}.",
                      kShiftWidth, kShiftFrom, offsets(), error),
          {{"error", error}}};
}

Finding orthogonal(const Evidence& evidence) {
  const double error = worst_over_shifts(&ShiftLaws::orthogonal, evidence);
  return {holds_within(error),
          fmt::format("Width {}, {}: the largest entry of M_k^T M_k - I and of M_k M_k^T - I is "
                      "{:.1e}.",
                      kShiftWidth, offsets(), error),
          {{"error", error}}};
}

Finding unit_determinant(const Evidence& evidence) {
  const double error = worst_over_shifts(&ShiftLaws::determinant, evidence);
  return {
      holds_within(error),
      fmt::format("Width {}, {}: |det M_k - 1| is at most {:.1e}.", kShiftWidth, offsets(), error),
      {{"error", error}}};
}

Finding group(const Evidence& evidence) {
  double error =
      largest_difference(evidence.shift(0, kShiftWidth, kShiftBase), identity(kShiftWidth));
  for (const int a : kShifts)
    for (const int b : kShifts) error = larger(error, shift_laws(a, evidence, b).group);
  return {holds_within(error),
          fmt::format("Width {}, all pairs of 1, 5, 10, 50 and 100: M_a M_b differs from M_(a+b), "
                      "and M_0 from the identity, by at most {:.1e}.",
                      kShiftWidth, error),
          {{"error", error}}};
}

Finding inverse_is_transpose(const Evidence& evidence) {
  const double error = worst_over_shifts(&ShiftLaws::inverse, evidence);
  return {holds_within(error),
          fmt::format("Width {}, {}: M_-k differs from the transpose of M_k, and M_-k M_k from the "
                      "identity, by at most {:.1e}.",
                      kShiftWidth, offsets(), error),
          {{"error", error}}};
}

Finding keeps_lengths(const Evidence& evidence) {
  const xt::xarray<double> rows = random_tokens(1, 20, kShiftWidth);
  const xt::xarray<double> dots = product(rows, transposed(rows));
  double error = 0;
  for (const int k : kShifts) {
    const xt::xarray<double> after = moved(rows, evidence.shift(k, kShiftWidth, kShiftBase));
    error = larger(error, largest_difference(product(after, transposed(after)), dots));
  }
  return {holds_within(error),
          fmt::format("20 random vectors of width {}, {}: their lengths squared and their dot "
                      "products change by at most {:.1e}, while they are up to {:.0f} in size.",
                      kShiftWidth, offsets(), error, *std::max_element(dots.begin(), dots.end())),
          {{"error", error}}};
}

Finding offset_only(const Evidence& evidence) {
  constexpr std::size_t kPositions = 1000, kOffset = 5;
  const xt::xarray<double> pe = evidence.encode(kPositions + kOffset, kShiftWidth, kShiftBase);
  const std::vector<double> first = turns_between(pe, 0, kOffset);
  double spread = 0;
  for (std::size_t p = 1; p < kPositions; ++p) {
    const std::vector<double> turns = turns_between(pe, p, p + kOffset);
    for (std::size_t c = 0; c < turns.size(); ++c)
      spread = larger(spread, angle_between(turns[c], first[c]));
  }
  return {holds_within(spread),
          fmt::format("Width {}: from p to p + {} every pair turns by the same angle wherever it "
                      "starts; over p = 0 to {} the angles differ by at most {:.1e}.",
                      kShiftWidth, kOffset, kPositions - 1, spread),
          {{"spread", spread}}};
}

Finding proportional(const Evidence& evidence) {
  constexpr std::size_t kFarthest = 1000;
  const xt::xarray<double> pe = evidence.encode(kFarthest + 1, kShiftWidth, kShiftBase);
  const std::vector<double> w = frequencies(kShiftWidth, kShiftBase);
  double error = 0;
  for (std::size_t k = 1; k <= kFarthest; ++k) {
    const std::vector<double> turns = turns_between(pe, 0, k);
    for (std::size_t c = 0; c < w.size(); ++c)
      error = larger(error, angle_between(turns[c], static_cast<double>(k) * w[c]));
  }
  return {holds_within(error),
          fmt::format("Width {}: from 0 to k pair c turns by k 10000^(-2c/{}), up to whole turns; "
                      "for k up to {} no pair is off by more than {:.1e}.",
                      kShiftWidth, kShiftWidth, kFarthest, error),
          {{"error", error}}};
}

Finding small_turns(const Evidence& evidence) {
  constexpr double kSecondHand = 6;  // degrees from one second to the next
  const xt::xarray<double> pe = evidence.encode(2, kShiftWidth, kShiftBase);
  double largest = 0;
  std::size_t slow = 0;
  const std::vector<double> turns = turns_between(pe, 0, 1);
  for (const double turn : turns) {
    const double degrees = angle_between(turn, 0) * kDegrees;
    largest = larger(largest, degrees);
    slow += degrees <= kSecondHand;
  }
  const bool holds = slow == turns.size();
  return {holds ? Verdict::kHolds : Verdict::kFails,
          fmt::format("Width {}: the fastest pair turns {:.1f} degrees from one position to the "
                      "next; {} of {} pairs turn by no more than the {} degrees of a second hand.",
                      kShiftWidth, largest, slow, turns.size(), kSecondHand),
          {{"fastest, degrees", largest}, {"slow pairs", static_cast<double>(slow)}}};
}

Finding check_in_float(const Evidence& evidence) {
  constexpr double kWanted = 1e-6;
  std::vector<std::string> words;
  std::vector<std::pair<std::string, double>> numbers;
  double in_float = 0;
  for (const int k : kShifts) {
    const double error = shift_error_in_float(kShiftFrom, k, kShiftWidth, kShiftBase);
    in_float = larger(in_float, error);
    words.push_back(fmt::format("{:.1e}", error));
    numbers.emplace_back(fmt::format("k = {}", k), error);
  }
  const double in_double = worst_over_shifts(&ShiftLaws::shift, evidence);
  numbers.emplace_back("double", in_double);
  return {larger(in_float, in_double) < kWanted ? Verdict::kHolds : Verdict::kFails,
          fmt::format("In single precision, as the text computes it, the error at {} is {}; in "
                      "double it is at most {:.1e}. What fails is the arithmetic: near 100 a "
                      "single-precision angle is only known to {:.1e}.",
                      offsets(), fmt::join(words, ", "), in_double,
                      (std::nextafter(100.0F, 200.0F) - 100.0F) / 2),
          numbers};
}

Finding looks_back(const Evidence& evidence) {
  constexpr std::size_t kPositions = 512, kBack = 2;
  const xt::xarray<double> logits = look_back_logits(kBack, kPositions, evidence);
  std::size_t hits = 0;
  double margin = std::numeric_limits<double>::infinity();
  for (std::size_t i = kBack; i < kPositions; ++i) {
    const double wanted = logits(i, i - kBack);
    double second = -std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < kPositions; ++j)
      if (j != i - kBack) second = larger(second, logits(i, j));
    hits += wanted > second;
    margin = smaller(margin, wanted - second);
  }
  const std::size_t asked = kPositions - kBack;
  return {hits == asked ? Verdict::kHolds : Verdict::kFails,
          fmt::format("Width {}: with M_-{} between query and key the largest of {} products is "
                      "the one {} positions back for {} of {} queries. Its lead over the next is "
                      "{:.2f} of {:.0f}, so the weights must grow before attention is sharp.",
                      kShiftWidth, kBack, kPositions, kBack, hits, asked, margin, logits(kBack, 0)),
          {{"hits", static_cast<double>(hits)}, {"margin", margin}}};
}

}  // namespace

std::vector<Claim> shift_claims() {
  return {
      {"D0-linear-shift", "D0, D2, D3",
       "For every offset k one fixed matrix turns the encoding of p into that of p + k.", "lab02",
       "lab02-matrix", linear},
      {"D0-shift-orthogonal", "D0", "The shift matrix is orthogonal.", "lab02", "lab02-matrix",
       orthogonal},
      {"D0-shift-determinant", "D0", "The determinant of the shift matrix is 1.", "lab02",
       "lab02-matrix", unit_determinant},
      {"D0-shift-group", "D0",
       "Moving by a and then by b is moving by a + b; moving by 0 changes nothing.", "lab02",
       "lab02-matrix", group},
      {"D0-shift-inverse", "D0", "Moving back is the inverse of moving on, and its transpose.",
       "lab02", "lab02-matrix", inverse_is_transpose},
      {"D0-shift-lengths", "D0", "A shift keeps lengths and angles: it only rotates.", "lab02",
       "lab02-matrix", keeps_lengths},
      {"D3-offset-only", "D0, D1, D3",
       "The rotation depends on the offset alone and not on where it starts.", "lab02",
       "lab02-turns", offset_only},
      {"D0-turn-proportional", "D0, D2",
       "Moving by k turns each pair by an angle proportional to k, at the rate of its frequency.",
       "lab02", "lab02-turns", proportional},
      {"D0-small-turns", "D0", "From one position to the next every clock turns only a little.",
       "lab02", "lab02-turns", small_turns},
      {"D0-check-in-float", "D0",
       "A program that compares both sides at k = 1, 5, 10, 50 and 100 finds an error below 1e-6.",
       "lab02", "lab02-error", check_in_float},
      {"D0-looks-back", "D0, D1, D3",
       "With one fixed matrix, attention finds the token two positions back, at position 5 as at "
       "position 500.",
       "lab02", "lab02-look-back", looks_back},
  };
}

}  // namespace phasor
