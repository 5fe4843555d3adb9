// Every op with every option, as functions of tensors: the table behind the tests of all ops.
#pragma once
#include <string>

#include "phasor/autograd/gradcheck.hpp"
#include "phasor/core/error.hpp"
#include "phasor/ops/ops.hpp"
#include "tests/tensor/closeness.hpp"

namespace phasor::inline PHASOR_PRECISION {

struct OpCase {
  std::string op;       ///< the function's name in src/phasor/ops
  std::string variant;  ///< what is special about this case
  TensorFunction function;
  std::vector<Tensor> inputs;
};
using OpCases = std::vector<OpCase>;
using Inputs = std::vector<Var>;

/// One random tensor per shape.
inline std::vector<Tensor> tensors(const std::vector<Shape>& shapes) {
  std::vector<Tensor> result;
  for (const Shape& shape : shapes) result.push_back(normal(shape, result.size() + 1));
  return result;
}

template <class F>
TensorFunction of_one(F f) {
  return [f](const Inputs& in) { return f(in[0]); };
}
template <class F>
TensorFunction of_two(F f) {
  return [f](const Inputs& in) { return f(in[0], in[1]); };
}

inline OpCases arithmetic_cases() {
  using Function = Var (*)(const Var&, const Var&);
  const std::pair<const char*, Function> functions[] = {
      {"add", add},
      {"sub", sub},
      {"mul", mul},
      {"operator+", [](const Var& a, const Var& b) { return a + b; }},
      {"operator-", [](const Var& a, const Var& b) { return a - b; }},
      {"operator*", [](const Var& a, const Var& b) { return a * b; }}};
  const std::pair<Shape, Shape> shapes[] = {
      {{2, 3}, {2, 3}}, {{2, 3, 4}, {4}},      {{4}, {2, 3, 4}}, {{3, 1}, {1, 4}},
      {{}, {2, 3}},     {{2, 3}, {}},          {{}, {}},         {{2, 1, 4}, {3, 1}},
      {{1, 1}, {3, 1}}, {{2, 3, 4}, {2, 1, 4}}};
  OpCases cases;
  for (const auto& [name, function] : functions) {
    for (const auto& [a, b] : shapes)
      cases.push_back({name, fmt::format("{} {}", a, b), of_two(function), tensors({a, b})});
    const auto with_itself = [f = function](const Inputs& in) { return f(in[0], in[0]); };
    cases.push_back({name, "one tensor twice", with_itself, tensors({{2, 3}})});
  }
  for (const Real factor : {Real(-2.5), Real(0)})
    cases.push_back({"scale", fmt::format("by {}", factor),
                     of_one([factor](const Var& x) { return scale(x, factor); }),
                     tensors({{2, 3}})});
  for (const Mask& mask : {Mask{{false, true, true}, {true, false, true}}, Mask{true, false, true}})
    cases.push_back({"masked_fill", fmt::format("mask {}", shape_of(mask)),
                     of_one([mask](const Var& x) { return masked_fill(x, mask, -7); }),
                     tensors({{4, 2, 3}})});
  cases.push_back({"masked_fill", "mask of no axes",
                   of_one([](const Var& x) { return masked_fill(x, Mask(Shape{}, true), 1); }),
                   tensors({{2, 3}})});
  return cases;
}

inline OpCases product_cases() {
  struct Product {
    Shape a, b;
    MatmulOptions options;
    const char* variant;
  };
  const Product products[] = {
      {{3, 4}, {4, 5}, {}, "two matrices"},
      {{3, 4}, {5, 4}, {true, 1}, "two matrices, b transposed"},
      {{3, 4}, {4, 5}, {false, Real(0.3)}, "two matrices, scaled"},
      {{3, 4}, {5, 4}, {true, Real(0.3)}, "two matrices, b transposed, scaled"},
      {{2, 3, 4, 5}, {2, 3, 5, 2}, {}, "batch"},
      {{2, 3, 4, 5}, {2, 3, 2, 5}, {true, Real(-0.5)}, "batch, b transposed, scaled"},
      {{1, 4, 5}, {1, 5, 2}, {}, "batch of one"},
      {{2, 3, 4}, {4, 5}, {}, "b shared by a batch"},
      {{2, 3, 4}, {5, 4}, {true, Real(0.3)}, "b shared by a batch, transposed, scaled"}};
  OpCases cases;
  for (const Product& p : products)
    cases.push_back({"matmul", p.variant, of_two([options = p.options](const Var& a, const Var& b) {
                       return matmul(a, b, options);
                     }),
                     tensors({p.a, p.b})});
  for (const bool transposed : {false, true})
    cases.push_back({"matmul", transposed ? "a tensor by its transpose" : "a tensor by itself",
                     of_one([transposed](const Var& x) {
                       return matmul(x, x, {transposed, 2});
                     }),
                     tensors({{2, 3, 3}})});
  for (const Shape& x : {Shape{2, 3, 4}, Shape{3, 4}, Shape{4}})
    cases.push_back({"linear", fmt::format("x {}", x),
                     [](const Inputs& in) { return linear(in[0], in[1], in[2]); },
                     tensors({x, {5, 4}, {5}})});
  cases.push_back({"linear", "without bias",
                   of_two([](const Var& x, const Var& w) { return linear(x, w, Var()); }),
                   tensors({{2, 3, 4}, {5, 4}})});
  cases.push_back({"linear", "one tensor as x and weight",
                   of_one([](const Var& x) { return linear(x, x, Var()); }), tensors({{3, 4}})});
  return cases;
}

/// Numbers at least 0.1 from 0, where relu has its kink: differences reach 0.002 to each side.
inline Tensor away_from_zero(const Shape& shape) {
  Tensor x = normal(shape);
  for (Real& value : x.storage()) value += value < 0 ? Real(-0.1) : Real(0.1);
  return x;
}

inline OpCases activation_cases() {
  // Seven and nineteen elements: with and without a rest that does not fill a vector register.
  OpCases cases;
  for (const Shape& shape : {Shape{7}, Shape{19}, Shape{2, 3, 4}, Shape{}}) {
    const std::string variant = fmt::format("{}", shape);
    cases.push_back({"relu", variant, of_one(relu), {away_from_zero(shape)}});
    cases.push_back({"silu", variant, of_one(silu), tensors({shape})});
    cases.push_back({"sigmoid", variant, of_one(sigmoid), tensors({shape})});
    cases.push_back({"softplus", variant, of_one(softplus), tensors({shape})});
    cases.push_back({"log1p", variant, of_one([](const Var& x) { return log1p(softplus(x)); }),
                     tensors({shape})});
    cases.push_back({"gelu_tanh", variant, of_one(gelu_tanh), tensors({shape})});
    cases.push_back({"gelu_erf", variant, of_one(gelu_erf), tensors({shape})});
  }
  const auto dropped = [](Real probability) {
    return of_one([probability](const Var& x) {
      Rng rng(5, "dropout");  // the same elements in every call
      return dropout(x, probability, rng);
    });
  };
  cases.push_back({"dropout", "half", dropped(Real(0.5)), tensors({{4, 5}})});
  cases.push_back({"dropout", "a fifth", dropped(Real(0.2)), tensors({{4, 5}})});
  cases.push_back({"dropout", "none", dropped(0), tensors({{4, 5}})});
  return cases;
}

inline OpCases row_cases() {
  OpCases cases;
  for (const Shape& shape : {Shape{5}, Shape{2, 3, 4}, Shape{2, 19}, Shape{3, 1}}) {
    cases.push_back({"softmax", fmt::format("{}", shape), of_one(softmax), tensors({shape})});
    cases.push_back(
        {"log_softmax", fmt::format("{}", shape), of_one(log_softmax), tensors({shape})});
  }
  const auto layer = [](const Inputs& in) { return layer_norm(in[0], in[1], in[2], Real(1e-5)); };
  const auto rms = of_two([](const Var& x, const Var& w) { return rms_norm(x, w, Real(1e-5)); });
  for (const Shape& shape : {Shape{2, 3, 5}, Shape{6}, Shape{2, 19}}) {
    const Shape width{shape.back()};
    const std::string variant = fmt::format("{}", shape);
    cases.push_back({"layer_norm", variant, layer, tensors({shape, width, width})});
    cases.push_back({"rms_norm", variant, rms, tensors({shape, width})});
  }
  cases.push_back({"layer_norm", "one tensor as x, weight and bias",
                   of_one([](const Var& x) { return layer_norm(x, x, x); }), tensors({{6}})});
  cases.push_back({"rms_norm", "one tensor as x and weight",
                   of_one([](const Var& x) { return rms_norm(x, x); }), tensors({{6}})});
  cases.push_back({"layer_norm", "large epsilon",
                   [](const Inputs& in) { return layer_norm(in[0], in[1], in[2], Real(0.5)); },
                   tensors({{2, 4}, {4}, {4}})});
  cases.push_back({"rms_norm", "large epsilon",
                   of_two([](const Var& x, const Var& w) { return rms_norm(x, w, Real(0.5)); }),
                   tensors({{2, 4}, {4}})});
  return cases;
}

inline OpCases lookup_cases() {
  const auto loss = [](Indices targets, std::int64_t ignored) {
    return of_one([=](const Var& x) { return cross_entropy(x, targets, ignored); });
  };
  const Indices targets{{0, 3, 1}, {2, 2, 0}}, some{{0, kIgnore, 1}, {kIgnore, 2, 0}};
  const auto looked_up = [](Indices rows) {
    return of_one([=](const Var& table) { return embedding(table, rows); });
  };
  const Indices index{{1, 0, 1}, {3, 3, 3}};  // rows repeated and never chosen
  const auto gathered = of_one([index](const Var& x) { return gather(x, index); });
  const auto scattered = of_one([index](const Var& x) { return scatter_add(x, index, 4); });
  Indices one_row = Indices::from_shape(Shape{});
  one_row() = 2;
  return {{"gather", "a matrix", gathered, tensors({{2, 4}})},
          {"gather", "a batch", gathered, tensors({{3, 2, 2, 4}})},
          {"scatter_add", "a matrix", scattered, tensors({{2, 3}})},
          {"scatter_add", "a batch", scattered, tensors({{3, 2, 2, 3}})},
          {"cross_entropy", "every target", loss(targets, kIgnore), tensors({{2, 3, 4}})},
          {"cross_entropy", "ignored targets", loss(some, kIgnore), tensors({{2, 3, 4}})},
          {"cross_entropy", "another ignored number", loss(targets, 2), tensors({{2, 3, 4}})},
          {"cross_entropy", "one row", loss(one_row, kIgnore), tensors({{4}})},
          {"embedding", "each row once", looked_up({{2, 0}, {1, 3}}), tensors({{4, 3}})},
          {"embedding", "repeated and unused rows", looked_up({{2, 0, 2}, {2, 5, 5}}),
           tensors({{6, 3}})},
          {"embedding", "no axes", looked_up(one_row), tensors({{4, 3}})}};
}

}  // namespace phasor::inline PHASOR_PRECISION
