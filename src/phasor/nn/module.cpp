#include "phasor/nn/module.hpp"

#include <algorithm>

#include "phasor/core/error.hpp"

namespace phasor::inline PHASOR_PRECISION {

std::vector<NamedParameter> Module::parameters() const {
  std::vector<NamedParameter> result;
  collect("", result);
  return result;
}

std::size_t Module::parameter_count() const {
  std::size_t count = 0;
  for (const NamedParameter& parameter : parameters()) count += parameter.value.size();
  return count;
}

Var& Module::add_parameter(const std::string& name, Tensor initial) {
  Var& parameter = parameters_.emplace_back(std::move(initial), true);
  add_entry({name, &parameter, nullptr});
  return parameter;
}

void Module::add_part(const std::string& name, Module& part) { add_entry({name, nullptr, &part}); }

void Module::add_entry(Entry entry) {
  const bool is_taken = std::any_of(entries_.begin(), entries_.end(),
                                    [&](const Entry& other) { return other.name == entry.name; });
  check<ConfigError>(!is_taken, "[module] the name '{}' is taken; give each part its own",
                     entry.name);
  entries_.push_back(std::move(entry));
}

void Module::collect(const std::string& prefix, std::vector<NamedParameter>& into) const {
  for (const Entry& entry : entries_) {
    if (entry.part) {
      entry.part->collect(prefix + entry.name + ".", into);
      continue;
    }
    const bool is_listed = std::any_of(into.begin(), into.end(), [&](const NamedParameter& known) {
      return known.value.is_same(*entry.parameter);
    });
    if (!is_listed) into.push_back({prefix + entry.name, *entry.parameter});
  }
}

}  // namespace phasor::inline PHASOR_PRECISION
