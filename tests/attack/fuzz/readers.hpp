// Readers of bytes that come from outside, as functions of bytes in memory: for libFuzzer
// (fuzz/run), and for a test that tries each on mutations of valid input.
#pragma once
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace phasor::attack {

/// `read` throws phasor::Error on what it refuses. Any other exception, a crash, or a property that
/// does not hold (Broken) is a fault.
struct Reader {
  std::string name;
  std::function<void(std::string_view)> read;
  std::function<std::vector<std::string>()> valid;  ///< input that is accepted
  std::size_t longest;                              ///< bytes worth trying
};

/// All of them, one file of this folder each.
const std::vector<Reader>& readers();

/// What read must have done with its input, and did not.
struct Broken : std::logic_error {
  using std::logic_error::logic_error;
};

/// A file in memory, for readers that take a path.
class MemoryFile {
 public:
  MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();
  /// The path under which `bytes` can be read, until the next call.
  const std::string& holding(std::string_view bytes);

 private:
  int descriptor_;
  std::string path_;
};

Reader safetensors_reader();
Reader npy_reader();
Reader npy_integers_reader();
Reader run_config_reader();
Reader metrics_reader();
Reader symbols_reader();
Reader grammar_reader();
Reader text_reader();
Reader scheme_options_reader();
Reader message_reader();

}  // namespace phasor::attack
