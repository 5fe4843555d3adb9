#include "phasor/data/grammar.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <span>

#include "phasor/core/error.hpp"

namespace phasor {
namespace {

constexpr std::array<std::string_view, 5> kSections = {"nouns", "adjectives", "actions", "verbs",
                                                       "stories"};

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// The trimmed parts between separators; blanks separate words, so they make no empty parts.
std::vector<std::string_view> cut(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    const std::string_view part = trim(text.substr(0, end));
    if (separator != ' ' || !part.empty()) parts.push_back(part);
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

class Parser {
 public:
  Grammar parse(std::string_view text) {
    for (const std::string_view line : cut(text, '\n')) {
      ++line_;
      const std::string_view content = trim(line.substr(0, line.find('#')));
      if (!content.empty()) read_line(content);
    }
    finish();
    return std::move(grammar_);
  }

 private:
  template <class... Args>
  void require(bool ok, fmt::format_string<Args...> format, Args&&... args) const {
    if (ok) return;
    const std::string place = line_ > 0 ? fmt::format(", line {}", line_) : "";
    throw DataError(
        fmt::format("toy grammar{}: {}", place, fmt::format(format, std::forward<Args>(args)...)));
  }

  void read_line(std::string_view line) {
    if (line.front() == '[') return open_section(line);
    require(!section_.empty(), "'{}' stands before the first section; begin with one of [{}]", line,
            fmt::join(kSections, "] ["));
    if (section_ == "nouns") read_words(line, grammar_.nouns);
    if (section_ == "actions") read_words(line, grammar_.actions);
    if (section_ == "adjectives") read_adjectives(line);
    if (section_ == "verbs") read_verb(line);
    if (section_ == "stories") read_construction(line);
  }

  void open_section(std::string_view line) {
    section_ = line.back() == ']' ? trim(line.substr(1, line.size() - 2)) : "";
    require(std::find(kSections.begin(), kSections.end(), section_) != kSections.end(),
            "'{}' is no section; choose one of [{}]", line, fmt::join(kSections, "] ["));
    require(opened_.insert(section_).second, "[{}] comes twice; join the two", section_);
  }

  std::string read_word(std::string_view word) const {
    const bool fine =
        std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    require(fine && !word.empty(), "'{}' is no word; write a to z in lower case", word);
    return std::string(word);
  }

  void read_words(std::string_view line, std::vector<std::string>& words) const {
    for (const std::string_view part : cut(line, ' ')) {
      words.push_back(read_word(part));
      require(std::count(words.begin(), words.end(), words.back()) == 1,
              "'{}' comes twice; take one out", part);
    }
  }

  void read_adjectives(std::string_view line) {
    if (!contains(line, "=")) return read_words(line, grammar_.adjectives);
    const auto parts = cut(line, '=');
    require(parts.size() == 2 && parts[0] == "probability",
            "'{}' is no setting; write for example: probability = 0.25", line);
    grammar_.adjective_probability = read_number(parts[1]);
    require(grammar_.adjective_probability <= 1, "a probability is at most 1, got {}", parts[1]);
  }

  double read_number(std::string_view text) const {
    double number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    require(
        problem == std::errc() && end == text.data() + text.size() && number >= 0 && number < 1e9,
        "'{}' is no number from 0 on; write for example 0.25", text);
    return number;
  }

  /// Checks letters and marks of a sentence: only `allowed` may stand in braces.
  std::string read_sentence(std::string_view text,
                            std::span<const std::string_view> allowed) const {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '{') {
        const std::size_t close = text.find('}', at);
        require(close != text.npos, "'{}' has a brace that is never closed; add a }}", text);
        const std::string_view mark = text.substr(at + 1, close - at - 1);
        require(std::find(allowed.begin(), allowed.end(), mark) != allowed.end(),
                "{{{}}} means nothing here; choose one of {{{}}}", mark, fmt::join(allowed, "} {"));
        at = close;
        continue;
      }
      const bool fine =
          (text[at] >= 'a' && text[at] <= 'z') || contains(" .,;!?'-", text.substr(at, 1));
      require(fine, "'{}' leaves the alphabet at byte {}; write a to z, blanks and . , ; ! ? ' -",
              text, at + 1);
    }
    return std::string(text);
  }

  void read_verb(std::string_view line) {
    static constexpr std::array<std::string_view, 2> marks = {"subject", "object"};
    const auto parts = cut(line, '|');
    require(parts.size() == 3,
            "a verb needs 3 parts, got {}; write present | participle | sentence", parts.size());
    Verb verb{read_word(parts[0]), read_word(parts[1]), read_sentence(parts[2], marks)};
    require(contains(verb.consequence, "{subject}") || contains(verb.consequence, "{object}"),
            "what happens after '{}' tells nothing of who did it; use {{subject}} or {{object}}",
            verb.present);
    for (const Verb& other : grammar_.verbs)
      require(other.present != verb.present && other.participle != verb.participle,
              "the verb '{}' comes twice; take one out", verb.present);
    grammar_.verbs.push_back(std::move(verb));
  }

  void read_construction(std::string_view line) {
    static constexpr std::array<std::string_view, 6> marks = {
        "subject", "object", "verb", "participle", "action", "consequence"};
    const auto parts = cut(line, '|');
    require(parts.size() == 2, "a story needs 2 parts, got {}; write weight | story", parts.size());
    Construction construction{read_number(parts[0]), read_sentence(parts[1], marks)};
    require(construction.probability > 0, "the weight must be positive, got {}", parts[0]);
    const std::string& text = construction.text;
    require(contains(text, "{subject}") && contains(text, "{object}"),
            "a story needs {{subject}} and {{object}}: '{}'", text);
    require(contains(text, "{verb}") || contains(text, "{participle}"),
            "a story needs {{verb}} or {{participle}}: '{}'", text);
    require(contains(text, "{consequence}"), "a story needs {{consequence}}: '{}'", text);
    grammar_.constructions.push_back(std::move(construction));
  }

  /// What can be judged only at the end; makes weights into probabilities.
  void finish() {
    line_ = 0;
    const Grammar& g = grammar_;
    require(g.nouns.size() >= 2, "[nouns] has {} words, at least 2 are needed", g.nouns.size());
    require(!g.verbs.empty(), "[verbs] is empty, at least 1 verb is needed");
    require(!g.constructions.empty(), "[stories] is empty, at least 1 story is needed");
    require(g.adjective_probability == 0 || !g.adjectives.empty(),
            "[adjectives] has a probability and no words; add a word, or set it to 0");
    double sum = 0;
    for (const Construction& construction : g.constructions) {
      sum += construction.probability;
      require(!g.actions.empty() || !contains(construction.text, "{action}"),
              "a story uses {{action}} and [actions] is empty; add a word there");
    }
    for (Construction& construction : grammar_.constructions) construction.probability /= sum;
  }

  Grammar grammar_;
  std::size_t line_ = 0;  // 0 once the whole file is read
  std::string_view section_;
  std::set<std::string_view> opened_;
};

}  // namespace

Grammar parse_grammar(std::string_view text) { return Parser().parse(text); }

}  // namespace phasor
