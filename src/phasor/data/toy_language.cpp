#include "phasor/data/toy_language.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "phasor/core/error.hpp"
#include "phasor/data/toy_grammar.hpp"

namespace phasor {
namespace {

/// More stories than this take over a second to compare.
constexpr double kMostStories = 1e6;

void replace_all(std::string& text, std::string_view mark, std::string_view word) {
  for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos; at += word.size())
    text.replace(at, mark.size(), word);
}

double entropy_term(double p) { return p > 0 ? -p * std::log(p) : 0; }

double log_count(std::size_t count) { return std::log(static_cast<double>(count)); }

double mean_size(const std::vector<std::string>& words) {
  double sum = 0;
  for (const std::string& word : words) sum += static_cast<double>(word.size());
  return words.empty() ? 0 : sum / static_cast<double>(words.size());
}

/// Calls visit with no choice, then with 0, 1, ..., each only where its probability is positive.
template <class Visit>
void for_each_adjective(const Grammar& grammar, Visit visit) {
  if (grammar.adjective_probability < 1) visit(std::optional<std::size_t>());
  if (grammar.adjective_probability == 0) return;
  for (std::size_t i = 0; i < grammar.adjectives.size(); ++i) visit(std::optional<std::size_t>(i));
}

}  // namespace

const ToyLanguage& ToyLanguage::standard() {
  static const ToyLanguage language(kToyGrammar);
  return language;
}

ToyLanguage::ToyLanguage(std::string_view grammar_text) : grammar_(parse_grammar(grammar_text)) {
  for (const Construction& construction : grammar_.constructions)
    for (const Verb& verb : grammar_.verbs) frames_.push_back(make_frame(construction, verb));
  check_all_different();
}

ToyLanguage::Frame ToyLanguage::make_frame(const Construction& construction, const Verb& verb) {
  std::string text = construction.text + '\n';
  replace_all(text, "{consequence}", verb.consequence);
  replace_all(text, "{verb}", verb.present);
  replace_all(text, "{participle}", verb.participle);
  Frame frame;
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('{'), text.size());
    if (open > 0) frame.push_back({Piece::Kind::literal, text.substr(0, open)});
    if (open == text.size()) break;
    const std::size_t close = text.find('}', open);
    const std::string mark = text.substr(open + 1, close - open - 1);
    frame.push_back({mark == "subject"  ? Piece::Kind::subject
                     : mark == "object" ? Piece::Kind::object
                                        : Piece::Kind::action,
                     {}});
    text.erase(0, close + 1);
  }
  return frame;
}

const ToyLanguage::Frame& ToyLanguage::frame(const Story& story) const {
  return frames_.at(story.construction * grammar_.verbs.size() + story.verb);
}

bool ToyLanguage::has_action(std::size_t construction) const {
  return grammar_.constructions[construction].text.find("{action}") != std::string::npos;
}

Story ToyLanguage::draw(Rng& rng) const {
  const auto adjective = [&]() -> std::optional<std::size_t> {
    if (rng.uniform() >= grammar_.adjective_probability) return std::nullopt;
    return rng.below(grammar_.adjectives.size());
  };
  Story story;
  double rest = rng.uniform();
  while (story.construction + 1 < grammar_.constructions.size() &&
         (rest -= grammar_.constructions[story.construction].probability) >= 0)
    ++story.construction;
  story.verb = rng.below(grammar_.verbs.size());
  story.subject = {rng.below(grammar_.nouns.size()), adjective()};
  // One of the other nouns: those from the subject's number on move up by one.
  const std::size_t other = rng.below(grammar_.nouns.size() - 1);
  story.object = {other + (other >= story.subject.noun ? 1 : 0), adjective()};
  if (has_action(story.construction)) story.action = rng.below(grammar_.actions.size());
  return story;
}

std::string ToyLanguage::tell(const Story& story) const {
  const auto phrase = [&](const NounPhrase& who) {
    const std::string& noun = grammar_.nouns.at(who.noun);
    return who.adjective ? grammar_.adjectives.at(*who.adjective) + ' ' + noun : noun;
  };
  std::string line;
  for (const Piece& piece : frame(story)) {
    switch (piece.kind) {
      case Piece::Kind::literal:
        line += piece.literal;
        break;
      case Piece::Kind::subject:
        line += phrase(story.subject);
        break;
      case Piece::Kind::object:
        line += phrase(story.object);
        break;
      case Piece::Kind::action:
        line += grammar_.actions.at(story.action.value());
        break;
    }
  }
  return line;
}

std::string ToyLanguage::sample(std::size_t characters, std::uint64_t seed) const {
  Rng rng(seed, "toy language");
  std::string text;
  while (text.size() < characters) text += tell(draw(rng));
  return text;
}

