// The list beside a panel shows each curve as the panel draws it.
#include <gtest/gtest.h>

#include <regex>

#include "phasor/figure/script.hpp"

namespace phasor {
namespace {

struct Signs {
  std::ptrdiff_t strokes, dots;
  bool operator==(const Signs&) const = default;
};

/// What the script draws at fixed places of the paper: of a panel with a key, the signs in it.
Signs signs_of(Mark mark) {
  const Figure figure{
      .id = "key",
      .title = "t",
      .caption = "c",
      .alt = "a",
      .panels = {{.x = {.title = "x"},
                  .y = {.title = "y"},
                  .content = LinePanel{.series = {{.label = "one", .y = {1, 2}, .mark = mark},
                                                  {.label = "two", .y = {2, 1}, .mark = mark}},
                                       .key = true}}}};
  const std::string script = gnuplot_script(figure, "key.svg", "key.png");
  const auto count = [&](const char* pattern) {
    const std::regex line(pattern);
    return std::distance(std::sregex_iterator(script.begin(), script.end(), line),
                         std::sregex_iterator());
  };
  return {count("set arrow from screen"), count("set label '' at screen .* point pt 7")};
}

TEST(Key, ShowsLinesDotsOrBoth) {
  // One program draws two files; both hold the same two lines of the key.
  const Signs lines = signs_of(Mark::kLine);
  ASSERT_GT(lines.strokes, 0);
  EXPECT_EQ(lines.dots, 0);
  EXPECT_EQ(signs_of(Mark::kPoints), (Signs{0, lines.strokes}));
  EXPECT_EQ(signs_of(Mark::kLineAndPoints), (Signs{lines.strokes, lines.strokes}));
}

}  // namespace
}  // namespace phasor
