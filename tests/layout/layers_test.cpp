// Who may include whom: a file includes its own layer and the layers above it, nothing else.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>

#include "tests/layout/functions.hpp"
#include "tests/layout/source_files.hpp"

namespace layout {
namespace {

const std::vector<std::string> kLayers = {"core",     "tensor", "autograd", "ops",   "nn",
                                          "position", "model",  "data",     "train", "analysis",
                                          "figure",   "course", "cli",      "python"};
const std::set<std::string> kSchemeInterface = {
    "random_positions.hpp", "random_positions.cpp", "dropped.hpp", "dropped.cpp",
    "scheme.hpp",           "schemes.hpp",          "options.hpp"};

struct Include {
  std::size_t line;
  std::string target;  ///< for example phasor/core/rng.hpp or vector
  bool quoted;
};

std::vector<Include> includes_of(const std::string& text) {
  static const std::regex directive(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  std::vector<Include> includes;
  std::size_t number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    std::smatch match;
    if (std::regex_search(line, match, directive))
      includes.push_back({number, match[2], match[1] == "\""});
  }
  return includes;
}

/// "core" of phasor/core/rng.hpp and of src/phasor/core/rng.hpp; empty for anything else.
std::string layer_of(const std::string& path) {
  static const std::regex in_layer("^(src/)?phasor/([^/]+)/.+");
  std::smatch match;
  return std::regex_match(path, match, in_layer) ? match[2].str() : "";
}

/// kLayers.size() when `layer` is none.
std::size_t rank_of(const std::string& layer) {
  return static_cast<std::size_t>(std::find(kLayers.begin(), kLayers.end(), layer) -
                                  kLayers.begin());
}

/// What is wrong with the includes of one file of src/.
std::vector<std::string> wrong_includes(const SourceFile& file) {
  const std::size_t own = rank_of(layer_of(file.path));
  if (own == kLayers.size()) return {offence(file.path, 1, "is in no layer; see kLayers")};
  std::vector<std::string> wrong;
  for (const auto& [line, target, quoted] : includes_of(file.text)) {
    const bool ours = target.starts_with("phasor/");
    if (quoted != ours)
      wrong.push_back(offence(file.path, line, target + ": \"phasor/...\" or <...> is wanted"));
    if (ours && rank_of(layer_of(target)) > own)
      wrong.push_back(offence(file.path, line, target + " is below " + kLayers[own]));
    if (target.find("cblas") != target.npos && file.path != "src/phasor/tensor/gemm.cpp")
      wrong.push_back(offence(file.path, line, target + " belongs in tensor/gemm.cpp alone"));
    if (own == 0 && target.starts_with("nlohmann"))
      wrong.push_back(
          offence(file.path, line, target + ": core uses the standard library and fmt"));
    if (target.starts_with("CLI/") && own != rank_of("cli"))
      wrong.push_back(offence(file.path, line, target + " belongs in cli"));
    if (target.starts_with("pybind11/") && own != rank_of("python"))
      wrong.push_back(offence(file.path, line, target + " belongs in python"));
  }
  return wrong;
}

/// What includes a header of xtensor or xsimd past the one header that knows their releases.
std::vector<std::string> ties_to_a_release(const SourceFile& file) {
  static const std::regex arrays("^(xtensor|xsimd)");
  std::vector<std::string> wrong;
  if (file.path == "src/phasor/tensor/xtensor.hpp") return wrong;
  for (const auto& [line, target, quoted] : includes_of(file.text))
    if (std::regex_search(target, arrays))
      wrong.push_back(offence(file.path, line,
                              target +
                                  ": expected \"phasor/tensor/xtensor.hpp\", which finds it in "
                                  "every release"));
  return wrong;
}

/// A source tree by path, to follow includes through.
using Tree = std::map<std::string, std::string>;

/// Every file of `tree` that `path` includes, directly or not.
std::set<std::string> reached_from(const std::string& path, const Tree& tree) {
  std::set<std::string> reached;
  std::vector<std::string> open{path};
  while (!open.empty()) {
    const auto file = tree.find(open.back());
    open.pop_back();
    if (file == tree.end()) continue;  // generated
    for (const Include& include : includes_of(file->second))
      if (include.target.starts_with("phasor/") && reached.insert("src/" + include.target).second)
        open.push_back("src/" + include.target);
  }
  return reached;
}

/// The files of model/ that see a scheme: only the interface and the table may be seen.
std::vector<std::string> models_that_see_a_scheme(const Tree& tree) {
  const std::string position = "src/phasor/position/";
  std::vector<std::string> wrong;
  for (const auto& [path, text] : tree)
    if (layer_of(path) == "model")
      for (const std::string& reached : reached_from(path, tree))
        if (reached.starts_with(position) &&
            !kSchemeInterface.contains(reached.substr(position.size())))
          wrong.push_back(offence(path, 1, "sees " + reached));
  return wrong;
}

/// What ties a file that is built once to Real, which is float in one build and double in the
/// other. From tensor.hpp it may take the arrays of integers, from xtensor.hpp those of double.
std::vector<std::string> ties_to_real(const SourceFile& file) {
  static const std::set<std::string> built_once = {"core", "data", "analysis", "figure"};
  static const std::regex real(R"(\b(Real|Tensor|PHASOR_PRECISION)\b)");
  if (!built_once.contains(layer_of(file.path)) || file.path == "src/phasor/core/real.hpp")
    return {};
  std::vector<std::string> wrong;
  const std::string code = code_only(file.text);
  for (std::sregex_iterator match(code.begin(), code.end(), real), end; match != end; ++match)
    wrong.push_back(offence(file.path, line_at(code, static_cast<std::size_t>(match->position())),
                            match->str() + " in a layer that is built once"));
  for (const auto& [line, target, quoted] : includes_of(file.text))
    if (quoted && !built_once.contains(layer_of(target)) && target != "phasor/tensor/tensor.hpp" &&
        target != "phasor/tensor/xtensor.hpp")
      wrong.push_back(offence(file.path, line, target + " computes with Real"));
  return wrong;
}

const std::vector<SourceFile>& sources() {
  static const std::vector<SourceFile> files = files_in({"src"}, is_code);
  return files;
}

const Tree& tree() {
  static const Tree all = [] {
    Tree by_path;
    for (const SourceFile& file : sources()) by_path[file.path] = file.text;
    return by_path;
  }();
  return all;
}

TEST(Layers, FilesIncludeTheirOwnLayerAndThoseAbove) {
  ASSERT_GE(sources().size(), kLayers.size()) << "the sources were not found";
  for (const SourceFile& file : sources()) {
    const auto wrong = wrong_includes(file);
    EXPECT_TRUE(wrong.empty()) << joined(wrong);
  }
}

TEST(Layers, OneHeaderKnowsTheReleasesOfXtensor) {
  for (const SourceFile& file : files_in({"src", "labs", "tests"}, is_code)) {
    const auto wrong = ties_to_a_release(file);
    EXPECT_TRUE(wrong.empty()) << joined(wrong);
  }
}

TEST(Layers, TheModelSeesNoScheme) {
  EXPECT_TRUE(models_that_see_a_scheme(tree()).empty()) << joined(models_that_see_a_scheme(tree()));
}

/// A scheme is known by name in its own file and in the table, which chooses the default; and in
/// the course, which speaks of particular schemes.
TEST(Layers, NoOtherFileKnowsASchemeByName) {
  const std::regex entry(R"re(\.name = "(\w+)")re");
  const std::string position = "src/phasor/position/";
  std::size_t schemes = 0;
  for (const auto& [path, text] : tree()) {
    std::smatch found;
    if (!path.starts_with(position) || !std::regex_search(text, found, entry)) continue;
    ++schemes;
    const std::string name = found[1], literal = '"' + name + '"';
    EXPECT_EQ(path, position + name + ".cpp");
    if (name == "none") continue;  // also an English word, for the absence of anything
    for (const auto& [other, words] : tree())
      if (other.starts_with("src/") && layer_of(other) != "course" && other != path &&
          other != position + "schemes.cpp") {
        EXPECT_EQ(words.find(literal), words.npos) << other << " knows " << name;
      }
  }
  EXPECT_EQ(schemes, 18U);
}

TEST(Layers, WhatIsBuiltOnceIsFreeOfReal) {
  for (const SourceFile& file : sources()) {
    const auto wrong = ties_to_real(file);
    EXPECT_TRUE(wrong.empty()) << joined(wrong);
  }
}

TEST(Layers, AWrongIncludeIsFound) {
  const auto wrong = [](const std::string& path, const std::string& include) {
    return wrong_includes({path, "// text\n  #  include " + include + "\n"}).size();
  };
  EXPECT_EQ(wrong("src/phasor/tensor/a.cpp", "\"phasor/ops/softmax.hpp\""), 1u);
  EXPECT_EQ(wrong("src/phasor/tensor/kernels/a.cpp", "\"phasor/model/gpt.hpp\""), 1u);
  EXPECT_EQ(wrong("src/phasor/tensor/a.cpp", "\"phasor/other/a.hpp\""), 1u);
  EXPECT_EQ(wrong("src/phasor/tensor/a.cpp", "\"gemm.hpp\""), 1u);
  EXPECT_EQ(wrong("src/phasor/tensor/a.cpp", "<phasor/tensor/gemm.hpp>"), 1u);
  EXPECT_EQ(wrong("src/phasor/tensor/a.cpp", "<cblas.h>"), 1u);
  EXPECT_EQ(wrong("src/phasor/core/a.cpp", "\"phasor/tensor/xtensor.hpp\""), 1u);
  EXPECT_EQ(wrong("src/phasor/core/a.cpp", "<nlohmann/json.hpp>"), 1u);
  EXPECT_EQ(ties_to_a_release({"labs/a.cpp", "#include <xtensor/xarray.hpp>\n"}).size(), 1u);
  EXPECT_EQ(ties_to_a_release({"src/a.cpp", "#include <xtensor-blas/xlinalg.hpp>\n"}).size(), 1u);
  EXPECT_EQ(wrong("src/phasor/train/a.cpp", "<CLI/CLI.hpp>"), 1u);
  EXPECT_EQ(wrong("src/phasor/cli/a.cpp", "<pybind11/numpy.h>"), 1u);
  EXPECT_EQ(wrong("src/phasor/cli/a.cpp", "\"phasor/python/arrays.hpp\""), 1u);
  EXPECT_EQ(wrong("src/phasor/elsewhere/a.cpp", "<vector>"), 1u);
  EXPECT_EQ(wrong("src/phasor/python/a.cpp", "<pybind11/numpy.h>"), 0u);
  EXPECT_EQ(wrong("src/phasor/tensor/gemm.cpp", "<cblas.h>"), 0u);
  EXPECT_EQ(wrong("src/phasor/ops/a.cpp", "\"phasor/ops/a.hpp\""), 0u);
  EXPECT_EQ(wrong("src/phasor/cli/a.cpp", "\"phasor/core/error.hpp\""), 0u);
}

TEST(Layers, ASchemeSeenThroughAnotherFileIsFound) {
  Tree invented = {{"src/phasor/model/gpt.cpp", "#include \"phasor/model/gpt.hpp\"\n"},
                   {"src/phasor/model/gpt.hpp", "#include \"phasor/position/scheme.hpp\"\n"},
                   {"src/phasor/position/scheme.hpp", "#include <vector>\n"}};
  EXPECT_TRUE(models_that_see_a_scheme(invented).empty());
  invented["src/phasor/position/scheme.hpp"] = "#include \"phasor/position/rope.hpp\"\n";
  EXPECT_EQ(models_that_see_a_scheme(invented).size(), 2u);
}

TEST(Layers, RealInWhatIsBuiltOnceIsFound) {
  const auto ties = [](const std::string& path, const std::string& text) {
    return ties_to_real({path, text}).size();
  };
  EXPECT_EQ(ties("src/phasor/data/a.hpp", "#include \"phasor/tensor/tensor.hpp\"\nIndices x;\n"),
            0u);
  EXPECT_EQ(ties("src/phasor/data/a.hpp", "// Tensor\nTensor x;\nReal y;\n"), 2u);
  EXPECT_EQ(ties("src/phasor/figure/a.cpp", "#include \"phasor/ops/softmax.hpp\"\n"), 1u);
  EXPECT_EQ(ties("src/phasor/ops/a.cpp", "#include \"phasor/autograd/var.hpp\"\nReal y;\n"), 0u);
}

}  // namespace
}  // namespace layout
