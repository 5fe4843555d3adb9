// The measure of functions itself: what it counts, and what must not confuse it.
#include "tests/layout/functions.hpp"

#include <gtest/gtest.h>

namespace layout {
namespace {

using Lengths = std::vector<std::size_t>;

Lengths lengths(std::string_view text) {
  Lengths all;
  for (const Function& function : functions_in(text)) all.push_back(function.lines);
  return all;
}

TEST(FunctionLength, CountsFromTheDeclarationToTheBrace) {
  EXPECT_EQ(lengths("int f() { return 1; }\n"), Lengths{1});
  EXPECT_EQ(lengths("int f(int a,\n      int b) {\n  return a;\n}\n"), Lengths{4});
  EXPECT_EQ(lengths("// a comment\n/// of two lines\nint f() {\n}\n"), Lengths{2});
  EXPECT_EQ(lengths("int f();\nint g() {\n}\n"), Lengths{2});
}

TEST(FunctionLength, TellsTheFirstLine) {
  const auto functions = functions_in("#include <a>\n\nint f() {\n}\n\nint g() {\n}\n");
  ASSERT_EQ(functions.size(), 2u);
  EXPECT_EQ(functions[0].first_line, 3u);
  EXPECT_EQ(functions[1].first_line, 6u);
}

TEST(FunctionLength, LooksIntoNamespacesAndClasses) {
  EXPECT_EQ(lengths("namespace a::inline b {\nnamespace {\nint f() {\n}\n}\n}\n"), Lengths{2});
  EXPECT_EQ(
      lengths(
          "class A : public B<C> {\n public:\n  A() {\n  }\n private:\n  int f() const {}\n};\n"),
      (Lengths{2, 1}));
  EXPECT_EQ(lengths("template <class T, class U = B<T>>\nstruct A {\n  void f() {\n  }\n};\n"),
            Lengths{2});
  EXPECT_EQ(lengths("extern \"C\" {\nvoid f() {\n}\n}\n"), Lengths{2});
}

TEST(FunctionLength, TakesInnerBlocksAsPartOfTheFunction) {
  EXPECT_EQ(lengths("void f() {\n  if (a) {\n    g([] {\n    });\n  } else {\n  }\n}\n"),
            Lengths{7});
  EXPECT_EQ(lengths("TEST(A, B) {\n  struct C {\n    int f() { return 1; }\n  };\n}\n"),
            Lengths{5});
}

TEST(FunctionLength, KnowsFunctionsOfManyKinds) {
  EXPECT_EQ(lengths("template <class T>\nvoid f(T t) {\n}\n"), Lengths{3});
  EXPECT_EQ(lengths("A::A(int x) : a_{x}, b_(x), c_{} {\n}\n"), Lengths{2});
  EXPECT_EQ(lengths("A::A(int x)\n    : Base<int>{x},\n      b_{x, {1, 2}} {\n}\n"), Lengths{4});
  EXPECT_EQ(lengths("A& operator=(const A& a) {\n}\nbool operator==(A a, A b) {\n}\n"),
            (Lengths{2, 2}));
  EXPECT_EQ(lengths("auto f(B b = {}) -> int {\n}\n"), Lengths{2});
  EXPECT_EQ(lengths("struct B f() {\n}\n"), Lengths{2});
  EXPECT_EQ(lengths("const auto f = [](int x) {\n};\n"), Lengths{2});
}

TEST(FunctionLength, LeavesOutWhatIsNoFunction) {
  EXPECT_EQ(lengths("constexpr int table[] = {\n  1,\n  2,\n};\n"), Lengths{});
  EXPECT_EQ(lengths("const std::array<A, 2> table{{\n  {1, f(2)},\n}};\n"), Lengths{});
  EXPECT_EQ(lengths("enum class A : int {\n  b,\n};\nstruct C {\n  int d{1};\n  int e = 2;\n};\n"),
            Lengths{});
}

TEST(FunctionLength, IsNotConfusedByLiteralsAndComments) {
  EXPECT_EQ(lengths("void f() {\n  g('{', \"}\\\"{\", R\"x({{)\"{)x\");\n}\n"), Lengths{3});
  EXPECT_EQ(lengths("void f() {\n  // }\n  /* } */\n  int x = 1'000'000;\n  g('\\'');\n}\n"),
            Lengths{6});
  EXPECT_EQ(lengths("#error don't\nvoid f() {\n}\n"), Lengths{2});
  EXPECT_EQ(lengths("#define A { \\\n  {\nvoid f() {\n}\n"), Lengths{2});
}

TEST(CodeOnly, KeepsEveryPlace) {
  const std::string text = "a /* b\nc */ \"d\" // e\n#if f \\\n  g\nh\n";
  const std::string code = code_only(text);
  const auto blank = [](std::size_t count) { return std::string(count, ' '); };
  EXPECT_EQ(code, "a" + blank(5) + "\n" + blank(13) + "\n" + blank(7) + "\n" + blank(3) + "\nh\n");
}

}  // namespace
}  // namespace layout
