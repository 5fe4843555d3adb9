#include "phasor/course/drope/claims.hpp"

#include <fmt/format.h>

#include "phasor/course/topics.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;

/// Index of four times the training length in a curve of lab 11.
constexpr std::size_t kFourTimes = 2;

/// Whether a is below b by more than noise: spreads that lie apart, or with one run more than
/// kSteady between them.
bool is_below(const Spread& a, const Spread& b, std::size_t runs) {
  return runs > 1 ? a.most < b.least : a.mean < b.mean * (1 - kSteady);
}

Claim claim(std::string id, std::string statement, bool with_lengths,
            Finding (*verdict)(const DropeStudy&)) {
  return {std::move(id),
          "D2",
          std::move(statement),
          "lab11",
          "lab11-drope",
          [with_lengths, verdict](const Evidence& evidence) {
            const fs::path folder = evidence.folder_of("lab11") / "runs";
            const auto study = drope_study(folder, "toy", with_lengths);
            return study ? verdict(*study) : not_measured(folder / "toy-dropped-1", "lab11");
          }};
}

/// Beside every comparison of ends: what a language model came to.
constexpr const char* kPublished =
    "Published (Gelberg et al. 2025, perplexity of a language model at equal steps): RoPE kept "
    "21.72, dropped late 21.73, dropped half way 22.42, never any 23.77. A toy of this size cannot "
    "decide it.";

}  // namespace

Finding spike_of(const DropeStudy& study) {
  const Spread before = study.before(), after = study.after();
  const double rise = after.mean / before.mean - 1;
  const std::string seen = fmt::format(
      "after {} steps with RoPE the loss is {}; without it, before any further step, {} ({:+.0f} "
      "%), {}",
      study.dropped_at, text_of(before), text_of(after), 100 * rise, seeds_of(study.runs));
  const Verdict verdict = after.least >= (1 + kSpike) * before.most ? Verdict::kHolds
                          : is_below(before, after, study.runs)     ? Verdict::kHoldsIf
                                                                    : Verdict::kFails;
  return {verdict,
          conditional(verdict, "any rise beyond noise is called a spike", seen),
          {{"before", before.mean}, {"after", after.mean}, {"rise", rise}}};
}

Finding healing_of(const DropeStudy& study) {
  const auto healed = study.healed_after();
  const Spread kept = study.kept.last(), end = study.dropped.last();
  const bool behind = is_below(kept, end, study.runs);
  const std::string ends = fmt::format(
      "After all {} steps it is {}, RoPE kept {}: {}, {}", study.steps, text_of(end), text_of(kept),
      behind ? "still behind" : "no difference beyond noise", seeds_of(study.runs));
  std::vector<std::pair<std::string, double>> numbers{
      {"kept", kept.mean},
      {"dropped", end.mean},
      {"dropped at", static_cast<double>(study.dropped_at)}};
  if (!healed)
    return {Verdict::kFails,
            fmt::format("{} steps after the drop the loss is not back at {}. {}. {}",
                        study.steps - study.dropped_at, text_of(study.before()), ends, kPublished),
            numbers};
  numbers.emplace_back("healed after", static_cast<double>(*healed));
  const double share = static_cast<double>(*healed) / static_cast<double>(study.dropped_at);
  const std::string seen = fmt::format(
      "the loss is back where it was before the drop after {} steps, {:.0f} % of the {} before it. "
      "{}. {}",
      *healed, 100 * share, study.dropped_at, ends, kPublished);
  if (share <= kQuick) return {Verdict::kHolds, sentence(seen), numbers};
  return {Verdict::kHoldsIf,
          fmt::format("Only if {:.0f} % of the steps before the drop count as quick: {}",
                      100 * share, seen),
          numbers};
}

Finding longer_windows(const DropeStudy& study) {
  const Spread kept = study.kept_length.loss(kFourTimes),
               dropped = study.dropped_length.loss(kFourTimes),
               control = study.control_length.loss(kFourTimes),
               scaled = study.scaled_length.loss(kFourTimes);
  const double rise = study.dropped_length.rise(kFourTimes).mean;
  const std::string beside = is_below(dropped, control, study.runs)   ? "lower than"
                             : is_below(control, dropped, study.runs) ? "higher than"
                                                                      : "the same, up to noise, as";
  const std::string seen = fmt::format(
      "loss in windows of {} characters, four times those of training: RoPE kept {}, kept and "
      "slowed by NTK {}, dropped {} ({:+.0f} % over its own at {}), which is {} that of the "
      "control that never had it, {}; {}. What it is for, a text of a hundred thousand tokens, a "
      "toy of this size cannot decide",
      4 * study.dropped_length.trained, text_of(kept), text_of(scaled), text_of(dropped),
      100 * rise, study.dropped_length.trained, beside, text_of(control), seeds_of(study.runs));
  const std::vector<std::pair<std::string, double>> numbers{{"kept", kept.mean},
                                                            {"scaled", scaled.mean},
                                                            {"dropped", dropped.mean},
                                                            {"control", control.mean},
                                                            {"rise", rise}};
  if (!is_below(dropped, kept, study.runs)) return {Verdict::kFails, sentence(seen), numbers};
  if (rise <= kSteady) return {Verdict::kHolds, sentence(seen), numbers};
  return {Verdict::kHoldsIf,
          sentence(fmt::format("Only if it is enough to be better than RoPE as it was trained: {}",
                               seen)),
          numbers};
}

Finding training_wheels(const DropeStudy& study) {
  const Spread dropped = study.dropped.last(), control = study.control.last();
  const bool better = is_below(dropped, control, study.runs),
             worse = is_below(control, dropped, study.runs);
  return {
      better ? Verdict::kHolds : Verdict::kFails,
      fmt::format("After {} steps the loss is {} with RoPE for the first {} of them, {} without "
                  "it from the start: {}, {}. {}",
                  study.steps, text_of(dropped), study.dropped_at, text_of(control),
                  better  ? "lower"
                  : worse ? "the other way round"
                          : "no difference beyond noise",
                  seeds_of(study.runs), kPublished),
      {{"dropped", dropped.mean}, {"control", control.mean}}};
}

std::vector<Claim> drope_claims() {
  return {
      claim("D2-drope-spike", "When RoPE is taken out of a trained model, its loss jumps up.",
            false, spike_of),
      claim("D2-drope-heals", "With further training the loss falls back quickly to where it was.",
            false, healing_of),
      claim("D2-drope-longer",
            "A model whose RoPE was dropped reads much longer texts than RoPE would let it.", true,
            longer_windows),
      claim("D2-drope-wheels",
            "RoPE serves as training wheels: to have had it for a while is of use to a model that "
            "goes on without it. (The document compares with nothing; here it is a model that "
            "never had it.)",
            false, training_wheels)};
}

}  // namespace phasor
