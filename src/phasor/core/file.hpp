// Files that are read whole and written whole or not at all.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace phasor {

/// The whole file. Throws DataError when it is missing, a directory, unreadable, or larger than
/// memory or 4 GiB (256 MiB for a pipe or a device, whose end is not known).
std::string read_file(const std::filesystem::path& path);

/// A file to write: where, and what.
struct NewFile {
  std::filesystem::path path;
  std::string_view bytes;
};

/// Writes all of them or none. Each is written beside its place and synced, and when all are, they
/// are renamed: whoever reads one sees the old bytes or the new ones, never a half. Missing parent
/// folders are made. A symbolic link stays, and the file it leads to is replaced; a file that is
/// replaced keeps its permissions and its owner, and one that nobody may write to is refused. A
/// pipe, a device or an open stream (/dev/stdout) is written to as it is.
/// Throws DataError (a full disk, no permission) and leaves everything as it was.
void write_files(const std::vector<NewFile>& files);

/// The same for one file.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// The same for a file whose folder must be there: one that was removed is not made again.
void write_into_folder(const std::filesystem::path& path, std::string_view bytes);

/// Throws what write_file would throw, as far as it can be known before: for work that should not
/// be done in vain. Changes nothing.
void check_writable(const std::filesystem::path& path);

/// Whether a writer of `path` that was killed left this file beside it.
bool is_draft_of(const std::filesystem::path& file, const std::filesystem::path& path);

/// Makes `folder` and its parents. Throws DataError with the reason when that fails.
void make_folder(const std::filesystem::path& folder);

}  // namespace phasor
