#include "phasor/data/batches.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/core/expect_error.hpp"

namespace phasor {
namespace {

/// Token i is i, so that a window shows where it begins.
Encoded counting(std::size_t size) {
  Encoded tokens(size);
  std::iota(tokens.begin(), tokens.end(), 0);
  return tokens;
}

void expect_windows(const Batch& batch, const Shape& shape) {
  ASSERT_EQ(shape_of(batch.inputs), shape);
  ASSERT_EQ(shape_of(batch.targets), shape);
  for (std::size_t b = 0; b < shape[0]; ++b)
    for (std::size_t t = 0; t < shape[1]; ++t) {
      EXPECT_EQ(batch.inputs(b, t), batch.inputs(b, 0) + static_cast<std::int64_t>(t));
      EXPECT_EQ(batch.targets(b, t), batch.inputs(b, t) + 1);
    }
}

TEST(Split, KeepsTheLastTenthForValidation) {
  const Split parts = split(counting(105));
  EXPECT_EQ(parts.train, counting(95));
  ASSERT_EQ(parts.validation.size(), 10u);
  EXPECT_EQ(parts.validation.front(), 95);
  EXPECT_EQ(parts.validation.back(), 104);
  EXPECT_EQ(split(counting(8), 0.5).train.size(), 4u);
  EXPECT_TRUE(split(counting(8), 0).validation.empty());
  expect_error<ConfigError>([] { split(counting(8), 1); }, "must be in [0, 1), got 1");
  expect_error<ConfigError>([] { split(counting(8), -0.1); }, "got -0.1");
}

TEST(RandomBatches, GivesShiftedWindows) {
  const RandomBatches batches(counting(50), 6, 8, 1);
  for (std::uint64_t step = 0; step < 20; ++step) expect_windows(batches.at(step), {6, 8});
}

TEST(RandomBatches, DependsOnSeedStepAndPartAlone) {
  const RandomBatches batches(counting(5000), 4, 8, 1), same(counting(5000), 4, 8, 1),
      other(counting(5000), 4, 8, 2);
  const Batch batch = batches.at(7);
  batches.at(8);
  EXPECT_EQ(batches.at(7).inputs, batch.inputs);
  EXPECT_EQ(same.at(7).inputs, batch.inputs);
  EXPECT_EQ(same.at(7, 0).inputs, batch.inputs);
  EXPECT_NE(other.at(7).inputs, batch.inputs);
  EXPECT_NE(same.at(8).inputs, batch.inputs);
  EXPECT_NE(same.at(7, 1).inputs, batch.inputs);
}

TEST(RandomBatches, DrawsEveryStartEquallyOften) {
  const std::size_t starts = 13, context = 4, draws = 13000;
  const RandomBatches batches(counting(starts + context), draws, context, 3);
  std::vector<int> counts(starts, 0);
  const Batch batch = batches.at(0);
  for (std::size_t b = 0; b < draws; ++b) ++counts.at(static_cast<std::size_t>(batch.inputs(b, 0)));
  // 5 standard deviations of a binomial count: about 1 seed in 10^5 would fall outside.
  const double mean = 1000, deviation = std::sqrt(mean * (1 - 1.0 / 13));
  for (const int count : counts) EXPECT_NEAR(count, mean, 5 * deviation);
}

TEST(RandomBatches, TakesATextOfOneWindow) {
  expect_windows(RandomBatches(counting(9), 2, 8, 1).at(0), {2, 8});
}

TEST(SequentialWindows, CoverTheTextInOrderOnce) {
  const SequentialWindows windows(counting(31), 2, 6);  // 5 windows; tokens 1 to 30 are targets
  EXPECT_EQ(windows.windows(), 5u);
  ASSERT_EQ(windows.count(), 3u);
  std::int64_t start = 0;
  for (std::size_t i = 0; i < windows.count(); ++i) {
    const Batch batch = windows.at(i);
    expect_windows(batch, {i == 2 ? 1u : 2u, 6});
    for (std::size_t b = 0; b < batch.inputs.shape()[0]; ++b, start += 6)
      EXPECT_EQ(batch.inputs(b, 0), start);
  }
  EXPECT_EQ(start, 30);
  expect_error([&] { windows.at(3); }, "no batch 3, the text has 3");
}

TEST(SequentialWindows, DropTheRest) {
  EXPECT_EQ(SequentialWindows(counting(30), 2, 6).windows(), 4u);  // the last target is missing
  EXPECT_EQ(SequentialWindows(counting(36), 2, 6).windows(), 5u);
  EXPECT_EQ(SequentialWindows(counting(37), 2, 6).windows(), 6u);
  EXPECT_EQ(SequentialWindows(counting(37), 2, 6).count(), 3u);
}

TEST(Batches, RefuseATextShorterThanAWindow) {
  const std::string wanted =
      "has 8 tokens, a context of 8 needs at least 9; choose a shorter "
      "--context or a longer text";
  expect_error([] { RandomBatches(counting(8), 2, 8, 1); },
               "the training part of the text " + wanted);
  expect_error([] { SequentialWindows(counting(8), 2, 8); },
               "the validation part of the text " + wanted);
  expect_error<ConfigError>([] { RandomBatches(counting(8), 0, 4, 1); }, "--batch");
  expect_error<ConfigError>([] { SequentialWindows(counting(8), 2, 0); }, "--context");
}

}  // namespace
}  // namespace phasor
