#include "phasor/train/checkpoint.hpp"

#include <charconv>
#include <cmath>

#include "phasor/core/error.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

const std::string kFirst = "adamw.first.", kSecond = "adamw.second.", kSteps = "steps",
                  kLossSum = "running.loss_sum", kLossSteps = "running.steps", kConfig = "config",
                  kMetrics = "metrics";

/// A place for a tensor of the file: filled once all have been found to fit.
struct Slot {
  std::string name;
  Tensor* place;
};

/// The first element that is NaN or infinite.
std::optional<Real> not_finite(const Tensor& tensor) {
  for (const Real value : tensor.storage())
    if (!std::isfinite(value)) return value;
  return std::nullopt;
}

std::string text_in(const TensorFile& file, const std::string& name) {
  const auto found = file.metadata.find(name);
  return found == file.metadata.end() ? "" : found->second;
}

void check_config(const std::filesystem::path& path, const TensorFile& file,
                  const std::string& digest) {
  const std::string config = text_in(file, kConfig);
  check<CheckpointError>(config.empty() || config == digest,
                         "{} belongs to another model than the config.json beside it: one of the "
                         "two was changed or replaced; restore it, or train again",
                         path.string());
}

/// A file of ours always has a digest: without it anything in the file may have changed.
TensorFile read_tensors(const std::filesystem::path& path) {
  TensorFile file = read_safetensors(path);
  check<CheckpointError>(file.has_digest || !file.metadata.contains(kConfig),
                         "{} is damaged: it has lost its digest; restore it or train again",
                         path.string());
  return file;
}

void check_shape(const std::filesystem::path& path, const std::string& name, const Tensor& found,
                 const Shape& wanted) {
  check<CheckpointError>(shape_of(found) == wanted,
                         "{}: '{}' has shape {}, the model needs {}; it belongs to another model",
                         path.string(), name, shape_of(found), wanted);
}

void fill(const std::filesystem::path& path, const TensorFile& file,
          const std::vector<Slot>& slots) {
  for (const Slot& slot : slots) {
    const Tensor* found = file.find(slot.name);
    check<CheckpointError>(found != nullptr,
                           "{} has no '{}'; it belongs to another model, train again or give the "
                           "folder it came from",
                           path.string(), slot.name);
    check_shape(path, slot.name, *found, shape_of(*slot.place));
    const std::optional<Real> bad = not_finite(*found);
    check<CheckpointError>(!bad, "{}: '{}' holds {}; restore the file or train again",
                           path.string(), slot.name, bad.value_or(0));
  }
  check<CheckpointError>(file.tensors.size() == slots.size(),
                         "{} holds {} tensors, the model has {}; it belongs to another model",
                         path.string(), file.tensors.size(), slots.size());
  for (const Slot& slot : slots) *slot.place = *file.find(slot.name);
}

std::vector<Slot> weight_slots(std::vector<NamedParameter>& parameters) {
  std::vector<Slot> slots;
  for (NamedParameter& parameter : parameters)
    slots.push_back({parameter.path, &parameter.value.mutable_value()});
  return slots;
}

std::vector<Slot> checkpoint_slots(std::vector<NamedParameter>& parameters, Adamw& optimizer) {
  std::vector<Slot> slots = weight_slots(parameters);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    slots.push_back({kFirst + parameters[i].path, &optimizer.first_moments()[i]});
  for (std::size_t i = 0; i < parameters.size(); ++i)
    slots.push_back({kSecond + parameters[i].path, &optimizer.second_moments()[i]});
  return slots;
}

template <class Number>
Number metadata_number(const std::filesystem::path& path, const TensorFile& file,
                       const std::string& name) {
  const std::string text = text_in(file, name);
  Number number = 0;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  check<CheckpointError>(problem == std::errc() && stop == text.data() + text.size(),
                         "{} does not say how many {} were done (got '{}'); it is no checkpoint",
                         path.string(), name, text);
  return number;
}

TensorFile file_of(const std::filesystem::path& path, const std::vector<Slot>& slots) {
  TensorFile file;
  for (const Slot& slot : slots) {
    const std::optional<Real> bad = not_finite(*slot.place);
    check<TrainingError>(!bad,
                         "{} is not written: '{}' holds {}; lower --lr, lengthen --warmup or set "
                         "--clip 1",
                         path.string(), slot.name, bad.value_or(0));
    file.tensors.push_back({slot.name, *slot.place});
  }
  return file;
}

}  // namespace

void save_weights(const std::filesystem::path& path, const Gpt& model, const std::string& config) {
  std::vector<NamedParameter> parameters = model.parameters();
  TensorFile file = file_of(path, weight_slots(parameters));
  file.metadata = {{"format", "pt"}};  // the axis order of PyTorch: linear weights are [out, in]
  if (model.has_dropped_positions()) file.metadata["positions"] = "dropped";
  if (!config.empty()) file.metadata[kConfig] = config;
  write_safetensors(path, file);
}

void load_weights(const std::filesystem::path& path, Gpt& model) {
  set_weights(path, read_tensors(path), model);
}

TensorFile read_weights(const std::filesystem::path& path, const GptConfig& config,
                        const std::string& digest) {
  TensorFile file = read_tensors(path);
  if (const Tensor* table = file.find("token_embedding.weight"))
    check_shape(path, "token_embedding.weight", *table, {config.vocabulary, config.width});
  check_config(path, file, digest);
  return file;
}

void set_weights(const std::filesystem::path& path, const TensorFile& weights, Gpt& model) {
  std::vector<NamedParameter> parameters = model.parameters();
  fill(path, weights, weight_slots(parameters));
  if (weights.metadata.contains("positions")) model.drop_positions();
}

void save_checkpoint(const std::filesystem::path& path, Trainer& trainer,
                     const CheckpointNotes& notes) {
  std::vector<NamedParameter> parameters = trainer.model().parameters();
  TensorFile file = file_of(path, checkpoint_slots(parameters, trainer.optimizer()));
  const RunningLoss& running = notes.running;
  file.metadata = {{kSteps, std::to_string(trainer.steps_done())},
                   {kLossSum, fmt::format("{}", running.loss_sum)},  // digits enough to come back
                   {kLossSteps, std::to_string(running.steps)}};
  if (!notes.config.empty()) file.metadata[kConfig] = notes.config;
  if (!notes.metrics.empty()) file.metadata[kMetrics] = notes.metrics;
  write_safetensors(path, file);
}

CheckpointNotes load_checkpoint(const std::filesystem::path& path, Trainer& trainer) {
  const TensorFile file = read_tensors(path);
  const auto steps = metadata_number<std::size_t>(path, file, kSteps);
  const RunningLoss running{metadata_number<double>(path, file, kLossSum),
                            metadata_number<std::size_t>(path, file, kLossSteps)};
  check<CheckpointError>(std::isfinite(running.loss_sum),
                         "{} has a sum of losses of {}; restore the file or train again",
                         path.string(), running.loss_sum);
  std::vector<NamedParameter> parameters = trainer.model().parameters();
  fill(path, file, checkpoint_slots(parameters, trainer.optimizer()));
  trainer.optimizer().set_steps(steps);
  trainer.drop_positions_when_due();
  return {running, text_in(file, kConfig), text_in(file, kMetrics)};
}

void check_config(const std::filesystem::path& path, const std::string& digest) {
  check_config(path, read_tensors(path), digest);
}

}  // namespace phasor::inline PHASOR_PRECISION
