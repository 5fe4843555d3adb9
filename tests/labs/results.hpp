// What a lab has printed and left in its folder, as tests look at it.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/figure/sample.hpp"
#include "tests/run_program.hpp"

namespace phasor::test {

struct AuditedClaim {
  std::string id, verdict;
  std::map<std::string, double> numbers;
};

/// summary.json
struct Summary {
  std::string lab, title;
  int figures = 0, checks_passed = 0, checks_failed = 0;
  std::vector<AuditedClaim> claims = {};
  /// The claim of this id; a failure of the test when there is none.
  AuditedClaim claim(const std::string& id) const;
};
Summary summary_of(const std::filesystem::path& out);

/// out/ID.json
struct FigureWords {
  std::string claims_id, caption, alt;
  bool drawn = false;
};
FigureWords words_of(const std::filesystem::path& out, const std::string& id);

/// Figures with their words, numbers and pictures. `figures`: name, id in the documents.
void expect_figures(const std::filesystem::path& out,
                    const std::vector<std::pair<std::string, std::string>>& figures);

/// Each of the words stands behind those before it.
void expect_in_order(const std::string& text, const std::vector<std::string>& words);

/// Every file of the one folder is there in the other, with the same bytes; summary.json, which
/// holds the seconds, is left out. Returns how many were compared.
std::size_t expect_same_files(const std::filesystem::path& a, const std::filesystem::path& b);

/// `text` with every match of the regular expression `pattern` replaced.
std::string replaced(const std::string& text, const std::string& pattern, const std::string& by);

}  // namespace phasor::test
