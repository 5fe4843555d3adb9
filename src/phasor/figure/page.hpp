// What the pages have in common: the gallery, the claims, the interactive figures.
#pragma once
#include <string>
#include <string_view>

namespace phasor {

/// A whole HTML document in the one style of all pages: light or dark as the reader's system asks,
/// readable on a phone, nothing fetched. `body` is markup, `title` is not.
std::string html_page(std::string_view title, std::string_view body);

/// A picture that never gets so small that its text cannot be read: on a narrow screen it scrolls
/// inside its frame, which the keyboard can reach.   title, alt: text; source: an address or data,
/// as it stands in an attribute; width, height: pixels.
std::string picture_html(std::string_view title, std::string_view source, std::string_view alt,
                         double width, double height);

}  // namespace phasor
