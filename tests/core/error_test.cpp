#include "phasor/core/error.hpp"

#include <type_traits>
#include <vector>

#include "tests/core/expect_error.hpp"

namespace phasor {
namespace {

TEST(Error, nothing_happens_when_the_condition_holds) { EXPECT_NO_THROW(check(true, "never")); }

TEST(Error, a_failed_check_is_a_shape_error_unless_said_otherwise) {
  expect_error<ShapeError>([] { check(false, "plain"); }, {"plain"});
  expect_error<ConfigError>([] { check<ConfigError>(false, "c"); }, {"c"});
  expect_error<PositionError>([] { check<PositionError>(false, "p"); }, {"p"});
  expect_error<DataError>([] { check<DataError>(false, "d"); }, {"d"});
  expect_error<CheckpointError>([] { check<CheckpointError>(false, "k"); }, {"k"});
  expect_error<TrainingError>([] { check<TrainingError>(false, "t"); }, {"t"});
  expect_error<GraphError>([] { check<GraphError>(false, "g"); }, {"g"});
}

TEST(Error, the_message_shows_numbers_text_and_shapes) {
  const std::vector<std::size_t> shape{2, 3}, scalar;
  const std::string who = "rope";
  try {
    check(false, "[{}] wants {}, got {} and {}", who, 8, shape, scalar);
    FAIL() << "no error";
  } catch (const ShapeError& error) {
    EXPECT_STREQ(error.what(), "[rope] wants 8, got [2, 3] and []");
  }
}

TEST(Error, every_kind_is_caught_as_error_and_as_runtime_error) {
  EXPECT_THROW(check<GraphError>(false, "x"), Error);
  EXPECT_THROW(check<DataError>(false, "x"), std::runtime_error);
  // Kinds do not stand for one another: a handler of one must not swallow another.
  static_assert(!std::is_base_of_v<ShapeError, ConfigError>);
  static_assert(!std::is_base_of_v<ConfigError, PositionError>);
  static_assert(!std::is_base_of_v<DataError, CheckpointError>);
}

}  // namespace
}  // namespace phasor
