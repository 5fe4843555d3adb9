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
  Tensor matrix = zeros({2, 3});
  matrix(1, 2) = 0.5F;
  MemoryFile first, second;
  const std::string &one = first.holding(""), &two = second.holding("");
  write_safetensors(one, {.metadata = {{"step", "3"}}, .tensors = {{"a.weight", matrix}}});
  write_safetensors(two, {.metadata = {}, .tensors = {{"b", zeros({0, 4})}, {"c", zeros({1})}}});
  return {read_file(one), read_file(two)};
}

}  // namespace

Reader safetensors_reader() { return {"safetensors", read, valid, 1024}; }

}  // namespace phasor::attack
