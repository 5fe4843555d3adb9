// The `phasor` command: reads options and calls the command they belong to.
#include <sstream>

#include "phasor/cli/options.hpp"
#include "phasor/cli/usage.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/program.hpp"

namespace phasor::cli {
namespace {

int run_command(int argc, char** argv) {
  CLI::App app{"Phasor: learn positional encoding by building it"};
  app.set_version_flag("--version", PHASOR_VERSION);
  app.require_subcommand(1);
  add_example(app, "train --text toy --scheme sinusoidal --steps 200 --out runs/first");
  Chosen chosen;
  for (const auto add :
       {add_schemes, add_encode, add_bias, add_rotate, add_kernel, add_text, add_train, add_compare,
        add_eval, add_generate, add_logits, add_attention, add_figures, add_claims})
    add(app, chosen);
  try {
    app.parse(argc, argv);
    return chosen();
  } catch (const CLI::ParseError& problem) {
    if (problem.get_exit_code() != 0) throw ConfigError(usage_problem(app, problem));
    std::ostringstream words;  // of --help or --version
    app.exit(problem, words);
    fmt::print("{}", words.str());
    return 0;
  }
}

}  // namespace
}  // namespace phasor::cli

int main(int argc, char** argv) {
  phasor::cli::program_name() = argv[0];
  return phasor::run_program("phasor", [&] { return phasor::cli::run_command(argc, argv); });
}
