// The file format: what is written, and that whatever breaks a rule is refused.
#include "phasor/train/safetensors.hpp"

#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/core/expect_error.hpp"
#include "tests/golden_files.hpp"
#include "tests/real_test.hpp"
#include "tests/tensor/closeness.hpp"
#include "tests/train/scratch.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

TensorFile some_file() {
  TensorFile file;
  file.metadata = {{"format", "pt"}, {"note", "π \"quoted\""}};
  file.tensors = {{"z.weight", normal({3, 4}, 1)},
                  {"a.scalar", scalar(Real(-0.1))},
                  {"empty", empty({0, 5})},
                  {"α", normal({2, 1, 3}, 2)},
                  {"extremes", Tensor{std::numeric_limits<Real>::max(),
                                      std::numeric_limits<Real>::denorm_min(), Real(-0.0)}}};
  return file;
}

/// A file whose header is this text, as it stands.
std::string packed(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + data;
}

REAL_TEST(Safetensors, gives_back_what_was_written) {
  const auto path = scratch_folder() / "some.safetensors";
  const TensorFile written = some_file();
  write_safetensors(path, written);
  const TensorFile read = read_safetensors(path);
  EXPECT_EQ(read.metadata, written.metadata);
  ASSERT_EQ(read.tensors.size(), written.tensors.size());
  for (std::size_t i = 0; i < read.tensors.size(); ++i) {
    EXPECT_EQ(read.tensors[i].name, written.tensors[i].name);
    EXPECT_TRUE(identical(read.tensors[i].value, written.tensors[i].value)) << read.tensors[i].name;
    EXPECT_EQ(read.find(read.tensors[i].name), &read.tensors[i].value);
  }
  EXPECT_EQ(read.find("z"), nullptr);
}

/// The folder of a run that was removed meanwhile is not made again.
REAL_TEST(Safetensors, are_written_into_a_folder_that_is_there) {
  const auto folder = scratch_folder() / "removed";
  EXPECT_THROW(write_safetensors(folder / "model.safetensors", some_file()), DataError);
  EXPECT_FALSE(std::filesystem::exists(folder));
}

REAL_TEST(Safetensors, gives_back_a_file_of_nothing) {
  const auto path = scratch_folder() / "nothing.safetensors";
  write_safetensors(path, {});
  const TensorFile read = read_safetensors(path);
  EXPECT_TRUE(read.tensors.empty());
  EXPECT_TRUE(read.metadata.empty());
}

REAL_TEST(Safetensors, writes_the_bytes_the_format_asks_for) {
  const auto path = scratch_folder() / "bytes.safetensors";
  TensorFile file;
  file.metadata = {{"format", "pt"}};
  file.tensors = {{"w", Tensor{{1, 2, 3}, {4, 5, 6}}}, {"b", Tensor{7}}};
  write_safetensors(path, file);
  const std::string bytes = read_file(path);
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0U);
  const nlohmann::json header = nlohmann::json::parse(bytes.substr(8, length));
  const char* dtype = sizeof(Real) == 4 ? "F32" : "F64";
  const std::size_t six = 6 * sizeof(Real), seven = 7 * sizeof(Real);
  // Computed in Python, from the description in safetensors.hpp.
  const char* digest = sizeof(Real) == 4 ? "8ee8a387ea31ff70" : "d7d81d1e6680f758";
  EXPECT_EQ(
      header,
      (nlohmann::json{{"__metadata__", {{"format", "pt"}, {"digest", digest}}},
                      {"w", {{"dtype", dtype}, {"shape", {2, 3}}, {"data_offsets", {0, six}}}},
                      {"b", {{"dtype", dtype}, {"shape", {1}}, {"data_offsets", {six, seven}}}}}));
  ASSERT_EQ(bytes.size(), 8 + length + seven);
  Real values[7];
  std::memcpy(values, bytes.data() + 8 + length, seven);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(values[i], static_cast<Real>(i + 1));
}

REAL_TEST(Safetensors, reads_what_others_wrote) {
  const TensorFile file = read_safetensors(golden_path("format/good.safetensors"));
  EXPECT_EQ(file.metadata,
            (std::map<std::string, std::string>{{"made_by", "format.py"}, {"text", "π"}}));
  EXPECT_EQ(file.tensors.size(), 5U);
  for (const std::string name : {"a", "c"})
    EXPECT_TRUE(identical(*file.find(name), golden_tensor("format/good." + name + ".npy"))) << name;
  const Indices integers = read_npy<std::int64_t>(golden_path("format/good.b.npy"));
  ASSERT_EQ(shape_of(*file.find("b")), shape_of(integers));
  for (std::size_t i = 0; i < integers.size(); ++i)
    EXPECT_EQ((*file.find("b"))(i), static_cast<Real>(integers(i)));
  EXPECT_EQ(shape_of(*file.find("empty")), (Shape{0, 3}));
  EXPECT_TRUE(identical(*file.find("α.scalar"), scalar(Real(0.5))));

  const TensorFile unpadded = read_safetensors(golden_path("format/good_unpadded.safetensors"));
  ASSERT_EQ(unpadded.tensors.size(), 1U);
  EXPECT_TRUE(identical(*unpadded.find("a"), golden_tensor("format/good.a.npy")));
}

