#include "phasor/core/progress.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "tests/core/pseudo_terminal.hpp"

namespace phasor {
namespace {

/// A screen whose clock is set by the test and whose text is kept.
struct FakeScreen {
  double now = 100;
  std::size_t columns = 80;
  std::string text;
  ProgressScreen screen(bool terminal, bool colour = false) {
    return {.terminal = terminal,
            .colour = colour,
            .columns = [this] { return columns; },
            .seconds = [this] { return now; },
            .write = [this](std::string_view bytes) { text += bytes; }};
  }
};

std::size_t count(const std::string& text, char wanted) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), wanted));
}

TEST(Progress, TerminalBarSaysHowFarHowFastAndHowLong) {
  FakeScreen fake;
  Progress progress("training", 400, 0, fake.screen(true));
  fake.now += 10;
  progress.update(100, "loss 1.234");
  EXPECT_EQ(
      fake.text,
      "\rtraining [#######.......................] 100/400  loss 1.234  10/s  30 s left\x1b[K");
}

TEST(Progress, TerminalIsRedrawnAtMostTenTimesASecond) {
  FakeScreen fake;
  Progress progress("work", 10000, 0, fake.screen(true));
  fake.now += 1;
  for (int step = 0; step < 1000; ++step) {
    progress.update(step);
    fake.now += 0.001;
  }
  // One second of updates: ten drawings, or eleven with both ends.
  EXPECT_GE(count(fake.text, '\r'), 9u);
  EXPECT_LE(count(fake.text, '\r'), 11u);
}

TEST(Progress, ShortWorkOnATerminalDrawsNothing) {
  FakeScreen fake;
  {
    Progress progress("work", 10, 0, fake.screen(true));
    fake.now += 0.4;
    progress.update(10);
    progress.finish();
  }
  EXPECT_EQ(fake.text, "");
}

TEST(Progress, NeverWiderThanTheTerminal) {
  for (const std::size_t columns : {20u, 40u, 60u, 200u}) {
    FakeScreen fake;
    fake.columns = columns;
    Progress progress("träning", 400, 0, fake.screen(true));
    fake.now += 10;
    progress.update(100, "loss 1.234");
    // "\r" and the three bytes that clear the rest of the line are not seen; "ä" has two bytes.
    const std::size_t width = fake.text.size() - 1 - 3 - 1;
    EXPECT_LT(width, columns);
    EXPECT_NE(fake.text.find("tr\xc3\xa4ning"), std::string::npos);
  }
}

TEST(Progress, ColoursOnlyWhenAskedFor) {
  for (const bool colour : {false, true}) {
    FakeScreen fake;
    Progress progress("work", 10, 0, fake.screen(true, colour));
    fake.now += 5;
    progress.update(5);
    EXPECT_EQ(fake.text.find("\x1b[36m") != std::string::npos, colour);
  }
}

TEST(Progress, FinishEndsTheLineOnceAndTellsTheTime) {
  FakeScreen fake;
  {
    Progress progress("work", 10, 0, fake.screen(true));
    fake.now += 65;
    progress.update(10);
    progress.finish();
    progress.finish();
  }
  EXPECT_EQ(count(fake.text, '\n'), 1u);
  EXPECT_NE(fake.text.find("in 1:05"), std::string::npos);
}

TEST(Progress, InterruptedWorkLeavesTheNextMessageALineOfItsOwn) {
  FakeScreen fake;
  {
    Progress progress("work", 10, 0, fake.screen(true));
    fake.now += 5;
    progress.update(5);
  }
  EXPECT_EQ(fake.text.back(), '\n');
}

TEST(Progress, PlainLinesComeEveryTenthOrEveryTenSeconds) {
  FakeScreen fake;
  Progress progress("work", 100, 0, fake.screen(false));
  fake.now += 1;
  progress.update(50);
  EXPECT_EQ(fake.text, "");  // under 2 s
  fake.now += 2;
  progress.update(60, "loss 2");
  EXPECT_EQ(fake.text, "work: 60/100  loss 2  20/s  2 s left\n");
  fake.now += 3;
  progress.update(65);
  EXPECT_EQ(count(fake.text, '\n'), 1u);  // neither 10 s nor 10 % further
  fake.now += 8;
  progress.update(66);
  EXPECT_EQ(count(fake.text, '\n'), 2u);
  EXPECT_EQ(fake.text.find_first_of("\r\x1b"), std::string::npos);
}

TEST(Progress, ShortWorkElsewhereSaysNothing) {
  FakeScreen fake;
  {
    Progress progress("work", 10, 0, fake.screen(false));
    fake.now += 1.9;
    progress.update(10);
    progress.finish();
  }
  EXPECT_EQ(fake.text, "");
}

TEST(Progress, ResumedWorkIsTimedFromWhereItStarted) {
  FakeScreen fake;
  Progress progress("work", 400, 300, fake.screen(false));
  fake.now += 10;
  progress.update(350);
  EXPECT_NE(fake.text.find("5/s  10 s left"), std::string::npos) << fake.text;
}

/// Sets an environment variable and puts the old value back.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    ::setenv(name, value, 1);
  }
  ~Variable() { old_ ? ::setenv(name_, old_->c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

TEST(Progress, NoColorIsRespectedOnATerminal) {
  const auto pair = pseudo_terminal();
  if (!pair) GTEST_SKIP() << "this system has no pseudo-terminals";
  const int terminal = pair->theirs, master = pair->ours;
  const int null = ::open("/dev/null", O_WRONLY);
  {
    const Variable term("TERM", "xterm"), refused("NO_COLOR", "");
    EXPECT_TRUE(is_terminal(terminal));
    EXPECT_TRUE(colour_wanted(terminal));
    EXPECT_FALSE(is_terminal(null));
    EXPECT_FALSE(colour_wanted(null));
  }
  {
    const Variable term("TERM", "xterm"), refused("NO_COLOR", "1");
    EXPECT_TRUE(is_terminal(terminal));
    EXPECT_FALSE(colour_wanted(terminal));
  }
  const Variable term("TERM", "dumb");
  EXPECT_FALSE(is_terminal(terminal));
  for (const int descriptor : {null, terminal, master}) ::close(descriptor);
}

}  // namespace
}  // namespace phasor
