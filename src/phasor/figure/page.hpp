// What the pages have in common: the gallery, the claims, the interactive figures.
#pragma once
#include <string>
#include <string_view>

namespace phasor {

/// A whole HTML document in the one style of all pages: light or dark as the reader's system asks,
/// readable on a phone, nothing fetched. `body` is markup, `title` is not.
std::string html_page(std::string_view title, std::string_view body);

}  // namespace phasor
