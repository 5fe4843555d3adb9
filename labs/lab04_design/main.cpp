// Lab 04: replace one choice of the sinusoidal encoding at a time, and see what breaks.
#include "labs/common/lab.hpp"
#include "labs/common/table.hpp"
#include "labs/lab04_design/exercise.hpp"
#include "labs/lab04_design/figures.hpp"
#include "labs/lab04_design/proof.hpp"
#include "phasor/core/error.hpp"
#include "phasor/course/claim.hpp"
#include "phasor/course/design/figures.hpp"

namespace phasor::lab04 {
namespace {

void predict(Lab& lab) {
  lab.section("predict", "write your answers down before you read on");
  lab.say(
      "1. For which of these angles is there one fixed matrix that moves every row five positions "
      "on: p w, p w with linearly spaced w, p squared times w, ln(1 + p) w, w / (1 + p)? And for "
      "p w, but with the sines only?");
  lab.say(
      "2. With the one frequency 1 in all pairs: which positions below 50 look most like position "
      "0?");
  lab.say("3. Would base 8192 do as well as 10000? Would 100?");
}

void build(Lab& lab) {
  lab.section("build", "one pair of every design, and the matrix that moves it by one");
  std::vector<std::vector<std::string>> rows = {{"angle of pair 0", "p = 0", "1", "2", "3", "10"}};
  for (const char* design : kDesigns) {
    rows.push_back({design});
    for (const std::size_t p : {0, 1, 2, 3, 10})
      rows.back().push_back(fmt::format("{:.4f}", angles(design, p, 0, 2)));
  }
  lab.show(table(rows));
  lab.say(
      "The matrix for k = 1 and \"real\": the rotation by one radian, with cos 1 = {:.4f} and "
      "sin 1 = {:.4f}.",
      std::cos(1.0), std::sin(1.0));
  lab.show(table(fit_shift(table_of(angles, "real", 128, 2), 1), "M_1", {"0", "1"}, 4));
}

void look(Lab& lab, const ChoiceSetting& setting) {
  lab.section("look", "two tests that every design has to pass");
  const AnglesByName by_name = [](const std::string& design) { return named(angles, design); };
  const ShiftResidual residual = [](const xt::xarray<double>& rows, std::size_t k) {
    return residual_of(fit_shift, rows, k);
  };
  const std::vector<Choice> choices = measured_choices(setting, by_name, residual);
  lab.figure(choices_figure(choices, setting));
  std::vector<std::vector<std::string>> rows = {
      {"design", "one pair", fmt::format("{} columns", setting.width), "nearest far"}};
  for (const Choice& choice : choices)
    rows.push_back({choice.label, fmt::format("{:.1e}", choice.one_pair),
                    fmt::format("{:.1e}", choice.all_pairs),
                    fmt::format("{:.2g}", choice.nearest)});
  lab.show(table(rows));
  std::vector<DesignRows> maps;
  for (const auto& [design, title] :
       std::vector<std::pair<std::string, std::string>>{{"real", "real: p w"},
                                                        {"linear", "linear steps"},
                                                        {"one", "one frequency"},
                                                        {"square", "p squared"},
                                                        {"log", "log p"},
                                                        {"inverse", "1 / p"}})
    maps.push_back({title, table_of(angles, design, 112, 32)});
  lab.figure(collisions_figure(maps));
}

void experiment(Lab& lab) {
  lab.section("experiment", "other bases, other spacings");
  lab.figure(bases_figure(10001));
  lab.figure(fourier_figure(table_of(angles, "real", 128, 64)));
}

void explain(Lab& lab) {
  lab.section("explain", "answer from the figures");
  lab.say(
      "Five choices: the position in the numerator, dividing it, the base, the geometric exponent, "
      "the cosine beside the sine. For each, say which of the two tests in lab04-choices fails "
      "without it (it may be both), and, for all but the cosine, where lab04-collisions or "
      "lab04-bases shows it. For one of the five neither "
      "test fails: which, and what does it decide?");
}

void run(Lab& lab, const ChoiceSetting& setting) {
  phasor::check<ConfigError>(setting.width % 2 == 0,
                             "[lab04] --width must be even, got {}; choose {}", setting.width,
                             setting.width + 1);
  predict(lab);
  if (!lab.check_usable("angles(\"real\", 1, 0, 8) is a finite number",
                        [] { return unusable(angles); }) ||
      !lab.check_usable("fit_shift of a 12 x 4 table is a 4 x 4 array of finite numbers",
                        [] { return unusable(fit_shift); }))
    return;
  build(lab);
  lab.section("check", "are these the angles, and is it the best matrix?");
  print_checks(lab, prove_angles(angles), kCauses);
  print_checks(lab, prove_fit(fit_shift), kCauses);
  print_checks(lab, prove_residuals(angles, fit_shift), kCauses);
  if (!lab.goes_on()) return;
  look(lab, setting);
  experiment(lab);
  lab.audit();
  explain(lab);
}

}  // namespace
}  // namespace phasor::lab04

int main(int argc, char** argv) {
  std::int64_t width = 8, shift = 5;
  const std::vector<phasor::ExtraOption> extras = {
      {"--width", "columns that the matrix of lab04-choices may mix, even", &width, 2, 64},
      {"--shift", "positions that it moves a row by", &shift, 1, 60}};
  return phasor::run_lab({"lab04_design", "The design choices",
                          "Replace one choice of the encoding at a time, and see what breaks."},
                         argc, argv, extras, [&](phasor::Lab& lab) {
                           phasor::ChoiceSetting setting;
                           setting.width = static_cast<std::size_t>(width);
                           setting.shift = static_cast<std::size_t>(shift);
                           phasor::lab04::run(lab, setting);
                         });
}
