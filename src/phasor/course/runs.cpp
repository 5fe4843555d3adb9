#include "phasor/course/runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>

#include "phasor/core/error.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;

/// The seed at the end of NAME-SEED; none when the name is another one.
std::optional<std::uint64_t> seed_of(const std::string& file, const std::string& name) {
  if (!file.starts_with(name + "-")) return std::nullopt;
  const char *first = file.data() + name.size() + 1, *last = file.data() + file.size();
  std::uint64_t seed = 0;
  const auto [stop, problem] = std::from_chars(first, last, seed);
  if (problem != std::errc() || stop != last || first == last) return std::nullopt;
  return seed;
}

/// A lab trains with its seed and at most this many after it.
constexpr std::uint64_t kSeeds = 10;

/// All of the validation part of the text that a run was trained on.
Encoded read_validation(const RunConfig& config) {
  const CharTokenizer tokenizer = CharTokenizer::from_symbols(config.symbols);
  const std::uint64_t seed = config.train.seed;
  for (std::uint64_t back = 0; back <= std::min(seed, kSeeds); ++back) {
    const Corpus corpus = load_corpus(config.text, seed - back);
    RunConfig now = config;
    describe_text(now, corpus.text, tokenizer);
    if (now.fingerprint == config.fingerprint)
      return split(tokenizer.encode(corpus.text)).validation;
  }
  throw DataError(fmt::format(
      "the text {} is not the one that a run with seed {} was trained on; run its lab again",
      config.text, seed));
}

}  // namespace

std::vector<fs::path> runs_named(const fs::path& folder, const std::string& name) {
  std::vector<std::pair<std::uint64_t, fs::path>> found;
  if (!fs::is_directory(folder)) return {};
  for (const auto& entry : fs::directory_iterator(folder))
    if (const auto seed = seed_of(entry.path().filename().string(), name))
      if (fs::exists(entry.path() / "model.safetensors")) found.emplace_back(*seed, entry.path());
  std::sort(found.begin(), found.end());
  std::vector<fs::path> runs;
  for (auto& [seed, path] : found) runs.push_back(std::move(path));
  return runs;
}

void remove_runs(const fs::path& folder, const std::string& name) {
  for (const fs::path& run : runs_named(folder, name)) remove_run(run);
}

Encoded validation_of(const RunConfig& config, std::size_t count) {
  // Many runs share a text, and to draw, check and encode a million characters takes a while.
  static std::mutex mutex;
  static std::map<std::pair<std::string, std::string>, Encoded> known;
  const std::lock_guard lock(mutex);
  const auto [place, is_new] = known.try_emplace({config.fingerprint, config.symbols});
  if (is_new) {
    try {
      place->second = read_validation(config);
    } catch (...) {
      known.erase(place);
      throw;
    }
  }
  const Encoded& all = place->second;
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), count))};
}

Spread over_runs(const std::vector<fs::path>& runs, std::size_t tokens,
                 const std::function<double(const Run& run, const Encoded& validation)>& measure) {
  std::vector<double> values;
  for (const fs::path& folder : runs) {
    const Run run = load_run(folder);
    values.push_back(measure(run, validation_of(run.config, tokens)));
  }
  return spread_of(values);
}

std::string text_of(const Spread& spread, int decimals) {
  if (spread.most == spread.least) return fmt::format("{:.{}f}", spread.mean, decimals);
  return fmt::format("{:.{}f} ({:.{}f} to {:.{}f})", spread.mean, decimals, spread.least, decimals,
                     spread.most, decimals);
}

std::string seeds_of(std::size_t runs) {
  return runs == 1 ? std::string("with one seed, so a small difference may be noise")
                   : fmt::format("over {} seeds", runs);
}

}  // namespace phasor
