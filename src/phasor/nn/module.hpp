// Parameters with dotted names.
#pragma once
#include <deque>
#include <string>
#include <vector>

#include "phasor/autograd/var.hpp"

namespace phasor::inline PHASOR_PRECISION {

struct NamedParameter {
  std::string path;  // such as "blocks.0.attention.query.weight"
  Var value;
};

/// Something with parameters and parts. Names are registered once, in the order in which
/// parameters() lists them. Not copyable: a copy would train apart from the original.
class Module {
 public:
  Module() = default;
  virtual ~Module() = default;
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  /// All parameters of this module and its parts, in order of registration. One that is reached by
  /// two paths (a tied weight) is listed once, under the first.
  std::vector<NamedParameter> parameters() const;
  /// Numbers in all parameters.
  std::size_t parameter_count() const;

 protected:
  /// A trainable tensor. The reference stays valid as long as the module.
  /// Throws ConfigError when the name is taken.
  Var& add_parameter(const std::string& name, Tensor initial);
  /// Makes `part` a part of this module, which must not outlive it. Throws ConfigError when the
  /// name is taken.
  void add_part(const std::string& name, Module& part);

 private:
  struct Entry {
    std::string name;
    Var* parameter;
    Module* part;
  };
  void add_entry(Entry entry);
  void collect(const std::string& prefix, std::vector<NamedParameter>& into) const;

  std::deque<Var> parameters_;
  std::vector<Entry> entries_;
};

}  // namespace phasor::inline PHASOR_PRECISION