REAL_TEST(Safetensors, refuses_every_broken_file) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(golden_path("format"))) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("bad.")) continue;
    ++count;
    SCOPED_TRACE(name);
    expect_error<CheckpointError>([&] { read_safetensors(entry.path()); }, {name, "is damaged: "});
  }
  EXPECT_GE(count, 20U);
}

REAL_TEST(Safetensors, refuses_headers_that_say_more_or_less_than_they_must) {
  const auto path = scratch_folder() / "bad.safetensors";
  const std::string a = R"("dtype":"F32","shape":[1],"data_offsets":[0,4])", data(4, 'x');
  write_file(path, packed("{\"a\":{" + a + "}}", data));
  EXPECT_EQ(read_safetensors(path).tensors.size(), 1U) << "the good one, that all differ from";
  const std::vector<std::string> bad{
      "{\"a\":{" + a + R"(,"more":1}})",                                    // unknown field
      "{\"a\":{" + a + R"(,"dtype":"F32"}})",                               // field twice
      "{\"a\":{" + a + R"(},"__metadata__":{"k":"v","k":"w"}})",            // key twice
      "{\"a\":{" + a + R"(},"__metadata__":["k"]})",                        // no object
      "{\"a\":{" + a + R"(},"__metadata__":null})",                         //
      "{\"a\":{" + a + "}}\n",                                              // padded otherwise
      "{\"a\":{" + a + "}} {}",                                             // two objects
      "{\"a\":[" + a + "]}",                                                // no JSON
      R"({"a":[1]})",                                                       // no entry
      R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0]}})",            // one offset
      R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,4]}})",        // three
      R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4.0]}})",        // no whole number
      R"({"a":{"dtype":"F32","shape":[1],"data_offsets":{"0":0,"1":4}}})",  // no list
      R"({"a":{"dtype":"F32","shape":1,"data_offsets":[0,4]}})",            //
      R"({"a":{"dtype":"F32","shape":[true],"data_offsets":[0,4]}})",       //
      R"({"a":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}})",          // not ours
      R"({"a":{"dtype":7,"shape":[1],"data_offsets":[0,4]}})",              //
      R"({"a":{"dtype":"F32","shape":[18446744073709551615,4],"data_offsets":[0,4]}})",
      R"({"a":{"dtype":"F32","shape":[99999999999999999999],"data_offsets":[0,4]}})",
      "[]",
      "\"text\"",
      "        ",
      ""};
  for (const std::string& header : bad) {
    write_file(path, packed(header, data));
    SCOPED_TRACE(header);
    expect_error<CheckpointError>([&] { read_safetensors(path); }, {"is damaged: "});
  }
}

/// However a good file is cut, and whichever of its bytes is changed, reading it says that it is
/// damaged. But a digest under another name is a file without one, of which all else is as it was.
REAL_TEST(Safetensors, survives_any_damage) {
  const auto folder = scratch_folder();
  write_safetensors(folder / "good.safetensors", some_file());
  const std::string good = read_file(folder / "good.safetensors");
  const auto path = folder / "damaged.safetensors";
  const auto write = [&path](const std::string& bytes) {  // without the sync of write_file
    std::ofstream(path, std::ios::binary) << bytes;
  };
  for (std::size_t length = 0; length < good.size(); ++length) {
    write(good.substr(0, length));
    EXPECT_THROW(read_safetensors(path), CheckpointError) << length;
  }
  const std::size_t name = good.find("digest");
  for (std::size_t i = 0; i < good.size(); ++i)
    for (const char change : {'\x01', '\x80'}) {
      std::string bytes = good;
      bytes[i] = static_cast<char>(bytes[i] ^ change);
      write(bytes);
      if (change == '\x01' && i - name < 6)
        EXPECT_FALSE(read_safetensors(path).has_digest) << i;
      else
        EXPECT_THROW(read_safetensors(path), CheckpointError) << i;
    }
}

REAL_TEST(Safetensors, has_a_digest_that_does_not_depend_on_the_order) {
  const auto path = scratch_folder() / "some.safetensors";
  TensorFile file = some_file();
  const auto digest_in = [&path] {
    const std::string bytes = read_file(path);
    return bytes.substr(bytes.find("\"digest\":\"") + 10, 16);
  };
  write_safetensors(path, file);
  const std::string digest = digest_in();
  EXPECT_TRUE(read_safetensors(path).has_digest);
  std::reverse(file.tensors.begin(), file.tensors.end());
  write_safetensors(path, file);
  EXPECT_EQ(digest_in(), digest);
  std::swap(file.tensors[0].name, file.tensors[1].name);
  write_safetensors(path, file);
  EXPECT_NE(digest_in(), digest);
}

REAL_TEST(Safetensors, says_when_there_is_no_file) {
  const auto folder = scratch_folder();
  expect_error<DataError>([&] { read_safetensors(folder / "none.safetensors"); },
                          {"no such file", "none.safetensors"});
  expect_error<DataError>([&] { read_safetensors(folder); }, {"is a folder"});
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
