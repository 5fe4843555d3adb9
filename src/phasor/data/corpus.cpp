#include "phasor/data/corpus.hpp"

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>

#include "phasor/core/digest.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"
#include "phasor/core/text.hpp"
#include "phasor/core/utf8.hpp"
#include "phasor/data/toy_language.hpp"
#include "phasor/data/unicode.hpp"

namespace phasor {
namespace {

// Lines of at most 79 characters, the program's own choice; without -l it would break them at the
// width of the user's terminal ($COLUMNS), and two users would train on different texts.
constexpr char kPrintBible[] = "bible -l79 'gen1:1-rev22:21' </dev/null 2>/dev/null";

/// Empty when neither variable names an absolute folder (a relative one counts as unset: XDG Base
/// Directory Specification).
std::filesystem::path cache_file() {
  const auto folder = [](const char* variable) {
    const char* value = std::getenv(variable);
    const std::filesystem::path path = value != nullptr ? value : "";
    return path.is_absolute() ? path : std::filesystem::path();
  };
  if (const auto cache = folder("XDG_CACHE_HOME"); !cache.empty())
    return cache / "phasor" / "kjv.txt";
  if (const auto home = folder("HOME"); !home.empty())
    return home / ".cache" / "phasor" / "kjv.txt";
  return {};
}

/// True for the whole text: its first verse, its last words, and about its size, 4.3 MB.
bool is_bible(std::string_view text) {
  return text.substr(0, 100).find("In the beginning God created") != text.npos &&
         text.ends_with("be with you all. Amen.\n") && text.size() > 4'000'000;
}

std::string print_bible() {
  const auto close = [](FILE* pipe) { ::pclose(pipe); };
  std::unique_ptr<FILE, decltype(close)> pipe(::popen(kPrintBible, "r"), close);
  check<DataError>(pipe != nullptr, "cannot start the program `bible`; use --text toy");
  std::string text, block(1 << 16, '\0');
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), pipe.get()))
    text.append(block, 0, count);
  const int status = ::pclose(pipe.release());
  check<DataError>(!WIFEXITED(status) || WEXITSTATUS(status) != 127,
                   "the text kjv needs the program `bible`, which is not installed; install it "
                   "with: apt-get install bible-kjv, or use --text toy, or --text FILE");
  check<DataError>(status == 0 && is_bible(text),
                   "the program `bible` gave {} bytes that are not the whole King James Bible; "
                   "install it anew with: apt-get install --reinstall bible-kjv, or use --text "
                   "toy, or --text FILE",
                   text.size());
  return text;
}

/// FNV-1a, 64 bits, of the text that the program of Debian 12 and 13 prints.
constexpr std::uint64_t kBible = 0x21be438cea8082f0;

/// The text if `path` holds it to the last byte, else nothing: a cache that is damaged or cannot be
/// read is made anew. Were the program to print another text, the cache would not be used.
std::optional<std::string> read_cache(const std::filesystem::path& path) try {
  std::string text = read_file(path);
  return Digest().add(text).value() == kBible ? std::optional(std::move(text)) : std::nullopt;
} catch (const DataError&) {
  return std::nullopt;
}

std::string load_bible() {
  const std::filesystem::path cache = cache_file();
  if (!cache.empty())
    if (auto cached = read_cache(cache)) return std::move(*cached);
  std::string text = print_bible();
  try {
    if (!cache.empty()) write_file(cache, text);
  } catch (const DataError&) {
    // The cache saves a tenth of a second; a folder that cannot be written is no reason to stop.
  }
  return text;
}

std::string load_file(const std::string& path) {
  std::error_code ignored;
  check<DataError>(std::filesystem::exists(path, ignored),
                   "no such text: '{}'; give --text kjv, --text toy or the path of a text file",
                   path);
  // A run's config.json names its text, and JSON is UTF-8.
  check<DataError>(is_utf8(path), "the name of the text, {}, is not UTF-8; rename the file", path);
  std::string text = read_file(path);
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  check<DataError>(!text.empty(),
                   "{} is empty, a text is wanted; choose another file, or kjv or toy", path);
  decode_utf8(text, path);
  return text;
}

}  // namespace

Corpus load_corpus(const std::string& source, std::uint64_t seed) {
  if (source == "kjv") return {source, load_bible(), std::nullopt};
  if (source != "toy")
    return {printable(std::filesystem::path(source).filename().string()), load_file(source), {}};
  const ToyLanguage& language = ToyLanguage::standard();
  return {source, language.sample(kToyCharacters, seed), language.entropy_per_character()};
}

}  // namespace phasor
