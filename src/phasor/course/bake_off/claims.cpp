#include "phasor/course/bake_off/claims.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "phasor/course/bake_off/measures.hpp"
#include "phasor/course/runs.hpp"
#include "phasor/course/topics.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;

/// Where a window stands whose positions training has not seen.
constexpr double kFar = 500;

fs::path runs_folder(const Evidence& evidence) { return evidence.folder_of("lab12") / "runs"; }

/// What lab 12 has trained on the toy language, all alike: "rope", "sinusoidal_beside" ...
class ToyRuns {
 public:
  ToyRuns(const Evidence& evidence, const std::vector<std::string>& names)
      : names_(names), runs_(runs_trained_alike(runs_folder(evidence), names)) {}

  bool are_there() const { return !runs_.front().empty(); }

  const std::vector<fs::path>& of(const std::string& name) const {
    return runs_[static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) -
                                          names_.begin())];
  }

  Spread over(const std::string& name,
              const std::function<double(const Run&, const Encoded&)>& measure) const {
    return over_runs(of(name), kMeasuredTokens, measure);
  }

  /// At the training length, the windows standing at `first`.
  Spread loss(const std::string& name, double first = 0) const {
    return over(name, [first](const Run& run, const Encoded& text) {
      return loss_at(run, text, run.config.model.context, first);
    });
  }
  SchemeNumber number(const std::string& name) const { return {name, loss(name)}; }
  MovedLoss moved(const std::string& name) const { return {name, loss(name), loss(name, kFar)}; }
  OrderedLoss ordered(const std::string& name) const {
    const auto part = [&](double OrderCost::*which) {
      return over(name, [which](const Run& run, const Encoded& text) {
        return order_cost(run, text).*which;
      });
    };
    return {part(&OrderCost::intact), part(&OrderCost::shuffled)};
  }
  std::size_t parameters(const std::string& name) const {
    return load_run(of(name).front()).model->parameter_count();
  }

  /// "after 200 steps, over 3 seeds".
  Budget budget() const {
    return fmt::format("after {} steps, {}", load_run_config(runs_.front().front()).train.steps,
                       seeds_of(runs_.front().size()));
  }

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<fs::path>> runs_;
};

/// A claim on runs of these names; the first is named when they are not there.
Claim claim(std::string id, std::string document, std::string statement,
            std::vector<std::string> names, std::function<Finding(const ToyRuns&)> verdict) {
  return {std::move(id),
          std::move(document),
          std::move(statement),
          "lab12",
          "lab12-bake-off",
          [names = std::move(names), verdict](const Evidence& evidence) {
            const ToyRuns runs(evidence, names);
            if (!runs.are_there())
              return not_measured(runs_folder(evidence) / fmt::format("toy-{}-1", names.front()),
                                  "lab12");
            return verdict(runs);
          }};
}

/// Of runs that have "none" and "sinusoidal" among them.
Headway headway_of(const ToyRuns& runs) {
  return {runs.budget(), runs.loss("none"), runs.loss("sinusoidal")};
}

Finding compare_bases(const ToyRuns& runs) {
  return large_base(
      headway_of(runs), runs.loss("sinusoidal_128"), runs.loss("sinusoidal_128_tuned"),
      load_run_config(runs.of("sinusoidal_128_tuned").front()).model.options.at("base"));
}

Finding measure_tasks(const Evidence& evidence) {
  std::vector<TaskNumber> numbers;
  Workers workers(0);
  for (const TaskPlan& plan : task_plans())
    for (const char* scheme : {"alibi", "rope"}) {
      const std::string name = fmt::format("{}-{}", name_of(plan.task), scheme);
      const std::vector<fs::path> folders = runs_named(runs_folder(evidence), name);
      if (folders.empty()) return not_measured(runs_folder(evidence) / (name + "-1"), "lab12");
      std::vector<double> trained, twice;
      for (const fs::path& folder : folders) {
        const Run run = load_run(folder);
        trained.push_back(task_score(*run.model, plan.task, plan.trained, workers));
        twice.push_back(task_score(*run.model, plan.task, 2 * plan.trained, workers));
      }
      numbers.push_back({plan.task, scheme, spread_of(trained), spread_of(twice)});
    }
  return carries_over_in_tasks(numbers);
}

std::vector<Claim> claims_of_schemes() {
  return {
      claim("D1-rope-favourite", "D1, D2",
            "Current models rotate queries and keys because that works better than what was done "
            "before.",
            {"rope", "sinusoidal", "learned", "alibi", "none"},
            [](const ToyRuns& runs) {
              return better_than_before(headway_of(runs), runs.number("rope"),
                                        runs.number("learned"), runs.number("alibi"));
            }),
      claim(
          "D3-sinusoidal-reasonable", "D3",
          "The sinusoidal encoding has been overtaken and is still a sound choice.",
          {"sinusoidal", "none", "rope", "alibi"},
          [](const ToyRuns& runs) {
            return still_reasonable(headway_of(runs), {runs.number("rope"), runs.number("alibi")});
          }),
      claim("D1-trained-without-encoding", "D1, D2",
            "Reading all positions at once, a transformer that is given no encoding learns nothing "
            "of order.",
            {"none", "rope"},
            [](const ToyRuns& runs) {
              return blind_when_trained(runs.budget(), runs.ordered("none"), runs.ordered("rope"));
            }),
      claim("D0-relative-removes-absolute", "D0",
            "Relative positions in attention, as in Transformer-XL, make a model independent of "
            "where a text stands.",
            {"transformer_xl", "sinusoidal"},
            [](const ToyRuns& runs) {
              return free_of_absolute(runs.budget(), kFar, runs.moved("transformer_xl"),
                                      runs.moved("sinusoidal"));
            }),
      claim("D2-cheaper-than-learned", "D2",
            "Fixed waves were taken because they cost less than learned vectors.",
            {"sinusoidal", "learned", "none"},
            [](const ToyRuns& runs) {
              return cheaper_than_a_table(headway_of(runs), runs.parameters("sinusoidal"),
                                          runs.parameters("learned"), runs.loss("learned"));
            }),
  };
}

}  // namespace

std::vector<Claim> bake_off_claims() {
  std::vector<Claim> all = claims_of_schemes();
  const std::vector<std::string> ways{"sinusoidal", "sinusoidal_beside", "none"};
  const std::vector<std::string> bases{"sinusoidal_128", "sinusoidal_128_tuned", "sinusoidal",
                                       "none"};
  all.push_back(
      claim("D3-add-or-concatenate", "D3",
            "Whether an encoding is added to the token or put beside it is a matter of habit.",
            ways, [](const ToyRuns& runs) {
              return matter_of_habit(headway_of(runs), runs.loss("sinusoidal_beside"));
            }));
  all.push_back(claim("D0-interference", "D0", "Position added to content gets in the way of it.",
                      ways, [](const ToyRuns& runs) {
                        return interference(headway_of(runs), runs.loss("sinusoidal_beside"));
                      }));
  all.push_back(claim("D3-base-harmless", "D0, D3",
                      "A model that is trained on 128 positions with base 10000 does no worse than "
                      "with a base made for that length.",
                      bases, compare_bases));
  all.push_back(
      {"D0-carries-over-in-tasks", "D0, D1",
       "ALiBi and RoPE carry over to inputs longer than those of training. (The documents say so "
       "of texts; to ask it of answers that are right or wrong, as Kazemnejad et al. 2023 do, is "
       "our question.)",
       "lab12", "lab12-bake-off", measure_tasks});
  return all;
}

}  // namespace phasor
