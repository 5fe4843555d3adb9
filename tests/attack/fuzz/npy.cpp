#include "phasor/tensor/npy.hpp"

#include "tests/attack/fuzz/readers.hpp"

namespace phasor::attack {
namespace {

void read_numbers(std::string_view bytes) {
  const npy::File file = npy::parse(std::string(bytes), "input.npy");
  const xt::xarray<float> values = npy::values_of_type<float>(file);
  if (sizeof(float) * values.size() > bytes.size()) throw Broken("more values than bytes");
}

void read_whole_numbers(std::string_view bytes) {
  const Indices values = npy::integers(npy::parse(std::string(bytes), "input.npy"));
  if (values.size() > bytes.size()) throw Broken("more values than bytes");
}

std::string dumped(const auto& array) { return xt::dump_npy(array); }

std::vector<std::string> numbers() {
  return {dumped(xt::xarray<float>({{1.0F, 2.0F}, {3.0F, 4.0F}})), dumped(xt::xarray<float>(2.0F))};
}

std::vector<std::string> whole_numbers() {
  return {dumped(xt::xarray<std::int64_t>({{1, 2, 3}})), dumped(xt::xarray<std::uint8_t>({7, 8})),
          dumped(xt::xarray<std::uint64_t>({1}))};
}

}  // namespace

Reader npy_reader() { return {"npy", read_numbers, numbers, 512}; }
Reader npy_integers_reader() { return {"npy-integers", read_whole_numbers, whole_numbers, 512}; }

}  // namespace phasor::attack
