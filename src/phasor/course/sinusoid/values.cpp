// Findings about the values of the encoding: tables, lengths, bounds, and how they are computed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "phasor/analysis/collision.hpp"
#include "phasor/analysis/least_squares.hpp"
#include "phasor/analysis/matrix.hpp"
#include "phasor/analysis/similarity.hpp"
#include "phasor/core/larger.hpp"
#include "phasor/course/sinusoid/claims.hpp"
#include "phasor/course/sinusoid/printed_tables.hpp"
#include "phasor/position/schemes.hpp"

namespace phasor::sinusoids {
namespace {

constexpr double kBase = 10000;

Verdict holds_if(bool holds) { return holds ? Verdict::kHolds : Verdict::kFails; }

/// What the scheme adds to embeddings that are zero.   -> [positions, width].
xt::xarray<double> added_by(const Scheme& scheme, std::size_t positions, std::size_t width) {
  const NoGrad no_grad;
  const Var nothing(zeros({1, positions, width}));
  const Tensor added = scheme.embed(nothing, consecutive_positions(positions)).value();
  auto result = xt::xarray<double>::from_shape({positions, width});
  std::copy(added.begin(), added.end(), result.begin());
  return result;
}

/// What the best fixed matrix leaves of a shift by 5, 128 positions, with the frequencies of
/// `width`, even or odd: an odd one has room for the last sine and none for its cosine.
double left_at_width(const Encoder& encode, std::size_t width) {
  constexpr std::size_t kPositions = 128, kShift = 5;
  const std::size_t even = width + width % 2;
  // base^(-2k / width), from an encoder of even widths.
  const double base = std::pow(kBase, static_cast<double>(even) / static_cast<double>(width));
  const xt::xarray<double> whole = encode(kPositions, even, base);
  auto rows = xt::xarray<double>::from_shape({kPositions, width});
  for (std::size_t p = 0; p < kPositions; ++p)
    for (std::size_t c = 0; c < width; ++c) rows(p, c) = whole(p, c);
  return shift_fit(rows, kShift).residual;
}

/// The largest relative error of frequencies computed in single precision, in two ways.
struct SingleErrors {
  double from_log = 0, from_power = 0;
};

SingleErrors single_errors(std::size_t width) {
  SingleErrors worst;
  for (std::size_t i = 0; i < width; i += 2) {
    const double exact = std::pow(kBase, -static_cast<double>(i) / static_cast<double>(width));
    const auto step = static_cast<float>(-std::log(kBase) / static_cast<double>(width));
    const float by_log = std::exp(static_cast<float>(i) * step);
    const float exponent = static_cast<float>(i) / static_cast<float>(width);
    const float by_power = 1.0F / std::pow(static_cast<float>(kBase), exponent);
    worst.from_log = std::max(worst.from_log, std::abs(by_log / exact - 1));
    worst.from_power = std::max(worst.from_power, std::abs(by_power / exact - 1));
  }
  return worst;
}

}  // namespace

Finding worked_table(const Evidence& evidence) {
  const xt::xarray<double> pe = evidence.encode(4, 8, kBase);
  double error = 0;
  for (std::size_t p = 0; p < 4; ++p)
    for (std::size_t i = 0; i < 8; ++i)
      error = larger(error, std::abs(pe(p, i) - kPrintedWidth8[p][i]));
  // Half of the last digit, and a rounding error for what lies half way.
  return {
      holds_if(error <= 0.005 + 1e-12),
      fmt::format("No entry is off by more than {:.6f}; half of the last digit is 0.005.", error),
      {{"largest difference", error}}};
}

Finding small_table(const Evidence& evidence) {
  const xt::xarray<double> pe = evidence.encode(5, 4, kBase);
  std::size_t in_double = 0, in_float = 0;
  for (std::size_t p = 0; p < 5; ++p)
    for (std::size_t i = 0; i < 4; ++i) {
      const std::string printed = fmt::format("{:.4f}", kPrintedWidth4[p][i]);
      in_double += fmt::format("{:.4f}", pe(p, i)) != printed;
      in_float += fmt::format("{:.4f}", static_cast<float>(pe(p, i))) != printed;
    }
  const std::string counts = fmt::format(
      "with four decimals {} of 20 entries differ in double precision (cos 0.01 = {:.9f}) and {} "
      "in single precision.",
      in_double, pe(1, 3), in_float);
  const Verdict verdict = in_double == 0  ? Verdict::kHolds
                          : in_float == 0 ? Verdict::kHoldsIf
                                          : Verdict::kFails;
  return {verdict,
          conditional(verdict, "it is computed in single precision", counts),
          {{"differ in double", static_cast<double>(in_double)},
           {"differ in float", static_cast<double>(in_float)}}};
}

Finding early_dimensions(const Evidence& evidence) {
  constexpr std::size_t kPositions = 64, kWidth = 32;
  const xt::xarray<double> pe = evidence.encode(kPositions, kWidth, kBase);
  std::vector<double> moves(kWidth / 2);  // how far a pair moves in a step, on average
  for (std::size_t k = 0; k < moves.size(); ++k)
    for (std::size_t p = 0; p + 1 < kPositions; ++p)
      moves[k] +=
          std::hypot(pe(p + 1, 2 * k) - pe(p, 2 * k), pe(p + 1, 2 * k + 1) - pe(p, 2 * k + 1)) /
          (kPositions - 1);
  const bool falls = std::is_sorted(moves.rbegin(), moves.rend());
  return {
      holds_if(falls && moves.back() < 0.01 * moves.front()),
      fmt::format("In one step pair 0 moves by {:.3f}, pair {} by {:.2g}, and {} pair less than "
                  "the one before it.",
                  moves.front(), moves.size() - 1, moves.back(), falls ? "every" : "not every"),
      {{"pair 0", moves.front()}, {"last pair", moves.back()}}};
}

Finding unique_rows(const Evidence& evidence) {
  const RowPair narrow = nearest_pair(evidence.encode(10000, 8, kBase));
  const RowPair wide = nearest_pair(evidence.encode(100, 128, kBase));
  // Two rows that are equal differ by the rounding of their angles at most: 1e4 * 2.2e-16 radians.
  constexpr double kEqual = 1e-10;
  return {holds_if(narrow.distance > kEqual && wide.distance > kEqual),
          fmt::format(
              "The two most alike of 10000 positions at width 8 are {} and {}, {:.3f} apart "
              "(Euclidean distance); of 100 at width 128 {} and {}, {:.3f} apart.",
              narrow.first, narrow.second, narrow.distance, wide.first, wide.second, wide.distance),
          {{"nearest of 10000 at width 8", narrow.distance},
           {"nearest of 100 at width 128", wide.distance}}};
}

Finding exact_norm(const Evidence& evidence) {
  double error = 0;
  for (const std::size_t width : {2, 8, 32, 128, 512})
    for (const double norm : norms(evidence.encode(512, width, kBase)))
      error = larger(error, std::abs(norm - std::sqrt(static_cast<double>(width) / 2)));
  const std::vector<double> lengths = norms(evidence.encode(512, 128, kBase));
  const auto ends = std::minmax_element(lengths.begin(), lengths.end());
  // A sum of up to 512 squares, each rounded to 1e-16, under a root: far below 1e-12.
  const bool holds = error <= 1e-12;
  return {
      holds_if(holds),
      fmt::format("The length is {} sqrt(d/2) at widths 2 to 512, to {:.1g}; at width 128 it is "
                  "{:.4f} to {:.4f} over 512 positions.",
                  holds ? "exactly" : "not", error, *ends.first, *ends.second),
      {{"largest difference", error}}};
}

Finding bounded(const Evidence& evidence) {
  const xt::xarray<double> pe = evidence.encode(512, 128, kBase);
  const auto ends = std::minmax_element(pe.begin(), pe.end());
  const double low = *ends.first, high = *ends.second;
  return {
      holds_if(low >= -1 && high <= 1),
      fmt::format("Of 512 positions at width 128 the least value is {:.6g} and the greatest "
                  "{:.6g}: {}.",
                  low, high, low >= -1 && high <= 1 ? "none is beyond -1 or 1" : "some are beyond"),
      {{"least", low}, {"greatest", high}}};
}

Finding no_parameters(const Evidence& evidence) {
  constexpr std::size_t kPositions = 64, kWidth = 32;
  const xt::xarray<double> pe = evidence.encode(kPositions, kWidth, kBase);
  std::vector<std::string> others;
  std::string same;
  std::size_t parameters = 0;
  for (const SchemeEntry& entry : schemes()) {
    if (entry.kind != "additive") continue;
    Rng rng(1, "claims");
    const auto scheme = make_scheme(entry.name, {}, {kWidth, 1, kPositions}, rng);
    const std::size_t count = scheme->traits().parameter_count;
    // Single precision: angles up to 63 are rounded by 4e-6.
    if (largest_difference(added_by(*scheme, kPositions, kWidth), pe) <= 1e-5) {
      same = entry.name;
      parameters = count;
    } else {
      others.push_back(fmt::format("{} has {}", entry.name, count));
    }
  }
  const std::string rest =
      fmt::format("at {} positions and width {} {}", kPositions, kWidth, fmt::join(others, ", "));
  if (same.empty()) return {Verdict::kFails, "No scheme adds these numbers; " + rest + "."};
  return {holds_if(parameters == 0),
          fmt::format("The scheme that adds these numbers, {}, has {} trained numbers; {}.", same,
                      parameters, rest),
          {{"trained numbers", static_cast<double>(parameters)}}};
}

Finding even_width(const Evidence& evidence) {
  // What rounding leaves of an exact shift is 1e-15, and the least that is left here of a sine
  // alone, at width 7, 1e-6.
  constexpr double kExact = 1e-12, kLeft = 1e-9;
  double worst_even = 0, least_odd = 1;
  std::vector<std::string> words;
  std::vector<std::pair<std::string, double>> numbers;
  for (const std::size_t width : {1, 3, 5, 7}) {
    const double odd = left_at_width(evidence.encode, width);
    worst_even = larger(worst_even, left_at_width(evidence.encode, width + 1));
    least_odd = smaller(least_odd, odd);
    words.push_back(fmt::format("{:.1g}", odd));
    numbers.emplace_back(fmt::format("width {}", width), odd);
  }
  numbers.emplace_back("even", worst_even);
  return {holds_if(least_odd > kLeft && worst_even < kExact),
          fmt::format("At odd widths the last sine has no cosine. Of a shift by 5 positions the "
                      "best fixed matrix leaves {} at widths 1, 3, 5 and 7, and {:.0e} at widths "
                      "2, 4, 6 and 8. It is less the wider the encoding, since the last sine is "
                      "then slow, all but a straight line over these 128 positions.",
                      fmt::join(words, ", "), worst_even),
          numbers};
}

Finding log_space(const Evidence&) {
  constexpr std::array<std::size_t, 7> kWidths = {32, 64, 96, 128, 256, 512, 768};
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const std::size_t width : kWidths) {
    const SingleErrors errors = single_errors(width);
    least = std::min(least, errors.from_log / errors.from_power);
    most = std::max(most, errors.from_log / errors.from_power);
  }
  const SingleErrors errors = single_errors(128);
  const bool better = most<1, overflows = kBase> std::numeric_limits<float>::max();
  return {
      better && overflows ? Verdict::kHolds : Verdict::kFails,
      fmt::format("In single precision exp(log) is off by {:.1g} of the value at width 128 and "
                  "the power by {:.1g}; over widths 32 to 768 exp(log) is {:.1f} to {:.1f} times "
                  "less accurate. No power exceeds 10000, and single precision ends at {:.1g}.",
                  errors.from_log, errors.from_power, least, most,
                  static_cast<double>(std::numeric_limits<float>::max())),
      {{"error of exp(log), width 128", errors.from_log},
       {"error of the power, width 128", errors.from_power},
       {"least ratio", least},
       {"greatest ratio", most}}};
}

}  // namespace phasor::sinusoids
