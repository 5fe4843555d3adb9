#include "phasor/figure/write.hpp"

#include <nlohmann/json.hpp>
#include <optional>

#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"
#include "phasor/figure/csv.hpp"
#include "phasor/figure/gnuplot.hpp"
#include "phasor/figure/interactive.hpp"
#include "phasor/figure/layout.hpp"
#include "phasor/figure/markup.hpp"
#include "phasor/figure/script.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEndOfPng = "IEND\xAE\x42\x60\x82";

void replace(std::string& text, std::string_view old, std::string_view fresh) {
  for (auto place = text.find(old); place != std::string::npos;
       place = text.find(old, place + fresh.size()))
    text.replace(place, old.size(), fresh);
}

/// gnuplot's SVG with the figure's own words, fonts for machines without DejaVu, and cells that
/// stay sharp when enlarged.
std::string finished_svg(std::string svg, const Figure& figure) {
  const auto begin = svg.find("<title>");
  const std::string_view end_tag = "</desc>";
  const auto end = svg.find(end_tag);
  check<DataError>(begin != std::string::npos && end != std::string::npos,
                   "gnuplot wrote an SVG without title and description; version 5.4 is known to "
                   "work");
  svg.replace(
      begin, end + end_tag.size() - begin,
      fmt::format("<title>{}</title>\n<desc>{}</desc>", escape_markup(drawable(figure.title)),
                  escape_markup(drawable(figure.alt))));
  replace(svg, "font-family=\"DejaVu Sans\"", "font-family=\"DejaVu Sans, Verdana, sans-serif\"");
  replace(svg, "<image ", "<image image-rendering='pixelated' ");
  return svg;
}

std::string metadata(const Figure& figure, bool drawn) {
  const Box paper = canvas(figure);
  nlohmann::ordered_json words = {{"id", figure.id},
                                  {"claims_id", figure.claims_id},
                                  {"title", figure.title},
                                  {"caption", figure.caption},
                                  {"alt", figure.alt},
                                  {"width", paper.width()},
                                  {"height", paper.height()},
                                  {"drawn", drawn},
                                  {"page", figure.interaction != Interaction::kNone}};
  using Json = nlohmann::ordered_json;  // bytes that are not UTF-8 become U+FFFD, as in the picture
  return words.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

struct Picture {
  std::string svg, png;
};

/// Nothing without gnuplot.
std::optional<Picture> drawn_picture(const Figure& figure) {
  const auto outputs = run_gnuplot(gnuplot_script(figure, gnuplot_output(0), gnuplot_output(1)), 2);
  if (!outputs) return std::nullopt;
  const std::string &svg = (*outputs)[0], &png = (*outputs)[1];
  // gnuplot does not notice that a disk is full.
  check<DataError>(
      svg.substr(0, svg.find_last_not_of('\n') + 1).ends_with("</svg>") && png.ends_with(kEndOfPng),
      "gnuplot's picture is cut short; free some space where its temporary files are, "
      "or set TMPDIR to another folder");
  return Picture{finished_svg(svg, figure), png};
}

}  // namespace

bool write_figure(const Figure& figure, const std::filesystem::path& folder) {
  check_figure(figure);
  const std::string stem = (folder / figure.id).string();
  const fs::path svg = stem + ".svg", png = stem + ".png";
  const std::string numbers = to_csv(figure);
  const std::optional<Picture> picture = drawn_picture(figure);
  const std::string words = metadata(figure, picture.has_value());
  std::string page;
  std::vector<NewFile> files = {{stem + ".csv", numbers}, {stem + ".json", words}};
  if (picture) files.insert(files.end(), {{svg, picture->svg}, {png, picture->png}});
  if (figure.interaction != Interaction::kNone) {
    page = interactive_page(figure, picture ? std::string_view(picture->svg) : std::string_view());
    files.push_back({stem + ".html", page});
  }
  write_files(files);
  if (!picture) {  // those of an earlier run would not show these numbers
    std::error_code ignored;
    fs::remove(svg, ignored);
    fs::remove(png, ignored);
  }
  return picture.has_value();
}

void check_figure_writable(const std::string& id, const std::filesystem::path& folder) {
  check_figure_id(id);
  for (const char* ending : {".csv", ".json", ".svg", ".png", ".html"})
    check_writable(folder / (id + ending));
}

}  // namespace phasor
