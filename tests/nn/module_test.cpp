// Names, order and identity of parameters.
#include "phasor/nn/module.hpp"

#include "tests/core/expect_error.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

/// A module that anyone may add to.
struct Open : Module {
  using Module::add_parameter;
  using Module::add_part;
};

std::vector<std::string> paths(const Module& module) {
  std::vector<std::string> result;
  for (const NamedParameter& parameter : module.parameters()) result.push_back(parameter.path);
  return result;
}

using Paths = std::vector<std::string>;

REAL_TEST(Module, lists_parameters_in_the_order_of_registration) {
  Open root, part, inner;
  EXPECT_EQ(paths(root), Paths{});
  EXPECT_EQ(root.parameter_count(), 0U);
  root.add_parameter("second_in_the_alphabet", zeros({2, 3}));
  root.add_part("part", part);
  root.add_parameter("a", scalar(1));
  part.add_parameter("z", zeros({5}));  // after `part` became one: it is listed all the same
  part.add_part("inner", inner);
  part.add_parameter("b", zeros({7}));
  inner.add_parameter("weight", zeros({11, 13}));
  EXPECT_EQ(paths(root),
            (Paths{"second_in_the_alphabet", "part.z", "part.inner.weight", "part.b", "a"}));
  EXPECT_EQ(root.parameter_count(), 6U + 5 + 143 + 7 + 1);
  EXPECT_EQ(part.parameter_count(), 5U + 143 + 7);
}

REAL_TEST(Module, lists_a_tied_parameter_once_under_its_first_path) {
  Open root, embedding, head;
  const Var& shared = embedding.add_parameter("weight", zeros({3, 2}));
  head.add_parameter("bias", zeros({3}));
  root.add_part("embedding", embedding);
  root.add_part("head", head);
  head.add_part("tied", embedding);  // reached again through the head
  EXPECT_EQ(paths(root), (Paths{"embedding.weight", "head.bias"}));
  EXPECT_EQ(root.parameter_count(), 6U + 3);
  EXPECT_EQ(paths(head), (Paths{"bias", "tied.weight"}));
  EXPECT_TRUE(root.parameters()[0].value.is_same(shared));
}

REAL_TEST(Module, does_not_take_equal_values_for_a_tied_parameter) {
  Open root;
  root.add_parameter("a", zeros({2}));
  root.add_parameter("b", zeros({2}));
  EXPECT_EQ(paths(root), (Paths{"a", "b"}));
}

REAL_TEST(Module, refuses_a_name_that_is_taken) {
  Open root, part, other;
  root.add_parameter("weight", zeros({2}));
  root.add_part("part", part);
  expect_error<ConfigError>([&] { root.add_parameter("weight", zeros({3})); }, {"'weight'"});
  expect_error<ConfigError>([&] { root.add_parameter("part", zeros({3})); }, {"'part'"});
  expect_error<ConfigError>([&] { root.add_part("weight", other); }, {"'weight'"});
  expect_error<ConfigError>([&] { root.add_part("part", other); }, {"'part'"});
  EXPECT_EQ(paths(root), (Paths{"weight"}));
  part.add_parameter("weight", zeros({5}));  // another module, another name
  EXPECT_EQ(paths(root), (Paths{"weight", "part.weight"}));
  EXPECT_EQ(root.parameter_count(), 7U);
}

REAL_TEST(Module, hands_out_the_parameters_themselves) {
  Open root;
  Var& first = root.add_parameter("first", full({2}, 4));
  for (int i = 0; i < 100; ++i) root.add_parameter(fmt::format("more.{}", i), zeros({1}));
  EXPECT_TRUE(first.requires_grad());
  root.parameters()[0].value.mutable_value().data()[1] = 9;
  EXPECT_EQ(first.value().data()[1], 9);
  EXPECT_EQ(paths(root).back(), "more.99");
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
