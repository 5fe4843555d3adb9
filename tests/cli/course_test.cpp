// phasor figures and phasor claims end to end.
#include <sys/ioctl.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "phasor/course/claim.hpp"
#include "phasor/course/figures.hpp"
#include "tests/cli/bad_input.hpp"
#include "tests/core/pseudo_terminal.hpp"

namespace phasor::cli {
namespace {

TEST(FiguresCommand, lists_every_figure_of_the_documents) {
  const WorkFolder folder;
  const std::string list = output_of(folder.path(), "figures");
  EXPECT_EQ(static_cast<std::size_t>(std::count(list.begin(), list.end(), '\n')),
            figures_of_documents().size());
  for (const FigureEntry& entry : figures_of_documents()) {
    const std::size_t line = list.find(entry.id + " ");
    ASSERT_NE(line, list.npos) << entry.id;
    EXPECT_NE(list.find(entry.title), list.npos) << entry.title;
  }
}

TEST(FiguresCommand, makes_those_that_are_named_into_the_folder) {
  const WorkFolder folder;
  const std::string said = output_of(folder.path(), "figures D3-T1 D1-F2 --out here");
  EXPECT_EQ(said, "D3-T1   here/lab01-worked.svg\nD1-F2   here/lab01-views.svg\n");
  for (const char* name : {"here/lab01-worked.csv", "here/lab01-worked.svg",
                           "here/lab01-worked.png", "here/lab01-views.html"})
    EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
  const auto before = contents_of(folder.path());
  output_of(folder.path(), "figures D3-T1 D1-F2 --out here");
  EXPECT_EQ(contents_of(folder.path()), before);  // the same bytes
}

TEST(FiguresCommand, a_model_that_is_missing_stops_its_own_figure_only) {
  const WorkFolder folder;
  const Outcome outcome = phasor(folder.path(), "figures D2-F4 D3-T1 --out here");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.out.find("D2-F4   not made: "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("labs/run 11"), std::string::npos) << outcome.out;
  EXPECT_TRUE(std::filesystem::exists(folder / "here/lab01-worked.svg"));
  EXPECT_NE(outcome.err.find("1 of 2 figures not made: D2-F4"), std::string::npos) << outcome.err;
}

TEST_F(BadInputs, figures_and_claims) {
  expect_refused({
      {"no such figure", "figures D4-F2", {"'D4-F2'", "D4-F1 is nearest", "phasor figures"}},
      {"figure in small letters", "figures d0-f3", {"'d0-f3'", "D0-F3 is nearest"}},
      {"all and one", "figures --all D4-F1", {"--all", "leave it out"}},
      {"a folder for nothing", "figures --out here", {"--out", "D4-F1", "--all"}},
      {"a file as folder", "figures D4-F1 --out small.txt", {"small.txt"}},
      {"no such claim", "claims --id D3-longest-waves", {"D3-longest-wave is nearest"}},
      {"no such document", "claims --document D5", {"'D5'", "D0 is nearest"}},
      {"no such lab", "claims --lab 99", {"'lab99'", "lab09 is nearest"}},
      {"page in a file", "claims --id D0-bounded --page small.txt/page.html", {"small.txt"}},
  });
}

nlohmann::json claims_json(const std::string& options) {
  const WorkFolder folder;
  return nlohmann::json::parse(output_of(folder.path(), "claims --json " + options));
}

std::set<std::string> values_of(const nlohmann::json& claims, const char* key) {
  std::set<std::string> values;
  for (const auto& claim : claims) values.insert(claim.at(key).get<std::string>());
  return values;
}

TEST(ClaimsCommand, measures_all_of_them) {
  const auto all = claims_json("");
  EXPECT_EQ(all.size(), claims().size());
  EXPECT_GE(all.size(), 45U);
  for (const auto& claim : all) {
    EXPECT_FALSE(claim.at("measured").get<std::string>().empty()) << claim.at("id");
    EXPECT_TRUE(claim.at("numbers").is_object()) << claim.at("id");
  }
  const std::set<std::string> verdicts = values_of(all, "verdict");
  for (const char* verdict : {"holds", "holds only if", "fails", "not measured yet"})
    EXPECT_TRUE(verdicts.contains(verdict)) << verdict;  // no lab has been run here
}

TEST(ClaimsCommand, chooses_by_document_lab_and_id) {
  EXPECT_EQ(values_of(claims_json("--lab 1"), "lab"), (std::set<std::string>{"lab01"}));
  EXPECT_EQ(claims_json("--lab 01").size(), claims_json("--lab lab01").size());
  for (const std::string& documents : values_of(claims_json("--document D4 --lab 01"), "document"))
    EXPECT_NE(documents.find("D4"), std::string::npos) << documents;
  EXPECT_EQ(values_of(claims_json("--id D0-bounded --id D3-tenths"), "id"),
            (std::set<std::string>{"D0-bounded", "D3-tenths"}));
}

TEST(ClaimsCommand, prints_words_and_totals_and_writes_the_page) {
  const WorkFolder folder;
  const std::string said =
      output_of(folder.path(), "claims --id D0-bounded --id D3-longest-wave --page a/page.html");
  EXPECT_NE(said.find("D3-longest-wave  D0, D3  fails\n    claimed: "), said.npos) << said;
  EXPECT_NE(said.find("\n    measured: "), said.npos) << said;
  EXPECT_NE(said.find("2 claims: 1 hold, 0 hold with a condition, 1 fail, 0 not measured\n"),
            said.npos)
      << said;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
  EXPECT_NE(read_file(folder / "a/page.html").find("id=\"D0-bounded\""), std::string::npos);
}

/// What the command prints on a terminal of `columns`.
std::string on_terminal(const PseudoTerminal& terminal, unsigned short columns,
                        const std::string& no_color) {
  const auto [ours, theirs] = terminal;
  const winsize size{.ws_row = 50, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  ::ioctl(theirs, TIOCSWINSZ, &size);
  const WorkFolder folder;
  RunningCommand command(folder.path(), "claims --id D0-bounded --id D3-longest-wave",
                         {.environment = {{"TERM", "xterm-256color"}, {"NO_COLOR", no_color}},
                          .output_stream = theirs});
  std::string seen;
  const auto has_ended = [&] {  // with the totals, whose last word is "measured"
    const std::size_t totals = seen.find(" claims: ");
    return totals != seen.npos && seen.find("measured", totals) != seen.npos;
  };
  while (!has_ended()) {
    std::array<char, 4096> block{};
    const ssize_t count = ::read(ours, block.data(), block.size());
    if (count <= 0) break;
    seen.append(block.data(), static_cast<std::size_t>(count));
  }
  EXPECT_EQ(command.wait().code, 0);
  ::close(ours);
  ::close(theirs);
  return seen;
}

/// Without colours and ends of lines.
std::string plain(const std::string& text) {
  return std::regex_replace(text, std::regex("\x1b\\[[0-9]*m|\r"), "");
}

TEST(ClaimsCommand, is_a_table_on_a_wide_terminal_and_fits_a_narrow_one) {
  for (const unsigned short columns : std::initializer_list<unsigned short>{60, 140}) {
    const auto terminal = pseudo_terminal();
    if (!terminal) GTEST_SKIP() << "this system has no pseudo-terminals";
    const std::string seen = on_terminal(*terminal, columns, "");
    EXPECT_NE(seen.find("\x1b[31mfails\x1b[0m"), seen.npos) << seen;  // the word, in red
    EXPECT_NE(seen.find("\x1b[32mholds\x1b[0m"), seen.npos) << seen;
    std::istringstream lines(plain(seen));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), columns) << line;
    const bool is_table = plain(seen).starts_with("id               document  verdict");
    EXPECT_EQ(is_table, columns == 140) << seen;
  }
}

TEST(ClaimsCommand, respects_no_color) {
  const auto terminal = pseudo_terminal();
  if (!terminal) GTEST_SKIP() << "this system has no pseudo-terminals";
  EXPECT_EQ(on_terminal(*terminal, 100, "1").find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace phasor::cli
