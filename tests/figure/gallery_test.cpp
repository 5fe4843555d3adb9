#include "phasor/figure/gallery.hpp"

#include <gtest/gtest.h>

#include <cctype>

#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"
#include "phasor/figure/write.hpp"
#include "tests/figure/sample.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

/// The words of a figure without drawing it.
void write_words(const fs::path& folder, const std::string& id, const std::string& alt) {
  write_file(folder / (id + ".json"), R"({"id": ")" + id + R"(", "claims_id": "", "title": "T )" +
                                          id + R"(", "caption": "Caption of )" + id +
                                          R"(", "alt": ")" + alt +
                                          R"(", "width": 820, "height": 470, "drawn": true})");
}

std::string page(const fs::path& folder) { return read_file(write_gallery(folder)); }

TEST(Gallery, ShowsEveryFigureOfEveryLabInOrder) {
  const TemporaryFolder out;
  write_words(out.path() / "lab02", "two", "alt of two");
  write_file(
      out.path() / "lab02/summary.json",
      R"({"title": "Rotation", "figure_ids": ["two"], "checks_passed": 3, "checks_failed": 1})");
  write_words(out.path() / "lab01", "b", "alt of b");
  write_words(out.path() / "lab01", "a", "alt of a");
  write_file(
      out.path() / "lab01/summary.json",
      R"({"title": "Sinus & more", "figure_ids": ["b", "a"], "checks_passed": 9, "checks_failed": 0})");
  const std::string html = page(out.path());
  std::size_t place = 0;
  for (const char* part :
       {"lab01 · Sinus &amp; more</h2>", "9 checks passed, 0 failed",
        "src=\"lab01/b.svg\" alt=\"alt of b\"", "Caption of b", "href=\"lab01/b.csv\"",
        "href=\"lab01/b.png\"", "alt=\"alt of a\"", "lab02 · Rotation</h2>",
        "3 checks passed, 1 failed", "alt=\"alt of two\""}) {
    place = html.find(part, place);
    ASSERT_NE(place, std::string::npos) << part;
  }
}

TEST(Gallery, IsAPageForEveryone) {
  const TemporaryFolder out;
  write_figure(test::sample_figure(), out.path() / "lab01");
  const std::string html = page(out.path());
  for (const char* part :
       {"<!DOCTYPE html>", "<html lang=\"en\">", "<meta charset=\"utf-8\">", "name=\"viewport\"",
        "style=\"min-width: 896px\"",  // four fifths of the picture, for phones

        "prefers-color-scheme: dark", "alt=\"Alt text: &quot;quoted&quot; &amp; &lt;escaped&gt;\""})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("http"), std::string::npos);  // nothing is fetched
  EXPECT_EQ(html.find(out.path().string()), std::string::npos);
  // Headings go down one level at a time.
  int level = 0;
  for (auto at = html.find("<h"); at != std::string::npos; at = html.find("<h", at + 2)) {
    if (!std::isdigit(static_cast<unsigned char>(html[at + 2]))) continue;
    const int next = html[at + 2] - '0';
    EXPECT_LE(next, level + 1);
    level = next;
  }
  EXPECT_EQ(level, 3);
}

TEST(Gallery, LinksToTheClaimsAndTheInteractivePages) {
  const TemporaryFolder out;
  Figure figure = test::sample_figure("answers");
  std::swap(figure.panels[0], figure.panels[1]);  // the heatmap first
  figure.interaction = Interaction::kMatrix;
  write_figure(figure, out.path() / "lab03");
  EXPECT_EQ(page(out.path()).find("claims.html"), std::string::npos);  // not there yet
  write_file(out.path() / "claims.html", "<!DOCTYPE html>");
  const std::string html = page(out.path());
  EXPECT_NE(html.find("href=\"claims.html\""), std::string::npos);
  EXPECT_NE(html.find("href=\"lab03/answers.html\""), std::string::npos);
}

TEST(Gallery, ListsTheFiguresOfTheDocumentsById) {
  const TemporaryFolder out;
  write_figure(test::sample_figure("later"), out.path() / "lab05");
  Figure first = test::sample_figure("sooner");
  first.claims_id = "D1-F1";
  write_figure(first, out.path() / "lab08");
  const std::string html = page(out.path());
  const std::size_t a = html.find("D1-F1 · <a href=\"#sooner\""),
                    b = html.find("D9-F9 · <a href=\"#later\"");
  EXPECT_LT(a, b);
  EXPECT_NE(b, std::string::npos);
}

TEST(Gallery, LeavesOutWhatTheLastRunDidNotDraw) {
  const TemporaryFolder out;
  write_words(out.path() / "lab01", "old", "alt of old");
  write_words(out.path() / "lab01", "new", "alt of new");
  write_file(out.path() / "lab01/summary.json", R"({"title": "T", "figure_ids": ["new"]})");
  const std::string html = page(out.path());
  EXPECT_NE(html.find("alt of new"), std::string::npos);
  EXPECT_EQ(html.find("alt of old"), std::string::npos);
}

TEST(Gallery, AnInterruptedLabIsNamedByItsFolder) {
  const TemporaryFolder out;
  write_words(out.path() / "lab07", "half", "alt of half");
  const std::string html = page(out.path());
  EXPECT_NE(html.find("<h2>lab07</h2>"), std::string::npos);
  EXPECT_NE(html.find("did not run to its end: figures below may be of an earlier run"),
            std::string::npos);
  EXPECT_NE(html.find("alt of half"), std::string::npos);
}

TEST(Gallery, SaysWhatIsWrong) {
  const TemporaryFolder out;
  EXPECT_THROW(write_gallery(out.path() / "nowhere"), DataError);
  EXPECT_THROW(write_gallery(out.path()), DataError);  // nothing in it
  write_file(out.path() / "lab01/broken.json", "{ not json");
  try {
    write_gallery(out.path());
    FAIL() << "no error";
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("broken.json"), std::string::npos);
  }
  EXPECT_FALSE(fs::exists(out.path() / "index.html"));
}

}  // namespace
}  // namespace phasor
