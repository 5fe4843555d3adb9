// Every refusal of the ops: the type of the error, and that it names the wanted and the given.
#include "phasor/ops/ops.hpp"
#include "tests/core/expect_error.hpp"
#include "tests/real_test.hpp"
#include "tests/tensor/closeness.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

Var of_shape(const Shape& shape) { return Var(normal(shape), true); }

REAL_TEST(OpErrors, elementwise) {
  const Var a = of_shape({2, 3}), b = of_shape({4});
  expect_error<ShapeError>([&] { add(a, b); }, {"[add]", "[2, 3] and [4]", "3 against 4", "equal"});
  expect_error<ShapeError>([&] { a + b; }, {"[add]", "[2, 3] and [4]"});
  expect_error<ShapeError>([&] { sub(a, b); }, {"[sub]", "[2, 3] and [4]"});
  expect_error<ShapeError>([&] { a - b; }, {"[sub]", "[2, 3] and [4]"});
  expect_error<ShapeError>([&] { mul(b, a); }, {"[mul]", "[4] and [2, 3]", "axis -1"});
  expect_error<ShapeError>([&] { b* a; }, {"[mul]", "[4] and [2, 3]"});
  for (const Shape& mask : {Shape{2}, Shape{3, 2}, Shape{1, 2, 3}})
    expect_error<ShapeError>([&] { masked_fill(a, Mask(mask, true), 0); },
                             {"[masked_fill]", fmt::format("{}", mask), "[2, 3]", "last axes"});
}

REAL_TEST(OpErrors, matmul) {
  const auto product = [](const Shape& a, const Shape& b, bool transposed = false) {
    return [=] { matmul(of_shape(a), of_shape(b), {transposed, 1}); };
  };
  expect_error<ShapeError>(product({3}, {3, 2}), {"[matmul]", "at least 2 axes", "[3] and [3, 2]"});
  expect_error<ShapeError>(product({2, 3}, {3}), {"[matmul]", "at least 2 axes", "[2, 3] and [3]"});
  expect_error<ShapeError>(product({2, 3}, {4, 5}), {"[matmul]", "3 in [2, 3]", "4 in [4, 5]"});
  expect_error<ShapeError>(product({2, 3}, {3, 5}, true),
                           {"[matmul]", "3 in [2, 3]", "5 in [3, 5] (transposed)"});
  expect_error<ShapeError>(product({2, 4, 3}, {5, 3, 2}),
                           {"[matmul]", "leading axes", "[2, 4, 3]", "[5, 3, 2]", "two axes"});
  expect_error<ShapeError>(product({4, 3}, {5, 3, 2}), {"[matmul]", "leading axes", "[4, 3]"});
  expect_error<ShapeError>(product({1, 2, 4, 3}, {2, 3, 2}), {"[matmul]", "leading axes"});
}

REAL_TEST(OpErrors, linear) {
  const Var x = of_shape({2, 3}), w = of_shape({5, 3}), none;
  expect_error<ShapeError>(
      [&] {
        linear(x, of_shape({3, 5}), none);
      },
      {"[linear]", "[2, 3]", "second extent", "[3, 5]"});
  expect_error<ShapeError>([&] { linear(x, of_shape({3}), none); }, {"[linear]", "[2, 3]", "[3]"});
  expect_error<ShapeError>([&] { linear(of_shape({}), w, none); }, {"[linear]", "[]", "[5, 3]"});
  expect_error<ShapeError>([&] { linear(x, w, of_shape({3})); },
                           {"[linear]", "bias [3]", "must be [5]"});
  expect_error<ShapeError>([&] { linear(x, w, of_shape({1, 5})); }, {"[linear]", "bias [1, 5]"});
}

