// The commands of `phasor`: what each is told, and what it does. main.cpp reads the options.
#pragma once
#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <string>

#include "phasor/model/generate.hpp"
#include "phasor/train/run.hpp"

namespace phasor::cli {

struct SchemesCommand {
  SchemeSizes sizes{64, 4, 64};
  bool json = false;
};
/// Prints the table of schemes.
void run(const SchemesCommand& command);

struct EncodeCommand {
  std::string scheme;
  OptionValues options;
  std::size_t positions = 64, width = 32;
  std::uint64_t seed = 1;  // for schemes whose table is drawn at random before training
  std::filesystem::path out;
};
/// Writes what an additive scheme adds to the embeddings, [N, D].
void run(const EncodeCommand& command);

/// What the commands that show a scheme have in common.
struct ShowCommand {
  std::string scheme;
  OptionValues options;
  std::size_t heads = 4, width = 64, positions = 32, context = 64;
  std::uint64_t seed = 1;  // for schemes whose parameters are drawn at random before training
  bool unmasked = false;   // attention that is not causal
  bool json = false;
  std::filesystem::path out;     // a NumPy file; empty: none
  std::filesystem::path figure;  // an SVG file; empty: none
};

/// Writes and draws what a bias scheme adds to the logits, [H, T, T].
struct BiasCommand : ShowCommand {};
void run(const BiasCommand& command);

/// Writes and draws the angles of a rotation, [T, pairs], and prints its frequencies.
struct RotateCommand : ShowCommand {
  std::vector<std::size_t> pairs;  // to print; empty: a few of all
};
void run(const RotateCommand& command);

/// Writes and draws score(m, n) for constant queries and keys, [H, T, T].
struct KernelCommand : ShowCommand {};
void run(const KernelCommand& command);

struct TextCommand {
  std::string text = "toy";
  std::uint64_t seed = 1;
  std::size_t characters = 500;  // to print; 0: all
  std::filesystem::path out;     // empty: standard output
  bool json = false;
};
/// Shows or writes a text that models are trained on.
void run(const TextCommand& command);

struct TrainCommand {
  RunConfig config;
  std::filesystem::path out;
  IfRunExists if_exists = IfRunExists::refuse;
  std::size_t threads = 0;
  bool json = false;
  /// Names of options given on the command line, as in config.json ("min_lr"); the others come
  /// from the run when it is resumed.
  std::set<std::string> given;
};
/// Trains. Returns the exit code: 0, or 130 after an interrupt.
int run(const TrainCommand& command);

struct CompareCommand {
  RunConfig config;
  std::vector<std::string> schemes;   // empty: all
  std::vector<std::size_t> contexts;  // empty: the training context and four times it
  std::size_t seeds = 1, tokens = 0, threads = 0;
  std::filesystem::path out = "runs/compare";
  bool json = false;
};
/// Trains one model with each scheme and prints their losses, sizes and times in one table.
void run(CompareCommand command);

struct EvalCommand {
  std::filesystem::path run;
  std::string text;         // empty: the validation part of the run's own text
  std::size_t context = 0;  // 0: the context it was trained at
  std::size_t tokens = 0;   // 0: all
  std::string scaling;      // of a rotation, in place of the run's own; empty: as trained
  bool sliding = false;
  std::size_t stride = 0;        // of sliding windows; 0: a quarter of the window
  double logit_temperature = 0;  // of a run whose positions were dropped
  std::size_t threads = 0;
  bool json = false;
};
/// The option `scaling` of a scheme, or none.
inline OptionValues scaling_option(const std::string& scaling) {
  return scaling.empty() ? OptionValues{} : OptionValues{{"scaling", scaling}};
}
/// Prints loss, perplexity and loss by position.
void run(const EvalCommand& command);

struct GenerateCommand {
  std::filesystem::path run;
  std::string prompt;
  std::size_t tokens = 200;
  std::string scaling;  // of a rotation, in place of the run's own; empty: as trained
  Sampling sampling;
  bool json = false;
};
/// Prints the prompt and its continuation, character by character.
void run(const GenerateCommand& command);

struct AttentionCommand {
  std::filesystem::path run;
  std::string prompt;
  std::size_t layer = 0, head = 0;  // to draw, from 1; 0: all
  bool json = false;
  std::filesystem::path out;     // a NumPy file; empty: none
  std::filesystem::path figure;  // an SVG file; empty: none
};
/// Prints what each head looks at, writes its weights, [L, H, T, T], and draws them.
void run(const AttentionCommand& command);

struct LogitsCommand {
  std::filesystem::path run, tokens, out;
};
/// Reads tokens [B, T], writes logits [B, T, V].
void run(const LogitsCommand& command);

struct FiguresCommand {
  std::vector<std::string> ids;  // of the documents, "D4-F1"; empty: list them, unless `all`
  bool all = false;
  std::filesystem::path out = "figures";
  std::filesystem::path results = "out";  // of the labs, for figures of trained models
};
/// Lists the figures of the documents, or makes some. Throws ConfigError on an id that is none,
/// DataError when a model that one shows has not been trained; the others are made all the same.
void run(const FiguresCommand& command);

struct ClaimsCommand {
  std::vector<std::string> documents, ids, labs;  // empty: all
  bool json = false;
  std::filesystem::path results = "out";  // of the labs, for claims about trained models
  std::filesystem::path page;             // an HTML file; empty: none
};
/// Measures claims and prints what came of them.
void run(const ClaimsCommand& command);

}  // namespace phasor::cli
