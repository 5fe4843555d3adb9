// UTF-8, one character at a time.
#pragma once
#include <cstddef>
#include <string_view>

namespace phasor {

/// How many bytes the character at the front of `bytes` has; `code_point` is then its number. 0
/// when they are not UTF-8 (RFC 3629: cut or stray bytes, forms longer than needed, surrogates,
/// numbers over U+10FFFF) or there are none.
std::size_t read_code_point(std::string_view bytes, char32_t& code_point);

/// Whether all of `bytes` is UTF-8.
bool is_utf8(std::string_view bytes);

}  // namespace phasor
