#include "labs/lab05_autograd/bigram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "phasor/core/error.hpp"
#include "phasor/core/progress.hpp"
#include "phasor/data/tokenizer.hpp"

namespace phasor::lab05 {
namespace {

using Ids = std::vector<Id>;

constexpr std::size_t kWidth = 16, kKeys = 64;
constexpr std::size_t kPart = 512;  // triples that are evaluated at a time

/// A number for the last `context` characters of a triple.
std::size_t context_of(const Triples& triples, std::size_t n, std::size_t context) {
  std::size_t number = 0;
  if (context > 1) number = triples.before_last[n];
  if (context > 0) number = number * triples.vocabulary() + triples.last[n];
  return number;
}

Triples part_of(const Triples& triples, std::size_t begin, std::size_t end) {
  const auto part = [&](const Rows& all) {
    return Rows(all.begin() + static_cast<std::ptrdiff_t>(begin),
                all.begin() + static_cast<std::ptrdiff_t>(end));
  };
  return {part(triples.before_last), part(triples.last), part(triples.next), triples.characters};
}

/// The mean over all triples, part by part so that the values of a part stay in the cache.
double loss_on(const Model& model, const Triples& triples) {
  double sum = 0;
  for (std::size_t begin = 0; begin < triples.size(); begin += kPart) {
    const Triples part = part_of(triples, begin, std::min(begin + kPart, triples.size()));
    Tape tape;
    sum += tape[write_loss(tape, model, part).loss].value() * static_cast<double>(part.size());
  }
  return sum / static_cast<double>(triples.size());
}

class Adam {
 public:
  explicit Adam(const std::vector<Array>& parameters) {
    for (const Array& parameter : parameters) {
      first_.push_back(xt::zeros_like(parameter));
      second_.push_back(xt::zeros_like(parameter));
    }
  }

  void begin_step() { ++step_; }

  void update(std::size_t index, Array& parameter, const Array& gradient, double rate) {
    Array &m = first_[index], &v = second_[index];
    const double m_share = 1 - std::pow(0.9, step_), v_share = 1 - std::pow(0.99, step_);
    for (std::size_t i = 0; i < parameter.size(); ++i) {
      const double g = gradient.data()[i];
      m.data()[i] = 0.9 * m.data()[i] + 0.1 * g;
      v.data()[i] = 0.99 * v.data()[i] + 0.01 * g * g;
      parameter.data()[i] -=
          rate * (m.data()[i] / m_share) / (std::sqrt(v.data()[i] / v_share) + 1e-8);
    }
  }

 private:
  std::vector<Array> first_, second_;
  int step_ = 0;
};

Array scaled_normal(const std::vector<std::size_t>& shape, double factor, Rng& rng) {
  return factor * random_array(shape, rng);
}

}  // namespace

Triples triples_of(const std::string& text, std::size_t most) {
  const CharTokenizer whole = CharTokenizer::from_text(text);
  Encoded tokens = whole.encode(text);
  tokens.resize(std::min(most, tokens.size()));
  const std::string part = whole.decode(tokens);
  const CharTokenizer tokenizer = CharTokenizer::from_text(part);
  tokens = tokenizer.encode(part);
  check<DataError>(tokens.size() >= 3, "[lab05] the text has {} characters; give three or more",
                   tokens.size());
  const std::size_t vocabulary = tokenizer.vocabulary_size();
  check<DataError>(vocabulary >= 2 && vocabulary <= kMostCharacters,
                   "[lab05] the text begins with {} different characters; give one with 2 to {}",
                   vocabulary, kMostCharacters);
  Triples triples;
  for (std::size_t i = 0; i < tokenizer.vocabulary_size(); ++i)
    triples.characters.push_back(tokenizer.decode(Encoded{static_cast<std::int32_t>(i)}));
  for (std::size_t t = 2; t < tokens.size(); ++t) {
    triples.before_last.push_back(static_cast<std::size_t>(tokens[t - 2]));
    triples.last.push_back(static_cast<std::size_t>(tokens[t - 1]));
    triples.next.push_back(static_cast<std::size_t>(tokens[t]));
  }
  return triples;
}

double counted_entropy(const Triples& triples, std::size_t context) {
  std::map<std::size_t, std::map<std::size_t, double>> counts;
  for (std::size_t n = 0; n < triples.size(); ++n)
    ++counts[context_of(triples, n, context)][triples.next[n]];
  double sum = 0;
  for (const auto& [place, followers] : counts) {
    double all = 0;
    for (const auto& [next, count] : followers) all += count;
    for (const auto& [next, count] : followers) sum -= count * std::log(count / all);
  }
  return sum / static_cast<double>(triples.size());
}

Array counted_table(const Triples& triples) {
  Array table = xt::zeros<double>({triples.vocabulary(), triples.vocabulary()});
  for (std::size_t n = 0; n < triples.size(); ++n) table(triples.last[n], triples.next[n]) += 1;
  for (std::size_t row = 0; row < triples.vocabulary(); ++row) {
    double all = 0;
    for (std::size_t i = 0; i < triples.vocabulary(); ++i) all += table(row, i);
    for (std::size_t i = 0; i < triples.vocabulary() && all > 0; ++i) table(row, i) /= all;
  }
  return table;
}

Triples drawn(const Triples& triples, std::size_t count, Rng& rng) {
  Triples batch{.before_last = {}, .last = {}, .next = {}, .characters = triples.characters};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t n = rng.below(triples.size());
    batch.before_last.push_back(triples.before_last[n]);
    batch.last.push_back(triples.last[n]);
    batch.next.push_back(triples.next[n]);
  }
  return batch;
}

