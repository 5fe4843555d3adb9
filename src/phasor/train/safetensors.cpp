#include "phasor/train/safetensors.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"
#include "phasor/data/json.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

static_assert(std::endian::native == std::endian::little, "the data is written as it is in memory");

using Json = nlohmann::ordered_json;
constexpr std::size_t kLengthBytes = 8;
constexpr const char* kMetadata = "__metadata__";

const char* dtype_of_real() { return sizeof(Real) == 4 ? "F32" : "F64"; }

template <class Stored>
void copy_values(const char* bytes, Tensor& into) {
  for (std::size_t i = 0; i < into.size(); ++i) {
    Stored value;
    std::memcpy(&value, bytes + i * sizeof(Stored), sizeof(Stored));
    into.data()[i] = static_cast<Real>(value);
  }
}

/// Parses the header. A name that stands twice is an error: the JSON library would take the last.
Json parse_header(std::string_view text) {
  const std::size_t end = text.find_last_not_of(' ');
  check<CheckpointError>(text.starts_with('{') && text[end] == '}',
                         "its header does not begin with '{{' and end with '}}' and spaces");
  std::vector<std::set<std::string>> names;  // of the objects that are open
  return parse_json<Json>(text, [&names](int, Json::parse_event_t event, const Json& value) {
    if (event == Json::parse_event_t::object_start) names.emplace_back();
    if (event == Json::parse_event_t::object_end) names.pop_back();
    if (event == Json::parse_event_t::key)
      check<CheckpointError>(names.back().insert(value.get<std::string>()).second,
                             "the name {} stands twice", value.dump());
    return true;
  });
}

std::vector<std::size_t> sizes_in(const Json& list) {
  const bool fits = list.is_array() && std::all_of(list.begin(), list.end(), [](const Json& size) {
                      return size.is_number_unsigned();
                    });
  check<CheckpointError>(fits, "{} is no list of whole numbers", list.dump());
  return list.get<std::vector<std::size_t>>();
}

/// Bytes of a tensor whose elements have `width` bytes each.
std::size_t byte_count(const Shape& shape, std::size_t width) {
  std::size_t bytes = width;
  for (const std::size_t extent : shape) {
    check<CheckpointError>(extent == 0 || bytes <= SIZE_MAX / extent,
                           "the shape {} is too large for any file", shape);
    bytes *= extent;
  }
  return bytes;
}

/// One tensor as the header describes it.
struct Entry {
  std::string name, dtype;
  Shape shape;
  std::size_t begin, end;  // its bytes, counted from the end of the header
};

/// Whether the bytes lie inside the file is for check_tiling.
Entry entry_of(const std::string& name, const Json& json) {
  const std::map<std::string, std::size_t> widths{{"F32", 4}, {"F64", 8}, {"I64", 8}};
  const auto dtype = json.at("dtype").get<std::string>();
  const Shape shape = sizes_in(json.at("shape"));
  const std::vector<std::size_t> offsets = sizes_in(json.at("data_offsets"));
  check<CheckpointError>(widths.contains(dtype), "dtype {} is not F32, F64 or I64", dtype);
  check<CheckpointError>(json.size() == 3, "'{}' has more than dtype, shape and data_offsets",
                         name);
  check<CheckpointError>(offsets.size() == 2 && offsets[0] <= offsets[1] &&
                             offsets[1] - offsets[0] == byte_count(shape, widths.at(dtype)),
                         "offsets {} do not fit {} of shape {}", offsets, dtype, shape);
  return {name, dtype, shape, offsets[0], offsets[1]};
}

/// Every byte of the data must belong to exactly one tensor.
void check_tiling(const std::vector<Entry>& entries, std::size_t size) {
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  for (const Entry& entry : entries) ranges.emplace_back(entry.begin, entry.end);
  std::sort(ranges.begin(), ranges.end());
  std::size_t position = 0;
  for (const auto& [begin, end] : ranges) {
    check<CheckpointError>(begin == position, "a tensor begins at {}, the one before ends at {}",
                           begin, position);
    position = end;
  }
  check<CheckpointError>(position == size, "the tensors end at {}, the data at {}", position, size);
}

Tensor values_of(const Entry& entry, std::string_view data) {
  Tensor tensor = empty(entry.shape);
  const char* bytes = data.data() + entry.begin;
  if (entry.dtype == "F32")
    copy_values<float>(bytes, tensor);
  else if (entry.dtype == "F64")
    copy_values<double>(bytes, tensor);
  else
    copy_values<std::int64_t>(bytes, tensor);
  return tensor;
}

TensorFile parse(std::string_view bytes) {
  std::uint64_t length = 0;
  check<CheckpointError>(bytes.size() >= kLengthBytes, "it has only {} bytes", bytes.size());
  std::memcpy(&length, bytes.data(), kLengthBytes);
  check<CheckpointError>(length <= bytes.size() - kLengthBytes,
                         "its header of {} bytes is cut off after {}", length,
                         bytes.size() - kLengthBytes);
  const Json header = parse_header(bytes.substr(kLengthBytes, length));
  const std::string_view data = bytes.substr(kLengthBytes + length);
  TensorFile file;
  std::vector<Entry> entries;
  for (const auto& [name, json] : header.items()) {
    if (name == kMetadata)
      json.get_to(file.metadata);
    else
      entries.push_back(entry_of(name, json));
  }
  check_tiling(entries, data.size());
  for (const Entry& entry : entries) file.tensors.push_back({entry.name, values_of(entry, data)});
  return file;
}

}  // namespace

const Tensor* TensorFile::find(const std::string& name) const {
  const auto found = std::find_if(tensors.begin(), tensors.end(),
                                  [&](const NamedTensor& tensor) { return tensor.name == name; });
  return found == tensors.end() ? nullptr : &found->value;
}

void write_safetensors(const std::filesystem::path& path, const TensorFile& file) {
  Json header = Json::object();
  if (!file.metadata.empty()) header[kMetadata] = file.metadata;
  std::size_t offset = 0;
  for (const auto& [name, value] : file.tensors) {
    const std::size_t end = offset + value.size() * sizeof(Real);
    header[name] = {
        {"dtype", dtype_of_real()}, {"shape", shape_of(value)}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t length = text.size();
  std::string bytes(reinterpret_cast<const char*>(&length), kLengthBytes);
  bytes += text;
  for (const auto& [name, value] : file.tensors)
    bytes.append(reinterpret_cast<const char*>(value.data()), value.size() * sizeof(Real));
  write_file(path, bytes);
}

TensorFile read_safetensors(const std::filesystem::path& path) {
  const std::string bytes = read_file(path);
  const auto damaged = [&path](const std::exception& problem) {
    return CheckpointError(
        fmt::format("{} is damaged: {}; restore it or train again", path.string(), problem.what()));
  };
  try {
    return parse(bytes);
  } catch (const CheckpointError& problem) {
    throw damaged(problem);
  } catch (const nlohmann::json::exception& problem) {
    throw damaged(problem);
  }
}

}  // namespace phasor::inline PHASOR_PRECISION
