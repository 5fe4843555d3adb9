// Arrays as .npy files, NumPy's format: a magic string, a header that is a Python dictionary, and
// the values. Source: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once
#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"
#include "phasor/core/shape.hpp"
#include "phasor/tensor/tensor.hpp"
#include "phasor/tensor/xtensor.hpp"

#include PHASOR_XNPY

namespace phasor {

/// Axes of an array that is read; NumPy itself has no more.
inline constexpr std::size_t kMostAxes = 64;

/// Writes an xarray to `path` as .npy, whole or not at all. Throws DataError (write_file).
template <class Array>
void write_npy(const std::filesystem::path& path, const Array& array) {
  write_file(path, xt::dump_npy(array));
}

namespace npy {

/// A file read whole, its header understood and its length checked.
struct File {
  std::string name;
  std::string bytes;
  std::size_t start = 0;  ///< where the values begin in `bytes`
  std::string type;       ///< as in the header, for example "<f4"
  bool column_major = false;
  Shape shape;
};

/// "<f4" -> "float32", so that messages speak as NumPy does. Unknown kinds stay as they are.
inline std::string type_name(const std::string& type) {
  const std::string_view kinds = "fiub";
  constexpr std::string_view names[] = {"float", "int", "uint", "bool"};
  const std::size_t kind = type.size() == 3 ? kinds.find(type[1]) : kinds.npos;
  if (kind == kinds.npos) return type;
  const std::string name(names[kind]);
  const std::string order = type[0] == '>' ? " (big-endian)" : "";
  return type[1] == 'b' ? name : fmt::format("{}{}{}", name, 8 * (type[2] - '0'), order);
}

/// The header's name of T on this machine, for example "<f4".
template <class T>
std::string type_of() {
  static_assert(std::endian::native == std::endian::little, "values are read as they lie");
  const char kind = std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
  return fmt::format("{}{}{}", sizeof(T) == 1 ? '|' : '<', kind, sizeof(T));
}

/// What follows `'key':` in the header, blanks skipped.
inline std::string_view value_of(std::string_view header, std::string_view key,
                                 const std::string& name) {
  const std::size_t found = header.find(fmt::format("'{}':", key));
  check<DataError>(found != header.npos, "{}: the .npy header has no '{}'; write the file again",
                   name, key);
  header.remove_prefix(found + key.size() + 3);
  header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
  return header;
}

/// "(2, 3, 4), }" -> {2, 3, 4}; "()" is a scalar.
inline Shape parse_shape(std::string_view text, const std::string& name) {
  const std::size_t close = text.find(')');
  bool fine = text.starts_with('(') && close != text.npos;
  Shape shape;
  const char* const end = text.data() + (fine ? close : 0);
  for (const char* at = text.data() + 1; fine && at < end;) {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    std::size_t extent = 0;
    const auto [next, problem] = std::from_chars(at, end, extent);
    fine = problem == std::errc();
    shape.push_back(extent);
    at = next;
  }
  check<DataError>(fine, "{}: the .npy header has an unreadable shape; write the file again", name);
  return shape;
}

/// Bytes that values of this shape have; none when the extents other than 0 are more than any
/// memory could hold, for an array computes with them even when it is empty.
inline std::optional<std::size_t> byte_count(const Shape& shape, std::size_t item) {
  std::size_t count = item;
  bool is_empty = false;
  for (const std::size_t extent : shape) {
    is_empty = is_empty || extent == 0;
    if (extent != 0 && __builtin_mul_overflow(count, extent, &count)) return std::nullopt;
  }
  if (count > PTRDIFF_MAX) return std::nullopt;
  return is_empty ? 0 : count;
}

/// "True, ..." and "False, ..." in Python's words.
inline bool parse_truth(std::string_view text, const std::string& name) {
  const std::string_view word = text.substr(0, text.find_first_of(",} "));
  check<DataError>(word == "True" || word == "False",
                   "{}: fortran_order in the .npy header must be True or False, got {}; write the "
                   "file again",
                   name, word);
  return word == "True";
}

/// Length of the header dictionary and where it starts: 2 bytes in version 1, 4 in 2 and 3.
inline std::string_view header_of(File& file) {
  constexpr std::string_view magic = "\x93NUMPY";
  check<DataError>(!file.bytes.empty(), "{} is empty, an .npy file is wanted; write it again",
                   file.name);
  check<DataError>(file.bytes.starts_with(magic),
                   "{} is not an .npy file; save the array with numpy.save", file.name);
  const auto byte = [&](std::size_t at) {
    return at < file.bytes.size() ? static_cast<unsigned char>(file.bytes[at]) : std::size_t{0};
  };
  const std::size_t version = byte(magic.size());
  check<DataError>(version >= 1 && version <= 3,
                   "{}: .npy version {} is unknown, wanted 1, 2 or 3; save it with numpy.save",
                   file.name, version);
  const std::size_t width = version == 1 ? 2 : 4, start = magic.size() + 2 + width;
  std::size_t length = 0;
  for (std::size_t i = width; i > 0; --i) length = 256 * length + byte(start - width + i - 1);
  file.start = start + length;
  check<DataError>(file.start <= file.bytes.size(),
                   "{} is cut short inside its header; copy or write it again", file.name);
  return std::string_view(file.bytes).substr(start, length);
}

/// Understands the bytes of a file. xtensor's own reader is not used: it checks no length, and
/// reads header lengths whose low byte is over 127 as negative.
inline File parse(std::string bytes, std::string name) {
  File file{.name = std::move(name), .bytes = std::move(bytes), .type = {}, .shape = {}};
  const std::string_view header = header_of(file);
  const std::string_view type = value_of(header, "descr", file.name);
  check<DataError>(type.size() > 4 && type[0] == '\'' && type.find('\'', 1) != type.npos,
                   "{} holds records, plain numbers are wanted; save one array a file", file.name);
  file.type = type.substr(1, type.find('\'', 1) - 1);
  file.column_major = parse_truth(value_of(header, "fortran_order", file.name), file.name);
  file.shape = parse_shape(value_of(header, "shape", file.name), file.name);
  return file;
}

inline File read(const std::filesystem::path& path) {
  return parse(read_file(path), path.string());
}

/// The values of a file whose type is T's, in row-major order whatever the file's order.
template <class T>
xt::xarray<T> values(const File& file) {
  const std::optional<std::size_t> wanted = byte_count(file.shape, sizeof(T));
  const std::size_t given = file.bytes.size() - file.start;
  check<DataError>(
      wanted.has_value() && file.shape.size() <= kMostAxes,
      "{} has {} bytes of values, its shape of {} axes wants more than any memory; copy "
      "or write it again",
      file.name, given, file.shape.size());
  check<DataError>(*wanted == given,
                   "{} has {} bytes of values, its shape {} of {} wants {}; copy or write it again",
                   file.name, given, file.shape, type_name(file.type), *wanted);
  const auto fill = [&](auto&& array) {
    if (given > 0) std::memcpy(array.data(), file.bytes.data() + file.start, given);
    return array;
  };
  if (!file.column_major) return fill(xt::xarray<T>::from_shape(file.shape));
  using ColumnMajor = xt::xarray<T, xt::layout_type::column_major>;
  return xt::xarray<T>(fill(ColumnMajor::from_shape(file.shape)));
}

/// Converts a file of Stored values to Indices when that is its type.
template <class Stored>
bool convert(const File& file, Indices& result) {
  if (file.type != type_of<Stored>()) return false;
  const xt::xarray<Stored> stored = values<Stored>(file);
  if constexpr (std::is_same_v<Stored, std::uint64_t>)
    for (const Stored value : stored)
      check<DataError>(value <= INT64_MAX, "{}: {} does not fit in int64; save smaller numbers",
                       file.name, value);
  result = xt::cast<std::int64_t>(stored);
  return true;
}

/// The values of a file of type T. Throws DataError when it holds another type.
template <class T>
xt::xarray<T> values_of_type(const File& file) {
  const std::string wanted = type_name(type_of<T>());
  check<DataError>(file.type == type_of<T>(),
                   "{} holds {}, {} is wanted; save it with array.astype(numpy.{})", file.name,
                   type_name(file.type), wanted, wanted);
  return values<T>(file);
}

/// The values of a file of any integer type. Throws DataError when it holds another.
inline Indices integers(const File& file) {
  Indices result;
  const bool done = convert<std::int64_t>(file, result) || convert<std::int32_t>(file, result) ||
                    convert<std::int16_t>(file, result) || convert<std::int8_t>(file, result) ||
                    convert<std::uint64_t>(file, result) || convert<std::uint32_t>(file, result) ||
                    convert<std::uint16_t>(file, result) || convert<std::uint8_t>(file, result);
  check<DataError>(done, "{} holds {}, integers are wanted; save it with array.astype(numpy.int64)",
                   file.name, type_name(file.type));
  return result;
}

}  // namespace npy

/// Reads an .npy file whose type is T (float, double, std::int64_t, ...); row-major and
/// column-major ("Fortran order") files both. Throws DataError when the file is missing, empty,
/// not .npy, cut short, or of another type: nothing is converted silently.
template <class T>
xt::xarray<T> read_npy(const std::filesystem::path& path) {
  return npy::values_of_type<T>(npy::read(path));
}

/// Reads an .npy file of any integer type. Throws DataError as read_npy does.
inline Indices read_integers(const std::filesystem::path& path) {
  return npy::integers(npy::read(path));
}

}  // namespace phasor
