// Attention step by step in double, and scores taken apart into content and position.
#include "phasor/analysis/attention.hpp"

#include "phasor/analysis/decomposition.hpp"
#include "phasor/course/order/word_order.hpp"
#include "phasor/python/bindings.hpp"

namespace phasor::python {
namespace {

using namespace pybind11::literals;
using Matrix = xt::xarray<double>;

py::dict run(const Matrix& x, std::size_t layers, const Matrix& mask, std::uint64_t seed) {
  const std::size_t width = x.dimension() == 2 ? x.shape(1) : 0;
  StackPass pass =
      without_lock([&] { return run_stack(random_layers(seed, layers, width), x, mask); });
  py::list weights, outputs;
  for (Matrix& layer : pass.weights) weights.append(handed_over(std::move(layer)));
  for (Matrix& layer : pass.outputs) outputs.append(handed_over(std::move(layer)));
  return py::dict("weights"_a = weights, "outputs"_a = outputs);
}

py::list layers_of(std::uint64_t seed, std::size_t count, std::size_t width) {
  py::list layers;
  for (AttentionLayer& layer : random_layers(seed, count, width))
    layers.append(py::dict("query"_a = handed_over(std::move(layer.query)),
                           "key"_a = handed_over(std::move(layer.key)),
                           "value"_a = handed_over(std::move(layer.value)),
                           "output"_a = handed_over(std::move(layer.output))));
  return layers;
}

py::dict terms(const Matrix& x, const Matrix& p, const Matrix& wq, const Matrix& wk) {
  const ScoreTerms parts = without_lock([&] { return decompose(x, p, wq, wk); });
  py::dict result;
  for (std::size_t i = 0; i < kTermNames.size(); ++i)
    result[py::str(std::string(kTermNames[i]))] = *parts.all()[i];
  return result;
}

ScoreTerms terms_of(const py::dict& given) {
  const auto term = [&](std::size_t i) {
    const py::str name{std::string(kTermNames[i])};
    if (!given.contains(name)) throw py::key_error("the terms lack " + std::string(kTermNames[i]));
    return given[name].cast<Matrix>();
  };
  return {term(0), term(1), term(2), term(3)};
}

py::dict shares_of(const py::dict& given, bool causal) {
  const std::array<double, 4> parts = shares(terms_of(given), causal);
  py::dict result;
  for (std::size_t i = 0; i < parts.size(); ++i)
    result[py::str(std::string(kTermNames[i]))] = parts[i];
  return result;
}

}  // namespace

void bind_attention(py::module_& m) {
  m.def(
      "attended", attended, "q"_a, "k"_a, "v"_a, "mask"_a, Unlocked(),
      "softmax(q k^T / sqrt(D), over the keys that the mask shows) v.\n\n"
      "q: [T, D], k: [S, D], v: [S, E], mask: [T, S], 1 where the query sees the key and 0 where\n"
      "not -> [T, E]. With the identity as v the result is the weights. Raises ShapeError.\n"
      "Vaswani et al. (2017), equation 1.");
  m.def("full_mask", full_mask, "size"_a, "Every token sees every token: [size, size] of ones.");
  m.def("causal_mask", causal_mask, "size"_a,
        "Every token sees itself and those before it: [size, size].");
  m.def("permuted", permuted, "rows"_a, "order"_a,
        "Row i of the result is row order[i]: [T, d] -> [T, d].");
  m.def("random_tokens", random_tokens, "seed"_a, "rows"_a, "width"_a,
        "Token vectors, standard normal: [rows, width].");
  m.def(
      "random_layers", layers_of, "seed"_a, "count"_a, "width"_a,
      "Weights of layers with one head, normal of variance 1 / width: query, key, value, output,\n"
      "each [width, width]. Those of run_stack.");
  m.def(
      "run_stack", run, "x"_a, "layers"_a, "mask"_a, py::kw_only(), "seed"_a = 1,
      "Layers of attention with one head and random weights, x + attention(x Wq, x Wk, x Wv) Wo:\n"
      "weights and outputs of every layer. x: [T, C], mask: [T, T].");
  m.def(
      "decompose", terms, "x"_a, "p"_a, "wq"_a, "wk"_a,
      "The four terms of (x_i + p_i) Wq Wk^T (x_j + p_j)^T / sqrt(D), each [T, T] under its name,\n"
      "\"content-position\" for a content query and a position key.\n\n"
      "x: [T, C], what tokens give; p: [T, C], what positions give; wq, wk: [C, D].");
  m.def("shares", shares_of, "terms"_a, py::kw_only(), "causal"_a,
        "What part of the differences between the scores of a row each term makes; they add up\n"
        "to 1. A term that works against the others has a negative share.");
  m.def("distance_share", distance_share, "map"_a, py::kw_only(), "causal"_a, Unlocked(),
        "How far scores depend on distance alone: 1 when they are a function of i - j, 0 when the\n"
        "distance says nothing. map: [T, T].");
}

}  // namespace phasor::python
