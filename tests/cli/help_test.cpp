// What the command says about itself, and where its words go.
#include "tests/cli/command.hpp"
#include "tests/core/pseudo_terminal.hpp"

namespace phasor::cli {
namespace {

const std::vector<std::string> kCommands{"schemes", "encode",    "bias",    "rotate", "kernel",
                                         "text",    "train",     "compare", "eval",   "generate",
                                         "logits",  "attention", "figures", "claims"};

TEST(Help, every_command_explains_itself_with_an_example) {
  const WorkFolder folder;
  for (const std::string& command : kCommands) {
    const std::string help = output_of(folder.path(), command + " --help");
    EXPECT_NE(help.find("Options:"), help.npos) << help;
    EXPECT_NE(help.find("Example:\n  phasor " + command + " "), help.npos) << help;
  }
}

TEST(Help, of_the_program_lists_every_command) {
  const WorkFolder folder;
  const std::string help = output_of(folder.path(), "--help");
  EXPECT_NE(help.find("Example:\n  phasor train "), help.npos) << help;
  for (const std::string& command : kCommands)
    EXPECT_NE(help.find("\n  " + command + " "), help.npos) << command << " is not in\n" << help;
}

TEST(Help, examples_are_commands_that_can_be_read) {
  // Every option of the examples exists: what fails, if anything, is only what they need (a run).
  const WorkFolder folder;
  for (const std::string& command : kCommands) {
    const std::string help = output_of(folder.path(), command + " --help");
    std::string example = help.substr(help.find("Example:\n  phasor ") + 18);
    example = example.substr(0, example.find('\n'));
    std::replace(example.begin(), example.end(), '"', '\'');
    if (const std::size_t text = example.find("--text kjv"); text != example.npos)
      example.replace(text, 10, "--text none");  // the training would take minutes
    if (const std::size_t text = example.find("--text toy --schemes"); text != example.npos)
      example.replace(text, 10, "--text none");
    const Outcome outcome = phasor(folder.path(), example);
    EXPECT_EQ(outcome.err.find("--help"), std::string::npos) << example << "\n" << outcome.err;
    EXPECT_EQ(outcome.err.find("unknown"), std::string::npos) << example << "\n" << outcome.err;
  }
}

TEST(Help, version_is_three_numbers) {
  const WorkFolder folder;
  const std::string version = output_of(folder.path(), "--version");
  int major = -1, minor = -1, patch = -1;
  char end = 0;
  EXPECT_EQ(std::sscanf(version.c_str(), "%d.%d.%d%c", &major, &minor, &patch, &end), 4) << version;
  EXPECT_EQ(end, '\n');
}

TEST(Output, to_a_pipe_has_no_escape_codes) {
  const WorkFolder folder;
  write_small_text(folder);
  const Setting on_terminal_type{.environment = {{"TERM", "xterm-256color"}}};
  for (const std::string& line :
       {tiny_training("--out run"), std::string("eval --run run"), std::string("schemes"),
        std::string("generate --run run --prompt the --tokens 9"),
        std::string("text --text small.txt")}) {
    const Outcome outcome = phasor(folder.path(), line, on_terminal_type);
    EXPECT_EQ(outcome.code, 0) << line << "\n" << outcome.err;
    EXPECT_EQ((outcome.out + outcome.err).find('\x1b'), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.err, "") << line;
  }
}

/// What a long training draws on a terminal until its progress bar is there.
std::string bar_on_terminal(const WorkFolder& folder, const std::string& no_color,
                            PseudoTerminal terminal) {
  const auto [ours, theirs] = terminal;
  const RunningCommand training(
      folder.path(), "train --text small.txt --steps 1000000 --overwrite --out run" + kTiny,
      {.environment = {{"TERM", "xterm-256color"}, {"NO_COLOR", no_color}},
       .error_stream = theirs});
  std::string seen;
  while (seen.find("left") == seen.npos && !training.has_ended()) {
    std::array<char, 4096> block{};
    const ssize_t count = ::read(ours, block.data(), block.size());
    if (count <= 0) break;
    seen.append(block.data(), static_cast<std::size_t>(count));
  }
  ::close(ours);
  ::close(theirs);
  return seen;
}

TEST(Output, progress_on_a_terminal_is_coloured_unless_no_color_is_set) {
  const WorkFolder folder;
  write_small_text(folder);
  const auto first = pseudo_terminal(), second = pseudo_terminal();
  if (!first || !second) GTEST_SKIP() << "this system has no pseudo-terminals";
  const std::string coloured = bar_on_terminal(folder, "", *first);
  const std::string plain = bar_on_terminal(folder, "1", *second);
  EXPECT_NE(coloured.find("training"), coloured.npos) << coloured;
  EXPECT_NE(coloured.find("\x1b[36m"), coloured.npos) << coloured;
  EXPECT_NE(plain.find("training"), plain.npos) << plain;
  EXPECT_EQ(plain.find("\x1b[36m"), plain.npos) << plain;
}

TEST(Output, that_cannot_be_written_is_an_error) {
  const WorkFolder folder;
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);  // takes nothing, as a full disk
  ASSERT_GE(full, 0);
  const Outcome outcome = phasor(folder.path(), "schemes", {.output_stream = full});
  ::close(full);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("phasor: cannot write to standard output"), std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace phasor::cli
