// The record of a run on disk.
#include "phasor/train/metrics.hpp"

#include "tests/core/expect_error.hpp"
#include "tests/real_test.hpp"
#include "tests/train/scratch.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr std::size_t kAll = 1000;

std::vector<MetricsRecord> some_records() {
  return {{.step = 0, .validation_loss = 3.25},
          {.step = 10,
           .train_loss = 1.0 / 3,
           .validation_loss = 0.1 + 0.2,
           .learning_rate = 2e-3,
           .gradient_norm = 1e-300},
          {.step = 15,
           .train_loss = 1.5,
           .validation_loss = 1.25,
           .learning_rate = 0,
           .gradient_norm = 2,
           .final_loss = 1.125}};
}

void expect_same(const MetricsRecord& a, const MetricsRecord& b) {
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.train_loss, b.train_loss);
  EXPECT_EQ(a.validation_loss, b.validation_loss);
  EXPECT_EQ(a.learning_rate, b.learning_rate);
  EXPECT_EQ(a.gradient_norm, b.gradient_norm);
  EXPECT_EQ(a.final_loss, b.final_loss);
}

REAL_TEST(Metrics, come_back_to_the_last_bit) {
  const auto path = scratch_folder() / "metrics.jsonl";
  const std::vector<MetricsRecord> written = some_records();
  write_metrics(path, written);
  const std::vector<MetricsRecord> read = read_metrics(path, kAll);
  ASSERT_EQ(read.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) expect_same(read[i], written[i]);
  const std::string bytes = read_file(path);
  write_metrics(path, read);
  EXPECT_EQ(read_file(path), bytes);
}

REAL_TEST(Metrics, are_one_json_object_a_line_without_times) {
  const auto path = scratch_folder() / "metrics.jsonl";
  write_metrics(path, some_records());
  EXPECT_EQ(read_file(path),
            "{\"step\":0,\"validation_loss\":3.25}\n"
            "{\"step\":10,\"train_loss\":0.3333333333333333,"
            "\"validation_loss\":0.30000000000000004,"
            "\"learning_rate\":0.002,\"gradient_norm\":1e-300}\n"
            "{\"step\":15,\"train_loss\":1.5,\"validation_loss\":1.25,\"learning_rate\":0.0,"
            "\"gradient_norm\":2.0,\"final_loss\":1.125}\n");
}

REAL_TEST(Metrics, beyond_the_last_step_are_left_out) {
  const auto path = scratch_folder() / "metrics.jsonl";
  EXPECT_TRUE(read_metrics(path, kAll).empty()) << "there is no file";
  write_metrics(path, some_records());
  EXPECT_EQ(read_metrics(path, 15).size(), 3U);
  EXPECT_EQ(read_metrics(path, 14).size(), 2U);
  EXPECT_EQ(read_metrics(path, 10).size(), 2U);
  EXPECT_EQ(read_metrics(path, 9).size(), 1U);
  EXPECT_EQ(read_metrics(path, 0).size(), 1U);
}

REAL_TEST(Metrics, name_the_damaged_line) {
  const auto path = scratch_folder() / "metrics.jsonl";
  const std::string good = "{\"step\":0,\"validation_loss\":3.25}\n";
  for (const std::string bad :
       {"{\"step\":7,\"valid", "", "text", "{\"step\":7}", "{\"validation_loss\":1}",
        "{\"step\":\"7\",\"validation_loss\":1}", "{\"step\":7,\"validation_loss\":null}",
        "{\"step\":7,\"validation_loss\":1,\"train_loss\":\"1\"}", "[7, 1]"})
    for (const std::size_t last_step : {std::size_t{0}, kAll}) {
      write_file(path, good + "{\"step\":5,\"validation_loss\":3}\n" + bad + "\n" + good);
      SCOPED_TRACE(bad);
      expect_error<CheckpointError>([&] { read_metrics(path, last_step); },
                                    {"metrics.jsonl is damaged at line 3", "delete the line"});
    }
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
