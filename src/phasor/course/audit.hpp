// Claims with what was measured of them, and a page that shows it.
#pragma once
#include <array>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "phasor/course/claim.hpp"

namespace phasor {

struct AuditedClaim {
  const Claim* claim;
  Finding finding;
};

/// Measures `claim`. A measurement that throws (of a damaged run, or with a learner's function) is
/// kNotMeasured with the words of what it threw, so that one claim does not end an audit. Only a
/// lack of memory is passed on.
AuditedClaim audited(const Claim& claim, const Evidence& evidence);

/// How many claims have each verdict, in the order of Verdict.
std::array<std::size_t, 4> totals(const std::vector<AuditedClaim>& claims);

/// "31 hold, 5 hold with a condition, 12 fail, 2 not measured".
std::string totals_in_words(const std::vector<AuditedClaim>& claims);

/// Writes an HTML page: every claim with its verdict, what was measured and the figure that shows
/// it, which is looked for in `results` (results/lab01/lab01-decay.svg) and linked from there.
/// Throws DataError when the page cannot be written.
void write_claims_page(const std::vector<AuditedClaim>& claims,
                       const std::filesystem::path& results, const std::filesystem::path& page);

}  // namespace phasor
