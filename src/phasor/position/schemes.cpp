#include "phasor/position/schemes.hpp"

#include "phasor/core/error.hpp"
#include "phasor/position/alibi.hpp"
#include "phasor/position/cope.hpp"
#include "phasor/position/deberta.hpp"
#include "phasor/position/dynamic_bias.hpp"
#include "phasor/position/fire.hpp"
#include "phasor/position/forgetting.hpp"
#include "phasor/position/kerple_log.hpp"
#include "phasor/position/learned.hpp"
#include "phasor/position/none.hpp"
#include "phasor/position/p_rope.hpp"
#include "phasor/position/pope.hpp"
#include "phasor/position/rope.hpp"
#include "phasor/position/sandwich.hpp"
#include "phasor/position/shaw.hpp"
#include "phasor/position/sinusoidal.hpp"
#include "phasor/position/t5_bias.hpp"
#include "phasor/position/transformer_xl.hpp"
#include "phasor/position/xpos.hpp"

namespace phasor::inline PHASOR_PRECISION {

namespace {

std::vector<SchemeEntry>& table() {
  // Written out, because objects that register themselves are dropped from static libraries.
  static std::vector<SchemeEntry> entries{
      none(),    sinusoidal(), learned(),    shaw(),     transformer_xl(), deberta(),
      t5_bias(), alibi(),      kerple_log(), sandwich(), fire(),           dynamic_bias(),
      cope(),    rope(),       p_rope(),     xpos(),     pope(),           forgetting()};
  return entries;
}

}  // namespace

const std::vector<SchemeEntry>& schemes() { return table(); }

std::string default_scheme() { return "sinusoidal"; }

void add_scheme(SchemeEntry entry) {
  for (const SchemeEntry& other : table())
    check<ConfigError>(other.name != entry.name,
                       "there is a scheme '{}' already; choose another name", entry.name);
  table().push_back(std::move(entry));
}

void remove_scheme(const std::string& name) {
  std::erase_if(table(), [&](const SchemeEntry& entry) { return entry.name == name; });
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
