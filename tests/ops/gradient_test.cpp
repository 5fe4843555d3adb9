// The gradient of every op, with every option, against finite differences.
#include <cstdio>
#include <filesystem>
#include <map>
#include <regex>

#include "phasor/core/file.hpp"
#include "tests/ops/layout_cases.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

#ifdef PHASOR_DOUBLE
// The project's bound. A right gradient stays far below: with h = 1e-3 the differences truncate by
// h^4 = 1e-12 times the fifth derivative, and rounding adds 1e-16 / h = 1e-13 times the loss. A
// wrong factor or a missing term is off by at least the share of that term, 1e-2 and more.
constexpr double kBound = 1e-6;
constexpr const char* kReal = "double";
#else
// A smoke check: rounding adds 1e-7 / h = 1e-4 times the loss, a sum of up to 120 numbers.
constexpr double kBound = 5e-2;
constexpr const char* kReal = "float";
#endif

struct Summary {
  std::size_t cases = 0;
  double largest = 0;
  std::string variant;  ///< where the largest error was
};

REAL_TEST(Gradient, of_every_op_equals_differences) {
  std::map<std::string, Summary> table;
  for (const OpCase& c : all_cases()) {
    const GradcheckResult result = gradcheck(c.function, c.inputs);
    EXPECT_LT(result.relative_error, kBound)
        << c.op << ", " << c.variant << ", input " << result.worst_input;
    Summary& summary = table[c.op];
    if (!(result.relative_error <= summary.largest) || summary.cases == 0) {
      summary.largest = result.relative_error;
      summary.variant = c.variant;
    }
    ++summary.cases;
  }
  std::printf("%-14s %5s  %-22s %s (%s)\n", "op", "cases", "largest relative error", "in", kReal);
  for (const auto& [op, summary] : table) {
    const std::string error = fmt::format("{:.1e}", summary.largest);
    std::printf("%-14s %5zu  %-22s %s\n", op.c_str(), summary.cases, error.c_str(),
                summary.variant.c_str());
  }
}

/// How often each function that returns a Var is declared in the headers of the ops.
std::map<std::string, std::size_t> declared_ops() {
  std::map<std::string, std::size_t> result;
  const std::regex declaration(R"((?:^|\n)(?:inline )?Var (operator\S|\w+)\()");
  const auto folder = std::filesystem::path(PHASOR_SOURCE_DIR) / "src" / "phasor" / "ops";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".hpp") continue;
    const std::string text = read_file(entry.path());
    for (std::sregex_iterator found(text.begin(), text.end(), declaration), end; found != end;
         ++found)
      ++result[(*found)[1]];
  }
  return result;
}

REAL_TEST(Gradient, the_table_has_every_op) {
  std::map<std::string, std::size_t> cases;
  for (const OpCase& c : all_cases()) ++cases[c.op];
  const auto declared = declared_ops();
  EXPECT_GE(declared.size(), 20u) << "the headers were not understood";
  for (const auto& [op, overloads] : declared)
    EXPECT_GE(cases[op], overloads) << op << " is declared in src/phasor/ops but not checked";
  for (const auto& [op, count] : cases)
    EXPECT_TRUE(declared.contains(op)) << op << " is checked but not declared in src/phasor/ops";
}

/// What an op read must not change, and gradients must not depend on what requires one.
REAL_TEST(Gradient, of_one_input_alone_is_the_same) {
  for (const OpCase& c : all_cases()) {
    const auto gradient_of = [&](std::size_t wanted, bool alone) {
      Inputs leaves;
      for (std::size_t i = 0; i < c.inputs.size(); ++i)
        leaves.emplace_back(c.inputs[i], !alone || i == wanted);
      const Var y = c.function(leaves);
      backward(y, normal(y.shape(), 7));
      for (std::size_t i = 0; i < leaves.size(); ++i)
        EXPECT_TRUE(identical(leaves[i].value(), c.inputs[i])) << c.op << " changed input " << i;
      for (std::size_t i = 0; i < leaves.size(); ++i)
        EXPECT_EQ(leaves[i].has_grad(), leaves[i].requires_grad()) << c.op << ", " << c.variant;
      return leaves[wanted].grad();
    };
    for (std::size_t i = 0; i < c.inputs.size(); ++i)
      EXPECT_TRUE(identical(gradient_of(i, true), gradient_of(i, false)))
          << c.op << ", " << c.variant << ", input " << i;
  }
}

/// A gradient is added to what is there: here to that of an earlier use of the same leaf.
REAL_TEST(Gradient, of_every_op_is_added) {
  for (const OpCase& c : all_cases()) {
    Inputs leaves, fresh;
    for (const Tensor& input : c.inputs) {
      leaves.emplace_back(input, true);
      fresh.emplace_back(input, true);
      backward(leaves.back(), full(shape_of(input), 64));
    }
    const Var y = c.function(leaves), again = c.function(fresh);
    const Tensor dy = normal(y.shape(), 7);
    backward(y, dy);
    backward(again, dy);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      Tensor wanted = fresh[i].grad();
      for (Real& value : wanted.storage()) value += 64;
      // Relative to 64: kernels that add term by term round once per term, at most 24 of them.
      EXPECT_LE(relative_difference(leaves[i].grad(), wanted), 24 * kEpsilon)
          << c.op << ", " << c.variant << ", input " << i;
    }
  }
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
