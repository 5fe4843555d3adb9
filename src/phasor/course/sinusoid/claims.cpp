// Claims about the sinusoidal encoding itself: what is claimed, and which function measures it.
#include "phasor/course/sinusoid/claims.hpp"

#include "phasor/course/topics.hpp"

namespace phasor {

std::vector<Claim> sinusoid_claims() {
  using namespace sinusoids;
  const std::string waves = "lab01-wavelengths";
  const auto claim = [](const char* id, const char* document, const char* statement,
                        const std::string& figure, Finding (*measure)(const Evidence&)) {
    return Claim{id, document, statement, "lab01", figure, measure};
  };
  return {
      claim("D3-worked-table", "D3", "The worked example of 4 positions and width 8 is right.",
            "lab01-worked", worked_table),
      claim("D2-small-table", "D2", "The printed table of 5 positions and width 4 is right.",
            "lab01-table", small_table),
      claim("D3-tenths", "D3", "At width 8 the frequencies are exactly 1, 1/10, 1/100 and 1/1000.",
            "lab01-worked", tenths),
      claim("D0-shortest-wave", "D0, D3", "The shortest wave has 2 pi positions, 6.28.", waves,
            shortest_wave),
      claim("D0-quarter-wave", "D0",
            "The pair a quarter of the width in has a wave of 628 positions.", waves, quarter_wave),
      claim("D3-longest-wave", "D0, D3", "The longest wave has 2 pi 10000 positions, 62,832.",
            waves, longest_wave),
      claim("D3-lowest-frequency", "D0, D3", "The lowest frequency is about 1/10000.", waves,
            lowest_frequency),
      claim("D3-own-frequency", "D3", "Every dimension has a frequency of its own.",
            "lab01-overview", own_frequency),
      claim("D0-clock-table", "D0",
            "Dimensions 0-1 turn once in 6.3 positions, 64-65 in about 40, 128-129 in about 250, "
            "192-193 in about 1,580 and 254-255 in 62,832.",
            waves, clock_table),
      claim("D1-fast-and-slow", "D0, D1, D3",
            "Low dimensions turn fast, high dimensions turn slowly.", "lab01-clocks",
            fast_and_slow),
      claim("D2-early-dimensions", "D2",
            "From one token to the next the early dimensions change much, the late ones hardly.",
            "lab01-views", early_dimensions),
      claim("D1-unique", "D0, D1, D3", "Every position has an encoding of its own.", "lab01-views",
            unique_rows),
      claim("D0-exact-norm", "D0", "Every encoding has a length of about sqrt(d/2).",
            "lab01-overview", exact_norm),
      claim("D0-bounded", "D0", "Every value lies between -1 and 1.", "lab01-heatmap", bounded),
      claim("D4-no-parameters", "D0, D1, D3, D4", "The encoding has no learned parameters.",
            "lab01-heatmap", no_parameters),
      claim("D0-even-width", "D0, D2, D3",
            "The width must be even, so that every sine has its cosine.", "lab01-table",
            even_width),
      claim("D0-log-space", "D0, D2",
            "Computing the frequencies as exp of a logarithm is more accurate than a power, and "
            "avoids an overflow.",
            waves, log_space),
  };
}

}  // namespace phasor
