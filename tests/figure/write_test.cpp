#include "phasor/figure/write.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"
#include "phasor/figure/csv.hpp"
#include "phasor/figure/layout.hpp"
#include "tests/environment.hpp"
#include "tests/figure/sample.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;
using test::sample_figure;
using test::TemporaryFolder;

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// A path with one folder on it, for as long as this lives.
class Path {
 public:
  explicit Path(const fs::path& folder) : old_(std::getenv("PATH")) {
    ::setenv("PATH", folder.c_str(), 1);
  }
  ~Path() { ::setenv("PATH", old_.c_str(), 1); }

 private:
  std::string old_;
};

TEST(WriteFigure, WritesTheSameBytesTwice) {
  const TemporaryFolder first, second;
  ASSERT_TRUE(write_figure(sample_figure(), first.path()));
  ASSERT_TRUE(write_figure(sample_figure(), second.path()));
  for (const char* ending : {"csv", "json", "svg", "png"}) {
    const std::string name = std::string("sample.") + ending;
    EXPECT_EQ(read_file(first.path() / name), read_file(second.path() / name)) << name;
  }
  EXPECT_EQ(files_in(first.path()), 4u);  // and no drafts
}

TEST(WriteFigure, SvgCarriesItsWords) {
  const TemporaryFolder folder;
  write_figure(sample_figure(), folder.path());
  const std::string svg = read_file(folder.path() / "sample.svg");
  for (const char* part : {"<title>A sample &amp; its &lt;title&gt;</title>",
                           "<desc>Alt text: &quot;quoted&quot; &amp; &lt;escaped&gt;</desc>",
                           ">it's_b<", ">floor<", ">loss, \"mean\"<", ">position<", ">dog<",
                           ">right 3<", "-1.00", "DejaVu Sans, Verdana, sans-serif"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  // Everything is inside the file: no picture is fetched from beside it.
  EXPECT_EQ(svg.find("href='file"), std::string::npos);
  EXPECT_NE(svg.find("<image image-rendering='pixelated'"), std::string::npos);
  EXPECT_EQ(svg.find(folder.path().string()), std::string::npos);
}

TEST(WriteFigure, PngHasTwoPixelsToAPoint) {
  const TemporaryFolder folder;
  write_figure(sample_figure(), folder.path());
  const std::string png = read_file(folder.path() / "sample.png");
  ASSERT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  const auto integer = [&](std::size_t at) {
    double value = 0;
    for (std::size_t i = 0; i < 4; ++i)
      value = value * 256 + static_cast<unsigned char>(png[at + i]);
    return value;
  };
  EXPECT_EQ(integer(16), 2 * canvas(sample_figure()).width());
  EXPECT_EQ(integer(20), 2 * canvas(sample_figure()).height());
}

TEST(WriteFigure, JsonHoldsTheWords) {
  const TemporaryFolder folder;
  write_figure(sample_figure(), folder.path());
  const auto words = nlohmann::json::parse(read_file(folder.path() / "sample.json"));
  EXPECT_EQ(words["id"], "sample");
  EXPECT_EQ(words["claims_id"], "D9-F9");
  EXPECT_EQ(words["alt"], sample_figure().alt);
  EXPECT_EQ(words["caption"], sample_figure().caption);
  EXPECT_EQ(words["drawn"], true);
}

TEST(WriteFigure, OddFolderNamesWork) {
  const TemporaryFolder folder;
  const fs::path odd = folder.path() / "it's a \"folder\" ñ";
  ASSERT_TRUE(write_figure(sample_figure(), odd));
  EXPECT_TRUE(fs::exists(odd / "sample.png"));
}

TEST(WriteFigure, WithoutGnuplotNumbersAndWordsAreStillThere) {
  const TemporaryFolder folder, empty;
  ASSERT_TRUE(write_figure(sample_figure(), folder.path()));
  const Path path(empty.path());
  EXPECT_FALSE(write_figure(sample_figure(), folder.path()));
  EXPECT_EQ(read_file(folder.path() / "sample.csv"), to_csv(sample_figure()));
  EXPECT_EQ(nlohmann::json::parse(read_file(folder.path() / "sample.json"))["drawn"], false);
  // Pictures of an earlier run would not show these numbers.
  EXPECT_EQ(files_in(folder.path()), 2u);
}

TEST(WriteFigure, AFailingGnuplotIsReportedInItsOwnWords) {
  const TemporaryFolder folder, tools;
  // It does not read its input: a write into the closed pipe must not end this program.
  write_file(tools.path() / "gnuplot", "#!/bin/sh\necho 'line 3: unknown terminal' >&2\nexit 1\n");
  fs::permissions(tools.path() / "gnuplot", fs::perms::owner_all);
  const Path path(tools.path());
  try {
    write_figure(sample_figure(), folder.path());
    FAIL() << "no error";
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("line 3: unknown terminal"), std::string::npos)
        << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
  }
  EXPECT_FALSE(fs::exists(folder.path() / "sample.svg"));
  EXPECT_EQ(files_in(folder.path()), 0u);  // no numbers without their picture, no drafts
}

std::map<std::string, std::string> contents_of(const fs::path& folder) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : fs::directory_iterator(folder))
    contents[entry.path().filename().string()] = read_file(entry.path());
  return contents;
}

