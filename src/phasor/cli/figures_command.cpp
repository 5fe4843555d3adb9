#include <algorithm>

#include "phasor/cli/commands.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"
#include "phasor/core/progress.hpp"
#include "phasor/core/text.hpp"
#include "phasor/course/figures.hpp"
#include "phasor/figure/write.hpp"

namespace phasor::cli {
namespace {

using Entries = std::vector<const FigureEntry*>;

void list() {
  std::size_t width = 0;
  for (const FigureEntry& entry : figures_of_documents()) width = std::max(width, entry.id.size());
  for (const FigureEntry& entry : figures_of_documents())
    fmt::print("{:<{}}  {}  {}\n", entry.id, width, entry.lab, entry.title);
}

Entries chosen_by(const FiguresCommand& command) {
  Entries chosen;
  std::vector<std::string> names;
  for (const FigureEntry& entry : figures_of_documents()) {
    names.push_back(entry.id);
    if (command.all) chosen.push_back(&entry);
  }
  for (const std::string& id : command.ids) {
    const std::size_t before = chosen.size();
    for (const FigureEntry& entry : figures_of_documents())
      if (entry.id == id) chosen.push_back(&entry);  // a table in two parts has two entries
    check<ConfigError>(chosen.size() > before,
                       "there is no figure '{}'; {} is nearest; phasor figures lists all", id,
                       nearest(id, names));
  }
  return chosen;
}

struct Outcome {
  std::vector<std::string> lines;  // one for each figure, in order
  std::vector<std::string> missing;
  bool drawn = true;
};

Outcome make(const Entries& entries, const FiguresCommand& command) {
  Outcome outcome;
  Progress progress("figures", static_cast<std::int64_t>(entries.size()));
  std::int64_t done = 0;
  for (const FigureEntry* entry : entries) {
    progress.update(done++, entry->id);
    try {
      const Figure figure = entry->make(command.results);
      const bool drawn = write_figure(figure, command.out);
      outcome.drawn = outcome.drawn && drawn;
      const auto file = command.out / (figure.id + (drawn ? ".svg" : ".csv"));
      outcome.lines.push_back(fmt::format("{:<6}  {}", entry->id, printable(file.string())));
    } catch (const Error& problem) {
      outcome.missing.push_back(entry->id);
      outcome.lines.push_back(
          fmt::format("{:<6}  not made: {}", entry->id, one_line(problem.what())));
    }
  }
  progress.update(done);
  progress.finish();
  return outcome;
}

}  // namespace

void run(const FiguresCommand& command) {
  if (command.ids.empty() && !command.all) return list();
  const Entries entries = chosen_by(command);
  // A place that cannot be written to is reported once, and before the work.
  check_writable(command.out / "index.html");
  const Outcome outcome = make(entries, command);
  for (const std::string& line : outcome.lines) fmt::print("{}\n", line);
  if (!outcome.drawn)
    fmt::print(
        "gnuplot is not installed: numbers written to .csv, nothing drawn; install "
        "gnuplot-nox to draw\n");
  check<DataError>(outcome.missing.empty(),
                   "{} of {} figures not made: {}; the lines above say what each needs",
                   outcome.missing.size(), entries.size(), fmt::join(outcome.missing, ", "));
}

}  // namespace phasor::cli
