// A figure with a panel of every kind, and folders that vanish after a test.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "phasor/figure/figure.hpp"

namespace phasor::test {

/// An empty folder of its own for each test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "phasor-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline Figure sample_figure(const std::string& id = "sample") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const LinePanel lines{.series = {{.label = "loss, \"mean\"",
                                    .y = {3, 2, 0.1},
                                    .low = {2.5, 1.5, 0},
                                    .high = {3.5, 2.5, 0.2}},
                                   {.label = "it's_b", .y = {1, nan, 2}, .x = {0, 1, 4}}},
                        .references = {{"floor", 0.05}}};
  const HeatmapPanel map{
      .values = {{0.5, nan}, {-1, 0.25}}, .row_labels = {"the", "dog"}, .decimals = 2};
  const DialPanel dials{
      .dials = {{"pair 0", {0, 1}}}, .hands = {"0", "1"}, .hands_title = "position"};
  const BarPanel bars{.categories = {"sine", "real"},
                      .groups = {{"short", {1, 1e-9}}, {"long", {2, 0}}}};
  const TablePanel table{
      .columns = {{"scheme, in words"}, {"waves", true}},
      .rows = {{"one | long text that is broken into lines because no column is as wide as it is, "
                "it goes on and on",
                {"6.28", 6.283185307179586}},
               {"two", "a \"few\""}}};
  const GraphPanel graph{.nodes = {{.label = "x, twice", .detail = "3", .filled = true},
                                   {.label = "mul", .detail = "9", .column = 1}},
                         .arrows = {{0, 1, "left \"3\""}, {0, 1, "right 3"}}};
  return {.id = id,
          .claims_id = "D9-F9",
          .title = "A sample & its <title>",
          .caption = "Caption with 100 % & more",
          .alt = "Alt text: \"quoted\" & <escaped>",
          .panels =
              {{.title = "lines", .x = {.title = "step"}, .y = {.title = "loss"}, .content = lines},
               {.title = "map", .content = map},
               {.title = "dials", .content = dials},
               {.title = "bars", .y = {.log_base = 10}, .content = bars},
               {.title = "table", .content = table},
               {.title = "graph", .content = graph}},
          .columns = 2};
}

}  // namespace phasor::test
