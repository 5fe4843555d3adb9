// Lab 03: write the inner products of all pairs by distance, prove that distance decides them, and
// see what they keep of it.
#include "labs/common/lab.hpp"
#include "labs/common/table.hpp"
#include "labs/lab03_inner_product/exercise.hpp"
#include "labs/lab03_inner_product/figures.hpp"
#include "labs/lab03_inner_product/proof.hpp"
#include "phasor/analysis/similarity.hpp"
#include "phasor/core/error.hpp"
#include "phasor/course/product/figures.hpp"

namespace phasor::lab03 {
namespace {

constexpr double kBase = 10000;

/// Of the encoding whose lines are drawn.
struct Setting {
  std::int64_t positions = 15, width = 8;
  double base = kBase;
  xt::xarray<double> encoding() const {
    return sinusoid(static_cast<std::size_t>(positions), static_cast<std::size_t>(width), base);
  }
};

void predict(Lab& lab) {
  lab.section("predict", "write your answers down before you read on");
  lab.say(
      "1. Fifteen positions, width 8. Is PE(2) . PE(5) larger than PE(9) . PE(12), smaller, or the "
      "same?");
  lab.say("2. And PE(0) . PE(6): is it smaller than PE(0) . PE(1)?");
  lab.say(
      "3. At width 512, what is left of PE(0) . PE(0) = 256 at distance 1000: nearly nothing, a "
      "fifth, or a half?");
}

void build(Lab& lab) {
  lab.section("build", "5 positions, width 4");
  lab.say(
      "A row is a distance D, a column the first position i of the pair. At distance 1 it is cos 1 "
      "+ cos 0.01 = {:.4f} + {:.4f}:",
      std::cos(1.0), std::cos(0.01));
  std::vector<std::string> columns;
  for (int i = 0; i < 5; ++i) columns.push_back(fmt::format("i = {}", i));
  lab.show(table(dots_by_distance(sinusoid(5, 4)), "D", columns, 4));
}

void look(Lab& lab, const Setting& setting) {
  lab.section("look", "the same numbers as pictures");
  lab.figure(
      flat_figure(dots_by_distance(setting.encoding()), static_cast<std::size_t>(setting.width)));
  lab.figure(similarity_figure(sinusoid(24, 32)));
  lab.figure(properties_figure(sinusoid(512, 128)));
}

Fall fall_of(std::size_t positions, std::size_t width) {
  Fall fall{width, dots_from(sinusoid(positions, width))};
  const double whole = fall.shares[0];
  for (double& share : fall.shares) share /= whole;
  return fall;
}

void experiment(Lab& lab) {
  lab.section("experiment", "how far does it fall, and what does a matrix between do?");
  const std::vector<Fall> falls = {fall_of(10001, 32), fall_of(10001, 128), fall_of(10001, 512)};
  lab.figure(decay_figure(falls, kBase));
  lab.say(
      "Up to which distance does a product belong to one distance only? And how often does the "
      "next distance have the larger product (1,001 positions)?");
  std::vector<std::vector<std::string>> rows = {
      {"width", "p = 1", "p = 6", "p = 1000", "readable up to", "steps up of 1000"}};
  for (const std::size_t width : {8, 32, 128, 512}) {
    const Fall fall = fall_of(1001, width);
    const auto share = [&](std::size_t p) { return fmt::format("{:.3f}", fall.shares[p]); };
    rows.push_back({fmt::to_string(width), share(1), share(6), share(1000),
                    fmt::to_string(readable_up_to(fall.shares)),
                    fmt::to_string(steps_up(fall.shares))});
  }
  lab.show(table(rows));
  lab.figure(between_figure(sinusoid(64, 32), lab.options().seed));
}

void explain(Lab& lab) {
  lab.section("explain", "answer from the figures");
  lab.say(
      "Attention compares a query with a key by their product. If both were raw encodings, what "
      "could it know of another token: that it is near, how far away it is, on which side it "
      "stands, where in the text both are? Say for each which of lab03-flat, lab03-decay and "
      "lab03-between shows it, and what a matrix between the two adds.");
}

void run(Lab& lab, const Setting& setting) {
  phasor::check<ConfigError>(setting.width % 2 == 0,
                             "[lab03] --width must be even, got {}; choose {}", setting.width,
                             setting.width + 1);
  predict(lab);
  if (!lab.check_usable("dots_by_distance of 5 positions is 5 x 5, finite where i + D < 5",
                        [] { return unusable(dots_by_distance); }))
    return;
  build(lab);
  lab.section("check", "does distance decide, and nothing else?");
  print_checks(lab, prove(dots_by_distance), kCauses);
  if (!lab.goes_on()) return;
  look(lab, setting);
  experiment(lab);
  lab.audit();
  explain(lab);
}

}  // namespace
}  // namespace phasor::lab03

int main(int argc, char** argv) {
  phasor::lab03::Setting setting;
  const std::vector<phasor::ExtraOption> extras = {
      {"--positions", "positions of lab03-flat", &setting.positions, 3, 500},
      {"--width", "width of the encoding in lab03-flat, even", &setting.width, 2, 1024},
      {"--base", "its base", &setting.base, 1, 1e9}};
  return phasor::run_lab({"lab03_inner_product", "The inner product",
                          "Write the inner products by distance, prove that distance decides."},
                         argc, argv, extras,
                         [&](phasor::Lab& lab) { phasor::lab03::run(lab, setting); });
}
