// Runs and arrays that are missing, damaged or of the wrong kind, and places that cannot be
// written.
#include <nlohmann/json.hpp>

#include "phasor/tensor/npy.hpp"
#include "tests/cli/bad_input.hpp"

namespace phasor::cli {
namespace {

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
      {"configuration of another kind", "eval --run list", {"list/config.json", "JSON object"}},
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

}  // namespace
}  // namespace phasor::cli