REAL_TEST(OpErrors, norms_and_softmax) {
  const Var x = of_shape({2, 3}), three = of_shape({3}), two = of_shape({2});
  expect_error<ShapeError>([&] { layer_norm(x, two, three); },
                           {"[layer_norm]", "weight", "[2]", "last extent", "[2, 3]"});
  expect_error<ShapeError>([&] { layer_norm(x, three, two); }, {"[layer_norm]", "bias", "[2]"});
  expect_error<ShapeError>([&] { rms_norm(x, two); }, {"[rms_norm]", "weight", "[2]", "[2, 3]"});
  const Var none = of_shape({});
  expect_error<ShapeError>([&] { layer_norm(none, three, three); }, {"[layer_norm]", "[]"});
  expect_error<ShapeError>([&] { rms_norm(none, three); }, {"[rms_norm]", "[]"});
  expect_error<ShapeError>([&] { softmax(none); }, {"[softmax]", "at least 1 axis", "[]"});
  expect_error<ShapeError>([&] { log_softmax(none); }, {"[log_softmax]", "at least 1 axis", "[]"});
}

REAL_TEST(OpErrors, gather_and_scatter) {
  const Var x = of_shape({2, 3});
  for (const Indices& index : {Indices(Shape{1, 2}, 0), Indices(Shape{3, 1}, 0)}) {
    expect_error<ShapeError>([&] { gather(x, index); }, {"[gather]", "[2, 3]", "[..., T, R]"});
    expect_error<ShapeError>([&] { scatter_add(x, index, 3); }, {"[scatter_add]", "[..., T, S]"});
  }
  expect_error<ShapeError>(
      [&] {
        gather(of_shape({3}), Indices(Shape{1, 1}, 0));
      },
      {"[gather]", "[3]"});
  for (const std::int64_t wrong : {std::int64_t{-1}, std::int64_t{3}}) {
    const Indices index{{0, 1, 2}, {0, wrong, 1}};
    expect_error<DataError>([&] { gather(x, index); },
                            {"[gather]", std::to_string(wrong), "axis of 3", "0 to 2"});
    expect_error<DataError>([&] { scatter_add(x, index, 3); }, {"[scatter_add]", "0 to 2"});
  }
  expect_error<ShapeError>([] { cumulative_sum(of_shape({})); },
                           {"[cumulative_sum]", "at least 1 axis", "[]"});
}

REAL_TEST(OpErrors, cross_entropy) {
  const Var logits = of_shape({2, 3});
  const auto loss = [&](Indices targets) { return [=] { cross_entropy(logits, targets); }; };
  expect_error<ShapeError>([] { cross_entropy(of_shape({}), Indices{1}); },
                           {"[cross_entropy]", "at least 1 axis", "[]"});
  expect_error<ShapeError>(loss({0, 1, 2}), {"[cross_entropy]", "[2, 3]", "shape [2]", "got [3]"});
  expect_error<DataError>(loss({0, 3}),
                          {"[cross_entropy]", "target 3", "vocabulary of 3", "0 to 2"});
  expect_error<DataError>(loss({-1, 0}), {"[cross_entropy]", "target -1", "0 to 2", "-100"});
  expect_error<DataError>(loss({kIgnore, kIgnore}),
                          {"[cross_entropy]", "every target is -100", "at least one"});
  expect_error<DataError>(
      [&] {
        cross_entropy(logits, Indices{kIgnore, 0}, 7);
      },
      {"[cross_entropy]", "target -100", "or 7 to be ignored"});
}

REAL_TEST(OpErrors, embedding_and_dropout) {
  const Var table = of_shape({4, 2});
  expect_error<ShapeError>([] { embedding(of_shape({4}), Indices{0}); },
                           {"[embedding]", "2 axes", "[4]"});
  expect_error<DataError>(
      [&] {
        embedding(table, Indices{0, 4});
      },
      {"[embedding]", "row 4", "table of 4", "0 to 3"});
  expect_error<DataError>([&] { embedding(table, Indices{-1}); }, {"[embedding]", "row -1"});
  Rng rng(1);
  for (const Real wrong : {Real(-0.5), Real(1), std::numeric_limits<Real>::quiet_NaN()})
    expect_error<ConfigError>(
        [&] { dropout(table, wrong, rng); },
        {"[dropout]", "at least 0 and below 1", fmt::format("got {}", wrong)});
}

