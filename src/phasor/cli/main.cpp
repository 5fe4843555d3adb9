// The `phasor` command: reads options and calls the command they belong to.
#include <csignal>
#include <iostream>

#include "phasor/cli/options.hpp"
#include "phasor/cli/usage.hpp"
#include "phasor/core/error.hpp"

namespace phasor::cli {
namespace {

constexpr const char* kOutOfMemory =
    "out of memory; choose smaller sizes, such as --width, --batch, --context or --positions";

constexpr const char* kNoOutput =
    "cannot write to standard output; free some space or send it elsewhere";

int main_with_errors(int argc, char** argv) {
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
    if (problem.get_exit_code() == 0) return app.exit(problem);  // --help, --version
    throw ConfigError(usage_problem(app, problem));
  }
}

/// Runs the command, and makes sure that what it printed has arrived.
int main_with_output(int argc, char** argv) {
  const int code = main_with_errors(argc, argv);
  std::cout.flush();
  check<DataError>(std::fflush(stdout) == 0 && std::cout.good(), "{}", kNoOutput);
  return code;
}

int fail(const std::string& message) {
  std::fflush(stdout);
  std::cerr << "phasor: " << message << '\n';
  return 2;
}

}  // namespace
}  // namespace phasor::cli

int main(int argc, char** argv) try {
  phasor::cli::program_name() = argv[0];
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is then an error like a full disk
  return phasor::cli::main_with_output(argc, argv);
} catch (const std::bad_alloc&) {
  return phasor::cli::fail(phasor::cli::kOutOfMemory);
} catch (const std::length_error&) {  // more elements than any memory could hold
  return phasor::cli::fail(phasor::cli::kOutOfMemory);
} catch (const std::filesystem::filesystem_error& problem) {
  return phasor::cli::fail(problem.what());
} catch (const std::system_error&) {  // fmt's, on a full disk
  return phasor::cli::fail(phasor::cli::kNoOutput);
} catch (const std::exception& problem) {
  return phasor::cli::fail(problem.what());
}