Written write_loss(Tape& tape, const Model& model, const Triples& batch) {
  Written written;
  for (std::size_t i = 0; i < model.parameters.size(); ++i)
    written.parameters.push_back(tape.leaf(model.names[i], model.parameters[i]));
  written.loss = model.loss(tape, written.parameters, batch);
  return written;
}

Model bigram_model(std::size_t vocabulary) {
  return {.name = "bigram",
          .names = {"table"},
          .parameters = {xt::zeros<double>({vocabulary, vocabulary})},
          .loss = [](Tape& tape, const Ids& in, const Triples& batch) {
            return tape.cross_entropy(tape.embedding(in[0], batch.last), batch.next);
          }};
}

Model overwriting_model(std::size_t vocabulary) {
  Model model = bigram_model(vocabulary);
  model.name = "overwriting";
  model.loss = [](Tape& tape, const Ids& in, const Triples& batch) {
    const Rows& rows = batch.last;
    const auto overwrite = [rows](const Array& dy, const std::vector<Array*>& gradients) {
      for (std::size_t n = 0; n < rows.size(); ++n)
        for (std::size_t i = 0; i < dy.shape(1); ++i) (*gradients[0])(rows[n], i) = dy(n, i);
    };
    const Id logits =
        tape.record("embedding", embedding(tape[in[0]].value, rows), {in[0]}, overwrite);
    return tape.cross_entropy(logits, batch.next);
  };
  return model;
}

namespace {

Id two_layer_loss(Tape& tape, const Ids& in, const Triples& batch) {
  const Id last = tape.embedding(in[0], batch.last);
  const Id before = tape.embedding(in[1], batch.before_last);
  const Id h = tape.layer_norm(tape.mul(last, before), in[2], in[3]);
  const Id chosen = tape.matmul(tape.softmax(tape.matmul(h, in[4])), in[5]);
  const Id direct = tape.matmul(h, in[6]);
  return tape.cross_entropy(tape.add(chosen, direct), batch.next);
}

}  // namespace

Model two_layer_model(std::size_t vocabulary, std::uint64_t seed) {
  Rng rng(seed, "lab05-weights");
  Model model{.name = "two layers",
              .names = {"first", "second", "weight", "bias", "keys", "values", "direct"},
              .parameters = {},
              .loss = two_layer_loss};
  // Outputs of order one at every place, and equal logits to begin with.
  model.parameters = {random_array({vocabulary, kWidth}, rng),
                      random_array({vocabulary, kWidth}, rng),
                      xt::ones<double>({kWidth}),
                      xt::zeros<double>({kWidth}),
                      scaled_normal({kWidth, kKeys}, 1 / std::sqrt(kWidth), rng),
                      xt::zeros<double>({kKeys, vocabulary}),
                      xt::zeros<double>({kWidth, vocabulary})};
  return model;
}

Curve train(Model& model, const Triples& triples, const Training& training, std::uint64_t seed) {
  Curve curve;
  Adam adam(model.parameters);
  Progress progress("train " + model.name, training.steps);
  const auto evaluate = [&](int step) {
    curve.steps.push_back(step);
    curve.losses.push_back(loss_on(model, triples));
    progress.update(step, fmt::format("loss {:.3f}", curve.losses.back()));
  };
  for (int step = 0; step < training.steps; ++step) {
    if (step % training.evaluate_every == 0) evaluate(step);
    Rng rng(seed, "lab05-batch", static_cast<std::uint64_t>(step));
    Tape tape;
    const Written written = write_loss(tape, model, drawn(triples, training.batch, rng));
    tape.backward(written.loss, Array(1.0));
    const double rate =
        training.rate * (1 - static_cast<double>(step) / static_cast<double>(training.steps));
    adam.begin_step();
    for (std::size_t i = 0; i < model.parameters.size(); ++i)
      adam.update(i, model.parameters[i], tape[written.parameters[i]].gradient, rate);
  }
  evaluate(training.steps);
  progress.finish();
  return curve;
}

}  // namespace phasor::lab05
