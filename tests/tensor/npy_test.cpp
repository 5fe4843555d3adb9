#include "phasor/tensor/npy.hpp"

#include <filesystem>
#include <limits>

#include "tests/real_test.hpp"

namespace phasor {
namespace {

/// A path in the test's own folder, without a file there.
std::filesystem::path fresh(const std::string& name) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::filesystem::path path = std::filesystem::path(PHASOR_BINARY_DIR) / "test_files" /
                                     (std::string(test->test_suite_name()) + test->name()) / name;
  std::filesystem::remove_all(path);
  return path;
}

/// The bytes numpy.save writes: version 1, a header padded with blanks to `length` with its
/// newline, then the values.
std::string numpy_bytes(std::string dictionary, const std::string& values,
                        std::size_t length = 118) {
  dictionary.resize(length - 1, ' ');
  const std::string size = {static_cast<char>(length % 256), static_cast<char>(length / 256)};
  return std::string("\x93NUMPY\x01\x00", 8) + size + dictionary + '\n' + values;
}

template <class T>
std::string raw(std::initializer_list<T> values) {
  return std::string(reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T));
}

std::string header(const std::string& type, const std::string& shape,
                   const std::string& fortran = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}

/// The message of the DataError that `call` must throw.
template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const DataError& error) {
    return error.what();
  }
  return "no DataError";
}

std::string error_of_bytes(const std::string& bytes) {
  const auto path = fresh("bad.npy");
  write_file(path, bytes);
  return error_of([&] { read_npy<float>(path); });
}

template <class T>
void expect_round_trip(const xt::xarray<T>& array) {
  const auto path = fresh("folder/a.npy");
  write_npy(path, array);
  const xt::xarray<T> back = read_npy<T>(path);
  EXPECT_EQ(shape_of(back), shape_of(array));
  EXPECT_EQ(back, array);  // bit for bit: the values are copied, never printed
}

REAL_TEST(Npy, RoundTrip) {
  expect_round_trip<float>({{1.5f, -2.25f, 0.1f}, {1e-30f, 3, 4}});
  expect_round_trip<double>({{{1.0 / 3, 1e300}}, {{-0.0, 5}}});
  expect_round_trip<std::int64_t>({1, -2, std::numeric_limits<std::int64_t>::max()});
  expect_round_trip<Real>(xt::xarray<Real>::from_shape({0, 3}));
  expect_round_trip<Real>(xt::xarray<Real>(Real(7)));
  // Enough axes for a header of 182 bytes: its low length byte is over 127.
  xt::xarray<Real> deep = xt::xarray<Real>::from_shape(Shape(30, 1));
  deep.fill(3);
  expect_round_trip<Real>(deep);
}

REAL_TEST(Npy, ReadsWhatNumpyWrites) {
  const auto path = fresh("numpy.npy");
  const xt::xarray<float> wanted = {{1, 2, 3}, {4, 5, 6}};
  write_file(path, numpy_bytes(header("<f4", "(2, 3)"), raw<float>({1, 2, 3, 4, 5, 6})));
  EXPECT_EQ(read_npy<float>(path), wanted);
  write_file(path, numpy_bytes(header("<f4", "(2, 3)"), raw<float>({1, 2, 3, 4, 5, 6}), 182));
  EXPECT_EQ(read_npy<float>(path), wanted);
  std::string bytes = numpy_bytes(header("<f4", "(2, 3)"), raw<float>({1, 2, 3, 4, 5, 6}), 310);
  write_file(path, bytes);
  EXPECT_EQ(read_npy<float>(path), wanted);
  bytes[6] = 2;  // version 2: four length bytes
  write_file(path, bytes.insert(10, 2, '\0'));
  EXPECT_EQ(read_npy<float>(path), wanted);
  write_file(path, numpy_bytes(header("<f4", "(2, 3)", "True"), raw<float>({1, 4, 2, 5, 3, 6})));
  EXPECT_EQ(read_npy<float>(path), wanted);
  write_file(path, numpy_bytes("{'shape': (3,), 'fortran_order': False, 'descr': '<f4'}",
                               raw<float>({1, 2, 3})));
  EXPECT_EQ(read_npy<float>(path), (xt::xarray<float>{1, 2, 3}));
  write_file(path, numpy_bytes(header("<f8", "()"), raw<double>({2.5})));
  EXPECT_EQ(read_npy<double>(path)(), 2.5);
}

