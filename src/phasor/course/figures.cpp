#include "phasor/course/figures.hpp"

#include <algorithm>

#include "phasor/course/topics.hpp"

namespace phasor {

const std::vector<FigureEntry>& figures_of_documents() {
  static const std::vector<FigureEntry> all = [] {
    std::vector<FigureEntry> result;
    for (auto* topic :
         {order_figures, sinusoid_figures, shift_figures, product_figures, design_figures,
          training_figures, decomposition_figures, length_figures, drope_figures, bake_off_figures})
      for (FigureEntry& figure : topic()) result.push_back(std::move(figure));
    std::stable_sort(result.begin(), result.end(),
                     [](const FigureEntry& a, const FigureEntry& b) { return a.id < b.id; });
    return result;
  }();
  return all;
}

}  // namespace phasor
