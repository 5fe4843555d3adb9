#include "phasor/train/run_folder.hpp"

#include <algorithm>

#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"
#include "phasor/data/json.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

namespace fs = std::filesystem;

const fs::path& made(const fs::path& folder) {
  make_folder(folder);
  return folder;
}

/// Whether a config.json is that of a run, perhaps of an earlier version: other programs have files
/// of that name.
bool is_run_config(const fs::path& file) try {
  const nlohmann::json json = parse_json(read_file(file));
  return json.contains("model") && json.contains("train") && json.contains("fingerprint");
} catch (const std::exception&) {
  return false;
}

}  // namespace

RunFiles::RunFiles(const fs::path& folder)
    : config(folder / "config.json"),
      model(folder / "model.safetensors"),
      checkpoint(folder / "checkpoint.safetensors"),
      metrics(folder / "metrics.jsonl"),
      next_config(folder / "config.next.json") {}

nlohmann::json ConfigFile::json() const try {
  nlohmann::json json = parse_json(bytes);
  check<CheckpointError>(json.is_object(),
                         "{} is damaged: it is no JSON object; restore it or train again",
                         path.string());
  return json;
} catch (const nlohmann::json::exception& problem) {
  throw CheckpointError(
      fmt::format("{} is damaged: {}; restore it or train again", path.string(), problem.what()));
}

ConfigFile read_config(const fs::path& folder) {
  const RunFiles files(folder);
  if (fs::is_regular_file(files.next_config)) try {
      return {files.next_config, read_file(files.next_config)};
    } catch (const DataError&) {  // it has just become config.json
    }
  check<CheckpointError>(
      fs::is_regular_file(files.config),
      "{} holds no run (there is no config.json); give the --out folder of a training",
      folder.string());
  return {files.config, read_file(files.config)};
}

RunFolder::RunFolder(const fs::path& folder) : files_(folder), lock_(made(folder)) {
  refuse_foreign_files();
  remove_drafts();
  if (fs::exists(files_.next_config)) finish_replacement();
}

bool RunFolder::holds_run() const { return fs::exists(files_.config); }

void RunFolder::begin(const RunConfig& config) {
  const std::string text = to_json(config).dump(2) + "\n";
  if (!holds_run()) return write_file(files_.config, text);
  write_file(files_.next_config, text);
  finish_replacement();
}

void RunFolder::remove() {
  // config.json last: until then it is a run, which may be replaced.
  for (const fs::path& file : {files_.metrics, files_.checkpoint, files_.model, files_.config})
    fs::remove(file);
  std::error_code not_empty;
  fs::remove(lock_.folder(), not_empty);
}

void RunFolder::check_still_there() const {
  lock_.check_still_there();
  check<DataError>(fs::exists(files_.config),
                   "{} was removed while the run was being written; nothing more is saved, train "
                   "again",
                   files_.config.string());
}

void RunFolder::refuse_foreign_files() const {
  for (const fs::path& file : {files_.config, files_.next_config})
    check<ConfigError>(!fs::exists(file) || is_run_config(file),
                       "{} is not the configuration of a run, or is damaged; nothing in the folder "
                       "was changed: choose another --out, or remove the folder",
                       file.string());
  if (fs::exists(files_.config) || fs::exists(files_.next_config)) return;
  for (const auto& entry : fs::directory_iterator(lock_.folder()))
    check<ConfigError>(is_draft(entry.path()),
                       "{} holds no run (there is no config.json) but other files, such as {}; "
                       "choose a new or an empty folder as --out",
                       lock_.folder().string(), entry.path().filename().string());
}

bool RunFolder::is_draft(const fs::path& file) const {
  const std::vector<fs::path> all = files_.all();
  return std::any_of(all.begin(), all.end(),
                     [&](const fs::path& ours) { return is_draft_of(file, ours); });
}

void RunFolder::remove_drafts() const {
  std::vector<fs::path> drafts;
  std::error_code ignored;  // a draft that stays harms nobody
  for (const auto& entry : fs::directory_iterator(lock_.folder(), ignored))
    if (is_draft(entry.path())) drafts.push_back(entry.path());
  for (const fs::path& draft : drafts) fs::remove(draft, ignored);
}

void RunFolder::finish_replacement() {
  for (const fs::path& file : {files_.metrics, files_.checkpoint, files_.model}) fs::remove(file);
  fs::rename(files_.next_config, files_.config);
}

}  // namespace phasor::inline PHASOR_PRECISION
