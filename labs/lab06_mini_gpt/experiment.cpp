#include "labs/lab06_mini_gpt/experiment.hpp"

#include <cmath>

namespace phasor::lab06 {

double character_entropy(const std::string& text) {
  const CharTokenizer tokenizer = CharTokenizer::from_text(text);
  const Encoded tokens = tokenizer.encode(text);
  std::vector<double> counts(tokenizer.vocabulary_size(), 0.0);
  for (const std::int32_t token : tokens) ++counts[static_cast<std::size_t>(token)];
  double entropy = 0;
  for (const double count : counts) {
    const double share = count / static_cast<double>(tokens.size());
    entropy -= share * std::log(share);
  }
  return entropy;
}

}  // namespace phasor::lab06
