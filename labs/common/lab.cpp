#include "labs/common/lab.hpp"

#include <unistd.h>

#include <cmath>
#include <exception>
#include <nlohmann/json.hpp>

#include "labs/common/table.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"
#include "phasor/core/program.hpp"
#include "phasor/core/progress.hpp"
#include "phasor/core/text.hpp"
#include "phasor/figure/write.hpp"

namespace phasor {
namespace {

constexpr std::size_t kColumns = 88;
constexpr int kRed = 31, kGreen = 32, kYellow = 33, kBold = 1;

}  // namespace

Lab::Lab(LabInfo info, LabOptions options)
    : info_(std::move(info)), options_(std::move(options)), colour_(colour_wanted(STDOUT_FILENO)) {
  // Made now, so that a folder nobody may write to is reported before the work and not after it.
  check_writable(options_.out / "summary.json");
  make_folder(options_.out);
  show(painted(fmt::format("Lab {}: {}", info_.number().substr(3), info_.title), kBold));
}

std::string Lab::painted(std::string_view text, int colour) const {
  return colour_ ? fmt::format("\x1b[{}m{}\x1b[0m", colour, text) : std::string(text);
}

void Lab::show(std::string_view lines) {
  const bool spaced = lines.starts_with('\n');
  fmt::print("{}{}\n", after_figure_ && !spaced ? "\n" : "", lines);
  after_figure_ = false;
  flush_output();
}

void Lab::paragraph(std::string_view text, std::size_t indent) {
  show(wrapped(text, kColumns, indent));
}

void Lab::section(std::string_view step, std::string_view title) {
  std::string name(step);
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  show(fmt::format("\n{}", painted(fmt::format("{}  {}", name, title), kBold)));
}

bool Lab::count(bool passed, std::string_view what, std::string_view detail,
                std::string_view look_for, std::string_view where) {
  ++(passed ? passed_ : failed_);
  const std::string mark = passed ? painted("ok  ", kGreen) : painted("FAIL", kRed);
  show(fmt::format("  {}  {}{}{}", mark, what, detail.empty() ? "" : ": ", detail));
  if (!passed && !where.empty()) paragraph(where, 8);
  if (!passed && !look_for.empty()) paragraph(fmt::format("look for: {}", look_for), 8);
  return passed;
}

bool Lab::check(std::string_view what, double measured, double expected, double tolerance,
                std::string_view look_for, std::string_view where) {
  const bool passed = std::abs(measured - expected) <= tolerance;
  return count(
      passed, what,
      fmt::format("{:.10g}, expected {:.10g} within {:.2g}", measured, expected, tolerance),
      look_for, where);
}

bool Lab::check(std::string_view what, bool holds, std::string_view detail,
                std::string_view look_for) {
  return count(holds, what, detail, look_for);
}

bool Lab::check_usable(std::string_view what, const std::function<std::string()>& problem) {
  std::string found;
  try {
    found = problem();
  } catch (const std::exception& thrown) {
    found = fmt::format("an exception ended it, \"{}\"", one_line(thrown.what()));
  }
  check(what, found.empty(), found);
  if (!found.empty()) ask_to_mend();
  return found.empty();
}

bool Lab::goes_on() {
  if (failed_ == 0) return true;
  say("{} above failed, so the lab ends here: nothing more is drawn, trained or judged with "
      "functions that are wrong.",
      failed_ == 1 ? "A check" : fmt::format("{} checks", failed_));
  ask_to_mend();
  return false;
}

void Lab::ask_to_mend() {
  say("Mend labs/{}/solution.cpp, build, and run the lab again.", info_.name);
}

void Lab::figure(const Figure& figure) {
  const bool drawn = write_figure(figure, options_.out);
  figures_.push_back(figure.id);
  missing_gnuplot_ = missing_gnuplot_ || !drawn;
  const auto file = options_.out / (figure.id + (drawn ? ".png" : ".csv"));
  show(fmt::format("\n  {}  ({})", painted(figure.title, kBold), printable(file.string())));
  paragraph(figure.caption, 2);
  after_figure_ = true;
}

void Lab::audit(Evidence evidence) {
  evidence.results = options_.out.parent_path();
  evidence.own_lab = info_.number();
  evidence.own_folder = options_.out;
  for (const Claim& claim : claims())
    if (claim.lab == info_.number()) claims_.push_back(audited(claim, evidence));
}

void Lab::list_claims() {
  if (claims_.empty()) return;
  section("audit", "what texts on positional encoding claim, measured here");
  for (const auto& [claim, finding] : claims_) {
    const int colour = finding.verdict == Verdict::kHolds   ? kGreen
                       : finding.verdict == Verdict::kFails ? kRed
                                                            : kYellow;
    show(fmt::format("  {}  {}", painted(name_of(finding.verdict), colour), claim->id));
    paragraph("claimed: " + claim->statement, 6);
    paragraph("measured: " + finding.measured, 6);
  }
}

void Lab::write_summary(double seconds) const {
  nlohmann::ordered_json claims = nlohmann::ordered_json::array();
  for (const auto& [claim, finding] : claims_) {
    nlohmann::ordered_json numbers = nlohmann::ordered_json::object();
    for (const auto& [name, value] : finding.numbers) numbers[name] = value;
    claims.push_back({{"id", claim->id},
                      {"document", claim->document},
                      {"statement", claim->statement},
                      {"verdict", name_of(finding.verdict)},
                      {"finding", finding.measured},
                      {"numbers", numbers}});
  }
  const nlohmann::ordered_json summary = {{"lab", info_.number()},
                                          {"title", info_.title},
                                          {"seconds", std::round(seconds * 100) / 100},
                                          {"figures", figures_.size()},
                                          {"checks_passed", passed_},
                                          {"checks_failed", failed_},
                                          {"seed", options_.seed},
                                          {"profile", options_.full ? "full" : "quick"},
                                          {"figure_ids", figures_},
                                          {"claims", claims}};
  write_file(options_.out / "summary.json", summary.dump(2) + "\n");
}

int Lab::finish() {
  list_claims();
  const auto spent = std::chrono::steady_clock::now() - begin_;
  const double seconds = std::chrono::duration<double>(spent).count();
  write_summary(seconds);
  const std::string failed = fmt::format("{} failed", failed_);
  show(fmt::format("\n{} checks passed, {}; {} figures in {}; {:.1f} s", passed_,
                   failed_ ? painted(failed, kRed) : failed, figures_.size(),
                   printable(options_.out.string()), seconds));
  if (missing_gnuplot_)
    show("gnuplot is not installed: the numbers (CSV) were written, the pictures were not");
  return failed_ ? 1 : 0;
}

int run_lab(const LabInfo& info, int argc, const char* const* argv,
            const std::vector<ExtraOption>& extras, const std::function<void(Lab&)>& body) {
  return run_program(info.name, [&] {
    const auto options = parse_options(info, extras, argc, argv);
    if (!options) return 0;
    Lab lab(info, *options);
    body(lab);
    return lab.finish();
  });
}

}  // namespace phasor
