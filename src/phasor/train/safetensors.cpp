#include "phasor/train/safetensors.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "phasor/core/digest.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"
#include "phasor/data/json.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

static_assert(std::endian::native == std::endian::little, "the data is written as it is in memory");

using Json = nlohmann::ordered_json;
constexpr std::size_t kLengthBytes = 8;
constexpr const char *kMetadata = "__metadata__", *kDigest = "digest";

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
  std::string_view bytes = {};
};

/// In an order that does not depend on the file's: whoever writes it anew may sort it.
std::string digest_of(const std::map<std::string, std::string>& metadata,
                      std::vector<Entry> entries) {
  using namespace std::string_view_literals;
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.name < b.name; });
  Digest digest;
  for (const auto& [key, value] : metadata) digest.add(key).add("\0"sv).add(value).add("\0"sv);
  for (const Entry& entry : entries) {
    digest.add(entry.name).add("\0"sv).add(entry.dtype).add("\0"sv);
    digest.add(fmt::format("{}", entry.shape)).add("\0"sv).add(entry.bytes);
  }
  return digest.text();
}

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

/// Takes the digest out of the metadata.
void check_digest(TensorFile& file, const std::vector<Entry>& entries) {
  const auto found = file.metadata.extract(kDigest);
  file.has_digest = !found.empty();
  check<CheckpointError>(!file.has_digest || found.mapped() == digest_of(file.metadata, entries),
                         "its contents are not those that its digest was made of");
}

Tensor values_of(const Entry& entry) {
  Tensor tensor = empty(entry.shape);
  const char* bytes = entry.bytes.data();
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
  for (Entry& entry : entries) entry.bytes = data.substr(entry.begin, entry.end - entry.begin);
  check_digest(file, entries);
  for (const Entry& entry : entries) file.tensors.push_back({entry.name, values_of(entry)});
  return file;
}

}  // namespace

const Tensor* TensorFile::find(const std::string& name) const {
  const auto found = std::find_if(tensors.begin(), tensors.end(),
                                  [&](const NamedTensor& tensor) { return tensor.name == name; });
  return found == tensors.end() ? nullptr : &found->value;
}

void write_safetensors(const std::filesystem::path& path, const TensorFile& file) {
  std::vector<Entry> entries;
  std::size_t offset = 0;
  for (const auto& [name, value] : file.tensors) {
    const std::string_view bytes(reinterpret_cast<const char*>(value.data()),
                                 value.size() * sizeof(Real));
    const std::size_t end = offset + bytes.size();
    entries.push_back({name, dtype_of_real(), shape_of(value), offset, end, bytes});
    offset = end;
  }
  Json header = Json::object();
  header[kMetadata] = file.metadata;
  header[kMetadata][kDigest] = digest_of(file.metadata, entries);
  for (const Entry& entry : entries)
    header[entry.name] = {
        {"dtype", entry.dtype}, {"shape", entry.shape}, {"data_offsets", {entry.begin, entry.end}}};
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t length = text.size();
  std::string bytes(reinterpret_cast<const char*>(&length), kLengthBytes);
  bytes += text;
  for (const Entry& entry : entries) bytes += entry.bytes;
  write_into_folder(path, bytes);
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
