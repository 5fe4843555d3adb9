// Every scheme against values of an independent implementation, and against well-known mistakes,
// which must not pass for it (tests/golden/conformance.py, tests/golden/README.md).
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "phasor/train/safetensors.hpp"
#include "tests/golden_files.hpp"
#include "tests/position/hooks.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

// The files hold doubles, the inputs exact floats. A chain of about 40 products, sums and one
// softmax rounds to some 1e-15 and 1e-6; angles at position 200 add 200 times the last digit.
constexpr double kTolerance = sizeof(Real) == 8 ? 1e-12 : 2e-5;
// conformance.py asserts that each mistake changes some value by more than this.
constexpr double kMistake = 1e-3;

struct GoldenCase {
  std::string name;
  TensorFile file;
  const std::string& about(const std::string& key) const { return file.metadata.at(key); }
  bool is_mutant() const { return file.metadata.contains("mutant"); }
  Tensor tensor(const std::string& key) const {
    const Tensor* found = file.find(key);
    if (!found) throw CheckpointError(name + " has no " + key);
    return *found;
  }
};

std::vector<GoldenCase> golden_cases() {
  std::vector<GoldenCase> cases;
  for (const auto& entry : std::filesystem::directory_iterator(golden_path("conformance")))
    cases.push_back({entry.path().stem().string(), read_safetensors(entry.path())});
  std::sort(cases.begin(), cases.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return cases;
}

std::unique_ptr<Scheme> scheme_of(const GoldenCase& c) {
  OptionValues options;
  const nlohmann::json given = nlohmann::json::parse(c.about("options"));
  for (const auto& [name, value] : given.items()) options[name] = value.get<std::string>();
  const auto count = [&](const char* key) { return std::stoul(c.about(key)); };
  Rng rng(1);
  auto scheme = make_scheme(c.about("scheme"), options,
                            {count("width"), count("heads"), count("context")}, rng);
  std::size_t parameters = 0;
  for (NamedParameter& parameter : scheme->parameters()) {
    const Tensor value = c.tensor("parameter." + parameter.path);
    EXPECT_EQ(shape_of(value), parameter.value.shape()) << c.name << ", " << parameter.path;
    parameter.value.mutable_value() = value;
    ++parameters;
  }
  for (const NamedTensor& tensor : c.file.tensors)
    parameters -= tensor.name.starts_with("parameter.") ? 1 : 0;
  EXPECT_EQ(parameters, 0U) << c.name << " has other parameters than the scheme";
  return scheme;
}

/// The largest difference in what the scheme does, 0 where keys are hidden in both.
double difference_from(const GoldenCase& c) {
  const auto scheme = scheme_of(c);
  const Tensor stored = c.tensor("positions");
  const Positions positions(stored.begin(), stored.end());
  const auto var = [&](const char* key) { return Var(c.tensor(key)); };
  const Tensor embedded = scheme->embed(var("x"), positions).value();
  const Attended attended = attend(*scheme, var("q"), var("k"), var("v"), var("inputs"), positions,
                                   c.about("causal") == "true");
  Tensor got = attended.logits.value(), wanted = c.tensor("logits");
  for (Tensor* logits : {&got, &wanted})
    for (Real& value : logits->storage())
      if (value < Real(-1e29)) value = 0;
  return larger(
      larger(relative_difference(embedded, c.tensor("embedded")), relative_difference(got, wanted)),
      larger(largest_difference(attended.weights.value(), c.tensor("weights")),
             relative_difference(attended.out.value(), c.tensor("out"))));
}

REAL_TEST(Conformance, every_scheme_has_the_published_values) {
  std::map<std::string, std::size_t> counts;
  std::map<std::string, double> largest;
  for (const GoldenCase& c : golden_cases()) {
    if (c.is_mutant()) continue;
    const double difference = difference_from(c);
    EXPECT_LE(difference, kTolerance) << c.name;
    const std::string& scheme = c.about("scheme");
    ++counts[scheme];
    largest[scheme] = larger(largest[scheme], difference);
  }
  for (const SchemeEntry& entry : schemes())
    EXPECT_GE(counts[entry.name], 2U) << entry.name << " has too few cases";
  EXPECT_EQ(counts.size(), schemes().size());
  for (const auto& [scheme, count] : counts)
    std::printf("  %-16s %2zu cases, largest difference %.0e\n", scheme.c_str(), count,
                largest[scheme]);
}

REAL_TEST(Conformance, well_known_mistakes_are_rejected) {
  std::map<std::string, std::size_t> counts;
  for (const GoldenCase& c : golden_cases()) {
    if (!c.is_mutant()) continue;
    const double difference = difference_from(c);
    EXPECT_GT(difference, kMistake / 10) << c.name << ": " << c.about("mutant");
    EXPECT_GT(difference, 10 * kTolerance) << c.name;
    ++counts[c.about("scheme")];
    std::printf("  %-44s off by %.0e: %s\n", c.name.c_str(), difference, c.about("mutant").c_str());
  }
  for (const SchemeEntry& entry : schemes())
    if (entry.kind != "none") {  // the identity has no formula to get wrong
      EXPECT_GE(counts[entry.name], 1U) << entry.name << " has no mutant";
    }
}

/// Unmasked attention either works or says that it cannot.
REAL_TEST(Conformance, causal_only_says_who_refuses_unmasked_attention) {
  for (const Variant& variant : variants()) {
    const auto scheme = variant.make();
    const Positions positions = uneven_positions(*scheme);
    const Var x(normal({kB, kS, kC})), heads = split_heads(x, kH);
    const auto call = [&] {
      return attend(*scheme, slice(heads, 2, kS - kT, kS), heads, heads, x, positions, false);
    };
    if (!scheme->traits().causal_only) {
      for (const Var out = call().out; const Real value : out.value())
        EXPECT_TRUE(std::isfinite(value)) << variant.name;
      continue;
    }
    try {
      call();
      ADD_FAILURE() << variant.name << " took unmasked attention";
    } catch (const ConfigError& error) {
      const std::string message = error.what();
      EXPECT_TRUE(message.starts_with("[" + variant.entry->name + "]")) << message;
      EXPECT_NE(message.find("choose"), message.npos) << message;
    }
  }
}

/// Nothing is kept from one call to the next.
REAL_TEST(Conformance, a_short_call_after_a_long_one_is_as_before) {
  for (const Variant& variant : variants()) {
    const auto scheme = variant.make();
    nudge(*scheme, 0.1);
    const auto out = [&](std::size_t length, double first) {
      const Var x(normal({1, length, kC}, length));
      const Var heads = split_heads(scheme->embed(x, consecutive_positions(length, first)), kH);
      return Tensor(attend(*scheme, heads, heads, heads, x, consecutive_positions(length, first))
                        .out.value());
    };
    const Tensor before = out(4, 0);
    out(kContext - 1, 1);
    if (!scheme->traits().max_positions) out(40, 10);
    EXPECT_TRUE(identical(out(4, 0), before)) << variant.name;
  }
}

/// The formulas of position/README.md, defaults, C = 24, H = 3, D = 8, context 16.
REAL_TEST(Conformance, parameters_are_as_many_as_the_formula_says) {
  const std::size_t C = 24, H = 3, D = 8, context = 16, mlp = 2 * 32 + 32 * H + H;
  const std::map<std::string, std::size_t> formulas{{"learned", context * C},
                                                    {"shaw", 2 * (2 * 16 + 1) * D},
                                                    {"transformer_xl", C * C + 2 * C},
                                                    {"deberta", 2 * context * C + 2 * C * C},
                                                    {"t5_bias", 32 * H},
                                                    {"kerple_log", 2 * H},
                                                    {"fire", 2 + mlp},
                                                    {"dynamic_bias", mlp},
                                                    {"cope", context * D},
                                                    {"pope", H * D},
                                                    {"forgetting", H * (C + 1)}};
  for (const SchemeEntry& entry : schemes()) {
    Rng rng(1);
    const auto scheme = make_scheme(entry.name, {}, {C, H, context}, rng);
    const auto formula = formulas.find(entry.name);
    EXPECT_EQ(scheme->parameter_count(), formula == formulas.end() ? 0 : formula->second)
        << entry.name;
  }
}

/// Parameters come back into their range.
REAL_TEST(Conformance, constrain_leaves_what_is_in_range_and_is_idempotent) {
  for (const Variant& variant : variants()) {
    const auto scheme = variant.make();
    const auto values = [&] {
      std::vector<Tensor> all;
      for (const NamedParameter& parameter : scheme->parameters())
        all.push_back(parameter.value.value());
      return all;
    };
    const std::vector<Tensor> fresh = values();
    scheme->constrain();
    EXPECT_EQ(values(), fresh) << variant.name << ": what is drawn at first is in range";
    nudge(*scheme, 10);
    scheme->constrain();
    const std::vector<Tensor> once = values();
    scheme->constrain();
    EXPECT_EQ(values(), once) << variant.name;
    for (const NamedParameter& parameter : scheme->parameters())
      for (const Real value : parameter.value.value()) {
        if (variant.entry->name == "kerple_log") {
          EXPECT_GE(value, Real(0.01)) << parameter.path;
        } else if (variant.entry->name == "pope") {
          EXPECT_LE(value, 0) << parameter.path;
          EXPECT_GE(value, Real(-6.2832)) << parameter.path;
        }
      }
  }
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
