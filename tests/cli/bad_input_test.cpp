// Input that cannot work: one line that says what is wrong and what to do, exit code 2, and every
// file as it was.
#include <nlohmann/json.hpp>

#include "phasor/tensor/npy.hpp"
#include "tests/cli/command.hpp"

namespace phasor::cli {
namespace {

struct BadInput {
  std::string what, line;
  std::vector<std::string> wanted;  // in the message
};

/// A folder with good and bad texts, arrays and runs.
class BadInputs : public testing::Test {
 protected:
  void SetUp() override {
    write_small_text(folder_);
    write_file(folder_ / "empty.txt", "");
    write_file(folder_ / "binary.txt", std::string("text\n\x89PNG\0", 10));
    write_file(folder_ / "short.txt", "only a few words of text");
    make_folder(folder_ / "folder");
  }

  void make_runs() {
    output_of(folder_.path(), tiny_training("--out run"));
    output_of(folder_.path(), tiny_training("--scheme learned --out learned"));
  }

  /// A copy of the good run with another config.json or model.safetensors.
  void copy_run(const std::string& name, const std::string& file, const std::string& bytes) {
    std::filesystem::copy(folder_ / "run", folder_ / name);
    write_file(folder_ / (name + "/" + file), bytes);
  }

  void expect_refused(const std::vector<BadInput>& cases) {
    const auto before = contents_of(folder_.path());
    for (const auto& [what, line, wanted] : cases) {
      const Outcome outcome = phasor(folder_.path(), line);
      std::printf("  %-38s %s", (what + ":").c_str(), outcome.err.c_str());
      EXPECT_EQ(outcome.code, 2) << what << "\n" << outcome.err;
      EXPECT_TRUE(outcome.err.starts_with("phasor: ")) << what << "\n" << outcome.err;
      EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << what << "\n" << outcome.err;
      for (const std::string& words : wanted)
        EXPECT_NE(outcome.err.find(words), std::string::npos)
            << what << ": no '" << words << "' in\n"
            << outcome.err;
      const bool is_same = contents_of(folder_.path()) == before;
      EXPECT_TRUE(is_same) << what << ": files were changed";
    }
  }

  WorkFolder folder_;
};

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
      {"value for a flag", "train --untied yes", {"'yes'", "--help"}},
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
      {"last rate over the highest", "train --lr 1e-5", {"--min-lr", "--lr", "0.0002"}},
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
      {"unknown scheme", train + "--scheme ropes", {"'ropes'", "sinusoidal, learned, rope, alibi"}},
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
       train + "short.txt --batch 1 --context 100",
       {"training part", "22 tokens", "at least 101", "--context"}},
      {"validation part too short",
       train + "short.txt",
       {"validation part", "2 tokens", "at least 9", "--context"}},
  });
}

TEST_F(BadInputs, places_to_write) {
  make_runs();
  const std::string encode = "encode --scheme sinusoidal --out ";
  expect_refused({
      {"a run in a file", tiny_training("--out small.txt"), {"small.txt", "Not a directory"}},
      {"a run below a file", tiny_training("--out small.txt/run"), {"small.txt/run", "another"}},
      {"an array below a file", encode + "small.txt/pe.npy", {"small.txt", "another place"}},
      {"a folder as array", encode + "folder", {"'folder'", "is a folder"}},
      {"a new folder as array", encode + "new/", {"'new/'", "is a folder"}},
      {"a run is there",
       tiny_training("--out run"),
       {"run already holds", "--resume", "--overwrite"}},
      {"nothing to resume", "train --resume --out nowhere", {"nowhere", "no run", "config.json"}},
      {"resume with another width",
       "train --resume --out run --width 16",
       {"run", "width 8", "not 16", "--out"}},
      {"resume with another rate", "train --resume --out run --lr 1", {"lr 0.002", "not 1"}},
      {"resume with another scheme",
       "train --resume --out run --scheme rope",
       {"scheme \"sinusoidal\"", "not \"rope\""}},
      {"resume with another option", "train --resume --out run --base 50", {"options", "\"50\""}},
      {"resume with another text", "train --resume --out run --text toy", {"text", "small.txt"}},
  });
}

TEST_F(BadInputs, runs) {
  make_runs();
  const std::string config = read_file(folder_ / "run/config.json");
  const auto with = [&](const std::string& name, const nlohmann::json& changes) {
    nlohmann::json changed = nlohmann::json::parse(config);
    changed.merge_patch(changes);
    copy_run(name, "config.json", changed.dump());
  };
  copy_run("cut", "config.json", config.substr(0, config.size() / 2));
  copy_run("blank", "config.json", "");
  copy_run("list", "config.json", "[]");
  with("lacking", {{"text", nullptr}});
  with("negative", {{"model", {{"width", -8}}}});
  with("words", {{"model", {{"width", "8"}}}});
  with("headless", {{"model", {{"heads", 0}}}});
  with("strange", {{"model", {{"scheme", "circular"}}}});
  with("wider", {{"model", {{"width", 16}}}});
  with("fewer", {{"symbols", "abc"}});
  with("unsorted", {{"symbols", "cba"}});
  with("moved", {{"text", "old/small.txt"}});
  with("edited", {{"text", "short.txt"}});
  copy_run("weightless", "model.safetensors", "");
  std::filesystem::remove(folder_ / "weightless/model.safetensors");
  expect_refused({
      {"no such run", "eval --run nowhere", {"nowhere holds no run", "config.json", "--out"}},
      {"a file as run", "eval --run small.txt", {"small.txt holds no run"}},
      {"configuration cut", "eval --run cut", {"cut/config.json is damaged", "train again"}},
      {"configuration empty", "eval --run blank", {"blank/config.json is damaged"}},
      {"configuration of another kind", "eval --run list", {"list/config.json"}},
      {"configuration without text", "eval --run lacking", {"lacking/config.json", "'text'"}},
      {"negative width inside", "eval --run negative", {"negative/config.json", "-8"}},
      {"a word as width inside", "eval --run words", {"words/config.json", "\"8\""}},
      {"no heads inside", "eval --run headless", {"headless/config.json", "heads"}},
      {"unknown scheme inside", "eval --run strange", {"strange/config.json", "'circular'"}},
      {"another width inside", "eval --run wider", {"wider/model.safetensors", "16", "8"}},
      {"symbols missing", "eval --run fewer", {"fewer/config.json", "3 symbols", "28"}},
      {"symbols out of order", "eval --run unsorted", {"unsorted/config.json", "ascending"}},
      {"its text is gone", "eval --run moved", {"'old/small.txt'", "--text"}},
      {"its text has changed", "eval --run edited", {"short.txt has changed", "--text short.txt"}},
      {"no weights yet", "eval --run weightless", {"no model.safetensors", "--resume"}},
      {"resume a damaged one", "train --resume --out cut", {"cut/config.json is damaged"}},
  });
}

