#include "phasor/core/workers.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>

#include "phasor/core/error.hpp"
#include "phasor/core/memory.hpp"

namespace phasor {
namespace {

/// Looks again and again, for some 50 microseconds, until `ready`: parts of a training step follow
/// each other faster than a sleeping thread is woken.
template <class Ready>
void watch(Ready ready) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
  while (!ready() && std::chrono::steady_clock::now() < end) {
  }
}

}  // namespace

std::size_t usable_cores() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    return static_cast<std::size_t>(std::max(1, CPU_COUNT(&allowed)));
  return std::max(1U, std::thread::hardware_concurrency());  // more cores than a set can hold
}

Workers::Workers(std::size_t threads) {
  check<ConfigError>(threads <= 1024, "--threads must be at most 1024, got {}; 0 means all cores",
                     threads);
  keep_freed_memory();
  const std::size_t cores = usable_cores();
  if (threads == 0) threads = cores;
  watches_ = threads <= cores;
  start_helpers(threads);
}

void Workers::start_helpers(std::size_t threads) {
  static std::once_flag said;  // not again at every evaluation
  helpers_.reserve(threads - 1);
  try {
    for (std::size_t i = 1; i < threads; ++i) helpers_.emplace_back([this] { help(); });
  } catch (const std::exception& problem) {  // one that runs already must be joined, so go on
    std::call_once(said, [&] {
      fmt::print(stderr, "only {} of {} threads could be started ({}); the results are the same\n",
                 helpers_.size() + 1, threads, problem.what());
    });
  }
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void Workers::run(std::size_t pieces, const std::function<void(std::size_t)>& task) {
  std::unique_lock lock(mutex_);
  task_ = &task;
  pieces_ = unfinished_ = pieces;
  next_ = 0;
  failure_ = nullptr;
  ++calls_;
  wake_.notify_all();
  work(lock);
  if (watches_ && unfinished_ > 0) {
    lock.unlock();
    watch([this] { return unfinished_ == 0; });
    lock.lock();
  }
  done_.wait(lock, [this] { return unfinished_ == 0; });
  pieces_ = 0;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Workers::help() {
  std::unique_lock lock(mutex_);
  for (std::size_t seen = 0;; seen = calls_) {
    if (watches_) {
      lock.unlock();
      watch([&] { return calls_ != seen; });
      lock.lock();
    }
    wake_.wait(lock, [this] { return stopping_ || next_ < pieces_; });
    if (stopping_) return;
    work(lock);
  }
}

void Workers::work(std::unique_lock<std::mutex>& lock) {
  while (next_ < pieces_) {
    const std::size_t piece = next_++;
    const auto* task = task_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      (*task)(piece);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure && (!failure_ || piece < failed_piece_)) {
      failure_ = failure;
      failed_piece_ = piece;
    }
    if (--unfinished_ == 0) done_.notify_all();
  }
}

}  // namespace phasor
