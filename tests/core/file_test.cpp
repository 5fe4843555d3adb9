#include "phasor/core/file.hpp"

#include <atomic>
#include <string>
#include <thread>

#include "tests/core/expect_error.hpp"
#include "tests/core/files.hpp"

namespace phasor {
namespace {

TEST(File, gives_back_every_byte) {
  const fs::path path = test_folder() / "bytes";
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  bytes += "\r\n\n";
  for (int i = 0; i < 12; ++i) bytes += bytes;  // 1 MB: more than one block
  write_file(path, bytes);
  EXPECT_EQ(fs::file_size(path), bytes.size());
  EXPECT_TRUE(read_file(path) == bytes);
  write_file(path, "");
  EXPECT_EQ(read_file(path), "");
  EXPECT_EQ(entries(path.parent_path()), 1u) << "a temporary file is left";
}

TEST(File, missing_parents_are_made) {
  const fs::path folder = test_folder();
  write_file(folder / "a" / "b" / "c.txt", "text");
  EXPECT_EQ(read_file(folder / "a" / "b" / "c.txt"), "text");
  make_folder(folder / "d" / "e");
  make_folder(folder / "d" / "e");  // there already: fine
  EXPECT_TRUE(fs::is_directory(folder / "d" / "e"));
}

TEST(File, a_full_disk_leaves_the_old_file_as_it_was) {
  const fs::path path = test_folder() / "model";
  write_file(path, "old");
  const std::string large(100000, 'x');
  {
    const FullDisk full_disk(4096);
    expect_error<DataError>(
        [&] { write_file(path, large); },
        {"cannot write '" + path.string() + "'", "File too large", "ulimit -f"});
  }
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(entries(path.parent_path()), 1u) << "a temporary file is left";
  write_file(path, large);
  EXPECT_EQ(read_file(path).size(), large.size());
}

TEST(File, a_reader_never_sees_half_a_file) {
  const fs::path path = test_folder() / "metrics";
  const std::string first(300000, 'a'), second(200000, 'b');
  write_file(path, first);
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int i = 0; i < 50; ++i) write_file(path, i % 2 == 0 ? second : first);
    done = true;
  });
  int reads = 0, halves = 0;
  while (!done || reads == 0) {
    const std::string seen = read_file(path);
    halves += seen != first && seen != second;
    ++reads;
  }
  writer.join();
  EXPECT_EQ(halves, 0) << "of " << reads << " reads";
}

TEST(File, what_cannot_be_read_is_named) {
  const fs::path folder = test_folder();
  expect_error<DataError>([&] { read_file(folder / "none"); },
                          {"no such file", (folder / "none").string(), "check the path"});
  expect_error<DataError>([&] { read_file(folder); },
                          {folder.string(), "is a folder", "a file is wanted"});
  // Its address 0 is not mapped, so that reading it fails after it was opened, as on a bad disk.
  expect_error<DataError>([] { read_file("/proc/self/mem"); }, {"cannot read /proc/self/mem"});
}

TEST(File, what_cannot_be_written_is_named) {
  const fs::path folder = test_folder();
  write_file(folder / "plain", "text");
  expect_error<DataError>([&] { write_file(folder / "plain" / "below", "x"); },
                          {"cannot make the folder", (folder / "plain").string()});
  expect_error<DataError>([&] { make_folder(folder / "plain" / "below"); },
                          {"cannot make the folder", "Not a directory", "choose another place"});
  fs::create_directories(folder / "taken");
  for (const fs::path& path : {folder / "taken", folder / "taken" / "", fs::path()})
    expect_error<DataError>([&] { write_file(path, "x"); },
                            {"cannot write '" + path.string() + "'", "a file is wanted"});
  expect_error<DataError>([] { write_file("/proc/none", "x"); },
                          {"cannot write '/proc/none': No such file", "choose another place"});
  EXPECT_EQ(entries(folder), 2u) << "a temporary file is left";
}

TEST(File, input_without_an_end_is_refused) {
  expect_error<DataError>([] { read_file("/dev/zero"); },
                          {"/dev/zero", "more than 256 MiB", "choose a smaller file"});
  const fs::path path = test_folder() / "huge";
  write_file(path, "");
  fs::resize_file(path, std::uintmax_t{5} << 30);  // a hole takes no space
  expect_error<DataError>([&] { read_file(path); }, {"huge", "more than 4096 MiB"});
  fs::remove(path);
}

TEST(File, knows_the_drafts_of_its_writers) {
  for (const char* name : {"model.st.4711.part", "model.st.1.part"})
    EXPECT_TRUE(is_draft_of(name, "runs/model.st")) << name;
  for (const char* name :
       {"model.st", "model.st.part", "model.st.47x1.part", "model.st.4711", "model.st..part",
        ".part", "model.4711.part", "film.4711.part", "st.4711.part", "model.st.4711.part.part"})
    EXPECT_FALSE(is_draft_of(name, "runs/model.st")) << name;
}

}  // namespace
}  // namespace phasor
