// How long the functions of a C++ file are, measured by counting braces.
#pragma once
#include <algorithm>
#include <cctype>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "tests/layout/source_files.hpp"

namespace layout {

struct Function {
  std::size_t first_line;  ///< of its declaration, 1 for the first line of the file
  std::size_t lines;       ///< from the declaration to the closing brace, both included
};

namespace detail {

inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// One past the end of the comment or literal that begins at `at`, or `at` if none does.
class Blanks {
 public:
  explicit Blanks(std::string_view text) : text_(text) {}

  std::size_t end(std::size_t at) const {
    const std::string_view rest = text_.substr(at);
    if (rest.starts_with("//")) return past("\n", at) - (text_.find('\n', at) < text_.size());
    if (rest.starts_with("/*")) return past("*/", at + 2);
    if (rest.starts_with("R\"") && (at == 0 || !is_word(text_[at - 1]))) {
      const std::size_t open = text_.find('(', at);
      if (open == text_.npos) return text_.size();
      return past(")" + std::string(text_.substr(at + 2, open - at - 2)) + "\"", open);
    }
    if (rest.front() == '"' || (rest.front() == '\'' && !separates_digits(at))) return quoted(at);
    return at;
  }

 private:
  std::size_t past(std::string_view what, std::size_t from) const {
    const std::size_t found = text_.find(what, from);
    return found == text_.npos ? text_.size() : found + what.size();
  }
  std::size_t quoted(std::size_t at) const {
    for (std::size_t i = at + 1; i < text_.size(); ++i) {
      if (text_[i] == '\n') return i;  // an apostrophe in an #error
      if (text_[i] == text_[at]) return i + 1;
      if (text_[i] == '\\') ++i;
    }
    return text_.size();
  }
  /// 1'000, but not L'a'.
  bool separates_digits(std::size_t at) const {
    return at > 0 && at + 2 < text_.size() && is_word(text_[at - 1]) && is_word(text_[at + 1]) &&
           text_[at + 2] != '\'';
  }

  std::string_view text_;
};

inline void blank(std::string& text, std::size_t first, std::size_t last) {
  std::replace_if(
      text.begin() + static_cast<std::ptrdiff_t>(first),
      text.begin() + static_cast<std::ptrdiff_t>(last), [](char c) { return c != '\n'; }, ' ');
}

inline void blank_preprocessor(std::string& code) {
  bool continued = false;
  for (std::size_t start = 0; start < code.size();) {
    const std::size_t end = std::min(code.find('\n', start), code.size());
    const std::size_t first = code.find_first_not_of(" \t", start);
    const bool directive = continued || (first < end && code[first] == '#');
    continued = directive && end > start && code[end - 1] == '\\';
    if (directive) blank(code, start, end);
    start = end + 1;
  }
}

enum class Brace { scope, function, value };

/// What the brace after `header` opens, at namespace or class scope.
inline Brace kind_of(std::string header) {
  static const std::regex scope(R"(^\s*(inline\s+)?(namespace|class|struct|union|extern)\b[^=]*$)");
  static const std::regex enumeration(R"(^\s*enum\b)");
  static const std::regex function_type(R"(operator\s*[=!<>]+)");
  static const std::regex lambda(R"(=\s*\[)");
  static const std::regex member_value(R"(\)[^:]*[^:]:[^:].*[\w>]\s*$)");
  if (std::regex_search(header, scope)) {
    static const std::regex returns_struct(R"(\)\s*(const|noexcept)?\s*$)");
    return std::regex_search(header, returns_struct) ? Brace::function : Brace::scope;
  }
  if (std::regex_search(header, enumeration)) return Brace::value;
  header = std::regex_replace(header, function_type, "operator");
  int depth = 0;
  for (const char c : header) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == '=' && depth == 0)
      return std::regex_search(header, lambda) ? Brace::function : Brace::value;
  }
  if (header.find('(') == header.npos) return Brace::value;
  std::replace(header.begin(), header.end(), '\n', ' ');
  return std::regex_search(header, member_value) ? Brace::value : Brace::function;
}

/// A declaration without the `template <...>` before it.
inline std::string without_template(std::string header) {
  while (header.starts_with("template")) {
    std::size_t at = header.find('<');
    if (at == header.npos) return header;
    for (int depth = 0; at < header.size(); ++at) {
      if (header[at] == '<') ++depth;
      if (header[at] == '>' && --depth == 0) break;
    }
    header.erase(0, std::min(at + 1, header.size()));
    header.erase(0, std::min(header.find_first_not_of(" \n"), header.size()));
  }
  return header;
}

inline std::size_t matching_brace(std::string_view code, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    if (code[i] == '{') ++depth;
    if (code[i] == '}' && --depth == 0) return i;
  }
  return code.size();
}

inline bool is_access(std::string_view header) {
  return header == "public" || header == "private" || header == "protected";
}

}  // namespace detail

/// `text` with comments, the contents of literals and preprocessor lines made blank; every other
/// character keeps its place.
inline std::string code_only(std::string_view text) {
  std::string code(text);
  const detail::Blanks blanks(text);
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = blanks.end(i);
    detail::blank(code, i, end);
    i = std::max(end, i + 1);
  }
  detail::blank_preprocessor(code);
  return code;
}

/// The functions of a file, tests and named lambdas at namespace scope among them. What is inside
/// a function (lambdas, local classes) is part of it.
inline std::vector<Function> functions_in(std::string_view text) {
  const std::string code = code_only(text);
  std::vector<Function> functions;
  std::size_t start = code.npos;  // of the declaration that is being read
  int depth = 0;                  // of parentheses
  for (std::size_t i = 0; i < code.size(); ++i) {
    const char c = code[i];
    if (start == code.npos && std::isspace(static_cast<unsigned char>(c)) == 0) start = i;
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == '{') {
      const detail::Brace kind =
          depth > 0 ? detail::Brace::value
                    : detail::kind_of(detail::without_template(code.substr(start, i - start)));
      const std::size_t close = detail::matching_brace(code, i);
      if (kind == detail::Brace::function) {
        const std::size_t first = line_at(code, start);
        functions.push_back({first, line_at(code, close) - first + 1});
      }
      if (kind != detail::Brace::scope) i = close;
      if (kind != detail::Brace::value) start = code.npos;
    } else if (depth == 0 && (c == ';' || c == '}' ||
                              (c == ':' && detail::is_access(code.substr(start, i - start))))) {
      start = code.npos;
    }
  }
  return functions;
}

}  // namespace layout
