#include "phasor/core/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

namespace phasor {
namespace {

constexpr double kRedraw = 0.1;         // s between two drawings on a terminal
constexpr double kTerminalQuiet = 0.5;  // s of work for which no bar appears
constexpr double kPlainQuiet = 2;       // s of work for which no plain line appears
constexpr double kPlainEvery = 10;      // s between plain lines

std::size_t terminal_columns() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

/// "8 s", "3:05", "2:03:05".
std::string duration(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::clamp(seconds, 0.0, 1e9) + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

/// The first `columns` characters, never half of a UTF-8 sequence.
std::string cut(const std::string& line, std::size_t columns) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < line.size(); ++i)
    if ((static_cast<unsigned char>(line[i]) & 0xC0) != 0x80 && characters++ == columns)
      return line.substr(0, i);
  return line;
}

std::size_t characters_in(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace

bool is_terminal(int descriptor) {
  const char* kind = std::getenv("TERM");
  return ::isatty(descriptor) == 1 && kind && std::strcmp(kind, "dumb") != 0;
}

bool colour_wanted(int descriptor) {
  const char* refused = std::getenv("NO_COLOR");
  return is_terminal(descriptor) && !(refused && *refused);
}

ProgressScreen standard_error_screen() {
  return {.terminal = is_terminal(STDERR_FILENO),
          .colour = colour_wanted(STDERR_FILENO),
          .columns = terminal_columns,
          .seconds =
              [] {
                const auto now = std::chrono::steady_clock::now().time_since_epoch();
                return std::chrono::duration<double>(now).count();
              },
          .write =
              [](std::string_view bytes) {
                std::fwrite(bytes.data(), 1, bytes.size(), stderr);
                std::fflush(stderr);
              }};
}

Progress::Progress(std::string label, std::int64_t total, std::int64_t start, ProgressScreen screen)
    : label_(std::move(label)),
      total_(std::max<std::int64_t>(total, 1)),
      start_(start),
      done_(start),
      screen_(std::move(screen)),
      begin_(screen_.seconds()),
      last_(begin_),
      last_done_(start) {}

Progress::~Progress() {
  if (!finished_ && drawn_ && screen_.terminal) screen_.write("\n");
}

void Progress::update(std::int64_t done, std::string_view text) {
  done_ = done;
  text_.assign(text);
  const double now = screen_.seconds();
  if (screen_.terminal) {
    if (now - begin_ >= kTerminalQuiet && now - last_ >= kRedraw) draw_bar(now);
    return;
  }
  const bool tenth = (done_ - last_done_) * 10 >= total_;
  if (now - last_ < kPlainQuiet || (now - last_ < kPlainEvery && !tenth)) return;
  last_ = now;
  last_done_ = done_;
  drawn_ = true;
  screen_.write(plain_line(now) + "\n");
}

void Progress::finish() {
  if (finished_) return;
  finished_ = true;
  const double now = screen_.seconds();
  if (screen_.terminal && (drawn_ || now - begin_ >= kTerminalQuiet)) {
    draw_bar(now);
    screen_.write("\n");
  } else if (!screen_.terminal && now - begin_ >= kPlainQuiet) {
    screen_.write(plain_line(now) + "\n");
  }
}

std::string Progress::facts(double now) const {
  const double spent = now - begin_;
  const auto advanced = static_cast<double>(done_ - start_);
  std::string line = fmt::format("{}/{}", done_, total_);
  if (!text_.empty()) line += "  " + text_;
  if (spent > 0 && advanced > 0) {
    line += fmt::format("  {:.3g}/s", advanced / spent);
    if (!finished_)
      line += "  " + duration(spent * static_cast<double>(total_ - done_) / advanced) + " left";
  }
  if (finished_) line += "  in " + duration(spent);
  return line;
}

std::string Progress::plain_line(double now) const {
  return fmt::format("{}: {}", label_, facts(now));
}

std::string Progress::bar_line(double now) const {
  const std::string right = facts(now);
  // One column stays free: a full line makes some terminals wrap.
  const std::size_t columns = std::max<std::size_t>(screen_.columns(), 20) - 1;
  const std::size_t used = characters_in(label_) + characters_in(right) + 4;
  if (used + 5 > columns) return cut(label_ + " " + right, columns);
  const std::size_t width = std::min<std::size_t>(columns - used, 30);
  const double share = static_cast<double>(done_) / static_cast<double>(total_);
  const auto filled =
      static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(width));
  const std::string_view on = screen_.colour ? "\x1b[36m" : "";
  const std::string_view off = screen_.colour ? "\x1b[0m" : "";
  return fmt::format("{} [{}{}{}{}] {}", label_, on, std::string(filled, '#'), off,
                     std::string(width - filled, '.'), right);
}

void Progress::draw_bar(double now) {
  last_ = now;
  drawn_ = true;
  screen_.write(fmt::format("\r{}\x1b[K", bar_line(now)));
}

}  // namespace phasor
