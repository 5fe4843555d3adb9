#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "phasor/cli/commands.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"
#include "phasor/core/progress.hpp"
#include "phasor/core/text.hpp"
#include "phasor/course/audit.hpp"

namespace phasor::cli {
namespace {

constexpr std::size_t kWide = 120;   // columns from which on a claim is a row of a table
constexpr std::size_t kPiped = 100;  // columns where there is no terminal

using Audit = std::vector<AuditedClaim>;

/// The documents of "D0, D3".
std::vector<std::string> documents_of(const Claim& claim) {
  std::vector<std::string> names;
  for (const std::string& word : text_lines(claim.document, 1))
    names.push_back(word.substr(0, word.find(',')));
  return names;
}

/// "lab03" of "03", "3" and "lab03".
std::string lab_named(const std::string& name) {
  const bool digits = !name.empty() && name.find_first_not_of("0123456789") == name.npos;
  return digits ? fmt::format("lab{:0>2}", name) : name;
}

/// Whether one of `own` is wanted; all are when nothing is. Takes what was found out of `unused`.
bool wanted(const std::vector<std::string>& own, const std::vector<std::string>& asked,
            std::vector<std::string>& unused) {
  bool found = asked.empty();
  for (const std::string& name : own) {
    found = found || std::find(asked.begin(), asked.end(), name) != asked.end();
    std::erase(unused, name);
  }
  return found;
}

void refuse_unknown(const std::vector<std::string>& unused, const char* what,
                    std::vector<std::string> names) {
  if (unused.empty()) return;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  throw ConfigError(
      fmt::format("no claim has the {} '{}'; {} is nearest; phasor claims lists all {}", what,
                  unused[0], nearest(unused[0], names), claims().size()));
}

std::vector<const Claim*> chosen_by(const ClaimsCommand& command) {
  std::vector<std::string> labs;
  for (const std::string& lab : command.labs) labs.push_back(lab_named(lab));
  std::vector<std::string> no_id = command.ids, no_document = command.documents, no_lab = labs;
  std::vector<std::string> ids, documents, all_labs;
  std::vector<const Claim*> chosen;
  for (const Claim& claim : claims()) {
    const std::vector<std::string> own = documents_of(claim);
    ids.push_back(claim.id);
    documents.insert(documents.end(), own.begin(), own.end());
    all_labs.push_back(claim.lab);
    const bool by_id = wanted({claim.id}, command.ids, no_id);
    const bool by_document = wanted(own, command.documents, no_document);
    const bool by_lab = wanted({claim.lab}, labs, no_lab);
    if (by_id && by_document && by_lab) chosen.push_back(&claim);
  }
  refuse_unknown(no_id, "id", ids);
  refuse_unknown(no_document, "document", documents);
  refuse_unknown(no_lab, "lab", all_labs);
  return chosen;
}

Audit measure(const std::vector<const Claim*>& chosen, const ClaimsCommand& command) {
  Evidence evidence;
  evidence.results = command.results;
  Progress progress("measuring", static_cast<std::int64_t>(chosen.size()));
  Audit audit;
  for (const Claim* claim : chosen) {
    progress.update(static_cast<std::int64_t>(audit.size()), claim->id);
    audit.push_back(audited(*claim, evidence));
  }
  progress.update(static_cast<std::int64_t>(audit.size()));
  progress.finish();
  return audit;
}

void print_json(const Audit& audit) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const auto& [claim, finding] : audit) {
    nlohmann::ordered_json numbers = nlohmann::ordered_json::object();
    for (const auto& [name, value] : finding.numbers) numbers[name] = value;
    json.push_back({{"id", claim->id},
                    {"document", claim->document},
                    {"statement", claim->statement},
                    {"verdict", name_of(finding.verdict)},
                    {"measured", finding.measured},
                    {"numbers", numbers},
                    {"lab", claim->lab},
                    {"figure", claim->figure}});
  }
  fmt::print("{}\n", json.dump(2));
}

std::size_t columns_of_output() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kPiped;
}

std::string painted(Verdict verdict, const std::string& words, bool colour) {
  const int code = verdict == Verdict::kHolds ? 32 : verdict == Verdict::kFails ? 31 : 33;
  return colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, words) : words;
}

/// Cells beside one another, each broken into lines of its own width.
void print_row(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
               Verdict verdict, bool colour) {
  std::vector<std::vector<std::string>> columns;
  std::size_t rows = 0;
  for (std::size_t j = 0; j < cells.size(); ++j) {
    columns.push_back(text_lines(cells[j], widths[j]));
    rows = std::max(rows, columns.back().size());
  }
  for (std::size_t i = 0; i < rows; ++i) {
    std::string line;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      std::string cell = i < columns[j].size() ? columns[j][i] : "";
      const std::size_t used = std::min(letters(cell), widths[j]);
      const bool last = j + 1 == columns.size();
      line += j == 2 && !cell.empty() ? painted(verdict, cell, colour) : cell;
      if (!last) line += std::string(widths[j] - used + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
}

/// One row a claim, its two texts side by side.
void print_wide(const Audit& audit, std::size_t columns, bool colour) {
  std::size_t id = 2, document = 8;
  for (const auto& [claim, finding] : audit) {
    id = std::max(id, letters(claim->id));
    document = std::max(document, letters(claim->document));
  }
  const std::size_t verdict = name_of(Verdict::kNotMeasured).size();
  const std::size_t rest = columns - std::min(columns - 40, id + document + verdict + 8);
  const std::vector<std::size_t> widths = {id, document, verdict, rest * 2 / 5,
                                           rest - rest * 2 / 5};
  print_row({"id", "document", "verdict", "claimed", "measured"}, widths, {}, false);
  for (const auto& [claim, finding] : audit) {
    fmt::print("\n");
    print_row({claim->id, claim->document, std::string(name_of(finding.verdict)), claim->statement,
               finding.measured},
              widths, finding.verdict, colour);
  }
}

/// A line with id, document and verdict, and the two texts below it.
void print_narrow(const Audit& audit, std::size_t columns, bool colour) {
  for (const auto& [claim, finding] : audit)
    fmt::print("{}  {}  {}\n{}\n{}\n\n", claim->id, claim->document,
               painted(finding.verdict, std::string(name_of(finding.verdict)), colour),
               wrapped("claimed: " + claim->statement, columns, 4),
               wrapped("measured: " + finding.measured, columns, 4));
}

}  // namespace

void run(const ClaimsCommand& command) {
  if (!command.page.empty()) check_writable(command.page);
  const Audit audit = measure(chosen_by(command), command);
  if (!command.page.empty()) write_claims_page(audit, command.results, command.page);
  if (command.json) return print_json(audit);
  const std::size_t columns = std::max<std::size_t>(columns_of_output(), 40);
  const bool colour = colour_wanted(STDOUT_FILENO);
  if (columns >= kWide)
    print_wide(audit, columns, colour);
  else
    print_narrow(audit, columns, colour);
  fmt::print("{}{}\n", columns >= kWide ? "\n" : "",
             wrapped(fmt::format("{} claims: {}", audit.size(), totals_in_words(audit)), columns));
  if (!command.page.empty()) fmt::print("page: {}\n", printable(command.page.string()));
}

}  // namespace phasor::cli
