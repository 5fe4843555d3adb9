// Every scheme with every option, and attention around its hooks as the tests want it: small, with
// all extents different, and fewer queries than keys.
#pragma once
#include <fmt/format.h>

#include "phasor/ops/ops.hpp"
#include "phasor/position/schemes.hpp"
#include "tests/nn/parameter_gradcheck.hpp"

namespace phasor::inline PHASOR_PRECISION {

inline constexpr std::size_t kB = 2, kH = 3, kT = 5, kS = 7, kD = 4, kC = kH * kD;
/// More positions than the keys take, so that they can be shifted inside a table.
inline constexpr std::size_t kContext = 16;

struct Variant {
  const SchemeEntry* entry;
  OptionValues options;
  std::string name;
  std::unique_ptr<Scheme> make(const SchemeSizes& sizes = {kC, kH, kContext}) const {
    Rng rng(1);
    return make_scheme(entry->name, options, sizes, rng);
  }
};

/// A value that is not the default and lies well inside the range.
inline std::vector<std::string> other_values(const OptionSpec& spec) {
  if (const auto* words = std::get_if<ChoiceOption>(&spec.kind))
    return {words->choices.begin() + 1, words->choices.end()};
  if (const auto* text = std::get_if<TextOption>(&spec.kind)) return text->examples;
  const auto& number = std::get<NumberOption>(spec.kind);
  if (number.fallback > 1) return {fmt::format("{}", number.fallback * 0.75)};
  if (number.most <= 1) return {"0.5"};
  if (number.most <= 100) return {"1.2"};  // a factor
  return {"3"};                            // in place of 0, which stands for the scheme's own
}

/// The option and, where it means nothing alone, what it goes with.
inline OptionValues with_needs(const OptionSpec& spec, const std::string& value) {
  OptionValues options{{spec.name, value}};
  if (spec.needs) options[spec.needs->option] = spec.needs->values.front();
  return options;
}

/// Each scheme with its defaults, and with each option changed alone.
inline std::vector<Variant> variants() {
  std::vector<Variant> result;
  for (const SchemeEntry& entry : schemes()) {
    result.push_back({&entry, {}, entry.name});
    for (const OptionSpec& spec : entry.options)
      for (const std::string& value : other_values(spec))
        result.push_back(
            {&entry, with_needs(spec, value), entry.name + " " + spec.name + "=" + value});
  }
  return result;
}

/// Whole numbers for a scheme with a table of positions or distances, fractional for the others.
inline Positions uneven_positions(const Scheme& scheme) {
  if (scheme.traits().whole_positions) return {0, 1, 2, 3, 5, 6, 8};
  return {0, 1, 2.5, 3, 4.25, 6, 8};
}

inline Positions last_positions(const Positions& keys, std::size_t count) {
  return Positions(keys.end() - static_cast<std::ptrdiff_t>(count), keys.end());
}

inline Positions shifted(Positions positions, double shift) {
  for (double& position : positions) position += shift;
  return positions;
}

struct Attended {
  Var logits, weights, out;  // [B, H, T, S] twice, [B, H, T, D]
};

/// Attention as src/phasor/position/scheme.hpp words it, from queries, keys and values that are
/// given: the last T keys stand where the T queries stand. `inputs` [B, S, C] are the layer's.
inline Attended attend(const Scheme& scheme, const Var& q, const Var& k, const Var& v,
                       const Var& inputs, const Positions& keys, bool causal = true) {
  const std::size_t T = q.shape()[2], S = k.shape()[2];
  const Positions queries = last_positions(keys, T);
  const Real scale = 1 / std::sqrt(static_cast<Real>(q.shape()[3]));
  const Context context{queries, keys, scale, causal, inputs};
  const QK rotated = scheme.rotate(q, k, context);
  Mask future = Mask::from_shape({T, S});
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t s = 0; s < S; ++s) future(t, s) = causal && s > S - T + t;
  Var logits = matmul(rotated.q, rotated.k, {.transpose_b = true, .scale = scale});
  logits = scheme.score(masked_fill(logits, future, Real(-1e30)), rotated.q, rotated.k, context);
  const Var weights = softmax(logits);
  return {logits, weights, scheme.mix(matmul(weights, v), weights, context)};
}

/// All four hooks: tokens x [B, S, C] are embedded and projected; the last T of them ask.
inline Attended through(const Scheme& scheme, const Var& x, const Positions& positions) {
  const Var embedded = scheme.embed(x, positions);
  const auto project = [&](std::uint64_t seed) {
    const Tensor weight = normal({kC, kC}, seed);
    return split_heads(scale(linear(embedded, Var(weight), {}), Real(0.3)), kH);
  };
  return attend(scheme, slice(project(11), 2, kS - kT, kS), project(12), project(13), embedded,
                positions);
}

}  // namespace phasor::inline PHASOR_PRECISION
