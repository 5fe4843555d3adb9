#include "phasor/train/checkpoint.hpp"

#include <charconv>

#include "phasor/core/error.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

const std::string kFirst = "adamw.first.", kSecond = "adamw.second.", kSteps = "steps",
                  kLossSum = "running.loss_sum", kLossSteps = "running.steps";

/// A place for a tensor of the file: filled once all have been found to fit.
struct Slot {
  std::string name;
  Tensor* place;
};

void fill(const std::filesystem::path& path, const TensorFile& file,
          const std::vector<Slot>& slots) {
  for (const Slot& slot : slots) {
    const Tensor* found = file.find(slot.name);
    check<CheckpointError>(found != nullptr,
                           "{} has no '{}'; it belongs to another model, train again or give the "
                           "folder it came from",
                           path.string(), slot.name);
    check<CheckpointError>(shape_of(*found) == shape_of(*slot.place),
                           "{}: '{}' has shape {}, the model needs {}; it belongs to another model",
                           path.string(), slot.name, shape_of(*found), shape_of(*slot.place));
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
  const auto found = file.metadata.find(name);
  const std::string text = found == file.metadata.end() ? "" : found->second;
  Number number = 0;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  check<CheckpointError>(problem == std::errc() && stop == text.data() + text.size(),
                         "{} does not say how many {} were done (got '{}'); it is no checkpoint",
                         path.string(), name, text);
  return number;
}

TensorFile file_of(const std::vector<Slot>& slots) {
  TensorFile file;
  for (const Slot& slot : slots) file.tensors.push_back({slot.name, *slot.place});
  return file;
}

}  // namespace

void save_weights(const std::filesystem::path& path, const Gpt& model) {
  std::vector<NamedParameter> parameters = model.parameters();
  TensorFile file = file_of(weight_slots(parameters));
  file.metadata = {{"format", "pt"}};  // the axis order of PyTorch: linear weights are [out, in]
  if (model.has_dropped_positions()) file.metadata["positions"] = "dropped";
  write_safetensors(path, file);
}

void load_weights(const std::filesystem::path& path, Gpt& model) {
  std::vector<NamedParameter> parameters = model.parameters();
  const TensorFile file = read_safetensors(path);
  fill(path, file, weight_slots(parameters));
  if (file.metadata.contains("positions")) model.drop_positions();
}

void save_checkpoint(const std::filesystem::path& path, Trainer& trainer,
                     const RunningLoss& running) {
  std::vector<NamedParameter> parameters = trainer.model().parameters();
  TensorFile file = file_of(checkpoint_slots(parameters, trainer.optimizer()));
  file.metadata = {{kSteps, std::to_string(trainer.steps_done())},
                   {kLossSum, fmt::format("{}", running.loss_sum)},  // digits enough to come back
                   {kLossSteps, std::to_string(running.steps)}};
  write_safetensors(path, file);
}

RunningLoss load_checkpoint(const std::filesystem::path& path, Trainer& trainer) {
  const TensorFile file = read_safetensors(path);
  const auto steps = metadata_number<std::size_t>(path, file, kSteps);
  const RunningLoss running{metadata_number<double>(path, file, kLossSum),
                            metadata_number<std::size_t>(path, file, kLossSteps)};
  std::vector<NamedParameter> parameters = trainer.model().parameters();
  fill(path, file, checkpoint_slots(parameters, trainer.optimizer()));
  trainer.optimizer().set_steps(steps);
  trainer.drop_positions_when_due();
  return running;
}

}  // namespace phasor::inline PHASOR_PRECISION
