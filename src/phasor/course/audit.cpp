#include "phasor/course/audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>

#include "phasor/core/file.hpp"
#include "phasor/core/text.hpp"
#include "phasor/data/json.hpp"
#include "phasor/figure/markup.hpp"
#include "phasor/figure/page.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;

std::string_view class_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds:
      return "holds";
    case Verdict::kFails:
      return "fails";
    default:
      return "partly";
  }
}

/// `text` without the full stop at its end, if it has one.
std::string unstopped(std::string text) {
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// What stands under `name`; nothing when it is another kind of value.
std::string text_in(const nlohmann::json& words, const char* name) {
  const auto found = words.find(name);
  return found != words.end() && found->is_string() ? found->get<std::string>() : std::string();
}

double number_in(const nlohmann::json& words, const char* name, double otherwise) {
  const auto found = words.find(name);
  return found != words.end() && found->is_number() ? found->get<double>() : otherwise;
}

/// What the lab wrote of its figure; an empty object when that cannot be understood.
nlohmann::json words_in(const fs::path& path) try {
  const nlohmann::json words = parse_json(read_file(path));
  return words.is_object() ? words : nlohmann::json::object();
} catch (const nlohmann::json::exception&) {
  return nlohmann::json::object();
}

/// The figure that shows the claim, folded away, if the lab has drawn it.
std::string figure_html(const Claim& claim, const fs::path& results, const fs::path& page) {
  const fs::path stem = results / claim.lab / claim.figure;
  const fs::path svg = stem.string() + ".svg", words = stem.string() + ".json";
  if (claim.figure.empty() || !fs::exists(svg) || !fs::exists(words))
    return fmt::format(
        "<p class=\"note\">Shown by {} ({}), once it has been run: labs/run {}.</p>\n",
        escape_markup(claim.lab), escape_markup(claim.figure),
        escape_markup(claim.lab.substr(std::min<std::size_t>(3, claim.lab.size()))));
  const nlohmann::json json = words_in(words);
  if (json.empty()) return "";
  const std::string title = text_in(json, "title");
  const fs::path beside = fs::absolute(page).parent_path();
  const std::string address =
      escape_address(fs::absolute(svg).lexically_relative(beside).generic_string());
  return fmt::format(
      "<details>\n<summary>{}: {}</summary>\n{}<p>{} <a href=\"{}\">{} alone</a></p>\n</details>\n",
      escape_markup(claim.figure), escape_markup(title),
      picture_html(title, address, text_in(json, "alt"), number_in(json, "width", 800),
                   number_in(json, "height", 400)),
      escape_markup(text_in(json, "caption")), address, escape_markup(claim.figure));
}

std::string claim_html(const AuditedClaim& audited, const fs::path& results, const fs::path& page) {
  const auto& [claim, finding] = audited;
  return fmt::format(
      "<article id=\"{}\">\n<h3>{}</h3>\n<p class=\"note\">{} · {}</p>\n"
      "<p class=\"text\"><span class=\"verdict {}\">{}</span>: {}.</p>\n{}</article>\n",
      escape_markup(claim->id), escape_markup(unstopped(claim->statement)),
      escape_markup(claim->document), escape_markup(claim->id), class_of(finding.verdict),
      name_of(finding.verdict), escape_markup(unstopped(finding.measured)),
      figure_html(*claim, results, page));
}

/// ", 3 of them of papers,", where there are any.
std::string of_papers(const std::vector<AuditedClaim>& claims) {
  const auto count = std::count_if(claims.begin(), claims.end(), [](const AuditedClaim& audited) {
    const std::string& document = audited.claim->document;
    return document.size() < 2 || document[0] != 'D' || document[1] < '0' || document[1] > '9';
  });
  return count > 0 ? fmt::format(", {} of them of papers,", count) : "";
}

std::string list_html(const std::vector<AuditedClaim>& claims) {
  std::string rows;
  for (const auto& [claim, finding] : claims)
    rows += fmt::format(
        "<tr><td><a href=\"#{}\">{}</a></td><td>{}</td><td class=\"verdict {}\">{}</td></tr>\n",
        escape_address(claim->id), escape_markup(unstopped(claim->statement)),
        escape_markup(claim->document), class_of(finding.verdict), name_of(finding.verdict));
  return "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"All claims\">\n<table>\n"
         "<thead><tr><th scope=\"col\">claim</th><th scope=\"col\">in</th><th scope=\"col\">verdict"
         "</th></tr></thead>\n<tbody>\n" +
         rows + "</tbody>\n</table>\n</div>\n";
}

}  // namespace

AuditedClaim audited(const Claim& claim, const Evidence& evidence) {
  try {
    return {&claim, claim.measure(evidence)};
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& problem) {
    return {&claim, {Verdict::kNotMeasured, one_line(problem.what())}};
  }
}

std::array<std::size_t, 4> totals(const std::vector<AuditedClaim>& claims) {
  std::array<std::size_t, 4> counts{};
  for (const AuditedClaim& audited : claims)
    ++counts[static_cast<std::size_t>(audited.finding.verdict)];
  return counts;
}

std::string totals_in_words(const std::vector<AuditedClaim>& claims) {
  const auto count = [counts = totals(claims)](Verdict verdict) {
    return counts[static_cast<std::size_t>(verdict)];
  };
  return fmt::format("{} hold, {} hold with a condition, {} fail, {} not measured",
                     count(Verdict::kHolds), count(Verdict::kHoldsIf), count(Verdict::kFails),
                     count(Verdict::kNotMeasured));
}

void write_claims_page(const std::vector<AuditedClaim>& claims,
                       const std::filesystem::path& results, const std::filesystem::path& page) {
  std::string sections, lab;
  for (const AuditedClaim& audited : claims) {
    if (audited.claim->lab != lab) {
      if (!lab.empty()) sections += "</section>\n";
      lab = audited.claim->lab;
      sections += fmt::format("<section>\n<h2>Claims that {} shows</h2>\n", escape_markup(lab));
    }
    sections += claim_html(audited, results, page);
  }
  if (!lab.empty()) sections += "</section>\n";
  write_file(
      page,
      html_page("Phasor: the claims",
                fmt::format("<header>\n<h1>Phasor: the claims</h1>\n<p class=\"text\">What "
                            "the documents D0 to D4, and a few papers on schemes that they name, "
                            "claim about positional encoding, in our words, and what was measured "
                            "of it. Of {} claims{} {}.</p>\n"
                            "</header>\n<main>\n{}{}</main>\n",
                            claims.size(), of_papers(claims), totals_in_words(claims),
                            list_html(claims), sections)));
}

}  // namespace phasor
