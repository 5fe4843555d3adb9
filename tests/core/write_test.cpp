// What writing a file does to what is there: links, devices, modes, several files at once.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <string>

#include "phasor/core/file.hpp"
#include "phasor/core/system_error.hpp"
#include "tests/core/expect_error.hpp"
#include "tests/core/files.hpp"

namespace phasor {
namespace {

mode_t mode_of(const fs::path& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777;
}

TEST(WriteFile, a_link_stays_and_the_file_it_leads_to_is_written) {
  const fs::path folder = test_folder();
  write_file(folder / "there" / "file", "old");
  fs::create_symlink("there/file", folder / "second");
  fs::create_symlink(folder / "second", folder / "first");
  fs::create_symlink("there/none", folder / "dangling");
  write_file(folder / "first", "new");
  write_file(folder / "dangling", "text");
  EXPECT_TRUE(fs::is_symlink(folder / "first") && fs::is_symlink(folder / "second"));
  EXPECT_EQ(read_file(folder / "there" / "file"), "new");
  EXPECT_TRUE(fs::is_symlink(folder / "dangling"));
  EXPECT_EQ(read_file(folder / "there" / "none"), "text");
  fs::create_symlink("circle", folder / "circle");
  expect_error<DataError>([&] { write_file(folder / "circle", "x"); }, {"circle", "mend them"});
}

TEST(WriteFile, a_file_keeps_its_mode_and_a_new_one_gets_that_of_the_umask) {
  const fs::path folder = test_folder();
  for (const mode_t mode : {0600U, 0640U, 0664U}) {
    write_file(folder / "file", "old");
    ::chmod((folder / "file").c_str(), mode);
    write_file(folder / "file", "new");
    EXPECT_EQ(mode_of(folder / "file"), mode);
  }
  const mode_t before = ::umask(0002);
  write_file(folder / "fresh", "text");
  ::umask(before);
  EXPECT_EQ(mode_of(folder / "fresh"), 0664U);
}

TEST(WriteFile, a_write_protected_file_is_not_replaced) {
  const fs::path path = test_folder() / "kept";
  write_file(path, "old");
  ::chmod(path.c_str(), 0400);
  expect_error<DataError>([&] { write_file(path, "new"); },
                          {"kept", "Permission denied", "permissions"});
  expect_error<DataError>([&] { check_writable(path); }, {"kept", "Permission denied"});
  EXPECT_EQ(read_file(path), "old");
}

/// /dev/NAME, which has this number. The administrator, who could lose it to a mistake, gets one in
/// the folder of the test.
fs::path device(const std::string& name, unsigned number) {
  if (::geteuid() != 0) return fs::path("/dev") / name;
  const fs::path path = test_folder().parent_path() / name;
  fs::remove(path);
  EXPECT_EQ(::mknod(path.c_str(), S_IFCHR | 0666, makedev(1, number)), 0);
  return path;
}

TEST(WriteFile, pipes_devices_and_open_streams_are_written_to) {
  const fs::path null = device("null", 3), full = device("full", 7);
  const fs::path folder = test_folder(), pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int end = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  write_file(pipe, "through the pipe");
  std::array<char, 100> read{};
  EXPECT_EQ(::read(end, read.data(), read.size()), 16);
  ::close(end);
  EXPECT_STREQ(read.data(), "through the pipe");
  EXPECT_TRUE(fs::is_fifo(pipe));

  write_file(null, "text");
  EXPECT_TRUE(fs::is_character_file(null));
  expect_error<DataError>([&] { write_file(full, "text"); },
                          {"full'", "No space left", "free some space"});
  EXPECT_TRUE(fs::is_character_file(full));

  // A stream that somebody has opened goes on where it is.
  const int stream = ::open((folder / "stream").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(::write(stream, "one ", 4), 4);
  write_file(fmt::format("/dev/fd/{}", stream), "two ");
  ASSERT_EQ(::write(stream, "three", 5), 5);
  ::close(stream);
  EXPECT_EQ(read_file(folder / "stream"), "one two three");
  EXPECT_EQ(entries(folder), 2u) << "a temporary file is left";
}

TEST(WriteFile, of_several_files_all_are_written_or_none) {
  const fs::path folder = test_folder();
  write_files({{folder / "a", "1"}, {folder / "new" / "b", "2"}});
  EXPECT_EQ(read_file(folder / "a") + read_file(folder / "new" / "b"), "12");
  const std::string large(100000, 'x');
  {
    const FullDisk full_disk(4096);
    expect_error<DataError>(
        [&] {
          write_files({{folder / "a", "3"}, {folder / "c", "4"}, {folder / "far" / "d", large}});
        },
        {"far/d'", "nothing was changed"});
  }
  EXPECT_EQ(read_file(folder / "a"), "1");
  EXPECT_EQ(entries(folder), 2u) << "a draft, a new file or a new folder is left";
}

/// Runs `body` in a process without the administrator's rights; 0 when all its checks held.
template <class Body>
int as_nobody(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) ::_exit(99);
    ::_exit(body() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(WriteFile, what_was_renamed_is_taken_back_when_the_rest_cannot_be) {
  if (::geteuid() != 0) GTEST_SKIP() << "only the administrator can make such a folder";
  std::string name = (fs::temp_directory_path() / "phasor-sticky-XXXXXX").string();
  ASSERT_NE(::mkdtemp(name.data()), nullptr);
  const fs::path folder = name;
  // In a folder with the sticky bit, all may write to this file and only its owner may replace it.
  write_file(folder / "b", "old");
  ::chmod((folder / "b").c_str(), 0666);
  ::chmod(folder.c_str(), 01777);
  EXPECT_EQ(as_nobody([&] {
              write_file(folder / "a", "old");
              try {
                write_files({{folder / "a", "new"}, {folder / "n", "new"}, {folder / "b", "new"}});
                return false;
              } catch (const DataError&) {
                return read_file(folder / "a") == "old" && !fs::exists(folder / "n");
              }
            }),
            0);
  EXPECT_EQ(read_file(folder / "b"), "old");
  EXPECT_EQ(entries(folder), 2u) << "a draft is left";
  fs::remove_all(folder);
}

TEST(WriteFile, what_cannot_work_is_known_before_the_work) {
  const fs::path folder = test_folder();
  write_file(folder / "plain", "text");
  check_writable(folder / "plain");
  check_writable(folder / "new" / "folders" / "file");
  expect_error<DataError>([&] { check_writable(folder); }, {"is a folder"});
  expect_error<DataError>([&] { check_writable(folder / "plain" / "below"); },
                          {"cannot make the folder", "Not a directory"});
  expect_error<DataError>([&] { check_writable(folder / std::string(300, 'x')); },
                          {"File name too long", "shorter name"});
  EXPECT_EQ(entries(folder), 1u) << "it has written something";
}

TEST(WriteFile, the_way_out_fits_the_reason) {
  const std::vector<std::pair<int, std::string>> ways = {
      {EACCES, "permissions"},     {EPERM, "permissions"},  {ENOSPC, "free some space"},
      {EDQUOT, "free some space"}, {EROFS, "only be read"}, {EISDIR, "file inside it"},
      {ENAMETOOLONG, "shorter"},   {EFBIG, "ulimit -f"},    {EIO, "may be failing"},
      {ENOTDIR, "another place"},  {EMFILE, "ulimit -n"},   {ELOOP, "circle"}};
  for (const auto& [error, way] : ways) {
    const std::string words = reason_and_way_out(error);
    EXPECT_NE(words.find(way), words.npos) << words;
    EXPECT_EQ(words.find(std::strerror(error)), 0u) << words;
    const bool is_full = error == ENOSPC || error == EDQUOT;
    EXPECT_EQ(words.find("free some space") != words.npos, is_full) << words;
  }
}

}  // namespace
}  // namespace phasor
