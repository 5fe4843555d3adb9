// Lab 02: write the matrix that moves an encoding along, prove its laws, and see how far a number
// of 32 bits can be trusted with them.
#include "labs/common/lab.hpp"
#include "labs/common/table.hpp"
#include "labs/lab02_rotation/exercise.hpp"
#include "labs/lab02_rotation/proof.hpp"
#include "phasor/course/shift/figures.hpp"

namespace phasor::lab02 {
namespace {

void predict(Lab& lab) {
  lab.section("predict", "write your answers down before you read on");
  lab.say("1. How many of the 64 x 64 entries of M_k are not zero?");
  lab.say(
      "2. A program in single precision compares PE(10 + k) with M_k PE(10) for k = 1, 5, 10, 50, "
      "100 and wants the difference below 1e-6. For which k does it get it?");
  lab.say(
      "3. Put M_-2 between query and key, with nothing but encodings in both. Does attention find "
      "the position two back? How much of the weight does it get?");
}

void build(Lab& lab) {
  lab.section("build", "M_1 at width 4: two rotations");
  std::vector<std::string> columns;
  for (int i = 0; i < 4; ++i) columns.push_back(fmt::to_string(i));
  lab.say("Base 10000, so w_0 = 1 and w_1 = 0.01: cos 1 = {:.4f}, sin 1 = {:.4f}.", std::cos(1.0),
          std::sin(1.0));
  lab.show(table(::shift_matrix(1, 4, kShiftBase), "M_1", columns, 4));
  lab.say("Times PE(0) = (0, 1, 0, 1) this is its columns 1 and 3 added: PE(1).");
}

void experiment(Lab& lab, const Evidence& evidence) {
  lab.section("experiment", "the same check in single and in double precision");
  std::vector<std::vector<std::string>> rows = {{"k", "single", "double", "single below 1e-6"}};
  for (const int k : kShifts) {
    const double single = shift_error_in_float(kShiftFrom, k, kShiftWidth, kShiftBase);
    rows.push_back(
        {fmt::to_string(k), fmt::format("{:.2e}", single),
         fmt::format("{:.2e}", shift_error_in_double(kShiftFrom, k, kShiftWidth, kShiftBase)),
         single < 1e-6 ? "yes" : "no"});
  }
  lab.show(table(rows));
  lab.figure(shift_error_figure(evidence, lab.full() ? 2000 : 100));
  lab.figure(look_back_figure(evidence));
}

void explain(Lab& lab) {
  lab.section("explain", "answer from the figures");
  lab.say(
      "The law is exact, and yet the check fails at k = 50 in single precision. Which pairs of "
      "dimensions make the error, the fast or the slow ones, and why does it grow with p + k? And "
      "why has pair 0, the fastest of all, next to none? Look at lab02-error and at the angles in "
      "lab02-turns.");
}

void run(Lab& lab) {
  predict(lab);
  if (!lab.check_usable("shift_matrix(3, 8, 50) is an 8 x 8 array of finite numbers",
                        [] { return unusable(::shift_matrix); }))
    return;
  const Evidence evidence = {.shift = ::shift_matrix};
  build(lab);
  lab.section("check", "is it the matrix, and does it keep its laws?");
  print_checks(lab, prove(::shift_matrix), kCauses);
  if (!lab.goes_on()) return;
  lab.section("look", "the matrix, and by how much it turns");
  lab.figure(shift_matrix_figure(evidence));
  lab.figure(turns_figure(evidence));
  experiment(lab, evidence);
  lab.audit(evidence);
  explain(lab);
}

}  // namespace
}  // namespace phasor::lab02

int main(int argc, char** argv) {
  return phasor::run_lab({"lab02_rotation", "Moving is rotating",
                          "Write the matrix that moves an encoding, and prove what it keeps."},
                         argc, argv, {}, phasor::lab02::run);
}
