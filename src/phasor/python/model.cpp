#include "phasor/python/model.hpp"

#include <pybind11/stl/filesystem.h>

#include "phasor/core/error.hpp"
#include "phasor/course/runs.hpp"
#include "phasor/data/json.hpp"
#include "phasor/model/generate.hpp"
#include "phasor/python/bindings.hpp"
#include "phasor/python/options.hpp"
#include "phasor/train/gradient.hpp"

namespace phasor::python {
namespace {

using namespace pybind11::literals;

Indices as_indices(const Encoded& tokens) {
  Indices result = Indices::from_shape({1, tokens.size()});
  std::copy(tokens.begin(), tokens.end(), result.begin());
  return result;
}

/// One sequence, [T] or [1, T].
Encoded as_encoded(const Indices& tokens) {
  check<DataError>(tokens.dimension() == 1 || (tokens.dimension() == 2 && tokens.shape(0) == 1),
                   "one sequence of tokens is wanted, [T] or [1, T], got {}", shape_of(tokens));
  Encoded result(tokens.size());
  std::transform(tokens.begin(), tokens.end(), result.begin(),
                 [](std::int64_t token) { return static_cast<std::int32_t>(token); });
  return result;
}

Var logits(Model& model, const Indices& tokens,
           const std::optional<std::vector<double>>& positions) {
  check<ShapeError>(tokens.dimension() == 2,
                    "tokens must be [B, T], got {}; one sequence is [1, T]", shape_of(tokens));
  const Indices& checked = model.checked(tokens);
  return without_lock([&] {
    const NoGrad no_grad;
    return model.gpt()(checked, {.positions = positions.value_or(Positions{})});
  });
}

py::list record(Model& model, const Indices& tokens) {
  const Indices& checked = model.checked(tokens);
  Recording recording;
  without_lock([&] {
    const NoGrad no_grad;
    model.gpt()(checked, {.recording = &recording});
    return 0;
  });
  py::list layers;
  for (LayerRecord& layer : recording.layers)
    layers.append(py::dict("stream"_a = handed_over(std::move(layer.stream)),
                           "inputs"_a = handed_over(std::move(layer.inputs)),
                           "queries"_a = handed_over(std::move(layer.queries)),
                           "keys"_a = handed_over(std::move(layer.keys)),
                           "values"_a = handed_over(std::move(layer.values)),
                           "logits"_a = handed_over(std::move(layer.logits)),
                           "weights"_a = handed_over(std::move(layer.weights)),
                           "mixed"_a = handed_over(std::move(layer.mixed))));
  return layers;
}

/// Stops at an interrupt: the tokens drawn so far are lost, as an exception tells the caller.
Indices generated(Model& model, const Indices& prompt, std::size_t count, double temperature,
                  std::size_t top_k, std::uint64_t seed, bool beyond_context) {
  const Sampling sampling{temperature, top_k, seed, beyond_context};
  const Encoded start = as_encoded(model.checked(prompt));
  bool interrupted = false;
  const Encoded tokens = without_lock([&] {
    return generate(model.gpt(), start, count, sampling, [&](std::int32_t) {
      const py::gil_scoped_acquire locked;
      interrupted = PyErr_CheckSignals() != 0;
      return !interrupted;
    });
  });
  if (interrupted) throw py::error_already_set();
  return as_indices(tokens);
}

py::dict evaluated(Model& model, const Indices& tokens, std::size_t context, std::size_t limit,
                   std::size_t stride, std::size_t threads) {
  const Encoded text = as_encoded(model.checked(tokens));
  const EvaluateOptions options{.context = context, .token_limit = limit, .stride = stride};
  Evaluation result = without_lock([&] {
    Workers workers(threads);
    return evaluate(model.gpt(), text, options, workers);
  });
  return py::dict("loss"_a = result.loss, "perplexity"_a = result.perplexity(),
                  "tokens"_a = result.tokens, "by_position"_a = std::move(result.by_position));
}

py::tuple gradients(Model& model, const Indices& inputs, const Indices& targets) {
  const Batch batch{model.checked(inputs), targets};
  check<ShapeError>(shape_of(inputs) == shape_of(targets),
                    "targets must be {}, one for each token, got {}", shape_of(inputs),
                    shape_of(targets));
  LossAndGradient result = without_lock([&] {
    Workers workers(1);
    return loss_and_gradient(model.gpt(), batch, {0, 0, 0}, workers);
  });
  py::dict by_name;
  const std::vector<NamedParameter> parameters = model.gpt().parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    by_name[py::str(parameters[i].path)] = handed_over(std::move(result.gradients[i]));
  return py::make_tuple(result.loss, by_name);
}

py::dict parameters(Model& model) {
  py::dict result;
  for (const NamedParameter& parameter : model.gpt().parameters())
    result[py::str(parameter.path)] = parameter.value;
  return result;
}

Indices validation(const Model& model, std::size_t count) {
  const RunConfig& config = model.run().config;
  check<DataError>(
      !config.fingerprint.empty(),
      "this model was not trained on a text, so there is no part of it that it has not "
      "seen; give a text");
  return as_indices(without_lock([&] { return validation_of(config, count); }));
}

void drop_positions(Model& model, double temperature) { model.gpt().drop_positions(temperature); }

/// Text, files, and what a model says of itself.
void bind_files(py::class_<Model>& model) {
  model
      .def(
          "save",
          [](const Model& self, const std::filesystem::path& folder) {
            self.tokenizer();
            save_run(folder, self.run().config, *self.run().model);
          },
          "folder"_a)
      .def(
          "encode",
          [](const Model& self, const std::string& text) {
            return as_indices(self.tokenizer().encode(text));
          },
          "text"_a, "[1, T].")
      .def(
          "decode",
          [](const Model& self, const Indices& tokens) {
            return self.tokenizer().decode(as_encoded(self.checked(tokens)));
          },
          "tokens"_a)
      .def_property_readonly(
          "config", [](const Model& self) { return to_json(self.run().model->config()).dump(); })
      .def_property_readonly("symbols", [](const Model& self) { return self.run().config.symbols; })
      .def_property_readonly("parameter_count",
                             [](const Model& self) { return self.run().model->parameter_count(); });
}

}  // namespace

Model Model::fresh(const std::string& config, const std::string& symbols, std::uint64_t seed) {
  RunConfig run;
  run.model = config_from_json(parse_json(config));
  const bool reads_text = !symbols.empty();
  CharTokenizer tokenizer = CharTokenizer::from_symbols(reads_text ? symbols : "?");
  if (reads_text) run.model.vocabulary = tokenizer.vocabulary_size();
  run.symbols = symbols;
  run.train.seed = seed;
  auto model = without_lock([&] {
    Rng rng(seed, "weights");
    return std::make_unique<Gpt>(run.model, rng);
  });
  return {{std::move(run), std::move(tokenizer), std::move(model)}, reads_text};
}

Model Model::loaded(const std::filesystem::path& folder, const py::dict& options) {
  const OptionValues values = options_of(options);
  return {without_lock([&] { return load_run(folder, values); }), true};
}

const CharTokenizer& Model::tokenizer() const {
  check<DataError>(reads_text_,
                   "this model was made without characters: give it tokens instead of text, or "
                   "make it with symbols");
  return run_.tokenizer;
}

const Indices& Model::checked(const Indices& tokens) const {
  const std::size_t vocabulary = run_.model->config().vocabulary;
  check<ShapeError>(tokens.dimension() == 1 || tokens.dimension() == 2,
                    "tokens must be [B, T] or [T], got {}", shape_of(tokens));
  for (const std::int64_t token : tokens)
    check<DataError>(token >= 0 && token < static_cast<std::int64_t>(vocabulary),
                     "there is no token {}: the vocabulary has 0 to {}", token, vocabulary - 1);
  return tokens;
}

void bind_models(py::module_& module) {
  py::class_<Model> model(module, "Model", "A model with the characters it reads.");
  model.def(py::init(&Model::fresh), "config"_a, "symbols"_a, "seed"_a)
      .def_static("load", &Model::loaded, "folder"_a, "options"_a)
      .def("logits", logits, "tokens"_a, "positions"_a = py::none(), "[B, T] -> [B, T, V].")
      .def("record", record, "tokens"_a, "What every layer was given and made of it.")
      .def("generate", generated, "prompt"_a, "count"_a, "temperature"_a, "top_k"_a, "seed"_a,
           "beyond_context"_a, "Only the tokens that are new: [1, count].")
      .def("evaluate", evaluated, "tokens"_a, "context"_a, "limit"_a, "stride"_a, "threads"_a)
      .def("gradients", gradients, "inputs"_a, "targets"_a, "(loss, gradients by name).")
      .def("parameters", parameters, "By name, the arrays that the model itself computes with.")
      .def("validation", validation, "count"_a,
           "Tokens of the validation part of the text it was trained on: [1, count].")
      .def("drop_positions", drop_positions, "temperature"_a);
  bind_files(model);
}

}  // namespace phasor::python
