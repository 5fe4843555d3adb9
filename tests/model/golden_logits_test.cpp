// Logits of every scheme variant against the PyTorch twin, from the same weights.
#include "phasor/train/checkpoint.hpp"
#include "tests/golden_files.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

// Two layers of sums over at most 192 terms: about 1e-15 and 1e-6 of rounding, with room for ten.
constexpr double kTolerance = sizeof(Real) == 8 ? 1e-13 : 1e-5;

REAL_TEST(GoldenLogits, agree_with_pytorch_for_every_variant) {
  std::size_t variants = 0;
  for (const auto& entry : std::filesystem::directory_iterator(golden_path("logits"))) {
    const std::string folder = "logits/" + entry.path().filename().string() + "/";
    Rng rng(1);
    Gpt model(config_from_json(golden_json(folder + "config.json")), rng);
    load_weights(golden_path(folder + "weights.safetensors"), model);
    const Tensor logits = model(read_integers(golden_path(folder + "tokens.npy"))).value();
    EXPECT_LE(relative_difference(logits, golden_doubles(folder + "logits.npy")), kTolerance)
        << folder;
    ++variants;
  }
  EXPECT_GE(variants, 10U);
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
