#include "phasor/position/schemes.hpp"

#include "phasor/core/error.hpp"
#include "phasor/position/alibi.hpp"
#include "phasor/position/learned.hpp"
#include "phasor/position/none.hpp"
#include "phasor/position/rope.hpp"
#include "phasor/position/sinusoidal.hpp"

namespace phasor::inline PHASOR_PRECISION {

const std::vector<SchemeEntry>& schemes() {
  // Written out, because objects that register themselves are dropped from static libraries.
  static const std::vector<SchemeEntry> table{none(), sinusoidal(), learned(), rope(), alibi()};
  return table;
}

const SchemeEntry& find_scheme(const std::string& name) {
  std::vector<std::string> names;
  for (const SchemeEntry& entry : schemes()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  throw ConfigError(
      fmt::format("unknown scheme '{}'; choose one of {}", name, fmt::join(names, ", ")));
}

std::unique_ptr<Scheme> make_scheme(const std::string& name, const OptionValues& options,
                                    const SchemeSizes& sizes, Rng& rng) {
  const SchemeEntry& entry = find_scheme(name);
  return entry.make(sizes, Options(name, entry.options, options), rng);
}

}  // namespace phasor::inline PHASOR_PRECISION
