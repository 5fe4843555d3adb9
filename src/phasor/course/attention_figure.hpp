// What attention looks at: the weights of every head on one text, as numbers, words and pictures.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phasor/data/tokenizer.hpp"
#include "phasor/figure/figure.hpp"
#include "phasor/model/gpt.hpp"

namespace phasor {

/// Every head's weights on one text of T tokens. Row: the token that looks (the query); column: the
/// token it looks at (the key).
struct AttentionMaps {
  xt::xarray<double> weights;       ///< after softmax, [L, H, T, T]; every row sums to 1
  xt::xarray<double> logits;        ///< before softmax, [L, H, T, T]; NaN where a key is hidden
  std::vector<std::string> tokens;  ///< as they stand on the axes, T of them
  bool causal = true;               ///< hidden are the keys after the query

  std::size_t layers() const { return weights.shape(0); }
  std::size_t heads() const { return weights.shape(1); }
  std::size_t length() const { return tokens.size(); }
};

/// What stands on the axes for each token: the character itself, a sign where it cannot be seen.
std::vector<std::string> shown_tokens(const CharTokenizer& tokenizer, const Encoded& tokens);

/// Runs the model over `text` and keeps what every head did. Throws DataError when the text is
/// empty or has a character that the model does not know, PositionError when the scheme has no
/// position that far.
AttentionMaps attention_maps(const Gpt& model, const CharTokenizer& tokenizer,
                             std::string_view text);
/// The same for tokens that are no text; `labels` are what stands on the axes.
AttentionMaps attention_maps(const Gpt& model, const std::vector<std::int64_t>& tokens,
                             std::vector<std::string> labels);

/// Where one head's weight goes: mean shares over the queries from the third token on, for which
/// the start, the previous token and the token itself are three keys. A key can be more than one
/// of these, so shares may add up to more than 1.
struct HeadFocus {
  std::size_t layer = 0, head = 0;  ///< from 0
  double previous = 0;              ///< on the token just before the query
  double start = 0;                 ///< on the first token of the text
  double itself = 0;                ///< on the query's own token
  /// On earlier places of the same token, over the queries that have any; NaN when none has.
  double repeated = 0;
  double distance = 0;  ///< mean distance of what it looks at, in tokens
};

/// Of every head, layer by layer. Throws DataError on a text of fewer than three tokens.
std::vector<HeadFocus> head_focus(const AttentionMaps& maps);
/// Of a head that spreads its weight evenly over all keys that it sees: what to compare with.
HeadFocus even_focus(const AttentionMaps& maps);
/// What a head looks at most, in words: "the previous token (82 %)". "spread out" when no share is
/// at least 30 % and twice that of an even spread.
std::string focus_words(const HeadFocus& focus, const HeadFocus& even);
/// A header, a row for every head and one for an even spread, for a table: layer, head, previous,
/// start, itself, same earlier, distance, mostly. Layers and heads are counted from 1.
std::vector<std::vector<std::string>> focus_rows(const AttentionMaps& maps);

/// Which maps to draw, and how the figure is called.
struct AttentionFigure {
  std::string id;                                    ///< the name of its files
  std::string title;                                 ///< "rope after 240 steps"
  std::optional<std::size_t> layer = {}, head = {};  ///< from 0; none: all of them
};

/// One heatmap for every head, layer by layer, the tokens on the axes (their numbers, when they are
/// more than kMostLabels). Throws ConfigError when there is no such layer or head, or when they are
/// more than kMostMaps.
Figure attention_figure(const AttentionMaps& maps, const AttentionFigure& what);

inline constexpr std::size_t kMostMaps = 16, kMostLabels = 48;

}  // namespace phasor
