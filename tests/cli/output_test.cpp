// What is printed arrives, or the program says that it did not; and no message is more than a line.
#include "tests/cli/bad_input.hpp"
#include "tests/run_program.hpp"

namespace phasor::cli {
namespace {

using test::ProgramOutcome;
using test::run_program;

void expect_lost(const std::string& program, const std::string& arguments) {
  for (const char* output : {"2>&1 >/dev/full", "2>&1 >&-"}) {
    const ProgramOutcome outcome = run_program(program, arguments, output);
    const std::string what = program + " " + arguments + " " + output;
    EXPECT_EQ(outcome.code, 2) << what << "\n" << outcome.text;
    EXPECT_TRUE(outcome.text.starts_with(program + ": cannot write to standard output: "))
        << what << "\n"
        << outcome.text;
    EXPECT_EQ(outcome.text.find('\n'), outcome.text.size() - 1) << what << "\n" << outcome.text;
  }
}

TEST(Output, that_is_lost_is_an_error_of_every_command) {
  const WorkFolder folder;
  write_small_text(folder);
  output_of(folder.path(), tiny_training("--out run"));
  const std::string run = " --run '" + (folder / "run").string() + "'";
  for (const std::string arguments :
       {"--help", "--version", "train --help", "schemes", "schemes --json", "text", "text --json",
        "figures", "bias --scheme alibi", "rotate --scheme rope", "kernel --scheme rope --json"})
    expect_lost("phasor", arguments);
  for (const std::string& arguments :
       {"eval --tokens 50 --text '" + (folder / "small.txt").string() + "'" + run,
        "generate --prompt the" + run, "attention --prompt 'the fox'" + run})
    expect_lost("phasor", arguments);
}

TEST(Output, that_is_lost_is_an_error_of_a_lab) {
  const WorkFolder folder;
  const std::string out = " --out '" + (folder / "lab01").string() + "'";
  expect_lost("lab01_sinusoid", "--help");
  expect_lost("lab01_sinusoid", out);
  output_of(folder.path(), "text");
  run_program("lab01_sinusoid", out, ">/dev/null");
  expect_lost("lab_gallery", "'" + folder.path().string() + "'");
}

TEST(Output, of_a_closed_stream_does_not_end_up_in_a_file) {
  const WorkFolder folder;
  const std::string file = (folder / "pe.npy").string();
  run_program("phasor", "encode --scheme sinusoidal --positions 2 --width 2 --out '" + file + "'",
              "2>&1 >&-");
  EXPECT_TRUE(read_file(file).starts_with("\x93NUMPY"));
  EXPECT_EQ(read_file(file).size(), 128U + 16U);
}

TEST_F(BadInputs, are_named_in_one_printable_line) {
  const auto refused = [&](const std::string& line) {
    const Outcome outcome = phasor(folder_.path(), line);
    EXPECT_EQ(outcome.code, 2) << line.substr(0, 100);
    EXPECT_LE(outcome.err.size(), 1100U);
    EXPECT_EQ(outcome.err.find_first_of("\x1b\x07\r\xFF"), outcome.err.npos) << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
    return outcome.err;
  };
  const std::string odd = "'a\nb\x1b[31m\x07\xFF'", shown = "a\\nb\\x1b[31m\\x07\\xff";
  for (const std::string& line :
       {"text --text " + odd, "eval --run " + odd, "train --steps " + odd, odd,
        "bias --scheme " + odd, "train --lr " + odd, "rotate --scheme rope --scaling " + odd,
        "figures " + odd, "claims --id " + odd, "kernel --scheme rope --figure " + odd})
    EXPECT_NE(refused(line).find(shown), std::string::npos) << line;
  const std::string megabyte(100000, 'x');  // one argument can have no more than 128 KiB
  EXPECT_NE(refused("text --text " + megabyte).find("xxx..."), std::string::npos);
  EXPECT_TRUE(refused("eval --run " + megabyte).ends_with("name\n"));
}

TEST_F(BadInputs, places_are_known_before_the_work) {
  make_runs();
  const std::string kernel = "kernel --scheme rope ",
                    attention = "attention --run run --prompt 'the fox' ";
  write_file(folder_ / "kept.csv", "old");
  std::filesystem::permissions(folder_ / "kept.csv", std::filesystem::perms::owner_read);
  make_folder(folder_ / "taken.png");
  std::vector<BadInput> cases;
  for (const std::string& command : {kernel, std::string("bias --scheme alibi "),
                                     std::string("rotate --scheme rope "), attention})
    cases.insert(
        cases.end(),
        {{"figure of another kind",
          command + "--figure a.png --out a.npy",
          {"--figure must end in .svg"}},
         {"figure with a wrong name", command + "--figure A_b.svg --out a.npy", {"'A_b'", "a-z"}},
         {"figure below a file",
          command + "--figure small.txt/a.svg --out a.npy",
          {"small.txt", "Not a directory"}},
         {"figure over a folder",
          command + "--figure taken.svg --out a.npy",
          {"taken.png'", "folder"}},
         {"figure over a kept file",
          command + "--figure kept.svg --out a.npy",
          {"kept.csv", "permissions"}},
         {"array over a folder", command + "--out folder", {"'folder'", "is a folder"}},
         {"array in the figure",
          command + "--figure a.svg --out a.csv",
          {"--out a.csv", "another name"}}});
  for (const std::string command :
       {"text --text toy", "encode --scheme sinusoidal", "logits --run run --tokens no.npy"})
    cases.push_back(
        {"place for " + command, command + " --out folder", {"'folder'", "is a folder"}});
  cases.push_back({"place for a page", "claims --page folder", {"'folder'", "is a folder"}});
  cases.push_back({"place for figures", "figures D1-F1 --out small.txt", {"small.txt"}});
  expect_refused(cases);
  for (const BadInput& bad : cases) EXPECT_EQ(phasor(folder_.path(), bad.line).out, "") << bad.line;
}

TEST_F(BadInputs, files_of_a_hundred_thousand_brackets) {
  make_runs();
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  const auto with_deep = [&](std::string json, const std::string& value) {
    return json.replace(json.find(value), value.size(), deep);
  };
  const auto weights = [](const std::string& header) {
    const std::uint64_t length = header.size();
    return std::string(reinterpret_cast<const char*>(&length), 8) + header + "0000";
  };
  const std::string header = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  copy_run("width", "config.json", R"({"text": "small.txt", "model": {"width": )" + deep + "}}");
  copy_run("symbols", "config.json", R"({"text": "small.txt", "symbols": )" + deep + "}");
  copy_run("shape", "model.safetensors", weights(with_deep(header, "[1]")));
  copy_run("offsets", "model.safetensors", weights(with_deep(header, "[0,4]")));
  copy_run("metrics", "metrics.jsonl", R"({"step": )" + deep + "}\n");
  copy_run("checkpoint", "checkpoint.safetensors", weights(with_deep(header, "[1]")));
  expect_refused({
      {"brackets as width", "eval --run width", {"width/config.json", "64 deep"}},
      {"brackets as symbols", "eval --run symbols", {"symbols/config.json", "64 deep"}},
      {"brackets as shape", "eval --run shape", {"shape/model.safetensors", "64 deep"}},
      {"brackets as offsets", "eval --run offsets", {"offsets/model.safetensors", "64 deep"}},
      {"brackets as step", "train --resume --out metrics", {"metrics.jsonl", "line 1", "64 deep"}},
      {"brackets in a checkpoint",
       "train --resume --out checkpoint",
       {"checkpoint.safetensors", "64 deep"}},
  });
}

TEST(Input, larger_than_memory_names_the_file) {
  const WorkFolder folder;
  write_file(folder / "zeros", "");
  std::filesystem::resize_file(folder / "zeros", 500 << 20);
  const auto message = [&](const std::string& command, int kilobytes) {
    const std::string line =
        fmt::format("cd '{}' && ulimit -v {} && OPENBLAS_NUM_THREADS=1 '{}/phasor' {} 2>&1",
                    folder.path().string(), kilobytes, PHASOR_BINARY_DIR, command);
    std::FILE* pipe = ::popen(line.c_str(), "r");
    std::array<char, 4096> buffer{};
    const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe);
    EXPECT_EQ(WEXITSTATUS(::pclose(pipe)), 2) << line;
    return std::string(buffer.data(), count);
  };
  EXPECT_NE(message("text --text zeros", 1500000).find("zeros is not text: byte 0x00"),
            std::string::npos);
  EXPECT_NE(message("text --text zeros", 450000)
                .find("zeros does not fit into memory; choose a smaller file"),
            std::string::npos);
}

}  // namespace
}  // namespace phasor::cli
