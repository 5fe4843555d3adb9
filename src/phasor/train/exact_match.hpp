// How many answers of a task a model gives without a mistake.
#pragma once
#include "phasor/core/workers.hpp"
#include "phasor/data/tasks.hpp"
#include "phasor/model/gpt.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// The share of `examples` whose whole answer, newline included, greedy generation gives.
///
/// Nothing is generated: the model reads prompt and right answer at once, and the answer counts
/// when each of its characters has the highest logit where it comes next. That is the same. If all
/// of them have, generation writes the first, so it reads what the model read here, writes the
/// second, and so on; if one has not, the first such is where generation goes wrong. One pass for
/// many examples instead of one for each character of each.
/// Throws DataError when there are no examples, PositionError when the scheme has no encoding for
/// so long a line.
double exact_match(const Gpt& model, const std::vector<TaskExample>& examples,
                   const CharTokenizer& tokenizer, Workers& workers);

}  // namespace phasor::inline PHASOR_PRECISION
