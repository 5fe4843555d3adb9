// Lab 01: write the sinusoidal encoding, prove it, look at it, and measure what it says of
// distance.
#include <array>
#include <cmath>

#include "labs/common/lab.hpp"
#include "labs/common/table.hpp"
#include "labs/lab01_sinusoid/exercise.hpp"
#include "labs/lab01_sinusoid/proof.hpp"
#include "phasor/analysis/frequency.hpp"
#include "phasor/analysis/similarity.hpp"
#include "phasor/core/error.hpp"
#include "phasor/course/sinusoid/figures.hpp"

namespace phasor::lab01 {
namespace {

using namespace sinusoids;

constexpr std::array<std::size_t, 4> kWidths = {8, 32, 128, 512};

/// The base of the pictures, and the size of the clocks: that of lab01-decay, unless one is given.
struct Setting {
  std::int64_t positions = 64, width = 32;
  double base = kBase;
  xt::xarray<double> encoding(std::size_t rows, std::size_t columns) const {
    return sinusoidal_pe(rows, columns, base);
  }
};

std::vector<std::string> column_names(std::size_t width) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < width; ++i)
    names.push_back(fmt::format("{}(p w{})", i % 2 == 0 ? "sin" : "cos", i / 2));
  return names;
}

void predict(Lab& lab) {
  lab.section("predict", "write your answers down before you read on");
  lab.say("1. In the heatmap of 64 positions by 32 dimensions, which side has the narrow stripes?");
  lab.say(
      "2. From p = 0 to p = 63, does PE(0) . PE(p) fall at every step? If not, at how many of "
      "the 63 steps does it rise?");
  lab.say("3. How long is the longest wave at width 32 with base 10000, in positions?");
}

void build(Lab& lab, const xt::xarray<double>& small, const xt::xarray<double>& worked) {
  lab.say(
      "The frequencies are w0 = {:g} and w1 = {:g}. Sines fill the even columns, cosines the odd "
      "ones:",
      frequencies(4, kBase)[0], frequencies(4, kBase)[1]);
  lab.show(table(small, "p", column_names(4), 4));
  lab.figure(table_figure(small));
  lab.say(
      "The same with 4 positions and width 8. At the left the values change at every position, "
      "at the right hardly at all:");
  lab.show(table(worked, "p", column_names(8), 2));
  lab.figure(worked_figure(worked));
}

void look(Lab& lab, const Setting& setting, const xt::xarray<double>& pe) {
  lab.section("look", "the same numbers as pictures");
  const double base = setting.base;
  if (base != kBase)
    lab.say(
        "From here on the base is {:g}. Only lab01-wavelengths and the audit stay at {:g}, as the "
        "tables and the checks above.",
        base, kBase);
  lab.figure(heatmap_figure(pe, base));
  lab.figure(waves_figure(pe, base));
  lab.figure(views_figure(setting.encoding(30, 32), base));
  lab.figure(wavelengths_figure(sinusoidal_pe));
  const auto positions = static_cast<std::size_t>(setting.positions);
  const auto width = static_cast<std::size_t>(setting.width);
  lab.figure(clocks_figure(setting.encoding(positions, width), base));
  lab.figure(overview_figure(setting.encoding(100, 128), base));
}

/// PE(0) . PE(p) must be the sum of cos(p w_k): sin(0) = 0 removes the sines and cos(0) = 1 keeps
/// the cosines.
double largest_error_of_cosines(const std::vector<double>& dots, std::size_t width, double base) {
  const std::vector<double> w = frequencies(width, base);
  double error = 0;
  for (std::size_t p = 0; p < dots.size(); ++p) {
    double sum = 0;
    for (const double frequency : w) sum += std::cos(static_cast<double>(p) * frequency);
    error = std::max(error, std::abs(sum - dots[p]));
  }
  return error;
}

void experiment(Lab& lab, const Setting& setting, const std::vector<double>& dots) {
  lab.section("experiment", "what does the dot product say of distance?");
  lab.figure(decay_figure(dots, 32, setting.base));
  lab.check("width 32: largest |PE(0) . PE(p) - sum of cos(p w_k)|",
            largest_error_of_cosines(dots, 32, setting.base), 0, kRounding);
  lab.say("Other widths, as a share of the value at p = 0, with 1001 positions:");
  std::vector<std::vector<std::string>> rows = {
      {"width", "p = 1", "p = 10", "p = 100", "p = 1000", "least", "at p", "steps up of 1000"}};
  for (const std::size_t width : kWidths) {
    const std::vector<double> far = dots_from(setting.encoding(1001, width));
    const auto least = std::min_element(far.begin(), far.end()) - far.begin();
    const auto share = [&](std::size_t p) { return fmt::format("{:.3f}", far[p] / far[0]); };
    rows.push_back({fmt::to_string(width), share(1), share(10), share(100), share(1000),
                    share(static_cast<std::size_t>(least)), fmt::to_string(least),
                    fmt::to_string(steps_up(far))});
  }
  lab.show(table(rows));
}

void explain(Lab& lab) {
  lab.section("explain", "answer from the figures");
  lab.say(
      "PE(0) . PE(p) is a sum of cosines, one a clock. Which clocks make it fall quickly in the "
      "first steps, which make it rise again later, and which keep it far from zero at p = 63? "
      "Look at lab01-clocks and lab01-decay together.");
}

void run(Lab& lab, const Setting& setting) {
  phasor::check<ConfigError>(setting.width % 2 == 0,
                             "[lab01] --width must be even, got {}; choose {}", setting.width,
                             setting.width + 1);
  predict(lab);
  lab.section("build", "the 5 x 4 table in two steps");
  if (!lab.check_usable("sinusoidal_pe(4, 8, base) is a 4 x 8 array of finite numbers",
                        [] { return unusable(sinusoidal_pe); }))
    return;
  const xt::xarray<double> worked = sinusoidal_pe(4, 8, kBase);
  const xt::xarray<double> small = sinusoidal_pe(5, 4, kBase);
  const xt::xarray<double> pe = setting.encoding(64, 32);
  const std::vector<double> dots = dots_from(pe);
  build(lab, small, worked);
  lab.section("check", "is it the encoding?");
  print_checks(lab, prove(sinusoidal_pe), kCauses);
  if (!lab.goes_on()) return;
  look(lab, setting, pe);
  experiment(lab, setting, dots);
  lab.audit({.encode = sinusoidal_pe});
  explain(lab);
}

}  // namespace
}  // namespace phasor::lab01

int main(int argc, char** argv) {
  phasor::lab01::Setting setting;
  const std::vector<phasor::ExtraOption> extras = {
      {"--positions", "positions the clocks run over", &setting.positions, 2, 100000},
      {"--width", "width of the encoding on the clocks, even", &setting.width, 2, 32},
      {"--base", "base of the encoding in the pictures", &setting.base, 1, 1e9}};
  return phasor::run_lab({"lab01_sinusoid", "Sinusoidal encoding",
                          "Write the sinusoidal encoding, prove it, look at it."},
                         argc, argv, extras,
                         [&](phasor::Lab& lab) { phasor::lab01::run(lab, setting); });
}