REAL_TEST(Npy, ReadsEveryIntegerType) {
  const auto path = fresh("integers.npy");
  const auto expect = [&](const std::string& type, const std::string& bytes,
                          const Indices& wanted) {
    write_file(path, numpy_bytes(header(type, "(2,)"), bytes));
    EXPECT_EQ(read_integers(path), wanted) << type;
  };
  expect("|i1", raw<std::int8_t>({-1, 7}), {-1, 7});
  expect("|u1", raw<std::uint8_t>({255, 7}), {255, 7});
  expect("<i2", raw<std::int16_t>({-300, 7}), {-300, 7});
  expect("<u2", raw<std::uint16_t>({65535, 7}), {65535, 7});
  expect("<i4", raw<std::int32_t>({-70000, 7}), {-70000, 7});
  expect("<u4", raw<std::uint32_t>({4294967295u, 7}), {4294967295, 7});
  expect("<i8", raw<std::int64_t>({-1, 1LL << 40}), {-1, 1LL << 40});
  expect("<u8", raw<std::uint64_t>({5, 1ULL << 40}), {5, 1LL << 40});
  write_file(path, numpy_bytes(header("<u8", "(1,)"), raw<std::uint64_t>({1ULL << 63})));
  EXPECT_NE(error_of([&] { read_integers(path); }).find("does not fit"), std::string::npos);
  write_file(path, numpy_bytes(header("<f4", "(1,)"), raw<float>({1})));
  EXPECT_NE(error_of([&] { read_integers(path); }).find("float32, integers are wanted"),
            std::string::npos);
}

REAL_TEST(Npy, RefusesBadFiles) {
  const std::string six = raw<float>({1, 2, 3, 4, 5, 6}), good = header("<f4", "(2, 3)");
  std::string many_ones;
  for (int i = 0; i < 65; ++i) many_ones += "1, ";
  const std::pair<std::string, std::string> cases[] = {
      {"", "is empty"},
      {"some text that is no array", "is not an .npy file"},
      {std::string("\x93NUMPY\x09\x00", 8), "version 9"},
      {numpy_bytes(good, six).substr(0, 60), "cut short inside its header"},
      {numpy_bytes(good, six).substr(0, 9), "cut short inside its header"},
      {numpy_bytes(good, six.substr(0, 20)), "has 20 bytes of values"},
      {numpy_bytes(good, six + "tail"), "has 28 bytes of values"},
      {numpy_bytes(header("<f8", "(2, 3)"), six + six), "holds float64, float32 is wanted"},
      {numpy_bytes(header(">f4", "(2, 3)"), six), "holds float32 (big-endian)"},
      {numpy_bytes(header("<i4", "(2, 3)"), six), "holds int32, float32 is wanted"},
      {numpy_bytes(header("|b1", "(6,)"), "111111"), "holds bool"},
      {numpy_bytes("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}", "1234"),
       "holds records"},
      {numpy_bytes("{'fortran_order': False, 'shape': (1,)}", "1234"), "no 'descr'"},
      {numpy_bytes(header("<f4", "(2, x)"), six), "unreadable shape"},
      {numpy_bytes(header("<f4", "(4294967296, 4294967296)"), ""), "bytes of values"},
      {numpy_bytes(header("<f4", "(0, 4294967296, 4294967296)"), ""), "more than any memory"},
      {numpy_bytes(header("<f4", "(4294967296, 4294967296, 0)"), ""), "more than any memory"},
      {numpy_bytes(header("<f4", "(9223372036854775808, 0)"), ""), "more than any memory"},
      {numpy_bytes(header("<f4", "(" + many_ones + ")"), raw<float>({1}), 310), "65 axes"},
      {numpy_bytes(header("<f4", "(2, 3)", "5"), six), "fortran_order in the .npy header must be"},
      {numpy_bytes(header("<f4", "(2, 3)", "Trueish"), six), "True or False, got Trueish"},
  };
  for (const auto& [bytes, message] : cases) {
    const std::string error = error_of_bytes(bytes);
    EXPECT_NE(error.find(message), std::string::npos) << error << "\nwanted: " << message;
  }
  EXPECT_NE(error_of([] { read_npy<float>("/nowhere/a.npy"); }).find("no such file"),
            std::string::npos);
}

}  // namespace
}  // namespace phasor
