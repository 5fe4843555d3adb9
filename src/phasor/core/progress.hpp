// A progress bar for work that takes a while.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace phasor {

/// True when `descriptor` is a terminal that understands escape codes.
bool is_terminal(int descriptor);
/// True when `descriptor` is a terminal and NO_COLOR is unset or empty (no-color.org).
bool colour_wanted(int descriptor);

/// Where a progress bar is drawn and what time it is; tests bring their own.
struct ProgressScreen {
  bool terminal = false;                 ///< redraw one line, or print plain lines
  bool colour = false;                   ///< only on a terminal
  std::function<std::size_t()> columns;  ///< width of the terminal
  std::function<double()> seconds;       ///< a clock that never goes back
  std::function<void(std::string_view)> write;
};
/// The standard error stream of this program.
ProgressScreen standard_error_screen();

/// "label [#####.....] 120/400  loss 1.234  35.1/s  8 s left".
///
/// On a terminal one line, redrawn at most 10 times a second and not at all for work under half a
/// second. Elsewhere (a file, a pipe) a plain line every 10 s, or every 10 % if 2 s have passed,
/// and nothing for work under 2 s. update() may be called millions of times: it reads a clock.
class Progress {
 public:
  /// `start` is what was done before, for example by the run that is resumed.
  Progress(std::string label, std::int64_t total, std::int64_t start = 0,
           ProgressScreen screen = standard_error_screen());
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Ends the line, so that an error message starts on a line of its own.
  ~Progress();

  /// `done` of the total is done; `text` is anything worth seeing, for example "loss 1.234".
  void update(std::int64_t done, std::string_view text = {});
  /// Draws the last state with the time the work took. Later calls do nothing.
  void finish();

 private:
  std::string bar_line(double now) const;
  std::string plain_line(double now) const;
  std::string facts(double now) const;
  void draw_bar(double now);

  std::string label_, text_;
  std::int64_t total_, start_, done_;
  ProgressScreen screen_;
  double begin_, last_;
  std::int64_t last_done_;
  bool drawn_ = false, finished_ = false;
};

}  // namespace phasor
