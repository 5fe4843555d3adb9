// The course of a lab: it says what it does, checks, draws, audits claims and sums up.
#pragma once
#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "labs/common/options.hpp"
#include "phasor/course/audit.hpp"
#include "phasor/figure/figure.hpp"

namespace phasor {

/// Prints to standard output, in colours on a terminal unless NO_COLOR is set.
///
///   int main(int argc, char** argv) {
///     return phasor::run_lab({"lab01_sinusoid", "Sinusoidal encoding", "..."}, argc, argv, {},
///                            [](phasor::Lab& lab) { ... });
///   }
class Lab {
 public:
  Lab(LabInfo info, LabOptions options);

  const LabOptions& options() const { return options_; }
  bool full() const { return options_.full; }

  /// A heading. `step` is one of predict, build, check, look, experiment, explain.
  void section(std::string_view step, std::string_view title);
  /// A paragraph, wrapped to 88 columns.
  template <class... Args>
  void say(fmt::format_string<Args...> format, Args&&... args) {
    paragraph(fmt::format(format, std::forward<Args>(args)...));
  }
  /// Lines that are printed as they are: a table, a formula.
  void show(std::string_view lines);

  /// Prints "ok" or "FAIL" with both numbers and counts. Passes when |measured - expected| <=
  /// tolerance; NaN never passes. A check that fails says where, and what to look for. Returns
  /// whether it passed.
  bool check(std::string_view what, double measured, double expected, double tolerance,
             std::string_view look_for = "", std::string_view where = "");
  /// The same for a statement; `detail` says what was seen.
  bool check(std::string_view what, bool holds, std::string_view detail = "",
             std::string_view look_for = "");
  /// The check without which there is nothing to go on with. It fails when `problem` gives one or
  /// throws, and the lab says which file to mend. Returns whether it passed.
  bool check_usable(std::string_view what, const std::function<std::string()>& problem);
  /// Whether every check so far passed. If not, the lab says which file to mend and should end:
  /// nothing is drawn, trained or judged with functions that are wrong.
  bool goes_on();

  /// Writes the figure into the folder of the results and prints its name and its caption.
  void figure(const Figure& figure);

  /// Measures every claim of this lab (phasor/course/claim.hpp) on `evidence`, in which
  /// the lab puts what its learner wrote; they are listed at the end, and summary.json keeps them.
  /// A claim whose measurement throws is listed as not measured, with the error (course/audit.hpp).
  void audit(Evidence evidence = {});

  /// Writes summary.json and prints the last lines. Returns the exit code: 0, or 1 if a check
  /// failed.
  int finish();

 private:
  void paragraph(std::string_view text, std::size_t indent = 0);
  bool count(bool passed, std::string_view what, std::string_view detail, std::string_view look_for,
             std::string_view where = "");
  void ask_to_mend();
  std::string painted(std::string_view text, int colour) const;
  void list_claims();
  void write_summary(double seconds) const;

  LabInfo info_;
  LabOptions options_;
  bool colour_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::size_t passed_ = 0, failed_ = 0;
  bool missing_gnuplot_ = false, after_figure_ = false;
  std::vector<std::string> figures_;
  std::vector<AuditedClaim> claims_;
};

/// main() of a lab: reads the options, runs `body` and finishes. Whatever `body` throws becomes one
/// line on standard error. Returns 0 all is well, 1 a check failed, 2 wrong use or an error.
int run_lab(const LabInfo& info, int argc, const char* const* argv,
            const std::vector<ExtraOption>& extras, const std::function<void(Lab&)>& body);

}  // namespace phasor
