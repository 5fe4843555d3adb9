// Threads that share out numbered pieces of work.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace phasor {

/// The cores that this process may use: all, or those that taskset or a container leaves it.
std::size_t usable_cores();

/// A fixed set of threads, the caller among them. What a piece computes must not depend on which
/// thread runs it, so results are the same at any number of threads.
class Workers {
 public:
  /// `threads` in all; 0 means one for each usable core. Throws ConfigError above 1024. Where the
  /// system grants fewer (ulimit, a full memory) it goes on with those, and says so on standard
  /// error.
  explicit Workers(std::size_t threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  std::size_t threads() const { return helpers_.size() + 1; }

  /// Runs task(0) ... task(pieces - 1), each once, and returns when all are done. When tasks throw,
  /// the exception of the lowest number is rethrown. Not to be called from within a task.
  void run(std::size_t pieces, const std::function<void(std::size_t)>& task);

 private:
  void start_helpers(std::size_t threads);
  void help();
  /// Takes pieces until none is left. `lock` is held on entry and on return.
  void work(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(std::size_t)>* task_ = nullptr;
  std::size_t pieces_ = 0, next_ = 0, failed_piece_ = 0;
  std::atomic<std::size_t> unfinished_ = 0;
  std::atomic<std::size_t> calls_ = 0;  // of run()
  bool watches_ = false;                // before it sleeps; not where threads outnumber cores
  std::exception_ptr failure_;
  bool stopping_ = false;
  std::vector<std::thread> helpers_;
};

}  // namespace phasor
