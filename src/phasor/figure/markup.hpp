// Words inside HTML and SVG.
#pragma once
#include <string>
#include <string_view>

namespace phasor {

/// `text` with something to see in the place of what no font draws and no SVG may hold: the sign of
/// a control character (U+2400 on), and U+FFFD for bytes that are not UTF-8.
std::string drawable(std::string_view text);

/// `text` as it must stand between tags or inside a quoted attribute.
std::string escape_markup(std::string_view text);

/// A path of this machine as a relative address: bytes other than letters, digits and -._~/
/// become %XX.
std::string escape_address(std::string_view path);

/// Bytes in base64 (RFC 4648), for a picture inside a page.
std::string base64(std::string_view bytes);

}  // namespace phasor
