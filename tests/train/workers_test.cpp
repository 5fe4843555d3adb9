// Threads that share out pieces of work.
#include "phasor/core/workers.hpp"

#include <sched.h>

#include <atomic>
#include <set>

#include "tests/core/expect_error.hpp"
#include "tests/real_test.hpp"

namespace phasor {
namespace {

REAL_TEST(Workers, run_every_piece_once) {
  for (const std::size_t threads : {1U, 2U, 3U, 8U}) {
    Workers workers(threads);
    EXPECT_EQ(workers.threads(), threads);
    for (const std::size_t pieces : {0U, 1U, 2U, 7U, 100U}) {
      std::vector<std::atomic<int>> runs(pieces);
      workers.run(pieces, [&](std::size_t piece) { ++runs.at(piece); });
      for (const auto& count : runs) EXPECT_EQ(count, 1) << threads << " threads";
    }
  }
}

REAL_TEST(Workers, all_threads_take_part_the_caller_among_them) {
  Workers workers(3);
  std::mutex mutex;
  std::condition_variable met;
  std::set<std::thread::id> seen;
  // Each piece waits until three threads are in one: with fewer at work this would never end.
  workers.run(3, [&](std::size_t) {
    std::unique_lock lock(mutex);
    seen.insert(std::this_thread::get_id());
    met.notify_all();
    met.wait_for(lock, std::chrono::minutes(2), [&] { return seen.size() == 3; });
  });
  EXPECT_EQ(seen.size(), 3U);
  EXPECT_TRUE(seen.contains(std::this_thread::get_id()));
}

REAL_TEST(Workers, one_thread_runs_pieces_in_order) {
  Workers workers(1);
  std::vector<std::size_t> order;
  workers.run(5, [&](std::size_t piece) { order.push_back(piece); });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

REAL_TEST(Workers, too_many_are_refused) {
  expect_error<ConfigError>([] { Workers(1025); }, {"--threads", "1024", "1025"});
}

REAL_TEST(Workers, zero_means_the_cores_that_it_may_use) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  for (int cpu = 0; CPU_COUNT(&one) == 0; ++cpu)
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const std::size_t threads = Workers(0).threads();
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(threads, 1U);
  EXPECT_EQ(Workers(0).threads(), static_cast<std::size_t>(CPU_COUNT(&before)));
}

REAL_TEST(Workers, rethrow_the_failure_of_the_lowest_piece_when_all_are_done) {
  for (const std::size_t threads : {1U, 2U, 3U, 8U}) {
    Workers workers(threads);
    for (int round = 0; round < 50; ++round) {
      std::atomic<int> done = 0;
      expect_error<DataError>(
          [&] {
            workers.run(20, [&](std::size_t piece) {
              ++done;
              if (piece == 17) throw ConfigError("the 17th");
              if (piece == 6 || piece == 9) throw DataError(fmt::format("piece {}", piece));
            });
          },
          {"piece 6"});
      EXPECT_EQ(done, 20);
      workers.run(4, [&](std::size_t) { ++done; });  // and nothing is left of the failure
      EXPECT_EQ(done, 24);
    }
  }
}

REAL_TEST(Workers, pass_on_what_is_no_error_of_ours) {
  Workers workers(2);
  EXPECT_THROW(workers.run(3,
                           [](std::size_t piece) {
                             if (piece == 1) throw 5;
                           }),
               int);
}

/// What the pieces wrote is visible to the caller, and what it wrote to them, run after run.
REAL_TEST(Workers, hand_over_memory_between_runs) {
  Workers workers(3);
  std::vector<std::size_t> values(64, 0);
  for (std::size_t round = 0; round < 500; ++round) {
    workers.run(values.size(), [&](std::size_t piece) { values[piece] += 1; });
    for (const std::size_t value : values) ASSERT_EQ(value, round + 1);
  }
}

}  // namespace
}  // namespace phasor
