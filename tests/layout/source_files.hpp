// The project's own text files, for tests that read them instead of running them.
#pragma once
#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "phasor/core/file.hpp"

namespace layout {

struct SourceFile {
  std::string path;  ///< from the project's folder, for example src/phasor/core/rng.hpp
  std::string text;
};

inline bool is_code(const std::filesystem::path& path) {
  return path.extension() == ".cpp" || path.extension() == ".hpp";
}

inline bool is_written_by_hand(const std::filesystem::path& path) {
  return is_code(path) || path.extension() == ".in" || path.extension() == ".sh" ||
         path.extension() == ".py" || path.extension() == ".md" || path.extension() == ".js" ||
         path.extension() == ".mjs" || path.filename() == "run" ||
         path.filename() == "CMakeLists.txt";
}

/// The files of `folders` (from the project's folder) that `wanted` accepts, sorted by path.
template <class Wanted>
std::vector<SourceFile> files_in(std::initializer_list<const char*> folders, Wanted wanted) {
  namespace fs = std::filesystem;
  const fs::path root = PHASOR_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (const char* folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.is_regular_file() && wanted(entry.path()))
        files.push_back({entry.path().lexically_relative(root).generic_string(),
                         phasor::read_file(entry.path())});
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

/// The lines without their ends.
inline std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// 1 for the first line.
inline std::size_t line_at(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, position);
  return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

/// "path:line: what", one offence of a rule.
inline std::string offence(const std::string& path, std::size_t line, const std::string& what) {
  return path + ":" + std::to_string(line) + ": " + what;
}

/// The lines of all offences, empty when there is none.
inline std::string joined(const std::vector<std::string>& offences) {
  std::string all;
  for (const std::string& line : offences) all += line + "\n";
  return all;
}

}  // namespace layout
