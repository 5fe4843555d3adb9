// Words for a terminal.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace phasor {

/// How many letters `text` has: a letter outside ASCII has two bytes or more.
std::size_t letters(std::string_view text);

/// `text` broken at spaces into lines of at most `columns` letters; a longer word has a line of its
/// own. At least one line.
std::vector<std::string> text_lines(std::string_view text, std::size_t columns);

/// The same as one string, every line after `indent` spaces, which `columns` includes.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent = 0);

/// The one of `names` that is most like `word`: the fewest letters to add, remove or change, upper
/// and lower case alike; of several the one that begins most like it. Empty when there are no
/// names.
std::string nearest(std::string_view word, const std::vector<std::string>& names);

}  // namespace phasor
