// The commands on texts and runs.
#include "phasor/cli/commands.hpp"
#include "phasor/cli/options.hpp"
#include "phasor/cli/usage.hpp"

namespace phasor::cli {
namespace {

/// An option whose name, with underscores, is its name in config.json.
template <class T>
void add_setting(CLI::App& app, TrainCommand& command, const std::string& name, T& value,
                 const std::string& help) {
  std::string key = name;
  std::replace(key.begin(), key.end(), '-', '_');
  add_value(app, name, value, help)->each([&command, key](const std::string&) {
    command.given.insert(key);
  });
}

void add_model_settings(CLI::App& app, TrainCommand& command) {
  GptConfig& model = command.config.model;
  const auto add = [&](const char* name, auto& value, const char* help) {
    add_setting(app, command, name, value, help);
  };
  add("scheme", model.scheme, "Positional scheme; see phasor schemes");
  add("width", model.width, "Width of the residual stream");
  add("heads", model.heads, "Attention heads");
  add("layers", model.layers, "Blocks");
  add("context", model.context, "Tokens in a window");
  add("mlp-ratio", model.mlp_ratio, "Hidden width of the MLP, in widths");
  add("random-positions", model.random_positions,
      "Tokens stand at random positions below this, 0 for 0, 1, 2, ...");
  add("dropout", model.dropout, "Share of activations silenced in training");
  const auto add_word = [&](const char* name, auto& field, auto parse, const char* help) {
    std::string key = name;
    std::replace(key.begin(), key.end(), '-', '_');
    app.add_option_function<std::string>(
        std::string("--") + name,
        [&field, &command, parse, key](const std::string& word) {
          field = parse(word);
          command.given.insert(key);
        },
        help);
  };
  add_word("norm", model.norm, parse_norm, "layer (default) or rms");
  add_word("activation", model.activation, parse_activation,
           "gelu_tanh (default), gelu_erf, relu or silu");
  add_word(
      "embedding-scale", model.embedding_scale, parse_embedding_scale,
      "Multiply token embeddings by sqrt(width): auto (default: where the scheme asks for it), "
      "on or off");
  app.add_flag_callback(
      "--tied",
      [&] {
        model.tied = true;
        command.given.insert("tied");
      },
      "Take the token embedding's weights for the head too");
  add_scheme_options(app, model.options);
}

void add_train_settings(CLI::App& app, TrainCommand& command) {
  TrainConfig& train = command.config.train;
  const auto add = [&](const char* name, auto& value, const char* help) {
    add_setting(app, command, name, value, help);
  };
  add("text", command.config.text, "kjv, toy or a file");
  add("batch", train.batch, "Windows in a pass");
  add("accumulate", train.accumulate, "Passes in a step");
  add("steps", train.steps, "Steps of the optimizer");
  add("lr", train.lr, "Highest learning rate");
  add("min-lr", train.min_lr, "Last learning rate");
  add("warmup", train.warmup, "Steps of warm-up");
  add("weight-decay", train.weight_decay, "Decay of matrices");
  add("beta1", train.beta1, "Memory of AdamW's first moment");
  add("beta2", train.beta2, "Memory of AdamW's second moment");
  add("clip", train.clip, "Largest norm of the gradient, 0 for any");
  add("seed", train.seed, "Seed of weights, batches, dropout and the toy text");
  add("drop-positions-at", train.drop_positions_at,
      "Step after which a rotation is taken away (DroPE), 0 for never");
  add("eval-every", train.eval_every, "Steps between evaluations, where the run is saved");
  add("eval-tokens", train.eval_tokens, "Validation tokens in an evaluation, 0 for all");
}

}  // namespace

void add_text(CLI::App& app, Chosen& chosen) {
  auto command = std::make_shared<TextCommand>();
  CLI::App* sub = app.add_subcommand("text", "Show or write a text that models are trained on");
  add_value(*sub, "text", command->text, "kjv, toy or a file");
  add_value(*sub, "seed", command->seed, "Seed of the toy language");
  add_value(*sub, "characters", command->characters, "How many to print, 0 for all");
  add_value(*sub, "out", command->out, "Write the whole text to this file instead");
  sub->add_flag("--json", command->json, "Print size, vocabulary and entropy as JSON");
  add_example(*sub, "text --text toy --characters 300");
  sub->callback([=, &chosen] { chosen = [command] { return run(*command), 0; }; });
}

void add_train(CLI::App& app, Chosen& chosen) {
  auto command = std::make_shared<TrainCommand>();
  CLI::App* sub = app.add_subcommand("train", "Train a Mini-GPT");
  add_train_settings(*sub, *command);
  add_model_settings(*sub, *command);
  add_value(*sub, "threads", command->threads, "Threads, 0 for all cores; changes no number");
  add_value(*sub, "out", command->out, "Folder of the run; default runs/TEXT-SCHEME");
  CLI::Option* resume = sub->add_flag(
      "--resume", [command](std::int64_t) { command->if_exists = IfRunExists::resume; },
      "Go on from the last save in --out");
  sub->add_flag(
         "--overwrite", [command](std::int64_t) { command->if_exists = IfRunExists::overwrite; },
         "Replace the run in --out")
      ->excludes(resume);
  sub->add_flag("--json", command->json, "Print the result as JSON");
  add_example(*sub, "train --text kjv --scheme rope --steps 500 --out runs/rope");
  sub->callback([=, &chosen] {
    chosen = [command] {
      if (!command->config.model.options.empty()) command->given.insert("options");
      if (command->out.empty())
        command->out =
            fmt::format("runs/{}-{}", std::filesystem::path(command->config.text).stem().string(),
                        command->config.model.scheme);
      return run(*command);
    };
  });
}

void add_compare(CLI::App& app, Chosen& chosen) {
  auto command = std::make_shared<CompareCommand>();
  CLI::App* sub = app.add_subcommand("compare", "Train with each scheme and compare");
  RunConfig& config = command->config;
  config.text = "kjv";
  config.train.steps = 300;
  add_value(*sub, "text", config.text, "kjv, toy or a file");
  sub->add_option("--schemes", command->schemes, "Names with commas between; all by default")
      ->delimiter(',');
  sub->add_option("--contexts", command->contexts,
                  "Lengths to measure at, with commas; the training context and four times it")
      ->delimiter(',')
      ->transform(whole_number());
  add_value(*sub, "steps", config.train.steps, "Steps of the optimizer");
  add_value(*sub, "seeds", command->seeds, "Runs of each scheme, from --seed on");
  add_value(*sub, "seed", config.train.seed, "First seed");
  add_value(*sub, "width", config.model.width, "Width of the residual stream");
  add_value(*sub, "heads", config.model.heads, "Attention heads");
  add_value(*sub, "layers", config.model.layers, "Blocks");
  add_value(*sub, "context", config.model.context, "Tokens in a window");
  add_value(*sub, "batch", config.train.batch, "Windows in a pass");
  add_value(*sub, "lr", config.train.lr, "Highest learning rate");
  add_value(*sub, "min-lr", config.train.min_lr, "Last learning rate");
  add_value(*sub, "tokens", command->tokens, "How many to measure on, spread evenly; 0 for all");
  add_value(*sub, "threads", command->threads, "Threads, 0 for all cores");
  add_value(*sub, "out", command->out, "Folder of the runs, which are replaced");
  sub->add_flag("--json", command->json, "Print JSON");
  add_example(*sub, "compare --text toy --schemes none,rope,alibi --steps 100");
  sub->callback([=, &chosen] { chosen = [command] { return run(*command), 0; }; });
}

void add_eval(CLI::App& app, Chosen& chosen) {
  auto command = std::make_shared<EvalCommand>();
  CLI::App* sub = app.add_subcommand("eval", "Measure a trained model");
  add_value(*sub, "run", command->run, "Folder of the run")->required();
  add_value(*sub, "text", command->text,
            "kjv, toy or a file; default: the validation part of the run's own text");
  add_value(*sub, "context", command->context, "Tokens in a window, 0 for as trained");
  add_value(*sub, "scaling", command->scaling,
            "Scale a rotation beyond its context: pi:S, ntk:S, dynamic_ntk:F, yarn:S or llama3:S");
  sub->add_flag("--sliding", command->sliding,
                "Slide the window by --stride, so that no token is read without a past");
  add_value(*sub, "stride", command->stride,
            "Tokens a sliding window moves, 0 for a quarter of it");
  add_value(*sub, "logit-temperature", command->logit_temperature,
            "C of 1 + C ln(length / context) on logits, for a run with dropped positions");
  add_value(*sub, "tokens", command->tokens, "How many to evaluate, spread evenly; 0 for all");
  add_value(*sub, "threads", command->threads, "Threads, 0 for all cores");
  sub->add_flag("--json", command->json, "Print JSON, with the loss at every position");
  add_example(*sub, "eval --run runs/rope --context 256");
  sub->callback([=, &chosen] { chosen = [command] { return run(*command), 0; }; });
}

void add_generate(CLI::App& app, Chosen& chosen) {
  auto command = std::make_shared<GenerateCommand>();
  CLI::App* sub = app.add_subcommand("generate", "Continue a text");
  Sampling& sampling = command->sampling;
  add_value(*sub, "run", command->run, "Folder of the run")->required();
  add_value(*sub, "prompt", command->prompt, "The text to continue")->required();
  add_value(*sub, "tokens", command->tokens, "How many tokens to add");
  add_value(*sub, "scaling", command->scaling, "Scale a rotation, as in eval");
  add_value(*sub, "temperature", sampling.temperature, "0 for the likeliest token every time");
  add_value(*sub, "top-k", sampling.top_k, "Draw from the k likeliest tokens, 0 for all");
  add_value(*sub, "seed", sampling.seed, "Seed of the draws");
  sub->add_flag("--beyond-context", sampling.beyond_context,
                "Let positions run on past the training context instead of moving a window");
  sub->add_flag("--json", command->json, "Print JSON");
  add_example(*sub, "generate --run runs/rope --prompt \"In the beginning\" --tokens 300");
  sub->callback([=, &chosen] { chosen = [command] { return run(*command), 0; }; });
}

void add_attention(CLI::App& app, Chosen& chosen) {
  auto command = std::make_shared<AttentionCommand>();
  CLI::App* sub = app.add_subcommand("attention", "Show what each head of a model looks at");
  add_value(*sub, "run", command->run, "Folder of the run")->required();
  add_value(*sub, "prompt", command->prompt, "The text to look at, at least 3 tokens")->required();
  add_value(*sub, "figure", command->figure, "Draw the maps to this SVG file, and .png, .csv");
  add_value(*sub, "layer", command->layer, "Draw this layer alone, counted from 1; 0 for all");
  add_value(*sub, "head", command->head, "Draw this head alone, counted from 1; 0 for all");
  add_value(*sub, "out", command->out, "NumPy file for all weights, [L, H, T, T]");
  sub->add_flag("--json", command->json, "Print JSON");
  add_example(*sub,
              "attention --run runs/rope --prompt \"In the beginning\" --figure attention.svg");
  sub->callback([=, &chosen] { chosen = [command] { return run(*command), 0; }; });
}

void add_logits(CLI::App& app, Chosen& chosen) {
  auto command = std::make_shared<LogitsCommand>();
  CLI::App* sub = app.add_subcommand("logits", "Write a trained model's logits");
  add_value(*sub, "run", command->run, "Folder of the run")->required();
  add_value(*sub, "tokens", command->tokens, "NumPy file of integers [B, T]")->required();
  add_value(*sub, "out", command->out, "NumPy file to write, [B, T, V]")->required();
  add_example(*sub, "logits --run runs/rope --tokens tokens.npy --out logits.npy");
  sub->callback([=, &chosen] { chosen = [command] { return run(*command), 0; }; });
}

}  // namespace phasor::cli
