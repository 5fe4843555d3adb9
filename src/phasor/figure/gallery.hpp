// One page with the figures of all labs.
#pragma once
#include <filesystem>

namespace phasor {

/// Writes `folder`/index.html from the folders inside it (lab01, lab02 ...; each with the ID.json
/// of its figures and a summary.json) and returns its path. The page needs no network and no
/// script; it links to the interactive pages, and to claims.html if that is there. A lab without a
/// summary.json (it was interrupted) is shown under its folder's name with all the figures found.
/// Throws DataError when the folder does not exist or a .json cannot be understood.
std::filesystem::path write_gallery(const std::filesystem::path& folder);

}  // namespace phasor
