#include "phasor/data/corpus.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "phasor/core/file.hpp"
#include "phasor/data/toy_language.hpp"
#include "tests/core/expect_error.hpp"
#include "tests/environment.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;

using Setting = test::EnvironmentVariable;

/// A new empty folder of the running test.
fs::path fresh_folder() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const fs::path folder = fs::path(PHASOR_BINARY_DIR) / "test_files" / test->name();
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

/// A folder for PATH in which `bible` is a script.
std::string programs(const fs::path& folder, const std::string& script) {
  write_file(folder / "bible", "#!/bin/sh\n" + script + "\n");
  fs::permissions(folder / "bible", fs::perms::owner_all);
  return folder.string() + ":/usr/bin:/bin";
}

TEST(Corpus, KjvIsTheWholeBibleAtAnyTerminalWidth) {
  const fs::path cache = fresh_folder();
  const Setting home("XDG_CACHE_HOME", cache), width("COLUMNS", "132");
  const Corpus corpus = load_corpus("kjv");
  EXPECT_EQ(corpus.name, "kjv");
  EXPECT_FALSE(corpus.entropy_floor.has_value());
  EXPECT_EQ(corpus.text.size(), 4'298'239u);
  EXPECT_TRUE(
      corpus.text.starts_with("\nGenesis 1\n\n  1 In the beginning God created the heaven"));
  std::size_t longest = 0, length = 0;
  for (const char c : corpus.text) {
    length = c == '\n' ? 0 : length + 1;
    longest = std::max(longest, length);
  }
  EXPECT_EQ(longest, 79u);
  EXPECT_EQ(read_file(cache / "phasor" / "kjv.txt"), corpus.text);
}

TEST(Corpus, KjvComesFromTheCacheWithoutTheProgram) {
  const fs::path cache = fresh_folder();
  const Setting home("XDG_CACHE_HOME", cache);
  const Corpus first = load_corpus("kjv");
  const Setting path("PATH", programs(cache / "bin", "exit 127"));
  EXPECT_EQ(load_corpus("kjv").text, first.text);
}

TEST(Corpus, KjvCacheFallsBackToHomeAndIsRepaired) {
  const fs::path home = fresh_folder(), cached = home / ".cache" / "phasor" / "kjv.txt";
  const Setting cache("XDG_CACHE_HOME", "not/absolute"), at("HOME", home);
  write_file(cached, "half a text");
  const Corpus corpus = load_corpus("kjv");
  EXPECT_EQ(corpus.text.size(), 4'298'239u);
  EXPECT_EQ(read_file(cached), corpus.text);
}

TEST(Corpus, KjvCacheWithOneOtherLetterIsRepaired) {
  const fs::path folder = fresh_folder(), cached = folder / "phasor" / "kjv.txt";
  const Setting cache("XDG_CACHE_HOME", folder);
  const std::string text = load_corpus("kjv").text;
  std::string other = text;
  other[other.size() / 2] ^= 1;
  write_file(cached, other);
  EXPECT_TRUE(load_corpus("kjv").text == text);
  EXPECT_TRUE(read_file(cached) == text);
}

TEST(Corpus, KjvGoesOnWithoutACacheFolder) {
  const fs::path folder = fresh_folder();
  write_file(folder / "file", "in the way");
  const Setting cache("XDG_CACHE_HOME", folder / "file");
  EXPECT_EQ(load_corpus("kjv").text.size(), 4'298'239u);
  const Setting none("XDG_CACHE_HOME", ""), homeless("HOME", "");
  EXPECT_EQ(load_corpus("kjv").text.size(), 4'298'239u);
}

TEST(Corpus, KjvSaysHowToGetTheProgram) {
  const fs::path folder = fresh_folder();
  const Setting cache("XDG_CACHE_HOME", folder / "cache");
  {
    const Setting path("PATH", (folder / "nothing").string());
    expect_error([] { load_corpus("kjv"); },
                 "install it with: apt-get install bible-kjv, or use --text toy, or --text FILE");
  }
  const Setting path("PATH", programs(folder / "bin", "echo something else"));
  expect_error([] { load_corpus("kjv"); }, "gave 15 bytes that are not the whole");
  EXPECT_FALSE(fs::exists(folder / "cache" / "phasor" / "kjv.txt"));
}

TEST(Corpus, ToyIsSampledWithTheSeed) {
  const Corpus corpus = load_corpus("toy", 4);
  const ToyLanguage& language = ToyLanguage::standard();
  EXPECT_EQ(corpus.name, "toy");
  EXPECT_EQ(corpus.text, language.sample(kToyCharacters, 4));
  EXPECT_EQ(corpus.entropy_floor, language.entropy_per_character());
  EXPECT_NE(load_corpus("toy", 5).text, corpus.text);
}

TEST(Corpus, ReadsATextFile) {
  const fs::path folder = fresh_folder();
  write_file(folder / "quijote.txt",
             "\xEF\xBB\xBF"
             "En un lugar de la Mancha, señor.\n");
  const Corpus corpus = load_corpus((folder / "quijote.txt").string());
  EXPECT_EQ(corpus.name, "quijote.txt");
  EXPECT_EQ(corpus.text, "En un lugar de la Mancha, señor.\n");
  EXPECT_FALSE(corpus.entropy_floor.has_value());
}

TEST(Corpus, HasANameThatCanBePrinted) {
  const fs::path folder = fresh_folder();
  write_file(folder / "two\nlines", "text");
  EXPECT_EQ(load_corpus((folder / "two\nlines").string()).name, "two\\nlines");
  write_file(folder / "se\xF1or", "text");
  expect_error([&] { load_corpus((folder / "se\xF1or").string()); }, "is not UTF-8; rename");
}

TEST(Corpus, RefusesWhatIsNoTextFile) {
  const fs::path folder = fresh_folder();
  expect_error([&] { load_corpus((folder / "none.txt").string()); }, "no such text: '");
  expect_error([&] { load_corpus(""); }, "no such text: ''; give --text kjv");
  expect_error([&] { load_corpus(folder.string()); }, "is a folder, a file is wanted");
  write_file(folder / "empty.txt", "");
  expect_error([&] { load_corpus((folder / "empty.txt").string()); }, "empty.txt is empty");
  write_file(folder / "binary", std::string("ELF\0\1", 5));
  expect_error([&] { load_corpus((folder / "binary").string()); }, "binary is not text: byte 0x00");
  write_file(folder / "latin1.txt", "se\xF1or");
  expect_error([&] { load_corpus((folder / "latin1.txt").string()); }, "iconv -f latin1");
}

}  // namespace
}  // namespace phasor
