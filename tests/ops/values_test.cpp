// Values and gradients of the ops against PyTorch's (tests/golden/ops.py), float64.
#include <filesystem>
#include <set>

#include "phasor/autograd/backward.hpp"
#include "phasor/autograd/gradcheck.hpp"
#include "phasor/ops/ops.hpp"
#include "phasor/tensor/npy.hpp"
#include "tests/real_test.hpp"
#include "tests/tensor/closeness.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

#ifdef PHASOR_DOUBLE
// Relative to the largest element. Both sides round each of a few dozen operations, 1e-16 each, in
// another order; cancellation against the largest element costs at most two more digits.
constexpr double kBound = 1e-12;
#else
// The inputs are exact in float. Sums of at most 7 terms and a few operations around them: some
// twenty roundings of 6e-8. A wrong constant, epsilon or formula is off by 1e-4 and more.
constexpr double kBound = 1.2e-6;
#endif

const std::filesystem::path kFolder =
    std::filesystem::path(PHASOR_SOURCE_DIR) / "tests" / "golden" / "ops";

xt::xarray<double> golden(const std::string& name) {
  return read_npy<double>(kFolder / (name + ".npy"));
}

Indices golden_integers(const std::string& name) {
  return read_integers(kFolder / (name + ".npy"));
}

Tensor as_real(const xt::xarray<double>& x) { return xt::cast<Real>(x); }

struct GoldenOp {
  std::string op;
  std::vector<std::string> inputs;
  TensorFunction function;
};

std::vector<GoldenOp> golden_ops() {
  using Inputs = std::vector<Var>;
  const Indices targets = golden_integers("cross_entropy.targets");
  const std::int64_t ignored = golden_integers("cross_entropy.ignore_index")(0);
  const Indices tokens = golden_integers("embedding.tokens");
  return {
      {"softmax", {"x"}, [](const Inputs& in) { return softmax(in[0]); }},
      {"log_softmax", {"x"}, [](const Inputs& in) { return log_softmax(in[0]); }},
      {"cross_entropy",
       {"logits"},
       [=](const Inputs& in) { return cross_entropy(in[0], targets, ignored); }},
      {"layer_norm",
       {"x", "weight", "bias"},
       [](const Inputs& in) { return layer_norm(in[0], in[1], in[2]); }},
      {"rms_norm", {"x", "weight"}, [](const Inputs& in) { return rms_norm(in[0], in[1]); }},
      {"gelu_tanh", {"x"}, [](const Inputs& in) { return gelu_tanh(in[0]); }},
      {"gelu_erf", {"x"}, [](const Inputs& in) { return gelu_erf(in[0]); }},
      {"relu", {"x"}, [](const Inputs& in) { return relu(in[0]); }},
      {"silu", {"x"}, [](const Inputs& in) { return silu(in[0]); }},
      {"matmul", {"a", "b"}, [](const Inputs& in) { return matmul(in[0], in[1]); }},
      {"linear",
       {"x", "weight", "bias"},
       [](const Inputs& in) { return linear(in[0], in[1], in[2]); }},
      {"embedding", {"weight"}, [=](const Inputs& in) { return embedding(in[0], tokens); }},
  };
}

REAL_TEST(Values, equal_those_of_pytorch) {
  for (const GoldenOp& c : golden_ops()) {
    SCOPED_TRACE(c.op);
    std::vector<Var> leaves;
    for (const std::string& input : c.inputs)
      leaves.emplace_back(as_real(golden(c.op + "." + input)), true);
    const Var y = c.function(leaves);
    xt::xarray<double> wanted = golden(c.op + ".y");
    Tensor dy = as_real(golden(c.op + ".dy"));
    if (y.rank() == 0) {  // the files hold no scalars, but arrays of one element
      wanted.reshape(Shape{});
      dy.reshape(Shape{});
    }
    EXPECT_LE(relative_difference(y.value(), wanted), kBound) << "y";
    backward(y, dy);
    for (std::size_t i = 0; i < leaves.size(); ++i)
      EXPECT_LE(relative_difference(leaves[i].grad(), golden(c.op + ".d" + c.inputs[i])), kBound)
          << "d" << c.inputs[i];
  }
}

REAL_TEST(Values, every_golden_op_is_compared) {
  std::set<std::string> compared, stored;
  for (const GoldenOp& c : golden_ops()) compared.insert(c.op);
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".npy") stored.insert(name.substr(0, name.find('.')));
  }
  EXPECT_EQ(compared, stored);
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
