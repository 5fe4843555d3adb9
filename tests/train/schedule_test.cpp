// Learning rates worked out by hand.
#include "phasor/train/schedule.hpp"

#include "tests/real_test.hpp"

namespace phasor {
namespace {

constexpr double kRounding = 1e-15;  // a cosine and three products of numbers below 1

REAL_TEST(Schedule, warms_up_and_falls_along_a_cosine) {
  const Schedule schedule{0.8, 0.2, 4, 12};
  // 0.8 (step + 1) / 4, then 0.5 + 0.3 cos(pi (step - 4) / 8).
  const double eighth = std::sqrt(2 + std::sqrt(2)) / 2, quarter = std::sqrt(0.5),
               three_eighths = std::sqrt(2 - std::sqrt(2)) / 2;
  const double wanted[] = {0.2,
                           0.4,
                           0.6,
                           0.8,
                           0.8,
                           0.5 + 0.3 * eighth,
                           0.5 + 0.3 * quarter,
                           0.5 + 0.3 * three_eighths,
                           0.5,
                           0.5 - 0.3 * three_eighths,
                           0.5 - 0.3 * quarter,
                           0.5 - 0.3 * eighth};
  for (std::size_t step = 0; step < 12; ++step)
    EXPECT_NEAR(schedule.at(step), wanted[step], kRounding) << step;
}

REAL_TEST(Schedule, stays_at_the_least_after_the_end) {
  const Schedule schedule{0.8, 0.2, 4, 12};
  for (const std::size_t step : {12U, 13U, 1000U}) EXPECT_EQ(schedule.at(step), 0.2);
}

REAL_TEST(Schedule, begins_at_the_peak_without_a_warm_up) {
  const Schedule schedule{0.8, 0, 0, 2};
  EXPECT_NEAR(schedule.at(0), 0.8, kRounding);
  EXPECT_NEAR(schedule.at(1), 0.4, kRounding);
}

REAL_TEST(Schedule, warms_up_to_the_end_when_that_is_all_there_is) {
  for (const std::size_t steps : {5U, 3U}) {
    const Schedule schedule{0.8, 0.2, 5, steps};
    for (std::size_t step = 0; step < steps; ++step)
      EXPECT_NEAR(schedule.at(step), 0.16 * static_cast<double>(step + 1), kRounding);
  }
}

}  // namespace
}  // namespace phasor
