#include "phasor/ops/embedding.hpp"

#include "phasor/core/error.hpp"

namespace phasor::inline PHASOR_PRECISION {

Var embedding(const Var& table, const Indices& rows) {
  check(table.rank() == 2, "[embedding] the table needs 2 axes [V, C], got {}", table.shape());
  const auto vocabulary = static_cast<std::int64_t>(table.shape()[0]);
  const std::size_t width = table.shape()[1];
  Shape shape = shape_of(rows);
  shape.push_back(width);
  Tensor y = empty(shape);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int64_t row = rows.data()[i];
    check<DataError>(row >= 0 && row < vocabulary,
                     "[embedding] row {} is outside the table of {}; rows run from 0 to {}", row,
                     vocabulary, vocabulary - 1);
    std::copy_n(table.value().data() + static_cast<std::size_t>(row) * width, width,
                y.data() + i * width);
  }
  return Var::op("embedding", std::move(y), {table}, [rows, width](const OpGrad& g) {
    if (!g.needs(0)) return;
    Real* dtable = g.into(0).data();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Real* out = dtable + static_cast<std::size_t>(rows.data()[i]) * width;
      const Real* dy = g.dy().data() + i * width;
      for (std::size_t j = 0; j < width; ++j) out[j] += dy[j];
    }
  });
}

}  // namespace phasor::inline PHASOR_PRECISION
