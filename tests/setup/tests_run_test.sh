#!/usr/bin/env bash
# shellcheck disable=SC2317 # run_cases calls the tests by their names
# tests/run and .ci/run: what they build, hand on and count (the machine is all stubs, scratch.sh).
# shellcheck source=tests/setup/scratch.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/scratch.sh"

tests_run() { run "$project/tests/run" "$@"; }

# ctest_says CODE STATUS...: one test of the report for each status (run, fail, notrun, disabled).
ctest_says() {
  local result
  echo "$1" >"$scratch/ctest_code"
  shift
  echo '<testsuite name="(empty)" tests="1" failures="0" disabled="0" skipped="0">' >"$scratch/report"
  for result; do
    printf '\t<testcase name="T" classname="T" time="0.1" status="%s">\n' "$result"
    printf '\t\t<system-out>&lt;testcase status="run"</system-out>\n\t</testcase>\n'
  done >>"$scratch/report"
  printf '%s\n' '    Start 1: A.Quiet' '1/2 Test #1: A.Quiet ......   Passed    0.01 sec' \
    '2/2 Test #2: A.Loud .......***Failed    0.01 sec' 'what went wrong' >"$scratch/ctest_output"
}

test_the_last_line_is_the_count() {
  ctest_says 0 run run run
  tests_run
  expect_code 0
  expect_last_line '3 passed, 0 failed'
  expect_calls 1 '^ninja -C .*/build -j [0-9]+$' # everything
  expect_calls 1 '^ctest .*--test-dir .*/build '
}

test_failures_are_counted_and_shown() {
  ctest_says 8 run fail run fail
  tests_run
  expect_code 1
  expect_last_line '2 passed, 2 failed'
  expect_line '2/2 Test #2: A.Loud .*'
  expect_line 'what went wrong'
  expect_no_text 'A.Quiet'
}

test_what_did_not_run_is_not_counted() {
  ctest_says 0 run notrun disabled
  tests_run
  expect_code 0
  expect_last_line '1 passed, 0 failed'
}

test_nothing_run_is_a_failure() {
  ctest_says 0
  tests_run
  expect_code 1
  expect_last_line '0 passed, 0 failed'
}

test_a_ctest_that_fails_otherwise_is_a_failure() {
  ctest_says 8 run notrun # a program that could not be started
  tests_run
  expect_code 1
  expect_last_line '1 passed, 0 failed'
}

test_a_report_of_an_earlier_run_is_not_counted() {
  ctest_says 0 run run
  tests_run
  rm "$scratch/report"
  tests_run
  expect_code 1
  expect_last_line '0 passed, 0 failed'
}

test_a_failed_build_ends_with_the_count() {
  ctest_says 0 run
  touch "$scratch/ninja_fails"
  tests_run
  expect_code 1
  expect_line 'b.cpp:3: error: no such thing'
  expect_last_line '0 passed, 0 failed'
  expect_calls 0 '^ctest '
}

test_a_pattern_is_handed_to_ctest() {
  ctest_says 0 run
  tests_run 'A  b|C' # one argument, whatever is in it
  expect_code 0
  expect_calls 1 '^ctest .* -R A  b\|C$'
}

test_sanitize_uses_the_preset_dev() {
  ctest_says 0 run
  tests_run --sanitize
  expect_code 0
  expect_calls 1 '^cmake .* --preset dev$'
  expect_calls 1 '^ninja -C .*/build-dev '
  expect_calls 1 '^ctest .*--test-dir .*/build-dev '
}

test_it_installs_what_is_missing() {
  ctest_says 0 run
  remove libgtest-dev
  tests_run
  expect_code 0
  expect_calls 1 '^apt-get .*install --no-install-recommends libgtest-dev$'
}

test_help_needs_nothing() {
  tests_run --help
  expect_code 0
  expect_line 'usage: tests/run .*'
  expect_calls 0 .
}

test_wrong_use_ends_with_2() {
  tests_run --bogus
  expect_code 2
  expect_text "unknown option '--bogus'"
  tests_run one two
  expect_code 2
  expect_text "one pattern is enough"
  expect_calls 0 .
}

test_the_missing_format_check_is_told() {
  ctest_says 0 run
  tests_run
  expect_text 'format is left out'
  stub clang-format </dev/null
  tests_run
  expect_no_text 'format is left out'
}

test_the_missing_browser_is_told() {
  ctest_says 0 run
  tests_run
  expect_text 'the check of the pages in a browser is left out: no chromium (apt-get install chromium)'
  stub chromium </dev/null
  stub node </dev/null
  mkdir -p "$scratch/modules"/{axe-core,playwright-core}
  stub npm <<'END'
echo "$scratch/modules"
END
  tests_run
  expect_no_text 'in a browser is left out'
}

test_ci_runs_exactly_this() {
  ctest_says 8 run fail
  run "$project/.ci/run"
  expect_code 1
  expect_last_line '1 passed, 1 failed'
  grep -qx 'exec tests/run' "$project/.ci/run" || fail 'wanted exactly exec tests/run'
}

run_cases "$@"
