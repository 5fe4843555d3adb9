#include "phasor/core/folder_lock.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <optional>

#include "tests/core/expect_error.hpp"
#include "tests/train/scratch.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;

TEST(FolderLock, is_held_by_one_at_a_time_and_leaves_nothing) {
  const fs::path folder = scratch_folder();
  {
    const FolderLock lock(folder);
    expect_error<ConfigError>(
        [&] { FolderLock second(folder); },
        {folder.string() + " is in use by process " + std::to_string(::getpid()), "wait for it",
         "another --out"});
    EXPECT_NO_THROW(lock.check_still_there());
  }
  EXPECT_NO_THROW(FolderLock again(folder));
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST(FolderLock, of_a_process_that_is_killed_is_free_again) {
  const fs::path folder = scratch_folder();
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t holder = ::fork();
  if (holder == 0) {
    const FolderLock lock(folder);
    static_cast<void>(!::write(ready[1], "", 1));
    for (;;) ::pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  expect_error<ConfigError>([&] { FolderLock lock(folder); },
                            {"in use by process " + std::to_string(holder)});
  ::kill(holder, SIGKILL);
  ::waitpid(holder, nullptr, 0);
  EXPECT_NO_THROW(FolderLock lock(folder));
  for (const int end : ready) ::close(end);
}

TEST(FolderLock, notices_that_the_folder_has_gone) {
  const fs::path folder = scratch_folder() / "held";
  for (const bool is_replaced : {false, true})
    for (const bool is_moved : {false, true}) {
      fs::create_directories(folder);
      const FolderLock lock(folder);
      if (is_moved)
        fs::rename(folder, folder.parent_path() / (is_replaced ? "moved" : "elsewhere"));
      else
        fs::remove(folder);
      if (is_replaced) fs::create_directory(folder);
      expect_error<DataError>([&] { lock.check_still_there(); },
                              {folder.string() + " was removed or replaced"});
      fs::remove(folder);
    }
}

TEST(FolderLock, needs_a_folder) {
  const fs::path folder = scratch_folder();
  write_file(folder / "file", "text");
  expect_error<DataError>([&] { FolderLock lock(folder / "file"); },
                          {"file: Not a directory", "another place"});
  expect_error<DataError>([&] { FolderLock lock(folder / "none"); },
                          {"none: No such file or directory"});
}

}  // namespace
}  // namespace phasor
