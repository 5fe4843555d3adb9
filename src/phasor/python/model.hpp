// A model as Python holds it.
#pragma once
#include "phasor/python/arrays.hpp"
#include "phasor/train/run.hpp"

namespace phasor::python {

/// A model with the characters it reads, trained or not.
class Model {
 public:
  /// `config`: JSON, as in config.json. Weights as they are before training. `symbols`: the
  /// characters, or empty for a model of config.vocabulary numbers that stand for nothing.
  static Model fresh(const std::string& config, const std::string& symbols, std::uint64_t seed);
  static Model loaded(const std::filesystem::path& folder, const py::dict& options);

  const Run& run() const { return run_; }
  Gpt& gpt() { return *run_.model; }
  /// Throws DataError when the model was made without characters.
  const CharTokenizer& tokenizer() const;
  /// Throws DataError when tokens [B, T] have another shape or are not in the vocabulary.
  const Indices& checked(const Indices& tokens) const;

 private:
  Model(Run run, bool reads_text) : run_(std::move(run)), reads_text_(reads_text) {}

  Run run_;
  bool reads_text_;
};

}  // namespace phasor::python