double ToyLanguage::probability(const Story& story) const {
  const auto adjective = [&](const NounPhrase& who) {
    const double p = grammar_.adjective_probability;
    return who.adjective ? p / static_cast<double>(grammar_.adjectives.size()) : 1 - p;
  };
  const auto nouns = static_cast<double>(grammar_.nouns.size());
  const double choices = static_cast<double>(grammar_.verbs.size()) * nouns * (nouns - 1) *
                         (story.action ? static_cast<double>(grammar_.actions.size()) : 1);
  return grammar_.constructions[story.construction].probability * adjective(story.subject) *
         adjective(story.object) / choices;
}

void ToyLanguage::for_each_story(const std::function<void(const Story&)>& visit) const {
  Story story;
  const auto visit_actions = [&] {
    story.action.reset();
    if (!has_action(story.construction)) return visit(story);
    for (std::size_t i = 0; i < grammar_.actions.size(); ++i) {
      story.action = i;
      visit(story);
    }
  };
  const auto visit_phrases = [&] {
    for_each_adjective(grammar_, [&](std::optional<std::size_t> of_subject) {
      story.subject.adjective = of_subject;
      for_each_adjective(grammar_, [&](std::optional<std::size_t> of_object) {
        story.object.adjective = of_object;
        visit_actions();
      });
    });
  };
  const std::size_t nouns = grammar_.nouns.size();
  for (std::size_t frame = 0; frame < frames_.size(); ++frame) {
    story.construction = frame / grammar_.verbs.size();
    story.verb = frame % grammar_.verbs.size();
    for (std::size_t pair = 0; pair < nouns * nouns; ++pair) {
      story.subject.noun = pair / nouns;
      story.object.noun = pair % nouns;
      if (story.subject.noun != story.object.noun) visit_phrases();
    }
  }
}

void ToyLanguage::check_all_different() const {
  const auto phrases = static_cast<double>(grammar_.nouns.size()) *
                       static_cast<double>(grammar_.adjectives.size() + 1);
  const double most = static_cast<double>(frames_.size()) * phrases * phrases *
                      static_cast<double>(std::max<std::size_t>(grammar_.actions.size(), 1));
  check<DataError>(most <= kMostStories,
                   "the toy grammar has up to {:.0f} stories, at most {:.0f} can be checked; take "
                   "out words",
                   most, kMostStories);
  // Most lines differ in their hash already, and hashes are quick to sort; a hash that comes twice
  // shows which lines to compare.
  const std::hash<std::string> hash;
  std::vector<std::size_t> hashes;
  for_each_story([&](const Story& story) { hashes.push_back(hash(tell(story))); });
  std::sort(hashes.begin(), hashes.end());
  std::unordered_set<std::size_t> twice;
  for (std::size_t i = 1; i < hashes.size(); ++i)
    if (hashes[i] == hashes[i - 1]) twice.insert(hashes[i]);
  if (twice.empty()) return;
  std::unordered_set<std::string> lines;
  for_each_story([&](const Story& story) {
    const std::string line = tell(story);
    check<DataError>(!twice.contains(hash(line)) || lines.insert(line).second,
                     "two different stories of the toy grammar are the same line, '{}'; change a "
                     "word or a story so that each can be told apart",
                     line.substr(0, line.size() - 1));
  });
}

double ToyLanguage::story_entropy() const {
  const double p = grammar_.adjective_probability;
  const double adjective = entropy_term(p) + entropy_term(1 - p) +
                           (p > 0 ? p * log_count(grammar_.adjectives.size()) : 0);
  double entropy = log_count(grammar_.nouns.size()) + log_count(grammar_.nouns.size() - 1) +
                   log_count(grammar_.verbs.size()) + 2 * adjective;
  for (std::size_t i = 0; i < grammar_.constructions.size(); ++i) {
    const double weight = grammar_.constructions[i].probability;
    entropy += entropy_term(weight);
    if (has_action(i)) entropy += weight * log_count(grammar_.actions.size());
  }
  return entropy;
}

double ToyLanguage::mean_length(const Piece& piece) const {
  switch (piece.kind) {
    case Piece::Kind::literal:
      return static_cast<double>(piece.literal.size());
    case Piece::Kind::action:
      return mean_size(grammar_.actions);
    default:
      return mean_size(grammar_.nouns) +
             grammar_.adjective_probability * (mean_size(grammar_.adjectives) + 1);
  }
}

double ToyLanguage::mean_story_length() const {
  double mean = 0;
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const std::size_t verbs = grammar_.verbs.size();
    const double weight =
        grammar_.constructions[i / verbs].probability / static_cast<double>(verbs);
    for (const Piece& piece : frames_[i]) mean += weight * mean_length(piece);
  }
  return mean;
}

}  // namespace phasor
