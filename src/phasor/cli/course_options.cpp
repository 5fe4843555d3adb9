// The commands that reproduce and measure what the documents show and claim.
#include "phasor/cli/commands.hpp"
#include "phasor/cli/options.hpp"
#include "phasor/cli/usage.hpp"
#include "phasor/core/error.hpp"

namespace phasor::cli {

void add_figures(CLI::App& app, Chosen& chosen) {
  auto command = std::make_shared<FiguresCommand>();
  CLI::App* sub = app.add_subcommand("figures", "List or make the figures of the documents");
  sub->add_option("ids", command->ids, "Figures to make, such as D4-F1; none lists them");
  CLI::Option* all = sub->add_flag("--all", command->all, "Make every one");
  CLI::Option* out =
      add_value(*sub, "out", command->out, "Folder to write them into")->capture_default_str();
  add_value(*sub, "results", command->results, "Results of the labs, with their trained models")
      ->capture_default_str();
  add_example(*sub, "figures D4-F1 --out figures");
  sub->callback([=, &chosen] {
    if (!command->ids.empty() && all->count() > 0)
      throw ConfigError("--all makes every figure; leave it out, or the ids");
    if (command->ids.empty() && all->count() == 0 && out->count() > 0)
      throw ConfigError("--out needs a figure to write; name one, such as D4-F1, or give --all");
    chosen = [command] { return run(*command), 0; };
  });
}

void add_claims(CLI::App& app, Chosen& chosen) {
  auto command = std::make_shared<ClaimsCommand>();
  CLI::App* sub = app.add_subcommand("claims", "Measure what the documents claim");
  sub->add_option("--document", command->documents, "Claims of this document, such as D3");
  sub->add_option("--id", command->ids, "This claim; may be given several times");
  sub->add_option("--lab", command->labs, "Claims that this lab shows, such as 03");
  sub->add_flag("--json", command->json, "Print JSON");
  add_value(*sub, "results", command->results, "Results of the labs, with their trained models")
      ->capture_default_str();
  add_value(*sub, "page", command->page, "HTML file to write");
  add_example(*sub, "claims --document D3");
  sub->callback([=, &chosen] { chosen = [command] { return run(*command), 0; }; });
}

}  // namespace phasor::cli
