// The comparison of schemes that D0 ends with, its weaknesses measured.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "phasor/analysis/spread.hpp"
#include "phasor/figure/figure.hpp"

namespace phasor {

/// One scheme of the table.
struct SchemeFacts {
  std::string scheme;      ///< in the table of schemes, which knows year and idea
  Spread near, far;        ///< loss at the training length and at four times that
  std::size_t parameters;  ///< of the model
  /// Shares of strings copied rightly: as long as those of training, and twice as long. NaN where
  /// no model was trained to copy, or where there is no encoding.
  double copied, copied_twice;
  /// Weight of a key 32 tokens back, in units of that of the token itself, in the head where it
  /// is least, content aside. NaN where there is no encoding so far.
  double weight_far;
};

/// Of the models that lab 12 left in `runs`. Throws DataError naming the lab when one is missing.
std::vector<SchemeFacts> facts_of_schemes(const std::filesystem::path& runs);

/// Year, idea and weakness of each scheme, and what was measured of the weakness. `context`: the
/// training length.
Figure schemes_figure(const std::vector<SchemeFacts>& facts, std::size_t context);

}  // namespace phasor
