#include <nlohmann/json.hpp>

#include "phasor/cli/show.hpp"
#include "phasor/core/error.hpp"
#include "phasor/course/attention_figure.hpp"
#include "phasor/tensor/gemm.hpp"

namespace phasor::cli {
namespace {

/// None for 0, else counted from 0.
std::optional<std::size_t> picked(std::size_t from_one) {
  return from_one == 0 ? std::nullopt : std::optional(from_one - 1);
}

void print_json(const Run& run, const AttentionMaps& maps) {
  nlohmann::ordered_json heads = nlohmann::ordered_json::array();
  const HeadFocus even = even_focus(maps);
  const auto shares = [](const HeadFocus& focus) {
    return nlohmann::ordered_json{{"previous", focus.previous},
                                  {"start", focus.start},
                                  {"itself", focus.itself},
                                  {"same_earlier", focus.repeated},
                                  {"distance", focus.distance}};
  };
  for (const HeadFocus& focus : head_focus(maps)) {
    nlohmann::ordered_json head{{"layer", focus.layer + 1}, {"head", focus.head + 1}};
    head.update(shares(focus));
    head["mostly"] = focus_words(focus, even);
    heads.push_back(head);
  }
  const nlohmann::ordered_json json{{"scheme", run.config.model.scheme},
                                    {"shape", shape_of(maps.weights)},
                                    {"tokens", maps.tokens},
                                    {"heads", heads},
                                    {"even", shares(even)}};
  fmt::print("{}\n", json.dump(2));
}

void print_table(const Run& run, const AttentionMaps& maps) {
  const std::vector<std::vector<std::string>> rows = focus_rows(maps);
  fmt::print("{}, {} layers of {} heads, on {} tokens (trained at {}).\n", run.config.model.scheme,
             maps.layers(), maps.heads(), maps.length(), run.config.model.context);
  fmt::print("Shares of each head's weight, means over the queries from the third token on:\n\n");
  for (const std::vector<std::string>& row : rows)
    fmt::print("{:>5} {:>5} {:>9} {:>6} {:>7} {:>13} {:>9}  {}\n", row[0], row[1], row[2], row[3],
               row[4], row[5], row[6], row[7]);
}

}  // namespace

void run(const AttentionCommand& command) {
  const bool draws = !command.figure.empty();
  check<ConfigError>(
      draws || (command.layer == 0 && command.head == 0),
      "--layer and --head pick what --figure draws; add --figure, or leave them out");
  ShowCommand files;  // what is written, and what is said of it
  files.json = command.json;
  files.out = command.out;
  files.figure = command.figure;
  check_places(files);
  const Run loaded = load_run(command.run);
  use_single_threaded_blas();
  const AttentionMaps maps = attention_maps(*loaded.model, loaded.tokenizer, command.prompt);
  Figure figure;  // made before anything is printed: it finds out about a head that is not there
  if (draws)
    figure = attention_figure(
        maps, {.id = "attention",
               .title = fmt::format("What each head looks at: {}", loaded.config.model.scheme),
               .layer = picked(command.layer),
               .head = picked(command.head)});
  if (command.json)
    print_json(loaded, maps);
  else
    print_table(loaded, maps);
  write_shown(files, figure);
  Tensor weights = empty(shape_of(maps.weights));
  std::transform(maps.weights.begin(), maps.weights.end(), weights.begin(),
                 [](double weight) { return static_cast<Real>(weight); });
  write_out(files, weights, "weights");
}

}  // namespace phasor::cli
