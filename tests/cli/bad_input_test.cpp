// Options, texts and prompts that cannot work.
#include "tests/cli/bad_input.hpp"

namespace phasor::cli {
namespace {

TEST_F(BadInputs, commands_and_options) {
  expect_refused({
      {"no command", "", {"no command", "train", "see phasor --help"}},
      {"unknown command", "trian", {"unknown command 'trian'", "train", "see phasor --help"}},
      {"option before the command", "--seed 1 train", {"'--seed'", "--help"}},
      {"unknown option", "train --stpes 9", {"'--stpes'", "see phasor train --help"}},
      {"word without option", "train toy", {"'toy'", "see phasor train --help"}},
      {"option that is needed", "eval", {"--run is required", "see phasor eval --help"}},
      {"value missing", "train --steps", {"--steps needs a value"}},
      {"option given twice", "train --steps 1 --steps 2", {"--steps", "2 times", "once"}},
      {"value for a flag", "train --tied yes", {"'yes'", "--help"}},
      {"two ways to treat a run", "train --resume --overwrite", {"--resume", "--overwrite"}},
      {"empty folder name", "eval --run ''", {"--run", "''"}},
  });
}

TEST_F(BadInputs, numbers) {
  expect_refused({
      {"negative count", tiny_training("--threads -1"), {"--threads", "whole number", "'-1'"}},
      {"negative seed", tiny_training("--seed -1"), {"--seed", "'-1'"}},
      {"fraction for a count", "train --width 6.5", {"--width", "whole number", "'6.5'"}},
      {"word for a count", "train --steps many", {"--steps", "'many'"}},
      {"count too large",
       "train --seed 99999999999999999999",
       {"--seed", "'99999999999999999999'"}},
      {"word for a number", "train --lr fast", {"--lr", "'fast'"}},
      {"infinite number", "train --lr inf", {"--lr", "'inf'"}},
      {"no number", "train --clip nan", {"--clip", "'nan'"}},
      {"negative rate", "train --lr -1", {"--lr must be above 0", "-1"}},
      {"last rate over the highest", "train --lr 1e-5", {"--min-lr", "1e-05", "0.0002"}},
      {"beta of 1", "train --beta2 1", {"--beta2", "below 1"}},
      {"dropout of 1", "train --text small.txt --dropout 1", {"--dropout", "below 1", "got 1"}},
      {"no windows", "train --batch 0", {"--batch must be at least 1"}},
      {"no passes", "train --accumulate 0", {"--accumulate must be at least 1"}},
      {"never saved", "train --eval-every 0", {"--eval-every must be at least 1"}},
      {"no layers", "train --text small.txt --layers 0", {"--layers must be at least 1"}},
      {"no context", "train --text small.txt --context 0", {"--context must be at least 1"}},
      {"no heads", "schemes --heads 0", {"--heads must be at least 1"}},
      {"no positions", "encode --scheme learned --positions 0 --out pe.npy", {"--positions"}},
      {"no width", "encode --scheme learned --width 0 --out pe.npy", {"--width"}},
      {"too many threads", tiny_training("--threads 5000"), {"--threads", "1024", "5000"}},
      {"more than fits in memory",
       "encode --scheme sinusoidal --positions 99999999999999 --out a.npy",
       {"out of memory", "--positions"}},
  });
}

TEST_F(BadInputs, schemes_and_models) {
  const std::string train = "train --text small.txt ", encode = "encode --out pe.npy --scheme ";
  expect_refused({
      {"unknown scheme", train + "--scheme ropes", {"'ropes'", "none, sinusoidal, learned, shaw"}},
      {"unknown scheme to encode", encode + "sine", {"'sine'", "sinusoidal"}},
      {"nothing to encode", encode + "rope", {"rope", "rotation", "sinusoidal, learned"}},
      {"odd width", train + "--width 7 --heads 1", {"even", "got 7", "--width 8"}},
      {"odd width to encode", encode + "sinusoidal --width 7", {"even", "got 7", "--width 8"}},
      {"odd heads for a rotation",
       train + "--scheme rope --width 6 --heads 2",
       {"head_dim must be even", "got 3", "--width"}},
      {"heads that do not divide",
       train + "--width 10 --heads 4",
       {"--width 10", "--heads 4", "--width 12"}},
      {"heads that do not divide, schemes", "schemes --heads 3", {"--width 64", "--heads 3"}},
      {"option of another scheme",
       train + "--scheme alibi --base 500",
       {"[alibi]", "'base'", "options: none"}},
      {"unknown choice", train + "--layout zigzag", {"layout", "interleaved, concat", "'zigzag'"}},
      {"option out of range", train + "--scheme rope --base 0", {"[rope]", "base", "10000"}},
      {"fraction too small", train + "--scheme rope --fraction 0.01", {"--fraction"}},
      {"unknown norm", train + "--norm batch", {"norm", "'batch'", "layer, rms"}},
      {"unknown activation", train + "--activation tanh", {"'tanh'", "gelu_tanh, gelu_erf"}},
      {"unknown embedding scale", train + "--embedding-scale 2", {"'2'", "auto, on, off"}},
  });
}

TEST_F(BadInputs, texts) {
  const std::string train = "train --context 8 --out new --text ";
  expect_refused({
      {"no such text", train + "no.txt", {"'no.txt'", "--text kjv, --text toy"}},
      {"no such text to show", "text --text no.txt", {"'no.txt'"}},
      {"empty text", train + "empty.txt", {"empty.txt is empty"}},
      {"binary text", train + "binary.txt", {"binary.txt", "0x89", "line 2", "not UTF-8"}},
      {"a folder as text", train + "folder", {"folder is a folder"}},
      {"training part too short",
       "train --text short.txt --context 100",
       {"training part", "22 tokens", "at least 101", "--context"}},
      {"validation part too short",
       train + "short.txt",
       {"validation part", "2 tokens", "at least 9", "--context"}},
  });
}

TEST_F(BadInputs, prompts_and_evaluations) {
  make_runs();
  const std::string generate = "generate --run run --tokens 20 --prompt ";
  expect_refused({
      {"empty prompt", generate + "''", {"prompt is empty", "at least one character"}},
      {"unknown character", generate + "'the Fox'", {"'F' (U+0046)", "column 5", "28 characters"}},
      {"prompt of bytes", generate + "\xff", {"0xff", "not UTF-8"}},
      {"negative temperature", generate + "the --temperature -1", {"--temperature", "-1"}},
      {"negative count", generate + "the --top-k -1", {"--top-k", "'-1'"}},
      {"beyond the table",
       "generate --run learned --tokens 20 --prompt the --beyond-context",
       {"[learned] position 8", "rows 0 to 7", "--context"}},
      {"context beyond the table",
       "eval --run learned --context 9",
       {"[learned] position 8", "rows 0 to 7", "--context"}},
      {"context beyond the text",
       "eval --run run --context 400",
       {"small.txt (validation part)", "270 tokens", "at least 401"}},
      {"text shorter than a window",
       "eval --run run --context 30 --text short.txt",
       {"short.txt has 24 tokens", "at least 31", "--text"}},
      {"text with unknown characters", "eval --run run --text toy", {"U+000A", "28 characters"}},
  });
}

TEST_F(BadInputs, a_loss_that_is_no_number_names_the_tensor_and_keeps_the_save) {
  const Outcome outcome = phasor(
      folder_.path(),
      "train --text small.txt --width 8 --heads 2 --layers 1 --context 8 --batch 4 --steps 9 "
      "--lr 1e30 --clip 0 --out run");
  std::printf("  %s", outcome.err.c_str());
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
  for (const std::string words : {"phasor: step ", "loss is nan", "first tensor that went bad",
                                  "blocks.0.", "lower --lr", "--clip 1"})
    EXPECT_NE(outcome.err.find(words), std::string::npos) << words << "\n" << outcome.err;
  EXPECT_EQ(contents_of(folder_ / "run").size(), 4U);
  // The save of step 0 still is a model.
  output_of(folder_.path(), "generate --run run --prompt the --tokens 3");
}

}  // namespace
}  // namespace phasor::cli
