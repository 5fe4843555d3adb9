// How the process holds on to memory.
#pragma once
#include <cstddef>
#include <limits>
#include <new>

namespace phasor {

/// From now on freed memory stays with the process. A training step asks for the same buffers as
/// the one before; pages that had been given back to the kernel in between would have to be fetched
/// and cleared again, which costs more than filling them. Done once, whatever the number of calls.
void keep_freed_memory();

/// At least `bytes`, at an address divisible by 64, the length of a cache line. Throws
/// std::bad_alloc.
///
/// Each thread keeps the blocks that it gives back, sorted by size, and takes the latest of them
/// first, which is likely still in its cache. Sizes are rounded up by at most a quarter. A thread
/// keeps 64 MiB at most; what is beyond, and blocks of more than 4 MiB, go back to malloc.
void* take_memory(std::size_t bytes);

/// Gives back what take_memory(bytes) gave, on any thread.
void return_memory(void* memory, std::size_t bytes) noexcept;

/// Lets a container take its elements from there.
template <class T>
struct RecyclingAllocator {
  using value_type = T;

  RecyclingAllocator() = default;
  template <class Other>
  RecyclingAllocator(const RecyclingAllocator<Other>&) {}

  /// Throws std::bad_array_new_length when there cannot be so many.
  T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T))
      throw std::bad_array_new_length();
    return static_cast<T*>(take_memory(count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    return_memory(memory, count * sizeof(T));
  }
  friend bool operator==(const RecyclingAllocator&, const RecyclingAllocator&) { return true; }
};

}  // namespace phasor
