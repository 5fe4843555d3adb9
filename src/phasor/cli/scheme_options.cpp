// The commands that show schemes.
#include "phasor/cli/commands.hpp"
#include "phasor/cli/options.hpp"
#include "phasor/cli/usage.hpp"
#include "phasor/position/schemes.hpp"

namespace phasor::cli {
namespace {

/// Options of the commands that show a scheme.
void add_shown(CLI::App& sub, ShowCommand& command, const std::string& shape) {
  add_value(sub, "scheme", command.scheme, "Name of the scheme")->required();
  add_value(sub, "positions", command.positions, "Positions T");
  add_value(sub, "context", command.context, "Context the model would be trained at");
  add_value(sub, "seed", command.seed, "Seed of parameters drawn at random");
  add_value(sub, "out", command.out, "NumPy file to write, " + shape);
  add_value(sub, "figure", command.figure, "SVG file to draw (.png and .csv beside it)");
  sub.add_flag("--json", command.json, "Print JSON");
  add_scheme_options(sub, command.options);
}

}  // namespace

void add_scheme_options(CLI::App& app, OptionValues& values) {
  std::map<std::string, std::string> help;
  for (const SchemeEntry& entry : schemes())
    for (const OptionSpec& spec : entry.options) {
      std::string& text = help[spec.name];
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", entry.name, spec.help);
    }
  for (const auto& [name, text] : help)
    app.add_option_function<std::string>(
           flag_of(name),
           [&values, name = name](const std::string& value) { values[name] = value; }, text)
        ->group("Options of schemes (values and defaults: phasor schemes)");
}

void add_example(CLI::App& app, const std::string& example) {
  app.footer(fmt::format("Example:\n  {} {}", program_name(), example));
}

void add_schemes(CLI::App& app, Chosen& chosen) {
  auto command = std::make_shared<SchemesCommand>();
  CLI::App* sub = app.add_subcommand("schemes", "List the positional schemes");
  add_value(*sub, "width", command->sizes.width, "Width of the model");
  add_value(*sub, "heads", command->sizes.heads, "Attention heads");
  add_value(*sub, "context", command->sizes.context, "Training context");
  sub->add_flag("--json", command->json, "Print JSON");
  add_example(*sub, "schemes --width 128 --heads 4 --context 256");
  sub->callback([=, &chosen] { chosen = [command] { return run(*command), 0; }; });
}

void add_encode(CLI::App& app, Chosen& chosen) {
  auto command = std::make_shared<EncodeCommand>();
  CLI::App* sub = app.add_subcommand("encode", "Write the encoding of an additive scheme");
  add_value(*sub, "scheme", command->scheme, "Name of the scheme")->required();
  add_value(*sub, "positions", command->positions, "Positions N");
  add_value(*sub, "width", command->width, "Dimensions D");
  add_value(*sub, "seed", command->seed, "Seed of a table drawn at random");
  add_value(*sub, "out", command->out, "NumPy file to write, [N, D]")->required();
  add_scheme_options(*sub, command->options);
  add_example(*sub, "encode --scheme sinusoidal --positions 64 --width 32 --out pe.npy");
  sub->callback([=, &chosen] { chosen = [command] { return run(*command), 0; }; });
}

void add_bias(CLI::App& app, Chosen& chosen) {
  auto command = std::make_shared<BiasCommand>();
  CLI::App* sub = app.add_subcommand("bias", "Show what a bias scheme adds to the logits");
  add_shown(*sub, *command, "[H, T, T], queries in rows");
  add_value(*sub, "heads", command->heads, "Attention heads H");
  sub->add_flag("--unmasked", command->unmasked, "For attention that sees the future");
  add_example(*sub, "bias --scheme alibi --heads 6 --positions 32 --figure alibi.svg");
  sub->callback([=, &chosen] {
    command->width = command->heads * 2;  // a bias does not depend on it
    chosen = [command] { return run(*command), 0; };
  });
}

void add_rotate(CLI::App& app, Chosen& chosen) {
  auto command = std::make_shared<RotateCommand>();
  CLI::App* sub = app.add_subcommand("rotate", "Show the angles of a rotation");
  add_shown(*sub, *command, "[T, D/2] in radians");
  add_value(*sub, "width", command->width, "Width D of a head");
  sub->add_option("--pair", command->pairs, "Print this pair only; may be given several times")
      ->transform(whole_number());
  add_example(*sub, "rotate --scheme rope --width 64 --positions 256 --scaling ntk:4 --out a.npy");
  sub->callback([=, &chosen] {
    command->heads = 1;  // the width is that of a head
    chosen = [command] { return run(*command), 0; };
  });
}

void add_kernel(CLI::App& app, Chosen& chosen) {
  auto command = std::make_shared<KernelCommand>();
  CLI::App* sub =
      app.add_subcommand("kernel", "Show the scores of constant queries and keys, score(m, n)");
  add_shown(*sub, *command, "[H, T, T], NaN where the future is hidden");
  add_value(*sub, "heads", command->heads, "Attention heads H");
  add_value(*sub, "width", command->width, "Width of the model");
  sub->add_flag("--unmasked", command->unmasked, "Let queries see the future");
  add_example(*sub, "kernel --scheme rope --width 64 --heads 2 --figure rope.svg");
  sub->callback([=, &chosen] { chosen = [command] { return run(*command), 0; }; });
}

}  // namespace phasor::cli
