#include "tests/labs/results.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "phasor/core/file.hpp"

namespace phasor::test {
namespace {

nlohmann::json json_of(const std::filesystem::path& file) {
  return nlohmann::json::parse(read_file(file));
}

}  // namespace

AuditedClaim Summary::claim(const std::string& id) const {
  for (const AuditedClaim& claim : claims)
    if (claim.id == id) return claim;
  ADD_FAILURE() << "no claim " << id;
  return {};
}

Summary summary_of(const std::filesystem::path& out) {
  const nlohmann::json json = json_of(out / "summary.json");
  Summary summary{.lab = json.at("lab"),
                  .title = json.at("title"),
                  .figures = json.at("figures"),
                  .checks_passed = json.at("checks_passed"),
                  .checks_failed = json.at("checks_failed")};
  for (const nlohmann::json& claim : json.at("claims"))
    summary.claims.push_back({claim.at("id"), claim.at("verdict"), claim.at("numbers")});
  return summary;
}

FigureWords words_of(const std::filesystem::path& out, const std::string& id) {
  const nlohmann::json json = json_of(out / (id + ".json"));
  return {json.at("claims_id"), json.at("caption"), json.at("alt"), json.at("drawn")};
}

void expect_figures(const std::filesystem::path& out,
                    const std::vector<std::pair<std::string, std::string>>& figures) {
  for (const auto& [id, claims_id] : figures) {
    const FigureWords words = words_of(out, id);
    EXPECT_EQ(words.claims_id, claims_id) << id;
    EXPECT_TRUE(words.drawn) << id;
    EXPECT_GT(words.alt.size(), 60u) << id;
    for (const char* ending : {".csv", ".svg", ".png"})
      // The header of the smallest table is 60 bytes.
      EXPECT_GT(std::filesystem::file_size(out / (id + ending)), 500u) << id << ending;
  }
}

void expect_in_order(const std::string& text, const std::vector<std::string>& words) {
  std::size_t place = 0;
  for (const std::string& word : words) {
    place = text.find(word, place);
    ASSERT_NE(place, std::string::npos) << word;
  }
}

std::size_t expect_same_files(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::size_t compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(a)) {
    const std::filesystem::path name = entry.path().filename();
    if (!entry.is_regular_file() || name == "summary.json") continue;
    EXPECT_EQ(read_file(entry.path()), read_file(b / name)) << name;
    ++compared;
  }
  return compared;
}

std::string replaced(const std::string& text, const std::string& pattern, const std::string& by) {
  return std::regex_replace(text, std::regex(pattern), by);
}

}  // namespace phasor::test
