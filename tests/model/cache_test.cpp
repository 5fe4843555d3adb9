// With a key/value cache, token by token or in pieces, the logits are those of one full pass.
#include "tests/core/expect_error.hpp"
#include "tests/model/tiny.hpp"
#include "tests/position/hooks.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr std::size_t kTokens = 7, kV = 11;
// The same sums of up to 24 products, in another order because the matrices have other heights.
constexpr double kSame = 1e3 * kEpsilon;

GptConfig config_of(const Variant& variant) {
  GptConfig config = tiny_config(variant.entry->name);
  config.options = variant.options;
  return config;
}

/// Logits of `tokens` fed in pieces of these lengths, [B, T, V].
Tensor in_pieces(const Gpt& model, const Indices& tokens, const std::vector<std::size_t>& lengths,
                 const Positions& positions = {}) {
  KeyValueCache cache;
  std::vector<Var> parts;
  std::size_t first = 0;
  for (const std::size_t length : lengths) {
    const auto begin =
        positions.begin() + static_cast<std::ptrdiff_t>(positions.empty() ? 0 : first);
    const Positions here = positions.empty()
                               ? Positions{}
                               : Positions(begin, begin + static_cast<std::ptrdiff_t>(length));
    parts.push_back(
        model(columns(tokens, first, first + length), {.positions = here, .cache = &cache}));
    first += length;
    EXPECT_EQ(cache.positions.size(), first);
  }
  return concatenate(parts, 1).value();
}

/// Whether the angles depend on the length in sight: what the first layer made of early tokens,
/// when the text was shorter, is then not what a full pass makes of them.
bool follows_length(const Variant& variant) {
  const auto scaling = variant.options.find("scaling");
  return scaling != variant.options.end() && scaling->second.starts_with("dynamic_ntk") &&
         variant.options.contains("original");
}

REAL_TEST(KeyValueCache, gives_the_logits_of_one_full_pass) {
  for (const Variant& variant : variants()) {
    if (follows_length(variant)) continue;
    const auto model = lively_model(config_of(variant));
    const Indices tokens = random_tokens(2, kTokens, kV);
    const Tensor full = (*model)(tokens).value();
    for (const std::vector<std::size_t>& lengths :
         {std::vector<std::size_t>(kTokens, 1), {7}, {3, 1, 3}, {1, 6}, {5, 2}, {2, 2, 2, 1}})
      EXPECT_LE(relative_difference(in_pieces(*model, tokens, lengths), full), kSame)
          << variant.name << ", pieces " << fmt::format("{}", lengths);
  }
}

REAL_TEST(KeyValueCache, keeps_positions_that_were_given) {
  for (const Variant& variant : variants()) {
    if (follows_length(variant)) continue;
    const auto model = lively_model(config_of(variant));
    const Indices tokens = random_tokens(2, kTokens, kV);
    Positions positions{0, 1, 2.5, 3, 4.25, 6, 7};
    if (model->scheme().traits().whole_positions) positions = {0, 1, 2, 4, 5, 6, 7};
    const Tensor full = (*model)(tokens, {.positions = positions}).value();
    EXPECT_LE(relative_difference(in_pieces(*model, tokens, {3, 1, 3}, positions), full), kSame)
        << variant.name;
    EXPECT_LE(relative_difference(
                  in_pieces(*model, tokens, std::vector<std::size_t>(kTokens, 1), positions), full),
              kSame)
        << variant.name;
  }
}

REAL_TEST(KeyValueCache, goes_on_right_after_the_last_position) {
  const auto model = lively_model(tiny_config("rope"));
  const Indices tokens = random_tokens(1, 4, kV);
  KeyValueCache cache;
  (*model)(columns(tokens, 0, 2), {.positions = {3, 4.5}, .cache = &cache});
  (*model)(columns(tokens, 2, 4), {.cache = &cache});
  EXPECT_EQ(cache.positions, (Positions{3, 4.5, 5.5, 6.5}));
}

REAL_TEST(KeyValueCache, holds_keys_as_they_were_before_rotation) {
  const auto model = lively_model(tiny_config("rope"));
  const Indices tokens = random_tokens(2, kTokens, kV);
  KeyValueCache here, there;
  (*model)(tokens, {.cache = &here});
  (*model)(tokens, {.positions = consecutive_positions(kTokens, 100), .cache = &there});
  ASSERT_EQ(here.layers.size(), 2U);
  EXPECT_EQ(here.layers[0].keys.shape(), (Shape{2, 3, kTokens, 4}));
  EXPECT_EQ(here.layers[0].values.shape(), (Shape{2, 3, kTokens, 4}));
  EXPECT_TRUE(identical(here.layers[0].keys.value(), there.layers[0].keys.value()));
}

REAL_TEST(KeyValueCache, a_short_text_after_a_long_one_is_read_afresh) {
  for (const Variant& variant : variants()) {
    const auto model = lively_model(config_of(variant));
    const Indices few = random_tokens(2, 2, kV, 9);
    const Tensor before = in_pieces(*model, few, {1, 1});
    in_pieces(*model, random_tokens(3, kTokens, kV), {4, 1, 2});
    EXPECT_TRUE(identical(in_pieces(*model, few, {1, 1}), before)) << variant.name;
  }
}

REAL_TEST(KeyValueCache, is_as_it_was_after_a_position_too_far) {
  for (const Variant& variant : variants()) {
    const auto model = lively_model(config_of(variant));
    if (!model->scheme().traits().max_positions) continue;
    const Indices tokens = random_tokens(2, 9, kV);
    KeyValueCache cache;
    (*model)(columns(tokens, 0, 7), {.cache = &cache});
    expect_error<PositionError>([&] { (*model)(columns(tokens, 7, 9), {.cache = &cache}); }, {"8"});
    const Tensor last = (*model)(columns(tokens, 7, 8), {.cache = &cache}).value();
    const Tensor full = (*model)(columns(tokens, 0, 8)).value();
    Tensor wanted = empty({2, 1, kV});
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t v = 0; v < kV; ++v) wanted(b, 0, v) = full(b, 7, v);
    EXPECT_LE(relative_difference(last, wanted), kSame) << variant.name;
  }
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
