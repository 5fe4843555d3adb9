#include "phasor/train/safetensors.hpp"

#include "phasor/core/file.hpp"
#include "tests/attack/fuzz/readers.hpp"

namespace phasor::attack {
namespace {

void read(std::string_view bytes) {
  static MemoryFile file;
  const TensorFile tensors = read_safetensors(file.holding(bytes));
  std::size_t size = 0;
  for (const NamedTensor& tensor : tensors.tensors) size += tensor.value.size();
  if (4 * size > bytes.size()) throw Broken("more values than the file has room for");
}

std::vector<std::string> valid() {
  static MemoryFile file;
  const std::string& path = file.holding("");
  Tensor matrix = zeros({2, 3});
  matrix(1, 2) = 0.5F;
  write_safetensors(path, {.metadata = {{"step", "3"}}, .tensors = {{"a.weight", matrix}}});
  const std::string one = read_file(path);
  file.holding("");
  write_safetensors(path, {.metadata = {}, .tensors = {{"b", zeros({0, 4})}, {"c", zeros({1})}}});
  return {one, read_file(path)};
}

}  // namespace

Reader safetensors_reader() { return {"safetensors", read, valid, 1024}; }

}  // namespace phasor::attack
