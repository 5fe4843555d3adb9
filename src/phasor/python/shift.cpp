// The matrices that move an encoding along, and rotations of rows.
#include "phasor/analysis/shift.hpp"

#include "phasor/analysis/matrix.hpp"
#include "phasor/analysis/score_map.hpp"
#include "phasor/course/claim.hpp"
#include "phasor/python/bindings.hpp"

namespace phasor::python {

using namespace pybind11::literals;

void bind_shift(py::module_& m) {
  m.def(
      "shift_matrix", sinusoidal_shift, "k"_a, "width"_a, "base"_a = 10000.0,
      "M_k, [width, width], with PE(p + k) = M_k PE(p) for every p: a rotation by k w_c for each\n"
      "pair c. k may be negative and need not be whole. Raises ConfigError on an odd width.\n"
      "Vaswani et al. (2017), section 3.5.");
  m.def("moved", moved, "rows"_a, "matrix"_a, Unlocked(),
        "matrix row(p) for every row: rows [T, d], matrix [d, d] -> [T, d].");
  m.def("shift_error_in_float", shift_error_in_float, "p"_a, "k"_a, "width"_a, "base"_a = 10000.0,
        "|PE(p + k) - M_k PE(p)| with everything in single precision.");
  m.def("shift_errors_by_pair_in_float", shift_errors_by_pair_in_float, "p"_a, "k"_a, "width"_a,
        "base"_a = 10000.0, "The same for each pair of dimensions: [width / 2].");
  m.def("shift_error_in_double", shift_error_in_double, "p"_a, "k"_a, "width"_a, "base"_a = 10000.0,
        "|PE(p + k) - M_k PE(p)| in double precision.");
  m.def("turns_between", turns_between, "rows"_a, "start"_a, "end"_a,
        "By which angle each pair of dimensions turns from row `start` to row `end`, in\n"
        "[0, 2 pi): rows [T, d] -> [d / 2].");
  m.def("determinant", determinant, "matrix"_a, Unlocked(), "Of a square matrix, [d, d].");
  m.def("rotated", rotated, "rows"_a, "positions"_a, "base"_a = 10000.0, Unlocked(),
        "Turns every pair (x[2k], x[2k + 1]) of row t by the angle positions[t] w_k, in double:\n"
        "rows [T, D], positions [T] -> [T, D]. Su et al. (2021), equation 34.");
  m.def("score_map", score_map, "queries"_a, "keys"_a, Unlocked(),
        "The inner product of every query with every key: [T, D], [S, D] -> [T, S].");
  m.def("spread_on_diagonals", spread_on_diagonals, "map"_a, Unlocked(),
        "How far a map is from depending on row - column alone: the largest difference within one\n"
        "diagonal. map: [T, S]; NaN does not count.");
  m.def(
      "normal_rows",
      [](std::size_t count, std::size_t width, double deviation, std::uint64_t seed,
         const std::string& purpose) {
        Rng rng(seed, purpose);
        return normal_rows(count, width, deviation, rng);
      },
      "count"_a, "width"_a, "deviation"_a = 1.0, py::kw_only(), "seed"_a = 1, "purpose"_a = "rows",
      "Independent normal numbers from the library's stream (seed, purpose): [count, width].");
}

}  // namespace phasor::python
