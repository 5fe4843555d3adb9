// Blocks of memory that threads keep for the next array of their size.
#include "phasor/core/memory.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <thread>
#include <vector>

namespace phasor {
namespace {

/// Around every kind of bound: nothing, less than a block, sizes between the powers of two, and
/// beyond what is kept.
std::vector<std::size_t> sizes() {
  std::vector<std::size_t> result{0, 1, 63, 64, 65, 79, 80, 81, 96, 97, 112, 113, 127, 128, 129};
  for (const std::size_t power : {std::size_t{1} << 12, std::size_t{1} << 20, std::size_t{4} << 20})
    for (const std::size_t size : {power - 1, power, power + 1, power + power / 4}) {
      result.push_back(size);
      result.push_back(size);  // two of a size at once
    }
  return result;
}

TEST(Memory, blocks_are_aligned_and_do_not_overlap) {
  for (int round = 0; round < 2; ++round) {  // the second takes what the first gave back
    std::vector<unsigned char*> blocks;
    for (const std::size_t size : sizes()) {
      blocks.push_back(static_cast<unsigned char*>(take_memory(size)));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(blocks.back()) % 64, 0U) << size;
      std::memset(blocks.back(), static_cast<int>(blocks.size()), size);
    }
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const std::size_t size = sizes()[i];
      const std::vector<unsigned char> wanted(size, static_cast<unsigned char>(i + 1));
      EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), blocks[i])) << size;
      return_memory(blocks[i], size);
    }
  }
}

TEST(Memory, blocks_are_at_most_a_quarter_larger) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "sanitizers take every block from malloc";
#endif
  for (const std::size_t size : {65U, 80U, 81U, 1000U, 1025U, 5000U, 70'000U, 4'000'000U}) {
    void* block = take_memory(size);
    const std::size_t usable = malloc_usable_size(block);
    EXPECT_GE(usable, size);
    // Malloc may leave 64 bytes for the alignment, its smallest block of 32 and a header of 16.
    EXPECT_LE(usable, size + size / 4 + 112) << size;
    return_memory(block, size);
  }
}

TEST(Memory, the_latest_block_comes_back_first) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "sanitizers take every block from malloc";
#endif
  void *first = take_memory(1000), *second = take_memory(1000);
  return_memory(first, 1000);
  return_memory(second, 1000);
  EXPECT_EQ(take_memory(990), second);
  EXPECT_EQ(take_memory(1010), first);
  return_memory(first, 1010);
  return_memory(second, 990);
}

TEST(Memory, a_thread_keeps_no_more_than_64_mib) {
  const auto in_use = [] {  // 0 where a sanitizer stands in for malloc
    const auto memory = mallinfo2();
    return memory.uordblks + memory.hblkhd;
  };
  constexpr std::size_t size = 2 << 20;
  const std::size_t before = in_use();
  std::vector<void*> blocks;
  for (int i = 0; i < 100; ++i) blocks.push_back(take_memory(size));
  for (void* block : blocks) return_memory(block, size);
  // The blocks come in whole pages, with a header each: far less than another 1 MiB.
  EXPECT_LE(in_use(), before + (std::size_t{65} << 20));
}

TEST(Memory, refuses_more_elements_than_there_are_addresses) {
  // Their bytes, counted modulo 2^64, would be 8.
  const std::size_t count = (std::size_t{1} << 61) + 1;
  EXPECT_THROW(RecyclingAllocator<double>().allocate(count), std::bad_array_new_length);
}

/// Destroyed after the blocks that its thread keeps, for it was there before them.
struct Late {
  std::vector<double, RecyclingAllocator<double>> numbers;
  bool* was_right;
  ~Late() {
    numbers.assign(3000, 7);
    *was_right = numbers[2999] == 7;
  }
};

TEST(Memory, blocks_wander_between_threads_and_outlive_them) {
  using Numbers = std::vector<double, RecyclingAllocator<double>>;
  Numbers made_elsewhere;
  bool late_was_right = false;
  std::thread([&] {
    static thread_local Late late;
    late.was_right = &late_was_right;
    made_elsewhere.assign(1000, 3);
    late.numbers.assign(1000, 5);
  }).join();
  EXPECT_TRUE(late_was_right);
  EXPECT_EQ(made_elsewhere, Numbers(1000, 3));
  std::thread([given = std::move(made_elsewhere)]() mutable { given = Numbers(2000, 1); }).join();
}

}  // namespace
}  // namespace phasor
