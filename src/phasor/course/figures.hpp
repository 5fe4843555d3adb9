// The figures, tables and demonstrations of the documents, by id.
#pragma once
#include <filesystem>
#include <functional>

#include "phasor/figure/figure.hpp"

namespace phasor {

struct FigureEntry {
  std::string id;     ///< of the documents: "D4-F1" is figure 1 of D4, "D3-T1" its table 1
  std::string lab;    ///< "lab03", which makes it too
  std::string title;  ///< one line for the list
  /// `results`: the folder of all labs' results, for figures of trained models. Throws DataError
  /// with the lab to run when such a model is not there.
  std::function<Figure(const std::filesystem::path& results)> make;
};

/// All of them, by id. A table in two parts, made by two labs, has two entries with one id.
const std::vector<FigureEntry>& figures_of_documents();

}  // namespace phasor
