// The model's configuration: as JSON and back, and everything that makes no sense.
#include "phasor/model/config.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "tests/core/expect_error.hpp"
#include "tests/model/tiny.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

GptConfig unusual_config() {
  GptConfig config;
  config.vocabulary = 97;
  config.width = 48;
  config.heads = 6;
  config.layers = 5;
  config.context = 33;
  config.mlp_ratio = 3;
  config.dropout = 0.15;
  config.causal = false;
  config.norm = NormKind::rms;
  config.activation = Activation::silu;
  config.tied = true;
  config.embedding_scale = EmbeddingScale::off;
  config.scheme = "rope";
  config.options = {{"base", "500"}, {"pairing", "half"}};
  config.random_positions = 99;
  return config;
}

REAL_TEST(GptConfig, comes_back_from_json) {
  for (const GptConfig& config : {GptConfig{}, unusual_config()}) {
    const nlohmann::json json = to_json(config);
    const GptConfig back = config_from_json(nlohmann::json::parse(json.dump()));
    EXPECT_EQ(to_json(back), json);
    EXPECT_EQ(back.vocabulary, config.vocabulary);
    EXPECT_EQ(back.width, config.width);
    EXPECT_EQ(back.heads, config.heads);
    EXPECT_EQ(back.layers, config.layers);
    EXPECT_EQ(back.context, config.context);
    EXPECT_EQ(back.mlp_ratio, config.mlp_ratio);
    EXPECT_EQ(back.dropout, config.dropout);
    EXPECT_EQ(back.causal, config.causal);
    EXPECT_EQ(back.norm, config.norm);
    EXPECT_EQ(back.activation, config.activation);
    EXPECT_EQ(back.tied, config.tied);
    EXPECT_EQ(back.embedding_scale, config.embedding_scale);
    EXPECT_EQ(back.scheme, config.scheme);
    EXPECT_EQ(back.options, config.options);
    EXPECT_EQ(back.random_positions, config.random_positions);
  }
}

REAL_TEST(GptConfig, every_field_is_in_its_json) {
  const nlohmann::json defaults = to_json(GptConfig{}), unusual = to_json(unusual_config());
  ASSERT_EQ(defaults.size(), 15U);
  for (const auto& [name, value] : defaults.items())
    EXPECT_NE(value, unusual.at(name)) << name << " was left out of the other test";
  for (const auto& [name, value] : unusual.items()) {  // each alone is read back
    const GptConfig read = config_from_json({{name, value}});
    EXPECT_EQ(to_json(read).at(name), value) << name;
  }
}

REAL_TEST(GptConfig, takes_defaults_for_what_is_missing) {
  EXPECT_EQ(to_json(config_from_json(nlohmann::json::object())), to_json(GptConfig{}));
}

REAL_TEST(GptConfig, takes_numbers_for_options) {
  const GptConfig config = config_from_json({{"options", {{"base", 500}, {"pairing", "half"}}}});
  EXPECT_EQ(config.options, (OptionValues{{"base", "500"}, {"pairing", "half"}}));
}

REAL_TEST(GptConfig, all_words_come_back) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> words{
      {"norm", {"layer", "rms"}},
      {"activation", {"gelu_tanh", "gelu_erf", "relu", "silu"}},
      {"embedding_scale", {"auto", "on", "off"}}};
  for (const auto& [field, values] : words) {
    for (const std::string& word : values)
      EXPECT_EQ(to_json(config_from_json({{field, word}})).at(field), word);
    const nlohmann::json wrong{{field, "other"}};
    for (const std::string& word : values)
      expect_error<ConfigError>([&] { config_from_json(wrong); }, {"'other'", word});
  }
  EXPECT_EQ(parse_norm("rms"), NormKind::rms);
  EXPECT_EQ(parse_activation("gelu_erf"), Activation::gelu_erf);
  EXPECT_EQ(parse_embedding_scale("on"), EmbeddingScale::on);
  expect_error<ConfigError>([] { parse_norm("Layer"); }, {"norm 'Layer'", "layer, rms"});
}

REAL_TEST(GptConfig, refuses_fields_of_another_type) {
  const std::vector<std::pair<std::string, std::vector<nlohmann::json>>> wrong{
      {"vocabulary", {-3, 2.5, "7", true, nullptr, nlohmann::json::array()}},
      {"width", {-1, 64.0, "64"}},
      {"heads", {-1, 1.5, false}},
      {"layers", {-1, "two"}},
      {"context", {-1, 0.5}},
      {"mlp_ratio", {-4, 4.5}},
      {"dropout", {"0.1", nullptr}},
      {"norm", {3, nullptr}},
      {"activation", {3}},
      {"tied", {"yes", nullptr}},
      {"embedding_scale", {true}},
      {"scheme", {5}}};
  for (const auto& [field, values] : wrong)
    for (const nlohmann::json& value : values) {
      const nlohmann::json json{{field, value}};
      expect_error<CheckpointError>([&] { config_from_json(json); }, {"config.json"});
    }
  for (const nlohmann::json& value : {nlohmann::json::array(), nlohmann::json("text")})
    expect_error<CheckpointError>([&] { config_from_json(value); }, {"config.json"});
}

using Change = std::function<void(GptConfig&)>;

REAL_TEST(GptConfig, refuses_what_makes_no_model) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<Change, std::string>> cases{
      {[](GptConfig& c) { c.width = 0; }, "--width must be at least 1"},
      {[](GptConfig& c) { c.heads = 0; }, "--heads must be at least 1"},
      {[](GptConfig& c) { c.layers = 0; }, "--layers must be at least 1"},
      {[](GptConfig& c) { c.context = 0; }, "--context must be at least 1"},
      {[](GptConfig& c) { c.mlp_ratio = 0; }, "--mlp-ratio must be at least 1"},
      {[](GptConfig& c) { c.vocabulary = 0; }, "vocabulary is empty"},
      {[](GptConfig& c) { c.heads = 5; }, "--width 12 is not divisible by --heads 5"},
      {[](GptConfig& c) { c.heads = 5; }, "choose --width 15"},
      {[](GptConfig& c) { c.heads = 24; }, "choose --width 24"},
      {[](GptConfig& c) { c.dropout = -0.1; }, "below 1, got -0.1"},
      {[](GptConfig& c) { c.dropout = 1; }, "below 1, got 1"},
      {[nan](GptConfig& c) { c.dropout = nan; }, "below 1, got nan"}};
  EXPECT_NO_THROW(tiny_config("none").validate());
  for (const auto& [change, part] : cases) {
    GptConfig config = tiny_config("none");
    change(config);
    expect_error<ConfigError>([&] { config.validate(); }, {part});
    expect_error<ConfigError>([&] { initial_model(config); }, {part});
  }
}

REAL_TEST(GptConfig, refuses_schemes_and_options_that_are_not_there) {
  GptConfig config = tiny_config("rotary");
  expect_error<ConfigError>([&] { initial_model(config); }, {"'rotary'", "rope"});
  config = tiny_config("rope");
  config.options = {{"basis", "7"}};
  expect_error<ConfigError>([&] { initial_model(config); }, {"[rope]", "'basis'", "base"});
  config.options = {{"base", "many"}};
  expect_error<ConfigError>([&] { initial_model(config); }, {"[rope]", "'many'"});
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
