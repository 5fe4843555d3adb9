// The pages that answer to a pointer: what is in the file. What they do in a browser is tested in
// tests/pages/.
#include "phasor/figure/interactive.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"
#include "phasor/figure/markup.hpp"
#include "phasor/figure/write.hpp"
#include "tests/figure/sample.hpp"

namespace phasor {
namespace {

Figure matrix_figure(Interaction interaction = Interaction::kMatrix) {
  Figure figure = test::sample_figure("answers");
  const xt::xarray<double> values = {{1, 0.1 + 0.2}, {-0.25, 1}};
  figure.panels = {{.x = {.title = "position </script>"},
                    .y = {.title = "position p"},
                    .content = HeatmapPanel{.values = values, .value_title = "cosine"}}};
  figure.interaction = interaction;
  return figure;
}

nlohmann::json data_in(const std::string& html) {
  const std::string begin = "id=\"data\">";
  const std::size_t place = html.find(begin) + begin.size();
  return nlohmann::json::parse(html.substr(place, html.find("</script>", place) - place));
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Interactive, HoldsTheNumbersOfTheFigureInFull) {
  const auto data = data_in(interactive_page(matrix_figure(), ""));
  EXPECT_EQ(data["rows"], 2);
  EXPECT_EQ(data["columns"], 2);
  EXPECT_EQ(data["values"].get<std::vector<double>>(),
            (std::vector<double>{1, 0.1 + 0.2, -0.25, 1}));
  EXPECT_EQ(data["low"], -1);  // the ends of the figure's own colour bar
  EXPECT_EQ(data["high"], 1);
  EXPECT_EQ(data["columnTitle"], "position </script>");
}

TEST(Interactive, StandsAloneAndFallsBackOnThePicture) {
  for (const Interaction interaction : {Interaction::kMatrix, Interaction::kViews}) {
    const std::string html = interactive_page(matrix_figure(interaction), "<svg>picture</svg>");
    EXPECT_EQ(html.find("http"), std::string::npos);
    EXPECT_EQ(html.find(" src=\"data:image/svg+xml;base64,PHN2Zz5waWN0dXJlPC9zdmc+\""),
              html.find(" src="));
    EXPECT_EQ(count(html, " src="), 1u);
    EXPECT_NE(html.find("<div id=\"interactive\" hidden>"), std::string::npos);
    EXPECT_NE(html.find("alt=\"Alt text: &quot;quoted&quot;"), std::string::npos);
    EXPECT_NE(html.find("tabindex=\"0\" role=\"application\""), std::string::npos);
    EXPECT_EQ(count(html, "</script>"), 2u);
    const bool views = interaction == Interaction::kViews;
    EXPECT_EQ(count(html, "type=\"range\""), views ? 4u : 0u);
    EXPECT_EQ(count(html, "<label"), views ? 6u : 0u);
  }
}

TEST(Interactive, WithoutAPictureTheWordsAreThere) {
  const std::string html = interactive_page(matrix_figure(), "");
  EXPECT_EQ(html.find("<img"), std::string::npos);
  EXPECT_NE(html.find("Alt text: &quot;quoted&quot;"), std::string::npos);
}

TEST(Interactive, IsWrittenBesideItsFigure) {
  const test::TemporaryFolder folder;
  write_figure(matrix_figure(), folder.path());
  write_figure(test::sample_figure("plain"), folder.path());
  const auto words = [&](const std::string& id) {
    return nlohmann::json::parse(read_file(folder.path() / (id + ".json")));
  };
  EXPECT_TRUE(words("answers")["page"]);
  EXPECT_FALSE(words("plain")["page"]);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "plain.html"));
  const std::string svg = read_file(folder.path() / "answers.svg");
  EXPECT_EQ(read_file(folder.path() / "answers.html"), interactive_page(matrix_figure(), svg));
}

TEST(Interactive, NeedsAHeatmapFirstAndASquareOneForPositions) {
  Figure figure = test::sample_figure();
  figure.interaction = Interaction::kViews;
  EXPECT_THROW(check_figure(figure), ConfigError);
  figure = matrix_figure();
  EXPECT_NO_THROW(check_figure(figure));
  std::get<HeatmapPanel>(figure.panels[0].content).values = xt::ones<double>({2, 3});
  EXPECT_THROW(check_figure(figure), ConfigError);
  figure.interaction = Interaction::kViews;
  EXPECT_NO_THROW(check_figure(figure));
}

TEST(Markup, Base64IsThatOfTheStandard) {
  // RFC 4648, section 10.
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

}  // namespace
}  // namespace phasor
