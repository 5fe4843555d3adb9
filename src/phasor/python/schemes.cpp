// Schemes: the table, and what each of them does to embeddings, queries and keys, and logits.
#include "phasor/position/schemes.hpp"

#include "phasor/core/error.hpp"
#include "phasor/model/config.hpp"
#include "phasor/position/kernel.hpp"
#include "phasor/position/rotation.hpp"
#include "phasor/python/bindings.hpp"
#include "phasor/python/options.hpp"

namespace phasor::python {
namespace {

using namespace pybind11::literals;

py::dict described(const OptionSpec& spec) {
  py::dict row("name"_a = spec.name, "help"_a = spec.help);
  if (const auto* number = std::get_if<NumberOption>(&spec.kind)) {
    row["default"] = number->fallback;
    row["range"] = py::make_tuple(number->least, number->most);
  } else if (const auto* text = std::get_if<TextOption>(&spec.kind)) {
    row["default"] = text->fallback;
    row["form"] = text->form;
  } else {
    const auto& choices = std::get<ChoiceOption>(spec.kind).choices;
    row["default"] = choices.front();
    row["choices"] = choices;
  }
  return row;
}

py::list table() {
  py::list rows;
  for (const SchemeEntry& entry : schemes()) {
    py::list options;
    for (const OptionSpec& spec : entry.options) options.append(described(spec));
    rows.append(py::dict("name"_a = entry.name, "kind"_a = entry.kind, "summary"_a = entry.summary,
                         "paper"_a = entry.paper, "equation"_a = entry.equation,
                         "options"_a = options));
  }
  return rows;
}

/// What a function takes when no scheme is named: the first in the table that enters as `kind`.
std::string first_of(const char* kind) {
  for (const SchemeEntry& entry : schemes())
    if (entry.kind == kind) return entry.name;
  return {};
}

/// A scheme as it is before training.
struct Made {
  SchemeSizes sizes;
  std::unique_ptr<Scheme> scheme;
};

Made make(const std::string& name, const py::kwargs& options, const SchemeSizes& sizes,
          std::uint64_t seed, const char* purpose) {
  GptConfig model;
  model.vocabulary = 1;
  model.width = sizes.width;
  model.heads = sizes.heads;
  model.context = sizes.context;
  model.validate();
  const OptionValues values = options_of(options);
  Rng rng(seed, purpose);
  return {sizes, without_lock([&] { return make_scheme(name, values, sizes, rng); })};
}

/// A number of positions 0, 1, 2, ..., or the positions themselves.
Positions positions_of(const py::object& given) {
  if (!py::isinstance<py::int_>(given)) return numbers(given);
  const auto count = given.cast<py::ssize_t>();
  check<ConfigError>(count > 0, "positions must be at least 1, got {}", count);
  return consecutive_positions(static_cast<std::size_t>(count));
}

/// Throws ConfigError listing the schemes that enter as `kind`, unless this is one of them.
void check_enters(bool does, const std::string& name, const char* lacks, const char* kind) {
  std::vector<std::string> others;
  for (const SchemeEntry& entry : schemes())
    if (entry.kind == kind) others.push_back(entry.name);
  check<ConfigError>(does, "{} {} (it enters as: {}); choose one of {}", name, lacks,
                     find_scheme(name).kind, fmt::join(others, ", "));
}

/// The scheme as one of its kind. Throws ConfigError as check_enters.
template <class Kind>
const Kind& only(const Made& made, const std::string& name, const char* lacks, const char* kind) {
  const auto* special = dynamic_cast<const Kind*>(made.scheme.get());
  check_enters(special != nullptr, name, lacks, kind);
  return *special;
}

py::dict traits(const std::string& name, std::size_t width, std::size_t heads, std::size_t context,
                const py::kwargs& options) {
  const Traits traits = make(name, options, {width, heads, context}, 1, "schemes").scheme->traits();
  return py::dict(
      "parameter_count"_a = traits.parameter_count, "is_relative"_a = traits.is_relative,
      "max_positions"_a = traits.max_positions, "max_in_sight"_a = traits.max_in_sight,
      "shared_across_layers"_a = traits.shared_across_layers,
      "scales_embedding"_a = traits.scales_embedding,
      "bias_ignores_content"_a = traits.bias_ignores_content, "causal_only"_a = traits.causal_only,
      "can_be_dropped"_a = traits.can_be_dropped, "whole_positions"_a = traits.whole_positions);
}

py::dict facts(const std::string& name, std::size_t width, std::size_t heads, std::size_t context,
               std::uint64_t seed, const py::kwargs& options) {
  py::dict result;
  for (const Fact& fact :
       make(name, options, {width, heads, context}, seed, "show").scheme->facts())
    result[py::str(fact.name)] = fact.values;
  return result;
}

Var encode(const std::string& name, const py::object& positions, std::size_t width,
           std::uint64_t seed, const py::kwargs& options) {
  check_enters(find_scheme(name).kind == "additive", name,
               "adds nothing to the embeddings, so it has no encoding", "additive");
  const Positions places = positions_of(positions);
  const Made made = make(name, options, {width, 1, places.size()}, seed, "encode");
  return without_lock([&] {
    const NoGrad no_grad;
    // What the scheme adds to nothing is the encoding itself.
    Tensor encoding = made.scheme->embed(Var(zeros({1, places.size(), width})), places).value();
    encoding.reshape({places.size(), width});
    return Var(std::move(encoding));
  });
}

Var bias(const std::string& name, const py::object& positions, std::size_t heads, bool causal,
         std::size_t context, std::uint64_t seed, const py::kwargs& options) {
  const Positions places = positions_of(positions);
  const Made made = make(name, options, {2 * heads, heads, context}, seed, "show");
  const auto& scheme =
      only<BiasScheme>(made, name, "adds no bias of its own to the logits", "bias");
  return without_lock([&] {
    const NoGrad no_grad;
    return scheme.bias({places, places, 1, causal});
  });
}

std::vector<double> frequencies(const std::string& name, std::size_t width,
                                const py::object& positions, std::size_t context,
                                const py::kwargs& options) {
  const Made made = make(name, options, {width, 1, context}, 1, "show");
  const auto& scheme = only<RotationScheme>(made, name, "rotates nothing", "rotation");
  return scheme.frequencies(positions_of(positions));
}

xt::xarray<double> angles(const std::string& name, const py::object& positions, std::size_t width,
                          std::size_t context, const py::kwargs& options) {
  const Positions places = positions_of(positions);
  const std::vector<double> w = frequencies(name, width, positions, context, options);
  auto result = xt::xarray<double>::from_shape({places.size(), w.size()});
  for (std::size_t t = 0; t < places.size(); ++t)
    for (std::size_t c = 0; c < w.size(); ++c) result(t, c) = places[t] * w[c];
  return result;
}

/// [T, D] -> [1, 1, T, D].
Var with_heads(Tensor x) {
  check(x.dimension() == 2 || x.dimension() == 4,
        "queries and keys must be [T, D] or [B, H, T, D], got {}", shape_of(x));
  if (x.dimension() == 2) x.reshape({1, 1, x.shape(0), x.shape(1)});
  return Var(std::move(x));
}

py::tuple rotate(Tensor q, Tensor k, const std::string& name, const py::object& positions,
                 std::size_t context, const py::kwargs& options) {
  const Shape q_shape = shape_of(q), k_shape = shape_of(k);
  const Var queries = with_heads(std::move(q)), keys = with_heads(std::move(k));
  check(queries.shape() == keys.shape(), "queries and keys must have one shape, got {} and {}",
        q_shape, k_shape);
  const std::size_t heads = queries.shape()[1], T = queries.shape()[2], D = queries.shape()[3];
  const Positions places = positions.is_none() ? consecutive_positions(T) : positions_of(positions);
  check(places.size() == T, "{} positions are wanted, one for each of the {} rows, got {}", T, T,
        places.size());
  const Made made = make(name, options, {heads * D, heads, context}, 1, "show");
  const auto turned = without_lock([&] {
    const NoGrad no_grad;
    QK result = made.scheme->rotate(queries, keys, {places, places, 1, true});
    const auto shaped = [&](const Var& x) {
      if (q_shape.size() == 4) return x;
      Tensor rows = x.value();
      rows.reshape({T, x.shape()[3]});
      return Var(std::move(rows));
    };
    return QK{shaped(result.q), shaped(result.k)};
  });
  return py::make_tuple(turned.q, turned.k);
}

Tensor kernel(const std::string& name, const py::object& positions, std::size_t width,
              std::size_t heads, bool causal, std::size_t context, std::uint64_t seed,
              const py::kwargs& options) {
  const Positions places = positions_of(positions);
  const Made made = make(name, options, {width, heads, context}, seed, "show");
  return without_lock([&] { return score_kernel(*made.scheme, made.sizes, places, causal); });
}

}  // namespace

void bind_schemes(py::module_& module) {
  const std::string additive = first_of("additive"), rotation = first_of("rotation");
  module.def("schemes", table, "Every scheme: name, kind, summary, paper, equation, options.");
  module.def("traits", traits, "scheme"_a, py::kw_only(), "width"_a = 64, "heads"_a = 4,
             "context"_a = 64,
             "Facts that decide where a scheme can be used, at given sizes and options.");
  module.def("facts", facts, "scheme"_a, py::kw_only(), "width"_a = 64, "heads"_a = 4,
             "context"_a = 64, "seed"_a = 1,
             "What a scheme says of itself as it was made, such as the slopes of ALiBi's heads:\n"
             "name -> numbers.");
  module.def("encode", encode, "scheme"_a = additive, "positions"_a = 64, "width"_a = 32,
             py::kw_only(), "seed"_a = 1,
             "What an additive scheme adds to the embeddings: [positions, width] float32.\n\n"
             "positions: how many, or where (real numbers). Keywords: options of the scheme,\n"
             "base=10000 for example. Raises ConfigError for a scheme that adds nothing.");
  module.def("bias", bias, "scheme"_a, "positions"_a = 32, "heads"_a = 4, py::kw_only(),
             "causal"_a = true, "context"_a = 64, "seed"_a = 1,
             "What a bias scheme adds to the logits: [heads, T, T] float32, queries in rows.\n\n"
             "Keys after their query are hidden by the mask afterwards, whatever stands there.");
  module.def("frequencies", frequencies, "scheme"_a = rotation, "width"_a = 64, "positions"_a = 32,
             "context"_a = 64,
             "Radians per position of each pair of a rotation, for a head of this width.\n\n"
             "positions: those in sight, on which scaling=\"dynamic_ntk:2\" depends.");
  module.def("angles", angles, "scheme"_a = rotation, "positions"_a = 32, "width"_a = 64,
             py::kw_only(), "context"_a = 64,
             "By which angle each pair of a head is turned: [positions, pairs], radians.");
  module.def("rotate", rotate, "q"_a, "k"_a, "scheme"_a = rotation, py::kw_only(),
             "positions"_a = py::none(), "context"_a = 64,
             "Queries and keys as a scheme turns them: (q, k), float32.\n\n"
             "q, k: [T, D], or [B, H, T, D]. positions: of the T rows; 0, 1, 2, ... by default.");
  module.def("kernel", kernel, "scheme"_a, "positions"_a = 32, "width"_a = 64, "heads"_a = 4,
             py::kw_only(), "causal"_a = true, "context"_a = 64, "seed"_a = 1,
             "score(m, n) of queries and keys that are all ones: [heads, T, T] float32, NaN where\n"
             "a causal query sees no key. What is left when content says nothing.");
}

}  // namespace phasor::python
