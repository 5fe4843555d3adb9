// What Lab 12 says of its numbers: the table, and how to read it.
#pragma once
#include <string>
#include <vector>

#include "labs/lab12_bake_off/experiment.hpp"

namespace phasor::lab12 {

/// One row a scheme: parameters, losses, right answers at the trained length and at twice that,
/// time of a step.
std::string results_table(const std::vector<Row>& rows, std::size_t context);

/// What the numbers say and what seeds alone would make of them; then what a toy can show beside
/// published results. Two paragraphs.
std::vector<std::string> reading_of(const std::vector<Row>& rows, std::size_t context);

}  // namespace phasor::lab12
