// What texts on positional encoding claim, and what is measured of it.
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "phasor/analysis/attention.hpp"
#include "phasor/analysis/shift.hpp"
#include "phasor/tensor/xtensor.hpp"

namespace phasor {

/// What came of measuring a claim.
enum class Verdict {
  kHolds,
  kHoldsIf,  ///< only under the condition that the finding names
  kFails,
  kNotMeasured  ///< it takes a trained model, and the lab that trains it has not been run
};

/// "holds", "holds only if", "fails", "not measured yet".
std::string_view name_of(Verdict verdict);

/// What was measured, and what follows from it.
struct Finding {
  Verdict verdict;
  /// One or two sentences with the numbers; after kHoldsIf they begin with the condition,
  /// "Only if ...:".
  std::string measured;
  /// The numbers that the verdict rests on, by name.
  std::vector<std::pair<std::string, double>> numbers = {};
};

/// How a finding is written: a capital letter first, a full stop last.
std::string sentence(std::string words);

/// `rest` as a sentence, which after kHoldsIf begins with "Only if `condition`: ".
std::string conditional(Verdict verdict, const std::string& condition, std::string rest);

/// An encoding: positions, width, base -> [positions, width].
using Encoder =
    std::function<xt::xarray<double>(std::size_t positions, std::size_t width, double base)>;

/// A rotation: rows [T, D], one position for each row, base -> [T, D].
using Rotation = std::function<xt::xarray<double>(
    const xt::xarray<double>& rows, const std::vector<double>& positions, double base)>;

/// What heads add to the logits: heads, positions of queries [T] and of keys [S] -> [heads, T, S].
using HeadBias = std::function<xt::xarray<double>(
    std::size_t heads, const std::vector<double>& queries, const std::vector<double>& keys)>;

/// The bucket of a distance: distance, number of buckets, the distance from which all are alike,
/// whether attention is causal -> 0 .. buckets - 1.
using Bucketing = std::function<std::size_t(double distance, std::size_t buckets,
                                            double max_distance, bool causal)>;

/// The matrix that moves an encoding by k positions: k, width, base -> [width, width].
using ShiftMatrix = std::function<xt::xarray<double>(double k, std::size_t width, double base)>;

/// The sinusoidal encoding: PE(p, 2k) = sin(p w_k), PE(p, 2k + 1) = cos(p w_k), w_k =
/// base^(-2k / width). Throws ConfigError when width is odd. Vaswani et al. (2017), section 3.5.
xt::xarray<double> sinusoid(std::size_t positions, std::size_t width, double base = 10000);

/// Turns every pair (x[2k], x[2k + 1]) of row t by the angle positions[t] w_k, w_k =
/// base^(-2k / D). Throws ShapeError when the sizes do not fit, ConfigError when D is odd.
/// Su et al. (2021), equation 34.
xt::xarray<double> rotated(const xt::xarray<double>& rows, const std::vector<double>& positions,
                           double base = 10000);

/// ALiBi: -m_h |query - key| with the slopes m_h of the scheme. Press et al. (2021), section 3.
xt::xarray<double> linear_bias(std::size_t heads, const std::vector<double>& queries,
                               const std::vector<double>& keys);

/// The buckets of T5. Raffel et al. (2020), section 2.1.
std::size_t distance_bucket(double distance, std::size_t buckets, double max_distance, bool causal);

/// What claims are measured on. A lab puts in what its learner wrote.
struct Evidence {
  Encoder encode = sinusoid;
  Rotation rotate = rotated;
  /// The folder of all labs' results.
  std::filesystem::path results = "out";
  /// A lab that measures while it runs: its number, and where its own results go instead.
  std::string own_lab = {};
  std::filesystem::path own_folder = {};
  HeadBias bias = linear_bias;
  Bucketing bucket = distance_bucket;
  AttentionFunction attend = attended;
  ShiftMatrix shift = sinusoidal_shift;

  /// Where the results of "lab06" are; its trained models are in runs/ there.
  std::filesystem::path folder_of(const std::string& lab) const {
    return lab == own_lab ? own_folder : results / lab;
  }
};

struct Claim {
  std::string id;         ///< "D3-longest-wave"
  std::string document;   ///< "D3", or several: "D0, D3"
  std::string statement;  ///< in our words
  std::string lab;        ///< "lab01", which shows it
  std::string figure;     ///< the id of the figure that shows it: "lab01-decay"
  /// Everything is measured when this is called.
  std::function<Finding(const Evidence&)> measure;
};

/// All claims, lab by lab.
const std::vector<Claim>& claims();

/// kNotMeasured, naming the run that is not there and the command that makes it: labs/run 06.
Finding not_measured(const std::filesystem::path& run, const std::string& lab);

}  // namespace phasor
