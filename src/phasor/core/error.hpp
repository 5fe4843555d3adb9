// Typed errors. A message names what was wanted and what came, and ends with the way out:
// "[rope] head_dim must be even, got 7; choose --width divisible by 2 * --heads".
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace phasor {

/// Base of every error the library throws on purpose. The command line prints what() and exits 2.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Extents or ranks that do not fit together.
struct ShapeError : Error {
  using Error::Error;
};
/// An option, or a combination of options, that makes no sense.
struct ConfigError : Error {
  using Error::Error;
};
/// A position that a scheme has no encoding for.
struct PositionError : Error {
  using Error::Error;
};
/// Text or arrays that are missing, empty, unreadable or of the wrong kind.
struct DataError : Error {
  using Error::Error;
};
/// A saved run that is missing, damaged or belongs to another model.
struct CheckpointError : Error {
  using Error::Error;
};
/// Training that cannot go on, for example a loss that is not a number.
struct TrainingError : Error {
  using Error::Error;
};
/// A graph that is used against its rules, for example a second backward.
struct GraphError : Error {
  using Error::Error;
};

/// Throws E with the formatted message unless `ok`.
template <class E = ShapeError, class... Args>
void check(bool ok, fmt::format_string<Args...> format, Args&&... args) {
  if (!ok) throw E(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace phasor
