// Every reader of input on valid bytes and on mutations of them: accepted, or refused with an error
// of this library, and nothing else. fuzz/run tries the same readers for as long as one likes.
#include <gtest/gtest.h>

#include <random>

#include "phasor/core/error.hpp"
#include "tests/attack/fuzz/readers.hpp"

namespace phasor::attack {
namespace {

constexpr int kMutations = 400;  // of every valid input

using Random = std::mt19937;  // the same numbers everywhere, with % instead of a distribution

std::size_t below(std::size_t count, Random& random) {
  return random() % std::max<std::size_t>(count, 1);
}

/// A few changes: bytes set, pieces taken out, doubled, or put in.
std::string mutation(std::string bytes, Random& random) {
  static const std::vector<std::string> pieces = {"[",
                                                  "]",
                                                  "{",
                                                  "}",
                                                  "\"",
                                                  ",",
                                                  ":",
                                                  "-",
                                                  "0",
                                                  "18446744073709551615",
                                                  "-1",
                                                  "1e999",
                                                  "nan",
                                                  "null",
                                                  "\n",
                                                  "%",
                                                  "'",
                                                  "\\",
                                                  "\\u0000",
                                                  "\xFF",
                                                  "\xF0\x9F",
                                                  std::string(1, '\0'),
                                                  std::string(200, '['),
                                                  std::string(70, '{'),
                                                  "(0, 9223372036854775808)"};
  for (std::size_t changes = 1 + below(3, random); changes > 0; --changes) {
    const std::size_t at = below(bytes.size(), random), length = 1 + below(8, random);
    switch (below(4, random)) {
      case 0:
        if (!bytes.empty()) bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes.erase(std::min(at, bytes.size()), length);
        break;
      case 2:
        bytes.insert(at, bytes.substr(at, length));
        break;
      default:
        bytes.insert(at, pieces[below(pieces.size(), random)]);
    }
  }
  return bytes;
}

/// "accepted", "refused", or what went wrong.
std::string outcome_of(const Reader& reader, const std::string& bytes) {
  try {
    reader.read(bytes);
    return "accepted";
  } catch (const Error&) {
    return "refused";
  } catch (const std::exception& problem) {
    return problem.what();
  }
}

TEST(Attack, readers) {
  Random random(1);
  for (const Reader& reader : readers()) {
    int accepted = 0, refused = 0;
    for (const std::string& valid : reader.valid()) {
      EXPECT_EQ(outcome_of(reader, valid), "accepted") << reader.name << ": " << valid;
      for (int i = 0; i < kMutations; ++i) {
        const std::string bytes = mutation(valid, random), outcome = outcome_of(reader, bytes);
        EXPECT_TRUE(outcome == "accepted" || outcome == "refused")
            << reader.name << ": " << outcome << "\n"
            << testing::PrintToString(bytes);
        ++(outcome == "accepted" ? accepted : refused);
      }
    }
    std::printf("  %-16s %5d accepted, %5d refused\n", reader.name.c_str(), accepted, refused);
    EXPECT_GT(accepted, 0) << reader.name;
    EXPECT_EQ(refused > 0, reader.name != "message") << reader.name;  // which takes anything
  }
}

}  // namespace
}  // namespace phasor::attack
