#include "phasor/train/metrics.hpp"

#include "phasor/core/file.hpp"
#include "tests/attack/fuzz/readers.hpp"

namespace phasor::attack {
namespace {

void read(std::string_view bytes) {
  static MemoryFile file;
  for (const MetricsRecord& record : read_metrics(file.holding(bytes), 100))
    if (record.step > 100) throw Broken("a step beyond the last");
}

std::vector<std::string> valid() {
  MemoryFile file;
  const std::string& path = file.holding("");
  write_metrics(path, {{.step = 0, .validation_loss = 4.5},
                       {.step = 50,
                        .train_loss = 2.5,
                        .validation_loss = 2.25,
                        .learning_rate = 1e-3,
                        .gradient_norm = 0.5,
                        .final_loss = 2.125}});
  return {read_file(path)};
}

}  // namespace

Reader metrics_reader() { return {"metrics", read, valid, 1024}; }

}  // namespace phasor::attack
