#include "phasor/analysis/similarity.hpp"

#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/core/shape.hpp"

namespace phasor {
namespace {

void check_matrix(const xt::xarray<double>& rows, const char* who) {
  check(rows.dimension() == 2, "[{}] rows must have 2 axes (positions, width), got {}", who,
        rows.dimension());
}

void check_row(const xt::xarray<double>& rows, std::size_t row, const char* who) {
  check_matrix(rows, who);
  check(row < rows.shape(0), "[{}] there is no row {}, the array has {}; choose a smaller one", who,
        row, rows.shape(0));
}

double dot(const xt::xarray<double>& rows, std::size_t a, std::size_t b) {
  const std::size_t width = rows.shape(1);
  const double* x = rows.data() + a * width;
  const double* y = rows.data() + b * width;
  double sum = 0;
  for (std::size_t i = 0; i < width; ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace

std::vector<double> norms(const xt::xarray<double>& rows) {
  check_matrix(rows, "norms");
  std::vector<double> result(rows.shape(0));
  for (std::size_t p = 0; p < result.size(); ++p) result[p] = std::sqrt(dot(rows, p, p));
  return result;
}

xt::xarray<double> cosine_similarity(const xt::xarray<double>& rows) {
  const std::vector<double> length = norms(rows);
  for (std::size_t p = 0; p < length.size(); ++p)
    check<DataError>(length[p] > 0, "[cosine_similarity] row {} is zero and has no direction", p);
  const std::size_t count = length.size();
  auto result = xt::xarray<double>::from_shape({count, count});
  for (std::size_t p = 0; p < count; ++p)
    for (std::size_t q = 0; q < count; ++q)
      result(p, q) = p == q ? 1 : dot(rows, p, q) / (length[p] * length[q]);
  return result;
}

std::vector<double> distances_from(const xt::xarray<double>& rows, std::size_t origin) {
  check_row(rows, origin, "distances_from");
  std::vector<double> result(rows.shape(0));
  for (std::size_t p = 0; p < result.size(); ++p) {
    double sum = 0;
    for (std::size_t i = 0; i < rows.shape(1); ++i) {
      const double difference = rows(p, i) - rows(origin, i);
      sum += difference * difference;
    }
    result[p] = std::sqrt(sum);
  }
  return result;
}

std::vector<double> dots_from(const xt::xarray<double>& rows, std::size_t origin) {
  check_row(rows, origin, "dots_from");
  std::vector<double> result(rows.shape(0));
  for (std::size_t p = 0; p < result.size(); ++p) result[p] = dot(rows, origin, p);
  return result;
}

std::vector<double> dots_at_distance(const xt::xarray<double>& rows, std::size_t distance) {
  check_row(rows, distance, "dots_at_distance");
  std::vector<double> result(rows.shape(0) - distance);
  for (std::size_t p = 0; p < result.size(); ++p) result[p] = dot(rows, p, p + distance);
  return result;
}

std::vector<double> column_of(const xt::xarray<double>& rows, std::size_t column) {
  check_matrix(rows, "column_of");
  check(column < rows.shape(1), "[column_of] there is no column {}, the array has {}", column,
        rows.shape(1));
  std::vector<double> result(rows.shape(0));
  for (std::size_t p = 0; p < result.size(); ++p) result[p] = rows(p, column);
  return result;
}

std::size_t steps_up(const std::vector<double>& values) {
  std::size_t count = 0;
  for (std::size_t p = 1; p < values.size(); ++p) count += values[p] > values[p - 1];
  return count;
}

}  // namespace phasor
