#include "phasor/core/memory.hpp"

#include <malloc.h>

#include <algorithm>
#include <array>
#include <bit>
#include <new>
#include <utility>

namespace phasor {
namespace {

constexpr std::align_val_t kAlignment{64};
constexpr std::size_t kSmallest = 64, kLargest = 4 << 20;
constexpr std::size_t kMostKept = 64 << 20;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kRecycles = false;  // the sanitizer has to see every block come and go
#else
constexpr bool kRecycles = true;
#endif

/// A size that blocks have, and its number.
struct SizeClass {
  std::size_t number, bytes;
};

/// The smallest that holds `bytes`: four between a power of two and the next.
constexpr SizeClass size_class(std::size_t bytes) {
  const std::size_t last = std::max(bytes, kSmallest) - 1;
  const auto power = static_cast<std::size_t>(std::bit_width(last)) - 1;
  const std::size_t quarter = last >> (power - 2);  // 4, 5, 6 or 7
  return {4 * power + quarter, (quarter + 1) << (power - 2)};
}

void* fresh(std::size_t bytes) { return ::operator new(bytes, kAlignment); }
void release(void* memory) noexcept { ::operator delete(memory, kAlignment); }

/// The blocks that a thread keeps: a list for each size, the latest first. The beginning of a block
/// points to the next.
class Kept {
 public:
  Kept() { is_there = true; }
  ~Kept() {
    is_there = false;  // arrays that outlive it go back to malloc
    for (Block* block : lists_)
      while (block) release(std::exchange(block, block->next));
  }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  void* take(const SizeClass& size) {
    Block*& list = lists_[size.number];
    if (!list) return fresh(size.bytes);
    bytes_ -= size.bytes;
    return std::exchange(list, list->next);
  }
  void put(void* memory, const SizeClass& size) noexcept {
    if (bytes_ + size.bytes > kMostKept) return release(memory);
    bytes_ += size.bytes;
    Block*& list = lists_[size.number];
    list = new (memory) Block{list};
  }

  /// Of this thread: whether there is one, or null while the thread ends.
  static Kept* of_this_thread() {
    static thread_local Kept kept;
    return is_there ? &kept : nullptr;
  }

 private:
  struct Block {
    Block* next;
  };
  static thread_local bool is_there;

  std::array<Block*, size_class(kLargest).number + 1> lists_{};
  std::size_t bytes_ = 0;
};
thread_local bool Kept::is_there = false;

bool is_recycled(std::size_t bytes) { return kRecycles && bytes <= kLargest; }

}  // namespace

void keep_freed_memory() {
  static const bool done = [] {
    // The largest size that malloc does not fetch from the kernel each time anew (glibc's limit),
    // and no end to what is kept.
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    return true;
  }();
  static_cast<void>(done);
}

void* take_memory(std::size_t bytes) {
  if (!is_recycled(bytes)) return fresh(bytes);
  // Whole sizes even where nothing is kept: the block may be given back where something is.
  const SizeClass size = size_class(bytes);
  Kept* kept = Kept::of_this_thread();
  return kept ? kept->take(size) : fresh(size.bytes);
}

void return_memory(void* memory, std::size_t bytes) noexcept {
  Kept* kept = is_recycled(bytes) ? Kept::of_this_thread() : nullptr;
  if (kept)
    kept->put(memory, size_class(bytes));
  else
    release(memory);
}

}  // namespace phasor
