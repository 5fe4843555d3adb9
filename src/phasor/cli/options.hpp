// What `phasor` can be told: each function adds one command with its options, and sets `chosen` to
// what it does when it is the one that was given.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>

#include "phasor/position/options.hpp"

namespace phasor::cli {

using Chosen = std::function<int()>;

void add_schemes(CLI::App& app, Chosen& chosen);
void add_encode(CLI::App& app, Chosen& chosen);
void add_bias(CLI::App& app, Chosen& chosen);
void add_rotate(CLI::App& app, Chosen& chosen);
void add_kernel(CLI::App& app, Chosen& chosen);
void add_text(CLI::App& app, Chosen& chosen);
void add_train(CLI::App& app, Chosen& chosen);
void add_compare(CLI::App& app, Chosen& chosen);
void add_eval(CLI::App& app, Chosen& chosen);
void add_generate(CLI::App& app, Chosen& chosen);
void add_logits(CLI::App& app, Chosen& chosen);
void add_figures(CLI::App& app, Chosen& chosen);
void add_claims(CLI::App& app, Chosen& chosen);
void add_attention(CLI::App& app, Chosen& chosen);

/// One --option for every option that some scheme has; those given are handed to the chosen scheme,
/// which refuses what it does not know.
void add_scheme_options(CLI::App& app, OptionValues& values);

/// A line of --help that can be typed as it stands: `example` is what follows the program's name.
void add_example(CLI::App& app, const std::string& example);

}  // namespace phasor::cli