TEST_F(BadInputs, weights) {
  make_runs();
  const std::string weights = read_file(folder_ / "run/model.safetensors");
  std::vector<BadInput> cases;
  // Nothing, half of the header's length, the length, within the header, within the values, almost.
  for (const std::size_t size : {std::size_t{0}, std::size_t{4}, std::size_t{8}, std::size_t{100},
                                 weights.size() / 2, weights.size() - 1}) {
    const std::string name = "cut" + std::to_string(size);
    copy_run(name, "model.safetensors", weights.substr(0, size));
    cases.push_back({"weights cut after " + std::to_string(size),
                     "eval --run " + name,
                     {name + "/model.safetensors is damaged", "train again"}});
  }
  copy_run("longer", "model.safetensors", weights + "x");
  copy_run("noise", "model.safetensors", std::string(5000, '\x5a'));
  copy_run("other", "model.safetensors", read_file(folder_ / "learned/model.safetensors"));
  copy_run("stale", "checkpoint.safetensors", weights);
  std::string checkpoint = read_file(folder_ / "run/checkpoint.safetensors");
  copy_run("half", "checkpoint.safetensors", checkpoint.substr(0, checkpoint.size() / 2));
  copy_run("metrics", "metrics.jsonl", "{\"step\":0,\n");
  cases.insert(
      cases.end(),
      {
          {"weights with a byte more",
           "eval --run longer",
           {"longer/model.safetensors is damaged"}},
          {"weights of noise", "eval --run noise", {"noise/model.safetensors is damaged"}},
          {"weights of another model",
           "eval --run other",
           {"other/model.safetensors", "another model"}},
          {"weights as checkpoint", "train --resume --out stale", {"stale/checkpoint.safetensors"}},
          {"checkpoint cut",
           "train --resume --out half",
           {"half/checkpoint.safetensors is damaged"}},
          {"metrics cut",
           "train --resume --out metrics",
           {"metrics/metrics.jsonl is damaged", "line 1"}},
      });
  expect_refused(cases);
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

TEST_F(BadInputs, arrays) {
  make_runs();
  const auto integers = [&](const std::string& name, const Shape& shape, std::int64_t value) {
    Indices array = Indices::from_shape(shape);
    array.fill(value);
    write_npy(folder_ / name, array);
  };
  integers("vector.npy", {3}, 1);
  integers("cube.npy", {1, 2, 3}, 1);
  integers("none.npy", {1, 0}, 1);
  integers("large.npy", {1, 3}, 28);
  integers("negative.npy", {1, 3}, -1);
  integers("long.npy", {1, 9}, 1);
  integers("good.npy", {1, 3}, 1);
  write_npy(folder_ / "reals.npy", xt::xarray<double>({{1.0, 2.0}}));
  const std::string good = read_file(folder_ / "good.npy");
  write_file(folder_ / "cut.npy", good.substr(0, good.size() - 1));
  const auto logits = [](const std::string& tokens, const std::string& run = "run") {
    return "logits --run " + run + " --out logits.npy --tokens " + tokens;
  };
  expect_refused({
      {"no such array", logits("no.npy"), {"no.npy"}},
      {"a text as array", logits("small.txt"), {"small.txt", "not an .npy file", "numpy.save"}},
      {"a folder as array", logits("folder"), {"folder is a folder"}},
      {"array cut", logits("cut.npy"), {"cut.npy", "bytes"}},
      {"real numbers", logits("reals.npy"), {"reals.npy holds float64", "integers"}},
      {"one axis", logits("vector.npy"), {"vector.npy", "[3]", "[B, T]", "[1, T]"}},
      {"three axes", logits("cube.npy"), {"cube.npy", "[1, 2, 3]", "[B, T]"}},
      {"no tokens", logits("none.npy"), {"[1, 0]", "at least one token"}},
      {"token above", logits("large.npy"), {"large.npy holds token 28", "0 to 27"}},
      {"token below", logits("negative.npy"), {"negative.npy holds token -1", "0 to 27"}},
      {"longer than the table", logits("long.npy", "learned"), {"[learned] position 8"}},
      {"no run", logits("good.npy", "nowhere"), {"nowhere holds no run"}},
      {"place below a file",
       "logits --run run --tokens good.npy --out small.txt/logits.npy",
       {"small.txt", "another place"}},
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