REAL_TEST(OpErrors, layout) {
  const Var x = of_shape({2, 3});
  expect_error<ShapeError>([&] { reshape(x, {4}); }, {"[reshape]", "[2, 3] has 6", "[4] needs 4"});
  const std::vector<std::size_t> wrong[] = {{0}, {0, 0}, {0, 2}, {0, 1, 2}};
  for (const auto& axes : wrong)
    expect_error<ShapeError>([&] { transpose(x, axes); },
                             {"[transpose]", fmt::format("{}", axes), "[0, 1]", "[2, 3]"});
  expect_error<ShapeError>([&] { slice(x, 2, 0, 1); }, {"[slice]", "axis 2", "[2, 3]"});
  expect_error<ShapeError>([&] { slice(x, 1, 0, 4); }, {"[slice]", "0..4", "axis 1", "[2, 3]"});
  expect_error<ShapeError>([&] { slice(x, 1, 2, 1); }, {"[slice]", "2..1"});
  expect_error<ShapeError>([] { concatenate({}, 0); }, {"[concatenate]", "at least one part"});
  expect_error<ShapeError>([&] { concatenate({x, x}, 2); }, {"[concatenate]", "axis 2", "[2, 3]"});
  for (const Shape& other : {Shape{3, 3}, Shape{2}, Shape{2, 3, 1}})
    expect_error<ShapeError>(
        [&] {
          concatenate({x, of_shape(other)}, 1);
        },
        {"[concatenate]", "[2, 3]", fmt::format("{}", other), "than 1"});
  expect_error<ShapeError>([&] { split_heads(x, 1); }, {"[split_heads]", "[B, T, C]", "[2, 3]"});
  for (const std::size_t heads : {std::size_t{0}, std::size_t{4}})
    expect_error<ShapeError>(
        [&] {
          split_heads(of_shape({2, 3, 6}), heads);
        },
        {"[split_heads]", fmt::format("{} heads", heads), "[2, 3, 6]"});
  expect_error<ShapeError>([&] { merge_heads(x); }, {"[merge_heads]", "[B, H, T, D]", "[2, 3]"});
}

REAL_TEST(OpErrors, reductions) {
  const Var x = of_shape({2, 3});
  expect_error<ShapeError>([&] { sum(x, 2); }, {"[sum]", "axis 2", "[2, 3]"});
  expect_error<ShapeError>([&] { mean(x, 5); }, {"[mean]", "axis 5", "[2, 3]"});
  expect_error<ShapeError>([] { sum(of_shape({}), 0); }, {"[sum]", "axis 0", "[]"});
}

REAL_TEST(OpErrors, an_empty_var_is_refused_by_every_op) {
  const Var none, x = of_shape({2, 2});
  const std::function<Var()> calls[] = {[&] { return add(none, x); },
                                        [&] { return mul(x, none); },
                                        [&] { return scale(none, 2); },
                                        [&] { return matmul(x, none); },
                                        [&] { return linear(none, x, none); },
                                        [&] { return relu(none); },
                                        [&] { return softmax(none); },
                                        [&] { return layer_norm(x, none, none); },
                                        [&] { return reshape(none, {1}); },
                                        [&] { return concatenate({none}, 0); },
                                        [&] {
                                          return concatenate({x, none}, 0);
                                        },
                                        [&] { return sum(none); },
                                        [&] { return embedding(none, Indices{0}); },
                                        [&] { return cross_entropy(none, Indices{0}); }};
  for (const auto& call : calls) expect_error<GraphError>(call, {"empty", "give it a value"});
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
