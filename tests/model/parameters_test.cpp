// Which parameters a model has, how many, and how they begin.
#include <fmt/format.h>

#include "tests/model/tiny.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

std::vector<std::string> paths(const Module& module) {
  std::vector<std::string> result;
  for (const NamedParameter& parameter : module.parameters()) result.push_back(parameter.path);
  return result;
}

const Tensor& value_of(const Gpt& model, const std::string& path) {
  for (const NamedParameter& parameter : model.parameters())
    if (parameter.path == path) return parameter.value.value();
  throw std::runtime_error("no parameter " + path);
}

/// Per layer four projections, an MLP and two norms; outside them the embedding, the last norm,
/// the head when it is not tied, and what the scheme brings: once, or once a layer.
std::size_t formula(const GptConfig& config, const Traits& traits) {
  const std::size_t C = config.width, hidden = config.mlp_ratio * C, V = config.vocabulary;
  const std::size_t norm = config.norm == NormKind::layer ? 2 * C : C;
  const std::size_t layer = 4 * (C * C + C) + 2 * C * hidden + hidden + C + 2 * norm;
  const std::size_t schemes = traits.shared_across_layers ? 1 : config.layers;
  return V * C + schemes * traits.parameter_count + config.layers * layer + norm +
         (config.tied ? 0 : V * C);
}

REAL_TEST(GptParameters, of_the_default_config_are_as_many_as_the_formula_says) {
  for (const SchemeEntry& entry : schemes()) {
    GptConfig config;
    config.vocabulary = 29;
    config.scheme = entry.name;
    const auto model = initial_model(config);
    EXPECT_EQ(model->parameter_count(), formula(config, model->scheme().traits())) << entry.name;
  }
  GptConfig config;  // the same by hand: 2 * 29 * 64 + 2 * (4 * 4160 + 33088 + 256) + 128
  config.vocabulary = 29;
  EXPECT_EQ(initial_model(config)->parameter_count(), 103808U);
  config.tied = true;  // 29 * 64 less
  EXPECT_EQ(initial_model(config)->parameter_count(), 101952U);
}

REAL_TEST(GptParameters, follow_the_formula_in_every_form) {
  for (const SchemeEntry& entry : schemes())
    for (const NormKind norm : {NormKind::layer, NormKind::rms})
      for (const bool tied : {true, false})
        for (const std::size_t layers : {1U, 3U}) {
          GptConfig config = tiny_config(entry.name);
          config.norm = norm;
          config.tied = tied;
          config.layers = layers;
          const auto model = initial_model(config);
          EXPECT_EQ(model->parameter_count(), formula(config, model->scheme().traits()))
              << entry.name << ", " << layers << " layers";
        }
}

REAL_TEST(GptParameters, are_named_in_the_order_of_the_forward_pass) {
  GptConfig config = tiny_config("learned");
  config.layers = 1;
  config.tied = false;
  EXPECT_EQ(paths(*initial_model(config)),
            (std::vector<std::string>{"token_embedding.weight",
                                      "position.table",
                                      "blocks.0.norm1.weight",
                                      "blocks.0.norm1.bias",
                                      "blocks.0.attention.query.weight",
                                      "blocks.0.attention.query.bias",
                                      "blocks.0.attention.key.weight",
                                      "blocks.0.attention.key.bias",
                                      "blocks.0.attention.value.weight",
                                      "blocks.0.attention.value.bias",
                                      "blocks.0.attention.output.weight",
                                      "blocks.0.attention.output.bias",
                                      "blocks.0.norm2.weight",
                                      "blocks.0.norm2.bias",
                                      "blocks.0.mlp.up.weight",
                                      "blocks.0.mlp.up.bias",
                                      "blocks.0.mlp.down.weight",
                                      "blocks.0.mlp.down.bias",
                                      "norm.weight",
                                      "norm.bias",
                                      "head.weight"}));
  config.tied = true;
  EXPECT_EQ(paths(*initial_model(config)).back(), "norm.bias");
  config.layers = 12;
  config.norm = NormKind::rms;
  const std::vector<std::string> many = paths(*initial_model(config));
  EXPECT_EQ(many[many.size() - 2], "blocks.11.mlp.down.bias");
  EXPECT_EQ(many.back(), "norm.weight");
}

REAL_TEST(GptParameters, of_a_scheme_stand_where_its_traits_say) {
  for (const SchemeEntry& entry : schemes()) {
    const auto model = initial_model(tiny_config(entry.name));
    const Traits traits = model->scheme().traits();
    std::size_t shared = 0, own = 0;
    for (const NamedParameter& parameter : model->parameters()) {
      if (parameter.path.starts_with("position.")) shared += parameter.value.size();
      if (parameter.path.find(".attention.position.") != parameter.path.npos)
        own += parameter.value.size();
    }
    const std::size_t count = traits.parameter_count;
    EXPECT_EQ(shared, traits.shared_across_layers ? count : 0) << entry.name;
    EXPECT_EQ(own, traits.shared_across_layers ? 0 : 2 * count) << entry.name;
  }
}

