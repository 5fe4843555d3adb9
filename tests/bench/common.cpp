#include "tests/bench/common.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>

#include "phasor/cli/usage.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/program.hpp"
#include "phasor/tensor/gemm.hpp"

namespace phasor::bench {
namespace {

/// Far above any model that fits into memory, and far below what would overflow a product of two.
constexpr std::size_t kLargestExtent = 1'000'000;

constexpr std::size_t kBatches = 4;

constexpr char kValues = 'v', kProblem = 'p';  // first byte of what a child writes

/// When memory runs out, the system is to end this process and no other.
void volunteer_for_lack_of_memory() { std::ofstream("/proc/self/oom_score_adj") << 1000; }

void write_all(int stream, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::write(stream, bytes.data() + done, bytes.size() - done);
    if (count <= 0) return;  // the parent is gone
    done += static_cast<std::size_t>(count);
  }
}

std::string read_all(int stream) {
  std::string bytes;
  char block[4096];
  for (ssize_t count = 0; (count = ::read(stream, block, sizeof block)) > 0;)
    bytes.append(block, static_cast<std::size_t>(count));
  return bytes;
}

/// What the child tells its parent.
std::string told(const std::function<std::vector<double>()>& task) try {
  const std::vector<double> values = task();
  std::string bytes(values.size() * sizeof(double), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return kValues + bytes;
} catch (const std::bad_alloc&) {
  return std::string(1, kProblem) + "out of memory";
} catch (const std::exception& problem) {
  return kProblem + std::string(problem.what());
}

void understand(const std::string& bytes, int status, ChildReport& report) {
  if (WIFSIGNALED(status)) {
    report.problem = fmt::format("ended by signal {}{}", WTERMSIG(status),
                                 WTERMSIG(status) == SIGKILL ? ", probably out of memory" : "");
  } else if (bytes.empty()) {
    report.problem = fmt::format("ended with code {}", WEXITSTATUS(status));
  } else if (bytes.front() == kProblem) {
    report.problem = bytes.substr(1);
  } else {
    report.values.resize((bytes.size() - 1) / sizeof(double));
    if (!report.values.empty())
      std::memcpy(report.values.data(), bytes.data() + 1, bytes.size() - 1);
  }
}

/// CLI11 puts some messages on two lines.
std::string joined_lines(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace

std::vector<std::size_t> parse_extents(const std::string& text, const std::string& form) {
  const auto wanted = std::count(form.begin(), form.end(), 'x') + 1;
  std::vector<std::size_t> extents;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  bool fits = true;
  while (fits) {
    std::size_t extent = 0;
    const auto [stop, problem] = std::from_chars(at, end, extent);
    fits = problem == std::errc() && extent > 0 && extent <= kLargestExtent;
    extents.push_back(extent);
    at = stop;
    if (at == end || *at != 'x') break;
    ++at;
  }
  check<ConfigError>(fits && at == end && std::ssize(extents) == wanted,
                     "--size must be {}, whole numbers from 1 to {}, got '{}'", form,
                     kLargestExtent, text);
  return extents;
}

Size parse_size(const std::string& text) {
  const std::vector<std::size_t> extents = parse_extents(text, "WxHxLxTxB");
  const Size size{extents[0], extents[1], extents[2], extents[3], extents[4]};
  model_config(size, default_scheme()).validate();
  return size;
}

std::string text_of(const Size& size) {
  return fmt::format("{}x{}x{}x{}x{}", size.width, size.heads, size.layers, size.context,
                     size.batch);
}

GptConfig model_config(const Size& size, const std::string& scheme) {
  GptConfig config;
  config.vocabulary = kVocabulary;
  config.width = size.width;
  config.heads = size.heads;
  config.layers = size.layers;
  config.context = size.context;
  config.tied = false;
  config.scheme = scheme;
  return config;
}

Encoded random_tokens(std::size_t count) {
  Rng rng(1, "tokens");
  Encoded tokens(count);
  for (auto& token : tokens) token = static_cast<std::int32_t>(rng.below(kVocabulary));
  return tokens;
}

void check_schemes(const std::vector<std::string>& names) {
  for (const std::string& name : names) find_scheme(name);
}

TrainingCase::TrainingCase(const Size& size, const std::string& scheme, Workers& workers) {
  Rng rng(1, "weights");
  model_ = std::make_unique<Gpt>(model_config(size, scheme), rng);
  const Encoded tokens = random_tokens(4 * size.context + 1000);
  TrainConfig config;
  config.batch = size.batch;
  trainer_ = std::make_unique<Trainer>(*model_, config, tokens, workers);
  const RandomBatches drawn(tokens, size.batch, size.context, config.seed);
  for (std::size_t i = 0; i < kBatches; ++i) batches_.push_back({drawn.at(i)});
}

void TrainingCase::step() { trainer_->step(batches_[next_++ % batches_.size()]); }

Quartiles quartiles_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return std::lerp(values[below], values[above], place - static_cast<double>(below));
  };
  return {at(0.25), at(0.5), at(0.75)};
}

ChildReport in_child(const std::function<std::vector<double>()>& task) {
  int ends[2];
  check<DataError>(::pipe(ends) == 0, "cannot make a pipe: {}", std::strerror(errno));
  const pid_t child = ::fork();
  check<DataError>(child >= 0, "cannot start a process: {}", std::strerror(errno));
  if (child == 0) {
    ::close(ends[0]);
    volunteer_for_lack_of_memory();
    write_all(ends[1], told(task));
    ::_exit(0);  // what the parent has left in its buffers is the parent's to write
  }
  ::close(ends[1]);
  const std::string bytes = read_all(ends[0]);
  ::close(ends[0]);
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  ChildReport report;
  report.peak_mb = static_cast<double>(usage.ru_maxrss) / 1024;  // Linux counts in 1024 bytes
  understand(bytes, status, report);
  return report;
}

int run_program(CLI::App& app, const std::string& example, int argc, char** argv,
                const std::function<void()>& body) {
  const std::string path = argv[0], name = path.substr(path.find_last_of('/') + 1);
  app.name(name);
  app.footer(fmt::format("Example: {} {}", path, example));
  return phasor::run_program(name, [&] {
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
      if (problem.get_exit_code() == 0) return app.exit(problem);  // --help
      throw DataError(fmt::format("{}; see {} --help", joined_lines(problem.what()), path));
    }
    use_single_threaded_blas();
    body();
    return 0;
  });
}

CLI::Option* add_threads(CLI::App& app, std::size_t& threads) {
  return cli::add_value(app, "threads", threads, "0: one for each core")
      ->check(CLI::Range(std::size_t{0}, std::size_t{1024}));
}

CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                      const std::string& help) {
  return app.add_option("--" + name, values, help)->delimiter(',')->allow_extra_args(false);
}

}  // namespace phasor::bench
