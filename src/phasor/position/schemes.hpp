// The table of schemes: the one place, besides its own file, that knows a scheme by name.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// Every scheme, in the order in which tables list them.
const std::vector<SchemeEntry>& schemes();

/// What a model has when nobody says otherwise.
std::string default_scheme();

/// Adds a scheme of one's own, for this program. Not while other threads use the table. Throws
/// ConfigError when there is one of that name already.
void add_scheme(SchemeEntry entry);
/// Takes a scheme out of the table again.
void remove_scheme(const std::string& name);

/// Throws ConfigError listing the names there are.
const SchemeEntry& find_scheme(const std::string& name);

/// A scheme by name. Throws ConfigError on an unknown name, option or value, or unsuitable sizes.
std::unique_ptr<Scheme> make_scheme(const std::string& name, const OptionValues& options,
                                    const SchemeSizes& sizes, Rng& rng);

}  // namespace phasor::inline PHASOR_PRECISION
