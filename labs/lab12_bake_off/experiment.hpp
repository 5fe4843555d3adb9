// The experiment of Lab 12: every scheme, the same budget, on a text and on three tasks.
#pragma once
#include <string>
#include <vector>

#include "labs/common/training.hpp"
#include "phasor/course/bake_off/measures.hpp"

namespace phasor::lab12 {

/// The learner's scheme in the table of schemes.
inline constexpr const char* kMine = "mine";

/// One number for each seed; empty where nothing was trained, NaN where there is no encoding.
using OverSeeds = std::vector<double>;

/// What became of one scheme.
struct Row {
  std::string scheme;
  std::size_t parameters = 0;     // of the model on the text
  OverSeeds near = {}, far = {};  // loss at the training length and at four times that
  /// Share of right answers: for each task of task_plans(), for each of its tested lengths.
  std::vector<std::vector<OverSeeds>> tasks = {};
  double step_ratio = 0;  // time of a step, in units of the step of `none`
};

/// What is trained, and how long.
struct BakeOff {
  std::vector<std::string> schemes;   // in the order of the tables
  std::vector<std::string> repeated;  // those that are trained with all seeds: they show the noise
  std::vector<std::uint64_t> seeds;   // the others have the first alone
  Plan text;                          // schemes and seeds are left to bake_off
  std::vector<std::string> on_tasks;
  std::vector<std::uint64_t> task_seeds;
  TrainConfig task_training;
};

/// Trains all of it, measures, and leaves the runs in text.folder: TEXT-SCHEME-SEED and
/// TASK-SCHEME-SEED, and for the claims of this lab TEXT-sinusoidal_beside-SEED (put beside the
/// token instead of added), TEXT-sinusoidal_128-SEED and TEXT-sinusoidal_128_tuned-SEED (128
/// positions, base 10000 and a base whose longest wave is as long as that).
std::vector<Row> bake_off(const BakeOff& plan, const Corpus& corpus);

/// Fills in step_ratio: a few steps of `none` and of the scheme in turn, several times, and the
/// ratio of the least times. Times differ from run to run; nothing else here does.
void measure_steps(std::vector<Row>& rows, const BakeOff& plan, const Corpus& corpus);

/// How far seeds alone move the loss at the training length (far: at four times that): the range
/// over seeds, the median of the schemes that were trained with several.
double seed_noise(const std::vector<Row>& rows, bool far);

}  // namespace phasor::lab12
