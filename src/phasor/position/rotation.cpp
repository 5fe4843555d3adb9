#include "phasor/position/rotation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "phasor/autograd/backward.hpp"
#include "phasor/core/error.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

/// A row for each position: the cosines of all pairs, then their sines.
using Table = std::vector<Real>;

/// Angles are taken in double: a float angle near 10000 is off by 1e-3.
void append_row(Table& table, double position, const std::vector<double>& frequencies,
                double factor) {
  for (const double frequency : frequencies)
    table.push_back(static_cast<Real>(factor * std::cos(position * frequency)));
  for (const double frequency : frequencies)
    table.push_back(static_cast<Real>(factor * std::sin(position * frequency)));
}

/// The rows of some positions in a table.
struct Turns {
  std::shared_ptr<const Table> table;
  std::vector<std::size_t> rows;
};

/// Whether `position` numbers a row of the table that a thread keeps.
bool is_kept(double position) {
  return position >= 0 && position < 65536 && position == std::floor(position);
}

/// The table of 0, 1, 2, ... up to `last` and beyond. A thread keeps the latest: all layers of a
/// model, queries and keys alike, ask for the same.
std::shared_ptr<const Table> kept_table(std::size_t last, const std::vector<double>& frequencies,
                                        double factor) {
  struct Kept {
    std::vector<double> frequencies;
    double factor = 0;
    std::size_t rows = 0;
    std::shared_ptr<const Table> table = std::make_shared<Table>();
  };
  static thread_local Kept kept;
  if (kept.frequencies != frequencies || kept.factor != factor) kept = {frequencies, factor};
  if (last < kept.rows) return kept.table;
  Table longer = *kept.table;
  for (const std::size_t rows = std::bit_ceil(last + 1); kept.rows < rows; ++kept.rows)
    append_row(longer, static_cast<double>(kept.rows), frequencies, factor);
  kept.table = std::make_shared<Table>(std::move(longer));
  return kept.table;
}

Turns turns_at(const Positions& positions, const std::vector<double>& frequencies, double factor) {
  Turns turns;
  if (!positions.empty() && std::all_of(positions.begin(), positions.end(), is_kept)) {
    turns.rows.assign(positions.begin(), positions.end());
    const std::size_t last = *std::max_element(turns.rows.begin(), turns.rows.end());
    turns.table = kept_table(last, frequencies, factor);
    return turns;
  }
  Table table;
  for (const double position : positions) {
    turns.rows.push_back(turns.rows.size());
    append_row(table, position, frequencies, factor);
  }
  turns.table = std::make_shared<Table>(std::move(table));
  return turns;
}

/// x: [B, H, T, D], every pair turned by its angle; `direction` -1 turns back.
Tensor turn(const Tensor& x, const Turns& turns, const Pairing& pairing, Real direction) {
  Tensor result = empty(shape_of(x));
  const std::size_t T = x.shape()[2], D = x.shape()[3], pairs = pairing.pairs;
  const std::size_t next = pairing.is_interleaved ? 2 : 1, other = pairing.second(0);
  for (std::size_t row = 0; row * D < x.size(); ++row) {
    const Real* in = x.data() + row * D;
    Real* out = result.data() + row * D;
    const Real* cosine = turns.table->data() + turns.rows[row % T] * 2 * pairs;
    const Real* sine = cosine + pairs;
    for (std::size_t c = 0; c < pairs; ++c) {
      const Real a = in[c * next], b = in[c * next + other], s = direction * sine[c];
      out[c * next] = a * cosine[c] - b * s;
      out[c * next + other] = a * s + b * cosine[c];
    }
    std::copy(in + 2 * pairs, in + D, out + 2 * pairs);
  }
  return result;
}

}  // namespace

Var rotate_pairs(const Var& x, const Positions& positions, const std::vector<double>& frequencies,
                 const Pairing& pairing, double factor) {
  check(x.rank() == 4 && x.shape()[2] == positions.size() && x.shape()[3] >= 2 * pairing.pairs &&
            frequencies.size() == pairing.pairs,
        "[rotate_pairs] x {} does not fit {} positions and {} frequencies of {} pairs; it must be "
        "[B, H, T, D]",
        x.shape(), positions.size(), frequencies.size(), pairing.pairs);
  const Turns turns = turns_at(positions, frequencies, factor);
  Tensor y = turn(x.value(), turns, pairing, 1);
  return Var::op("rotate_pairs", std::move(y), {x}, [turns, pairing](const OpGrad& g) {
    if (g.needs(0)) g.add(0, turn(g.dy(), turns, pairing, -1));
  });
}

std::vector<double> rotation_frequencies(double base, std::size_t width) {
  std::vector<double> frequencies;
  for (std::size_t c = 0; c < width / 2; ++c)
    frequencies.push_back(std::pow(base, -2 * static_cast<double>(c) / static_cast<double>(width)));
  return frequencies;
}

void check_even_head_width(const std::string& scheme, std::size_t head_width) {
  check<ConfigError>(head_width % 2 == 0 && head_width > 0,
                     "[{}] head_dim must be even, got {}; choose --width divisible by 2 * --heads",
                     scheme, head_width);
}

}  // namespace phasor::inline PHASOR_PRECISION
