// Files that are read whole and written whole or not at all.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace phasor {

/// The whole file. Throws DataError when it is missing, a directory or unreadable.
std::string read_file(const std::filesystem::path& path);

/// Writes beside `path`, syncs and renames: whoever reads `path` sees the old bytes or the new
/// ones, never a half. Missing parent folders are made. Throws DataError (a full disk, no
/// permission) and leaves the old file as it was.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// Whether a writer of `path` that was killed left this file beside it.
bool is_draft_of(const std::filesystem::path& file, const std::filesystem::path& path);

/// Makes `folder` and its parents. Throws DataError with the reason when that fails.
void make_folder(const std::filesystem::path& folder);

}  // namespace phasor
