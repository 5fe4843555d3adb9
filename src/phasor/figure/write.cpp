#include "phasor/figure/write.hpp"

#include <unistd.h>

#include <nlohmann/json.hpp>

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
  svg.replace(begin, end + end_tag.size() - begin,
              fmt::format("<title>{}</title>\n<desc>{}</desc>", escape_markup(figure.title),
                          escape_markup(figure.alt)));
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
  return words.dump(2) + "\n";
}

/// Files gnuplot writes to before they are known to be whole.
struct Drafts {
  fs::path svg, png;
  explicit Drafts(const fs::path& stem)
      : svg(fmt::format("{}.{}.svg.part", stem.string(), ::getpid())),
        png(fmt::format("{}.{}.png.part", stem.string(), ::getpid())) {}
  Drafts(const Drafts&) = delete;
  Drafts& operator=(const Drafts&) = delete;
  ~Drafts() {
    std::error_code ignored;
    fs::remove(svg, ignored);
    fs::remove(png, ignored);
  }
};

}  // namespace

bool write_figure(const Figure& figure, const std::filesystem::path& folder) {
  check_figure(figure);
  make_folder(folder);
  const fs::path stem = fs::absolute(folder / figure.id);
  const fs::path svg = stem.string() + ".svg", png = stem.string() + ".png";
  write_file(stem.string() + ".csv", to_csv(figure));
  const Drafts drafts(stem);
  std::string picture;
  const bool drawn = run_gnuplot(gnuplot_script(figure, drafts.svg, drafts.png));
  if (drawn) {
    picture = finished_svg(read_file(drafts.svg), figure);
    write_file(svg, picture);
    write_file(png, read_file(drafts.png));
  } else {
    std::error_code ignored;
    fs::remove(svg, ignored);
    fs::remove(png, ignored);
  }
  if (figure.interaction != Interaction::kNone)
    write_file(stem.string() + ".html", interactive_page(figure, picture));
  write_file(stem.string() + ".json", metadata(figure, drawn));
  return drawn;
}

}  // namespace phasor
