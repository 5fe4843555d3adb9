// UTF-8 to code points and back.
#pragma once
#include <string>
#include <string_view>

namespace phasor {

/// The code points of UTF-8 `bytes`. Throws DataError "`name` is not text" with the line of the
/// first offence: a NUL byte (a binary file, or UTF-16) or bytes that are not UTF-8 (RFC 3629: cut
/// or stray bytes, forms longer than needed, surrogates, numbers over U+10FFFF).
std::u32string decode_utf8(std::string_view bytes, std::string_view name);

/// The UTF-8 bytes of a code point, 1 to 4 of them.
std::string encode_utf8(char32_t code_point);

}  // namespace phasor
