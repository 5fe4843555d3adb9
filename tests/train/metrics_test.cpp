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

/// The folder of a run that was removed meanwhile is not made again.
REAL_TEST(Metrics, are_written_into_a_folder_that_is_there) {
  const auto folder = scratch_folder() / "removed";
  EXPECT_THROW(write_metrics(folder / "metrics.jsonl", some_records()), DataError);
  EXPECT_FALSE(std::filesystem::exists(folder));
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
        "{\"step\":7,\"validation_loss\":1,\"train_loss\":\"1\"}", "[7, 1]",
        "{\"step\":1.8e20,\"validation_loss\":1}", "{\"step\":-7,\"validation_loss\":1}",
        "{\"step\":7.5,\"validation_loss\":1}"})
    for (const std::size_t last_step : {std::size_t{0}, kAll}) {
      write_file(path, good + "{\"step\":5,\"validation_loss\":3}\n" + bad + "\n" + good);
      SCOPED_TRACE(bad);
      expect_error<CheckpointError>([&] { read_metrics(path, last_step); },
                                    {"metrics.jsonl is damaged at line 3", "restore it"});
    }
}

/// A record of a training at step 0 or later.
MetricsRecord record_at(std::size_t step) {
  MetricsRecord record{.step = step, .validation_loss = 2};
  if (step > 0) record.train_loss = record.learning_rate = record.gradient_norm = 1;
  return record;
}

REAL_TEST(Metrics, of_a_run_are_all_there_and_in_order) {
  const auto check_of = [](const std::vector<std::size_t>& steps, std::size_t done) {
    std::vector<MetricsRecord> records;
    for (const std::size_t step : steps) records.push_back(record_at(step));
    check_records("metrics.jsonl", records, {.every = 3, .last = 7}, done);
  };
  EXPECT_NO_THROW(check_of({0}, 0));
  EXPECT_NO_THROW(check_of({0}, 2));
  EXPECT_NO_THROW(check_of({0, 3}, 3));
  EXPECT_NO_THROW(check_of({0, 3, 6}, 6));
  EXPECT_NO_THROW(check_of({0, 3, 6, 7}, 7));
  const auto expect_refused = [&](const std::vector<std::size_t>& steps, std::size_t done,
                                  const std::string& part) {
    expect_error<CheckpointError>([&] { check_of(steps, done); },
                                  {"metrics.jsonl", part, "restore it"});
  };
  expect_refused({}, 0, "has 0 records up to step 0, expected 1");
  expect_refused({0, 6, 7}, 7, "has 3 records up to step 7, expected 4");
  expect_refused({0, 3, 3, 6, 7}, 7, "has 5 records");
  expect_refused({0, 6, 3, 7}, 7, "record 2 is of step 6, expected step 3");
  expect_refused({3, 0, 6, 7}, 7, "record 1 is of step 3, expected step 0");
  expect_refused({0, 3, 6, 6}, 7, "record 4 is of step 6, expected step 7");
  expect_refused({0, 3, 6}, 1000000000000000000, "expected 333333333333333334");
}

REAL_TEST(Metrics, of_a_run_have_all_their_fields) {
  const std::vector<MetricsRecord> good{record_at(0), record_at(3), record_at(4)};
  const auto refused_at = [&good](std::size_t i,
                                  const std::function<void(MetricsRecord&)>& change) {
    std::vector<MetricsRecord> records = good;
    change(records[i]);
    expect_error<CheckpointError>(
        [&] { check_records("metrics.jsonl", records, {.every = 3, .last = 4}, 4); },
        {fmt::format("the record of step {} has other fields", records[i].step)});
  };
  refused_at(0, [](MetricsRecord& record) { record.train_loss = 1; });
  refused_at(1, [](MetricsRecord& record) { record.train_loss.reset(); });
  refused_at(1, [](MetricsRecord& record) { record.learning_rate.reset(); });
  refused_at(2, [](MetricsRecord& record) { record.gradient_norm.reset(); });
  refused_at(1, [](MetricsRecord& record) { record.final_loss = 1; });
  std::vector<MetricsRecord> ended = good;
  ended[2].final_loss = 1;
  EXPECT_NO_THROW(check_records("metrics.jsonl", ended, {.every = 3, .last = 4}, 4));
}

REAL_TEST(Metrics, have_a_digest_of_every_number) {
  const std::string digest = metrics_digest(some_records());
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<MetricsRecord> changed = some_records();
    changed[i].validation_loss = std::nextafter(changed[i].validation_loss, 9);
    EXPECT_NE(metrics_digest(changed), digest);
  }
  EXPECT_EQ(metrics_digest(some_records()), digest);
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
