#include "phasor/core/digest.hpp"

#include <gtest/gtest.h>

namespace phasor {
namespace {

/// Vectors of the authors: http://www.isthe.com/chongo/src/fnv/test_fnv.c
TEST(Digest, is_fnv_1a) {
  EXPECT_EQ(Digest().text(), "cbf29ce484222325");
  EXPECT_EQ(Digest().add("a").text(), "af63dc4c8601ec8c");
  EXPECT_EQ(Digest().add("foobar").text(), "85944171f73967e8");
  EXPECT_EQ(Digest().add("foo").add("").add("bar").value(), 0x85944171f73967e8U);
}

TEST(Digest, differs_wherever_one_bit_does) {
  const std::string good = "the quick brown fox\0\xff";
  for (std::size_t i = 0; i < good.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = good;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      EXPECT_NE(Digest().add(changed).value(), Digest().add(good).value());
    }
}

}  // namespace
}  // namespace phasor
