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

/// `text` on one line, as a terminal can show it: what is no UTF-8 and every character that would
/// end the line, move the cursor or turn the direction of writing is escaped: \n, \x1b, \u202e.
std::string printable(std::string_view text);

/// The same for an error message or anything else of unknown length: at most 1000 letters, of which
/// the middle is left out ("..."), so that what is wrong and the way out can both be read.
std::string one_line(std::string_view message);

/// The one of `names` that is most like `word`: the fewest letters to add, remove or change, upper
/// and lower case alike; of several the one that begins most like it. Empty when there are no
/// names.
std::string nearest(std::string_view word, const std::vector<std::string>& names);

}  // namespace phasor
