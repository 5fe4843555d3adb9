// JSON that comes from a file or from somebody else.
#pragma once
#include <nlohmann/json.hpp>
#include <string_view>

namespace phasor {

/// Arrays and objects within one another that parse_json takes.
inline constexpr int kDeepestJson = 64;

/// Of a text that nests deeper.
struct JsonTooDeep : nlohmann::json::exception {
  JsonTooDeep() : exception(0, "its lists and objects nest more than 64 deep") {}
};

/// The value that `text` stands for. Throws nlohmann::json::exception when it is no JSON, and when
/// it nests deeper than kDeepestJson: what walks over a value, such as dump(), needs stack for
/// every level, and a hundred thousand brackets would end the program. `callback` as in the
/// library.
template <class Json = nlohmann::json>
Json parse_json(std::string_view text, const typename Json::parser_callback_t& callback = nullptr) {
  return Json::parse(text, [&](int depth, typename Json::parse_event_t event, Json& value) {
    const bool opens =
        event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
    if (opens && depth >= kDeepestJson) throw JsonTooDeep();
    return callback ? callback(depth, event, value) : true;
  });
}

}  // namespace phasor
