// What is claimed of rotating queries and keys, measured on the rotation alone.
#include "phasor/course/rope/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "phasor/analysis/frequency.hpp"
#include "phasor/analysis/matrix.hpp"
#include "phasor/analysis/score_map.hpp"
#include "phasor/core/larger.hpp"
#include "phasor/course/topics.hpp"

namespace phasor {
namespace {

constexpr double kBase = 10000;

/// Sums of at most 64 products of numbers of order one are exact to some 1e-14 of their size, and
/// an angle of some hundred radians to 1e-14; any mistake in a rotation shows in the third digit.
constexpr double kRounding = 1e-10;

std::vector<double> positions_from(double first, std::size_t count, double step = 1) {
  std::vector<double> positions(count);
  for (std::size_t i = 0; i < count; ++i) positions[i] = first + step * static_cast<double>(i);
  return positions;
}

double largest(const xt::xarray<double>& values) {
  double most = 0;
  for (const double value : values) most = larger(most, std::abs(value));
  return most;
}

/// Row i is basis vector i, turned to position p: the transpose of the matrix R_p.
xt::xarray<double> turned_basis(const Rotation& rotate, std::size_t width, double p) {
  return rotate(identity(width), std::vector<double>(width, p), kBase);
}

Finding offset_alone(const Evidence& evidence) {
  constexpr std::size_t kPairs = 8, T = 64, D = 32;
  Rng rng(1, "offset alone");
  const xt::xarray<double> queries = normal_rows(kPairs, D, 1, rng);
  const xt::xarray<double> keys = normal_rows(kPairs, D, 1, rng);
  const std::vector<double> positions = positions_from(0, T);
  const xt::xarray<double> pe = evidence.encode(T, D, kBase);
  double turned = 0, added = 1e300;
  for (std::size_t pair = 0; pair < kPairs; ++pair) {
    const xt::xarray<double> q = repeated_row(queries, pair, T), k = repeated_row(keys, pair, T);
    const xt::xarray<double> map =
        score_map(evidence.rotate(q, positions, kBase), evidence.rotate(k, positions, kBase));
    turned = larger(turned, relative_spread_on_diagonals(map));
    const xt::xarray<double> q_added = q + pe, k_added = k + pe;
    added = smaller(added, relative_spread_on_diagonals(score_map(q_added, k_added)));
  }
  return {
      turned <= kRounding ? Verdict::kHolds : Verdict::kFails,
      fmt::format("{} random pairs of width {} at {} x {} positions: where the offset is the "
                  "same, rotated products differ by at most {:.1e} of the largest product. With "
                  "the sinusoidal encoding added to the same pairs they differ by {:.2f} or "
                  "more.",
                  kPairs, D, T, T, turned, added),
      {{"rotated", turned}, {"added", added}}};
}

Finding keeps_length(const Evidence& evidence) {
  constexpr std::size_t T = 512, D = 64;
  Rng rng(1, "length");
  const xt::xarray<double> rows = normal_rows(T, D, 1, rng);
  const xt::xarray<double> turned = evidence.rotate(rows, positions_from(0, T), kBase);
  double error = 0;
  for (std::size_t t = 0; t < T; ++t) {
    double before = 0, after = 0;
    for (std::size_t c = 0; c < D; ++c) {
      before += rows(t, c) * rows(t, c);
      after += turned(t, c) * turned(t, c);
    }
    error = larger(error, std::abs(std::sqrt(after / before) - 1));
  }
  return {error <= kRounding ? Verdict::kHolds : Verdict::kFails,
          fmt::format("{} random rows of width {}, each at another position: the length changes by "
                      "at most {:.1e} of itself.",
                      T, D, error),
          {{"change", error}}};
}

Finding rotations_compose(const Evidence& evidence) {
  constexpr std::size_t D = 16;
  double undone = 0, summed = 0;
  for (const auto& [p, q] :
       {std::pair(0.0, 5.0), {3.0, 10.0}, {10.0, 3.0}, {100.0, 101.0}, {7.0, 500.0}}) {
    const xt::xarray<double> at_p = turned_basis(evidence.rotate, D, p);
    const xt::xarray<double> at_q = turned_basis(evidence.rotate, D, q);
    // Entry (i, j) is (R_p e_i) . (R_q e_j), that of R_p^T R_q.
    const xt::xarray<double> both = score_map(at_p, at_q);
    const xt::xarray<double> wanted = transposed(turned_basis(evidence.rotate, D, q - p));
    undone = larger(undone, largest_difference(both, wanted));
    const xt::xarray<double> twice = evidence.rotate(at_p, std::vector<double>(D, q), kBase);
    summed = larger(summed, largest_difference(twice, turned_basis(evidence.rotate, D, p + q)));
  }
  return {
      larger(undone, summed) <= kRounding ? Verdict::kHolds : Verdict::kFails,
      fmt::format("Width {}, five pairs of positions up to 500: R_p^T R_q is R_(q-p) to {:.1e}, "
                  "and R_q R_p is R_(p+q) to {:.1e}.",
                  D, undone, summed),
      {{"undone", undone}, {"summed", summed}}};
}

/// "to 2e-15", or "exactly".
std::string to_within(double error) {
  return error == 0 ? "exactly" : fmt::format("to {:.1e}", error);
}

Finding same_mathematics(const Evidence& evidence) {
  constexpr std::size_t T = 128, D = 64;
  const xt::xarray<double> pe = evidence.encode(T, D, kBase);
  const xt::xarray<double> start = repeated_row(pe, 0, T);
  const double rows =
      largest_difference(evidence.rotate(start, positions_from(0, T, -1), kBase), pe);
  const xt::xarray<double> turned = evidence.rotate(start, positions_from(0, T), kBase);
  const double products = largest_difference(score_map(turned, turned), score_map(pe, pe));
  return {
      larger(rows, products) <= kRounding ? Verdict::kHolds : Verdict::kFails,
      fmt::format("Width {}, {} positions: row 0 of the sinusoidal encoding, (0, 1, 0, 1, ...), "
                  "turned back by p is its row p {}; and as query and key at once it has "
                  "the products PE(m) . PE(n) {}.",
                  D, T, to_within(rows), to_within(products)),
      {{"rows", rows}, {"products", products}}};
}

using Complex = std::complex<double>;

/// Largest |q'_m k'_n - q k e^(i (m - n) w_c)| over all m, n and pairs c, the two columns of a pair
/// being the real and the imaginary part; `conjugate` takes the keys' conjugates.
double error_of_phases(const Rotation& rotate, const xt::xarray<double>& q,
                       const xt::xarray<double>& k, bool conjugate) {
  const std::size_t T = q.shape(0);
  const std::vector<double> positions = positions_from(0, T), w = frequencies(q.shape(1), kBase);
  const xt::xarray<double> turned_q = rotate(q, positions, kBase);
  const xt::xarray<double> turned_k = rotate(k, positions, kBase);
  const auto at = [&](const xt::xarray<double>& rows, std::size_t t, std::size_t c, bool is_key) {
    const Complex value(rows(t, 2 * c), rows(t, 2 * c + 1));
    return is_key && conjugate ? std::conj(value) : value;
  };
  double error = 0;
  for (std::size_t m = 0; m < T; ++m)
    for (std::size_t n = 0; n < T; ++n)
      for (std::size_t c = 0; c < w.size(); ++c) {
        const Complex phase = std::polar(1.0, (positions[m] - positions[n]) * w[c]);
        const Complex wanted = at(q, m, c, false) * at(k, n, c, true) * phase;
        const Complex got = at(turned_q, m, c, false) * at(turned_k, n, c, true);
        error = larger(error, std::abs(got - wanted));
      }
  return error;
}

Finding complex_product(const Evidence& evidence) {
  constexpr std::size_t T = 24, D = 16;
  Rng rng(1, "complex");
  const xt::xarray<double> q = repeated_row(normal_rows(1, D, 1, rng), 0, T);
  const xt::xarray<double> k = repeated_row(normal_rows(1, D, 1, rng), 0, T);
  const double conjugated = error_of_phases(evidence.rotate, q, k, true);
  const double plain = error_of_phases(evidence.rotate, q, k, false);
  const Verdict verdict = !(conjugated <= kRounding) ? Verdict::kFails
                          : !(plain <= kRounding)    ? Verdict::kHoldsIf
                                                     : Verdict::kHolds;
  return {verdict,
          conditional(
              verdict, "the key is conjugated, and the score is the real part",
              fmt::format(
                  "pair by pair the product with the key's conjugate is q k* e^(i (m-n) w) to "
                  "{:.1e}. Multiplied as the formula is written, phases add up to m + n, and it "
                  "is off by as much as {:.2f}.",
                  conjugated, plain)),
          {{"conjugated", conjugated}, {"plain", plain}}};
}

/// What one feature map shows.
struct Normaliser {
  std::size_t not_positive = 0;  ///< rotated denominators at or below zero
  double least_ratio = 1e300;    ///< of a rotated denominator to the one that was not rotated
  double least_plain = 1e300;
  double moved = 0;  ///< relative change of numerators when all positions are shifted
};

Normaliser measure_normaliser(const Rotation& rotate, FeatureMap features, std::size_t width) {
  const TurnedSums sums = turned_sums(rotate, features, width);
  const TurnedSums moved = turned_sums(rotate, features, width, 100);
  Normaliser result;
  for (std::size_t m = 0; m < sums.plain.denominators.size(); ++m) {
    const double turned = sums.turned.denominators[m], plain = sums.plain.denominators[m];
    result.not_positive += turned <= 0;
    result.least_ratio = std::min(result.least_ratio, turned / plain);
    result.least_plain = std::min(result.least_plain, plain);
  }
  result.moved = largest_difference(moved.turned.numerators, sums.turned.numerators) /
                 largest(sums.turned.numerators);
  return result;
}

Finding linear_attention(const Evidence& evidence) {
  const Normaliser elu = measure_normaliser(evidence.rotate, elu_features, 8);
  const Normaliser exp = measure_normaliser(evidence.rotate, exp_features, 8);
  // Wide heads have many slow pairs, whose sums stay positive.
  const Normaliser wide = measure_normaliser(evidence.rotate, elu_features, 64);
  const double moved = larger(elu.moved, larger(exp.moved, wide.moved));
  const double least_plain = std::min({elu.least_plain, exp.least_plain, wide.least_plain});
  const bool breaks = elu.not_positive > 0 && exp.not_positive > 0 && least_plain > 0;
  const Verdict verdict = !(moved <= kRounding) ? Verdict::kFails
                          : breaks              ? Verdict::kHoldsIf
                                                : Verdict::kHolds;
  return {verdict,
          conditional(
              verdict, "the normaliser is not rotated",
              fmt::format(
                  "the rotated numerator depends on offsets alone (a shift by 100 changes it by "
                  "{:.1e}), and the sums are carried along as before. Rotating the normaliser too "
                  "makes {} of 512 denominators zero or negative with the features elu + 1 at "
                  "width 8, and {} with e^x; at width 64 {} with elu + 1, but the smallest is "
                  "{:.2f} times what it should be. Unrotated the least is {:.1f}.",
                  moved, elu.not_positive, exp.not_positive, wide.not_positive, wide.least_ratio,
                  least_plain)),
          {{"moved", moved},
           {"elu negative", static_cast<double>(elu.not_positive)},
           {"exp negative", static_cast<double>(exp.not_positive)},
           {"elu least ratio", elu.least_ratio},
           {"exp least ratio", exp.least_ratio},
           {"wide least ratio", wide.least_ratio},
           {"least unrotated", least_plain}}};
}

}  // namespace

TurnedSums turned_sums(const Rotation& rotate, FeatureMap features, std::size_t D, double first) {
  constexpr std::size_t T = 512;
  Rng rng(1, "linear attention");
  const xt::xarray<double> q = features(normal_rows(T, D, 2, rng));
  const xt::xarray<double> k = features(normal_rows(T, D, 2, rng));
  const xt::xarray<double> v = normal_rows(T, 4, 1, rng);
  const std::vector<double> positions = positions_from(first, T);
  return {kernel_sums(q, k, v),
          kernel_sums(rotate(q, positions, kBase), rotate(k, positions, kBase), v)};
}

std::vector<Claim> rope_claims() {
  std::vector<Claim> claims = {
      {"D1-offset-alone", "D0, D1, D2",
       "After rotation the product of a query and a key depends on their positions only through "
       "the offset between them.",
       "lab08", "lab08-stripes", offset_alone},
      {"D0-rotation-keeps-length", "D0, D2", "Turning a vector to its position leaves its length.",
       "lab08", "lab08-matrices", keeps_length},
      {"D2-rotations-compose", "D0, D2",
       "The rotation of one position undone and that of another applied is the rotation of their "
       "difference.",
       "lab08", "lab08-matrices", rotations_compose},
      {"D2-same-mathematics", "D0, D2",
       "The rotation is that of the sinusoidal encoding, moved into attention.", "lab08",
       "lab08-stripes", same_mathematics},
      {"D1-complex-product", "D1",
       "With pairs as complex numbers, rotated query times rotated key is the product before times "
       "e^(i (m-n) w).",
       "lab08", "lab08-angles", complex_product},
      {"D1-linear-attention", "D1", "Rotary positions work with linear attention.", "lab08",
       "lab08-normaliser", linear_attention}};
  for (Claim& claim : rope_model_claims()) claims.push_back(std::move(claim));
  return claims;
}

}  // namespace phasor
