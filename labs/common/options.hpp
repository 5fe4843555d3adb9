// What can be asked of a lab on its command line.
#pragma once
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace phasor {

/// What a lab is called and how it introduces itself.
struct LabInfo {
  std::string name;   ///< of the program: "lab01_sinusoid"
  std::string title;  ///< "Sinusoidal encoding"
  std::string goal;   ///< one sentence for --help

  /// "lab01", also the default name of the folder with the results.
  std::string number() const { return name.substr(0, name.find('_')); }
};

/// The options every lab has.
struct LabOptions {
  bool full = false;                               ///< --full: minutes instead of seconds
  std::filesystem::path out;                       ///< --out DIR, default out/labNN
  std::uint64_t seed = 1;                          ///< --seed N
  std::optional<std::filesystem::path> text = {};  ///< --text FILE, an existing file
};

/// An option of one lab: its name ("--width"), what it does, and where its value goes. Numbers
/// must lie between low and high. What the target holds before is the default.
struct ExtraOption {
  std::string name, help;
  std::variant<std::int64_t*, double*, std::string*, bool*> target;
  double low = 0, high = std::numeric_limits<double>::max();
};

/// Reads the command line. Empty when there is nothing to run, because --help was printed. Throws
/// ConfigError when something is wrong.
std::optional<LabOptions> parse_options(const LabInfo& info, const std::vector<ExtraOption>& extras,
                                        int argc, const char* const* argv);

}  // namespace phasor
