// How alike the rows of an encoding are, how they decay, and what other choices make of them.
#include "phasor/analysis/collision.hpp"
#include "phasor/analysis/decay.hpp"
#include "phasor/analysis/design.hpp"
#include "phasor/analysis/frequency.hpp"
#include "phasor/analysis/gram.hpp"
#include "phasor/analysis/least_squares.hpp"
#include "phasor/analysis/similarity.hpp"
#include "phasor/analysis/singular.hpp"
#include "phasor/course/claim.hpp"
#include "phasor/python/bindings.hpp"

namespace phasor::python {
namespace {

using namespace pybind11::literals;
using Matrix = xt::xarray<double>;

void bind_encodings(py::module_& m) {
  m.def("sinusoid", sinusoid, "positions"_a, "width"_a, "base"_a = 10000.0, Unlocked(),
        "The sinusoidal encoding in double: [positions, width].\n\n"
        "PE(p, 2k) = sin(p w_k), PE(p, 2k + 1) = cos(p w_k), w_k = base^(-2k / width).\n"
        "Raises ConfigError when width is odd. Vaswani et al. (2017), section 3.5.");
  m.def("frequencies", frequencies, "width"_a, "base"_a = 10000.0,
        "w_k = base^(-2k / width) for k = 0 .. width/2 - 1, in radians per position.");
  m.def("wavelengths", wavelengths, "width"_a, "base"_a = 10000.0,
        "2 pi / w_k, in positions: how far apart two positions are that look the same to pair k,\n"
        "[width/2].");
  m.def(
      "designs",
      [] {
        py::dict names;
        for (const Design& design : designs()) names[py::str(design.name)] = design.formula;
        return names;
      },
      "Ways to turn a position into angles: name -> formula.");
  m.def(
      "design_encoding",
      [](const std::string& name, std::size_t positions, std::size_t width, double base) {
        return encoding_of(design_named(name).with(base), positions, width);
      },
      "name"_a, "positions"_a, "width"_a, "base"_a = 10000.0, Unlocked(),
      "An encoding with one choice replaced, sine and cosine of each pair: [positions, width].\n\n"
      "name: one of designs(). Raises ConfigError.");
  m.def("sines_of", sines_of, "rows"_a, Unlocked(),
        "Every second column from the first, what is left without cosines: [T, d] -> [T, d / 2].");
}

void bind_likeness(py::module_& m) {
  m.def("cosine_similarity", cosine_similarity, "rows"_a, Unlocked(),
        "Cosine of the angle between every two rows: [T, d] -> [T, T].\n\n"
        "Raises ShapeError unless there are two axes, DataError when a row is zero.");
  m.def("norms", norms, "rows"_a, Unlocked(), "Length of every row: [T, d] -> [T].");
  m.def("distances_from", distances_from, "rows"_a, "origin"_a = 0, Unlocked(),
        "Euclidean distance of every row from row `origin`: [T, d] -> [T].");
  m.def("dots_from", dots_from, "rows"_a, "origin"_a = 0, Unlocked(),
        "Inner product of every row with row `origin`: [T, d] -> [T].");
  m.def(
      "dots_at_distance", dots_at_distance, "rows"_a, "distance"_a, Unlocked(),
      "row(i) . row(i + distance) for every i that has such a partner: [T, d] -> [T - distance].");
  m.def("widest_spread", widest_spread, "rows"_a, Unlocked(),
        "By how much inner products of rows equally far apart differ, at most: 0 but for rounding\n"
        "when the product is a function of distance alone. rows: [T, d].");
  m.def("column_cosines", column_cosines, "columns"_a, Unlocked(),
        "Cosine of the angle between every two columns: [T, d] -> [d, d].");
  m.def(
      "singular_values", [](const Matrix& matrix) { return singular_parts(matrix).values; },
      "matrix"_a, Unlocked(), "Singular values, the largest first: [T, d] -> [d].");
  m.def(
      "nearest_pair",
      [](const Matrix& rows, std::size_t apart) {
        const RowPair pair = nearest_pair(rows, apart);
        return std::tuple(pair.first, pair.second, pair.distance);
      },
      "rows"_a, "apart"_a = 1, Unlocked(),
      "The two rows at least `apart` places from each other that are nearest: (first, second,\n"
      "distance). rows: [T, d].");
}

void bind_decay(py::module_& m) {
  m.def("sum_of_cosines", sum_of_cosines, "distance"_a, "frequencies"_a,
        "sum over k of cos(distance w_k): the inner product of two sinusoidal encodings.");
  m.def("decay_law", decay_law, "distance"_a, "base"_a = 10000.0,
        "1 - (ln distance + 0.5772) / ln base: what the inner product of a wide sinusoidal\n"
        "encoding follows, as a share of its value at distance 0, for 1 << distance << base.");
  m.def("readable_up_to", readable_up_to, "values"_a,
        "The last i such that each of values[0] .. values[i] is larger than all that follow.");
  m.def("steps_up", steps_up, "values"_a,
        "In how many of the len(values) - 1 steps the next value is the larger one.");
}

void bind_fits(py::module_& m) {
  const auto as_dict = [](const LinearFit& fit) {
    return py::dict("matrix"_a = fit.matrix, "residual"_a = fit.residual, "rank"_a = fit.rank);
  };
  m.def(
      "linear_fit",
      [as_dict](const Matrix& rows, const Matrix& targets) {
        return as_dict(without_lock([&] { return linear_fit(rows, targets); }));
      },
      "rows"_a, "targets"_a,
      "The matrix M that makes |targets - rows M^T| least: matrix [e, d], residual (a share of\n"
      "|targets|), rank. rows: [T, d], targets: [T, e].");
  m.def(
      "shift_fit",
      [as_dict](const Matrix& rows, std::size_t k) {
        return as_dict(without_lock([&] { return shift_fit(rows, k); }));
      },
      "rows"_a, "k"_a,
      "The fixed matrix that best moves every row k places on, row(p + k) = M row(p): matrix,\n"
      "residual, rank. rows: [T, d].");
  m.def(
      "shift_residual", shift_residual, "rows"_a, "matrix"_a, "k"_a, Unlocked(),
      "|row(p + k) - matrix row(p)| / |row(p + k)|, all p together. rows: [T, d], matrix: [d, d].");
}

}  // namespace

void bind_analysis(py::module_& module) {
  bind_encodings(module);
  bind_likeness(module);
  bind_decay(module);
  bind_fits(module);
}

}  // namespace phasor::python
