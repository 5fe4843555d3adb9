#include "phasor/figure/gallery.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"
#include "phasor/data/json.hpp"
#include "phasor/figure/markup.hpp"
#include "phasor/figure/page.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Json parse(const fs::path& path) {
  try {
    return parse_json(read_file(path));
  } catch (const Json::exception&) {
    throw DataError(
        fmt::format("{} cannot be understood; remove it and run its lab again", path.string()));
  }
}

std::string text(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

double number(const Json& object, const char* name, double otherwise) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number() ? found->get<double>() : otherwise;
}

bool is_true(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

std::vector<fs::path> sorted(const fs::path& folder, bool folders) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder))
    if (folders ? entry.is_directory() : entry.path().extension() == ".json")
      found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

/// One lab: its folder, its summary and its figures in the order they were drawn.
struct Chapter {
  std::string folder;
  Json summary = Json::object();
  std::vector<Json> figures;
};

Chapter chapter_of(const fs::path& folder) {
  Chapter chapter;
  chapter.folder = folder.filename().string();
  std::vector<Json> found;
  for (const fs::path& path : sorted(folder, false)) {
    const Json words = parse(path);
    if (path.filename() == "summary.json" && words.is_object())
      chapter.summary = words;
    else if (words.is_object() && words.contains("alt") && words.contains("caption"))
      found.push_back(words);
  }
  const auto order = chapter.summary.find("figure_ids");
  if (order == chapter.summary.end() || !order->is_array()) {
    chapter.figures = found;
    return chapter;
  }
  // Only what the last run drew: an older figure may still lie in the folder.
  for (const Json& id : *order)
    for (const Json& figure : found)
      if (figure.value("id", Json()) == id) chapter.figures.push_back(figure);
  return chapter;
}

std::string figure_html(const Json& figure, const std::string& folder) {
  const std::string title = escape_markup(text(figure, "title"));
  const std::string stem = escape_address(folder + "/" + text(figure, "id"));
  const std::string source = escape_markup(text(figure, "claims_id"));
  const bool drawn = is_true(figure, "drawn");
  std::string html =
      fmt::format("<h3 id=\"{}\">{}</h3>\n<figure>\n", escape_markup(text(figure, "id")), title);
  if (drawn)
    html += picture_html(text(figure, "title"), stem + ".svg", text(figure, "alt"),
                         number(figure, "width", 800), number(figure, "height", 400));
  else
    html += fmt::format("<p class=\"note\">Not drawn, gnuplot was missing. {}</p>\n",
                        escape_markup(text(figure, "alt")));
  html += fmt::format(
      "<figcaption><p>{}</p>\n<p class=\"files\">{}<a href=\"{}.csv\">numbers (CSV)</a>",
      escape_markup(text(figure, "caption")), source.empty() ? "" : source + " · ", stem);
  if (drawn)
    html += fmt::format(" · <a href=\"{0}.svg\">SVG</a> · <a href=\"{0}.png\">PNG</a>", stem);
  if (is_true(figure, "page"))
    html += fmt::format(" · <a href=\"{}.html\">interactive page: {}</a>", stem, title);
  return html + "</p></figcaption>\n</figure>\n";
}

std::string title_of(const Chapter& chapter) {
  const std::string title = text(chapter.summary, "title");
  return escape_markup(title.empty() ? chapter.folder : chapter.folder + " · " + title);
}

std::string chapter_html(const Chapter& chapter) {
  std::string html = fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n",
                                 escape_markup(chapter.folder), title_of(chapter));
  if (chapter.summary.contains("checks_passed"))
    html += fmt::format("<p class=\"note\">{} checks passed, {} failed.</p>\n",
                        number(chapter.summary, "checks_passed", 0),
                        number(chapter.summary, "checks_failed", 0));
  else
    html +=
        "<p class=\"note\">This lab did not run to its end: figures below may be of an earlier "
        "run.</p>\n";
  for (const Json& figure : chapter.figures) html += figure_html(figure, chapter.folder);
  return html + "</section>\n";
}

/// Links to the figures of the documents, by their ids there.
std::string documents_html(const std::vector<Chapter>& chapters) {
  std::vector<std::pair<std::string, std::string>> links;
  for (const Chapter& chapter : chapters)
    for (const Json& figure : chapter.figures)
      if (const std::string source = text(figure, "claims_id"); !source.empty())
        links.emplace_back(
            source, fmt::format("<li>{} · <a href=\"#{}\">{}</a>, {}</li>\n", escape_markup(source),
                                escape_address(text(figure, "id")),
                                escape_markup(text(figure, "title")), chapter.folder));
  if (links.empty()) return "";
  std::sort(links.begin(), links.end());
  std::string list;
  for (const auto& link : links) list += link.second;
  return fmt::format(
      "<nav aria-label=\"Figures of the documents\">\n<details>\n"
      "<summary>The {} figures and tables of the documents D0 to D4</summary>\n"
      "<ul>\n{}</ul>\n</details>\n</nav>\n",
      links.size(), list);
}

}  // namespace

std::filesystem::path write_gallery(const std::filesystem::path& folder) {
  check<DataError>(fs::is_directory(folder), "no such folder: {}; run a lab first",
                   folder.string());
  std::vector<Chapter> chapters;
  for (const fs::path& path : sorted(folder, true)) {
    Chapter chapter = chapter_of(path);
    if (!chapter.figures.empty() || !chapter.summary.empty())
      chapters.push_back(std::move(chapter));
  }
  check<DataError>(!chapters.empty(), "no figures in {}; run a lab first", folder.string());
  std::string list, sections;
  for (const Chapter& chapter : chapters) {
    list += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", escape_address(chapter.folder),
                        title_of(chapter));
    sections += chapter_html(chapter);
  }
  const std::string claims =
      fs::exists(folder / "claims.html")
          ? "<p><a href=\"claims.html\">What texts on positional encoding claim, and what was "
            "measured</a></p>\n"
          : "";
  const fs::path page = folder / "index.html";
  write_file(page,
             html_page("Phasor: the figures",
                       fmt::format("<header>\n<h1>Phasor: the figures</h1>\n"
                                   "<p>What the labs drew, each with the numbers it was drawn "
                                   "from.</p>\n{}<nav aria-label=\"Labs\">\n<ul>\n{}</ul>\n"
                                   "</nav>\n{}</header>\n<main>\n{}</main>\n",
                                   claims, list, documents_html(chapters), sections)));
  return page;
}

}  // namespace phasor
