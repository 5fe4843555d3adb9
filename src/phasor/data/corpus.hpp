// The texts that models are trained on.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace phasor {

struct Corpus {
  std::string name;
  std::string text;  ///< UTF-8
  /// Nats per character that no model can go below over a long text; known for `toy` alone.
  std::optional<double> entropy_floor;
};

/// Characters of the toy language that load_corpus("toy") gives, to the end of the last story.
inline constexpr std::size_t kToyCharacters = 1'000'000;

/// `kjv`   the King James Bible, as the program of the Debian package bible-kjv prints it; kept in
///         the user's cache folder ($XDG_CACHE_HOME/phasor or ~/.cache/phasor) when it can be
/// `toy`   kToyCharacters of the toy language, drawn with `seed`
/// other   the path of a UTF-8 text file (./toy for a file named toy)
/// Throws DataError when the text is missing, empty, not UTF-8 text, or a folder.
Corpus load_corpus(const std::string& source, std::uint64_t seed = 0);

}  // namespace phasor
