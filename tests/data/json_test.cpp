#include "phasor/data/json.hpp"

#include <gtest/gtest.h>

namespace phasor {
namespace {

std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

TEST(Json, NestsOnlySoDeep) {
  EXPECT_NO_THROW(parse_json(nested(kDeepestJson)));
  EXPECT_THROW(parse_json(nested(kDeepestJson + 1)), JsonTooDeep);
  std::string objects = "1";
  for (int i = 0; i <= kDeepestJson; ++i) objects = "{\"a\":" + objects + "}";
  EXPECT_THROW(parse_json(objects), nlohmann::json::exception);
  EXPECT_THROW(parse_json(nested(1000000)), nlohmann::json::exception);
  EXPECT_THROW(parse_json(std::string(1000000, '[')), nlohmann::json::exception);
}

TEST(Json, IsReadAsTheLibraryReadsIt) {
  const std::string text = R"({"b": [1, {"c": null}], "a": "x"})";
  EXPECT_EQ(parse_json(text), nlohmann::json::parse(text));
  EXPECT_EQ(parse_json<nlohmann::ordered_json>(text).dump(),
            nlohmann::ordered_json::parse(text).dump());
  EXPECT_THROW(parse_json("{"), nlohmann::json::exception);
}

}  // namespace
}  // namespace phasor
