// The file format of Hugging Face's safetensors package.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "phasor/tensor/tensor.hpp"

namespace phasor::inline PHASOR_PRECISION {

struct NamedTensor {
  std::string name;
  Tensor value;
};

struct TensorFile {
  std::map<std::string, std::string> metadata;  // without the digest
  std::vector<NamedTensor> tensors;
  bool has_digest = false;  // the file that was read brought one along, and it fits

  /// nullptr when there is none of that name.
  const Tensor* find(const std::string& name) const;
};

/// 8 bytes: length N of the header, little endian. N bytes: a JSON object, name -> {dtype, shape,
/// data_offsets}, and "__metadata__", padded with spaces to a multiple of 8. Then the data, row
/// major and little endian, without gaps, in the order of the header. The metadata get an entry
/// "digest": FNV-1a over the other entries, sorted by key, each key and value with a zero byte
/// after it, and over the tensors, sorted by name: name, dtype, shape as in "[2, 3]", each with a
/// zero byte after it, and the tensor's bytes.
/// Written whole or not at all, into a folder that is there. Throws DataError when it cannot be
/// written.
void write_safetensors(const std::filesystem::path& path, const TensorFile& file);

/// Reads F32, F64 and I64 as Real, rounded. Strict: throws CheckpointError when the file is cut
/// short, breaks a rule of the format (a name twice, holes, overlaps, bytes left over), holds
/// another type, or does not fit its digest, which files from elsewhere need not have; DataError
/// when it cannot be read.
TensorFile read_safetensors(const std::filesystem::path& path);

}  // namespace phasor::inline PHASOR_PRECISION
