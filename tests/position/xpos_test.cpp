// How far xpos reaches: 66 scale bases from the first position in sight to the last.
#include "phasor/position/xpos.hpp"

#include "phasor/position/schemes.hpp"
#include "tests/core/expect_error.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr std::size_t kD = 4;

struct Made {
  std::unique_ptr<Scheme> scheme;
  std::size_t limit;
};

Made xpos_of(std::size_t context, const OptionValues& options = {}) {
  Rng rng(1);
  auto scheme = make_scheme("xpos", options, {kD, 1, context}, rng);
  const std::size_t limit = scheme->traits().max_in_sight.value();
  return {std::move(scheme), limit};
}

/// The last query's logits with `count` keys, position `first` on.
Tensor logits_of(const Scheme& scheme, std::size_t count, double first = 0) {
  const Positions keys = consecutive_positions(count, first), queries{keys.back()};
  const QK turned = scheme.rotate(Var(full({1, 1, 1, kD}, 1)), Var(full({1, 1, count, kD}, 1)),
                                  {queries, keys, 1, true});
  Tensor logits = zeros({count});
  for (std::size_t s = 0; s < count; ++s)
    for (std::size_t d = 0; d < kD; ++d)
      logits(s) += turned.q.value()(0, 0, 0, d) * turned.k.value()(0, 0, s, d);
  return logits;
}

/// `limit` positions are seen, one more is refused, wherever they begin.
void expect_limit(const Made& made, std::size_t limit) {
  EXPECT_EQ(made.limit, limit);
  const Tensor logits = logits_of(*made.scheme, limit);
  for (const Real logit : logits) EXPECT_TRUE(std::isfinite(logit)) << limit;
  EXPECT_NEAR(logits(limit - 1), kD, 1e-4) << limit;  // the query's own key
  EXPECT_EQ(logits_of(*made.scheme, limit, 1e6).size(), limit);
  const std::string most = std::to_string(limit), more = std::to_string(limit + 1);
  expect_error<PositionError>([&] { logits_of(*made.scheme, limit + 1); },
                              {"[xpos] " + more + " positions", "keep to " + most});
  expect_error<PositionError>([&] { logits_of(*made.scheme, limit + 1, 1e6); },
                              {more, "--scale-base"});
}

/// Half the context is the scale base unless one is given: 16, 2.5 and 7.
REAL_TEST(Xpos, sees_66_scale_bases_and_one_position_and_no_more) {
  expect_limit(xpos_of(32), 66 * 16 + 1);
  expect_limit(xpos_of(5), 66 * 5 / 2 + 1);
  expect_limit(xpos_of(32, {{"scale_base", "7"}}), 66 * 7 + 1);
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
