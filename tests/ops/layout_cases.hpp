// The table of op_cases.hpp, continued: ops that move and add elements; the whole table.
#pragma once
#include <algorithm>

#include "tests/ops/attention_cases.hpp"

namespace phasor::inline PHASOR_PRECISION {

inline OpCases shape_cases() {
  OpCases cases;
  for (const Shape& to : {Shape{4, 6}, Shape{24}, Shape{2, 1, 12}})
    cases.push_back({"reshape", fmt::format("to {}", to),
                     of_one([to](const Var& x) { return reshape(x, to); }), tensors({{2, 3, 4}})});
  cases.push_back({"reshape", "to no axes", of_one([](const Var& x) { return reshape(x, {}); }),
                   tensors({{1, 1}})});
  std::vector<std::size_t> axes{0, 1, 2};
  do {
    cases.push_back({"transpose", fmt::format("{}", axes),
                     of_one([axes](const Var& x) { return transpose(x, axes); }),
                     tensors({{2, 3, 4}})});
  } while (std::next_permutation(axes.begin(), axes.end()));
  for (const std::size_t heads : {std::size_t{1}, std::size_t{3}})
    cases.push_back({"split_heads", fmt::format("{} heads", heads),
                     of_one([heads](const Var& x) { return split_heads(x, heads); }),
                     tensors({{2, 4, 6}})});
  cases.push_back({"merge_heads", "[2, 3, 4, 2]", of_one(merge_heads), tensors({{2, 3, 4, 2}})});
  return cases;
}

inline OpCases part_cases() {
  OpCases cases;
  const Shape shape{3, 4, 5};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::pair<std::size_t, std::size_t> ranges[] = {
        {0, shape[axis]}, {1, shape[axis] - 1}, {0, 1}, {shape[axis] - 1, shape[axis]}};
    for (const auto& [start, stop] : ranges)
      cases.push_back({"slice", fmt::format("axis {}, {}..{}", axis, start, stop),
                       of_one([axis, from = start, to = stop](const Var& x) {
                         return slice(x, axis, from, to);
                       }),
                       tensors({shape})});
    Shape other = shape;
    other[axis] = 2;
    cases.push_back({"concatenate", fmt::format("axis {}, three parts", axis),
                     [axis](const Inputs& in) { return concatenate(in, axis); },
                     tensors({shape, other, shape})});
    cases.push_back({"concatenate", fmt::format("axis {}, one tensor twice", axis),
                     of_two([axis](const Var& x, const Var& y) {
                       return concatenate({x, y, x}, axis);
                     }),
                     tensors({shape, other})});
  }
  cases.push_back({"concatenate", "one part", [](const Inputs& in) { return concatenate(in, 0); },
                   tensors({shape})});
  return cases;
}

inline OpCases reduction_cases() {
  OpCases cases;
  for (const Shape& shape : {Shape{}, Shape{5}, Shape{2, 3, 4}}) {
    const std::string variant = fmt::format("all of {}", shape);
    cases.push_back(
        {"sum", variant, of_one([](const Var& x) { return sum(x); }), tensors({shape})});
    cases.push_back(
        {"mean", variant, of_one([](const Var& x) { return mean(x); }), tensors({shape})});
    if (!shape.empty())
      for (const From from : {From::first, From::last})
        cases.push_back(
            {"cumulative_sum",
             fmt::format("{} from the {}", shape, from == From::first ? "first" : "last"),
             of_one([from](const Var& x) { return cumulative_sum(x, from); }), tensors({shape})});
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const std::string along = fmt::format("axis {} of {}", axis, shape);
      cases.push_back(
          {"sum", along, of_one([axis](const Var& x) { return sum(x, axis); }), tensors({shape})});
      cases.push_back({"mean", along, of_one([axis](const Var& x) { return mean(x, axis); }),
                       tensors({shape})});
    }
  }
  return cases;
}

/// The whole table.
inline OpCases all_cases() {
  OpCases all;
  for (const OpCases& part :
       {arithmetic_cases(), product_cases(), activation_cases(), row_cases(), lookup_cases(),
        shape_cases(), part_cases(), reduction_cases(), attention_cases()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace phasor::inline PHASOR_PRECISION
