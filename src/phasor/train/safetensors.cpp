#include "phasor/train/safetensors.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"

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

/// One tensor from its entry in the header and the data that follows the header.
Tensor read_tensor(const Json& entry, std::string_view data) {
  const auto dtype = entry.at("dtype").get<std::string>();
  const auto shape = entry.at("shape").get<Shape>();
  const auto offsets = entry.at("data_offsets").get<std::vector<std::size_t>>();
  check<CheckpointError>(dtype == "F32" || dtype == "F64", "dtype {} is not F32 or F64", dtype);
  const std::size_t width = dtype == "F32" ? 4 : 8;
  check<CheckpointError>(
      offsets.size() == 2 && offsets[0] <= offsets[1] && offsets[1] <= data.size() &&
          offsets[1] - offsets[0] == width * element_count(shape),
      "offsets {} do not fit shape {} in {} bytes of data", offsets, shape, data.size());
  Tensor tensor = empty(shape);
  const char* bytes = data.data() + offsets[0];
  if (width == 4)
    copy_values<float>(bytes, tensor);
  else
    copy_values<double>(bytes, tensor);
  return tensor;
}

TensorFile parse(std::string_view bytes) {
  std::uint64_t length = 0;
  check<CheckpointError>(bytes.size() >= kLengthBytes, "it has only {} bytes", bytes.size());
  std::memcpy(&length, bytes.data(), kLengthBytes);
  check<CheckpointError>(length <= bytes.size() - kLengthBytes,
                         "its header of {} bytes is cut off after {}", length,
                         bytes.size() - kLengthBytes);
  const Json header = Json::parse(bytes.substr(kLengthBytes, length));
  check<CheckpointError>(header.is_object(), "its header is no JSON object");
  const std::string_view data = bytes.substr(kLengthBytes + length);
  TensorFile file;
  for (const auto& [name, entry] : header.items()) {
    if (name == kMetadata)
      entry.get_to(file.metadata);
    else
      file.tensors.push_back({name, read_tensor(entry, data)});
  }
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