/// For n normal draws the deviation scatters by deviation / sqrt(2n); five times that.
void expect_deviation(const Gpt& model, const std::string& path, double wanted) {
  const Tensor& x = value_of(model, path);
  const double n = static_cast<double>(x.size());
  EXPECT_NEAR(length(x) / std::sqrt(n), wanted, 5 * wanted / std::sqrt(2 * n)) << path;
}

REAL_TEST(GptParameters, begin_as_gpt2_does) {
  GptConfig config;
  config.vocabulary = 200;
  config.width = 96;
  config.layers = 8;  // 0.02 / sqrt(2 * 8) = 0.005 into the residual stream
  config.context = 100;
  config.scheme = "learned";
  config.tied = false;
  const auto model = initial_model(config);
  for (const char* path : {"token_embedding.weight", "position.table", "head.weight"})
    expect_deviation(*model, path, 0.02);
  for (const char* layer : {"blocks.0.", "blocks.7."}) {
    for (const char* name : {"query", "key", "value"})
      expect_deviation(*model, fmt::format("{}attention.{}.weight", layer, name), 0.02);
    expect_deviation(*model, fmt::format("{}attention.output.weight", layer), 0.005);
    expect_deviation(*model, fmt::format("{}mlp.up.weight", layer), 0.02);
    expect_deviation(*model, fmt::format("{}mlp.down.weight", layer), 0.005);
  }
  for (const NamedParameter& parameter : model->parameters()) {
    const Tensor& value = parameter.value.value();
    if (parameter.path.ends_with(".bias")) {
      EXPECT_TRUE(identical(value, zeros(shape_of(value)))) << parameter.path;
    }
    if (parameter.path.find("norm") != parameter.path.npos && parameter.path.ends_with(".weight")) {
      EXPECT_TRUE(identical(value, full(shape_of(value), 1))) << parameter.path;
    }
  }
}

REAL_TEST(GptParameters, follow_the_seed) {
  const GptConfig config = tiny_config("rope");
  const auto model = initial_model(config, 1), same = initial_model(config, 1),
             other = initial_model(config, 2);
  const auto a = model->parameters(), b = same->parameters(), c = other->parameters();
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_TRUE(identical(a[i].value.value(), b[i].value.value())) << a[i].path;
    if (a[i].value.rank() == 2) {
      EXPECT_FALSE(identical(a[i].value.value(), c[i].value.value())) << a[i].path;
    }
  }
}

REAL_TEST(GptParameters, a_tied_head_is_the_embedding) {
  GptConfig config = tiny_config("none");
  config.tied = true;
  const auto tied = initial_model(config);
  config.tied = false;
  const auto untied = initial_model(config);
  // Given the embedding's weights, the separate head must compute what the tied one does.
  for (NamedParameter parameter : untied->parameters())
    parameter.value.mutable_value() = value_of(
        *tied, parameter.path == "head.weight" ? "token_embedding.weight" : parameter.path);
  const Indices tokens = random_tokens(2, 5, 11);
  EXPECT_TRUE(identical((*tied)(tokens).value(), (*untied)(tokens).value()));
}

REAL_TEST(GptParameters, embeddings_are_scaled_when_asked) {
  const Indices tokens = random_tokens(2, 5, 11);
  for (const SchemeEntry& entry : schemes()) {
    GptConfig config = tiny_config(entry.name);
    config.tied = false;
    const auto logits_with = [&](EmbeddingScale scale, double factor) {
      config.embedding_scale = scale;
      const auto model = initial_model(config);
      NamedParameter embedding = model->parameters().front();
      for (Real& value : embedding.value.mutable_value()) value *= static_cast<Real>(factor);
      return Tensor((*model)(tokens).value());
    };
    const Tensor on = logits_with(EmbeddingScale::on, 1), off = logits_with(EmbeddingScale::off, 1);
    EXPECT_GT(relative_difference(on, off), 0.01) << entry.name;
    // sqrt(12), once by the model and once by hand; 1e3 roundings of logits two layers on.
    EXPECT_LE(relative_difference(logits_with(EmbeddingScale::off, std::sqrt(12.0)), on),
              1e3 * kEpsilon)
        << entry.name;
    const bool asks = initial_model(config)->scheme().traits().scales_embedding;
    EXPECT_EQ(asks, entry.name == "sinusoidal") << "the paper that asks for it is Vaswani et al.";
    EXPECT_TRUE(identical(logits_with(EmbeddingScale::as_scheme_asks, 1), asks ? on : off))
        << entry.name;
  }
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