TEST(WriteFigure, AllFilesAreWrittenOrNone) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_figure(sample_figure(), folder.path()));
  Figure other = sample_figure();
  other.caption = "Another caption";
  const auto before = contents_of(folder.path());
  for (const char* ending : {"csv", "json", "svg", "png"}) {
    const fs::path file = folder.path() / (std::string("sample.") + ending);
    fs::permissions(file, fs::perms::owner_read);
    EXPECT_THROW(write_figure(other, folder.path()), DataError) << ending;
    EXPECT_THROW(check_figure_writable("sample", folder.path()), DataError) << ending;
    EXPECT_TRUE(contents_of(folder.path()) == before) << ending;
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  }
  check_figure_writable("sample", folder.path());
  EXPECT_TRUE(write_figure(other, folder.path()));
  EXPECT_FALSE(contents_of(folder.path()) == before);
}

TEST(WriteFigure, TemporaryFilesAreInTheFolderForThem) {
  const TemporaryFolder folder, temporary;
  {
    const test::EnvironmentVariable place("TMPDIR", (temporary.path() / "none").string());
    try {
      write_figure(sample_figure(), folder.path());
      FAIL() << "no error";
    } catch (const DataError& error) {
      EXPECT_NE(std::string(error.what()).find("temporary file in " + temporary.path().string()),
                std::string::npos)
          << error.what();
      EXPECT_NE(std::string(error.what()).find("TMPDIR"), std::string::npos) << error.what();
    }
    EXPECT_EQ(files_in(folder.path()), 0u);
  }
  const test::EnvironmentVariable place("TMPDIR", temporary.path().string());
  EXPECT_TRUE(write_figure(sample_figure(), folder.path()));
  EXPECT_EQ(files_in(temporary.path()), 0u);
}

TEST(WriteFigure, APictureThatIsCutShortIsNotTaken) {
  const TemporaryFolder folder, tools;
  write_file(tools.path() / "gnuplot",
             "#!/bin/sh\nprintf '<svg><title>a</title><desc>b</desc>' > /dev/fd/4\n");
  fs::permissions(tools.path() / "gnuplot", fs::perms::owner_all);
  const Path path(tools.path());
  EXPECT_THROW(write_figure(sample_figure(), folder.path()), DataError);
  EXPECT_EQ(files_in(folder.path()), 0u);
}

TEST(WriteFigure, RefusesBeforeItWrites) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_figure(sample_figure("../escape"), folder.path()), ConfigError);
  EXPECT_EQ(files_in(folder.path()), 0u);
}

}  // namespace
}  // namespace phasor
