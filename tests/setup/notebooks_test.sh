#!/usr/bin/env bash
# shellcheck disable=SC2317 # run_cases calls the tests by their names
# labs/run --notebooks and tests/run --notebooks, on a machine that is all stubs (scratch.sh).
# shellcheck source=tests/setup/scratch.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/scratch.sh"

labs_run() { run "$project/labs/run" "$@"; }

# What labs/run --notebooks installs.
wanted='pybind11-dev python3-dev python3-numpy python3-matplotlib python3-ipykernel'
wanted+=' jupyter-nbconvert jupyter-notebook'
have_python() { tr ' ' '\n' <<<"$wanted" >>"$scratch/installed"; }

test_the_module_is_built_and_notebooks_are_executed() {
  have_python
  labs_run --notebooks
  expect_code 0
  expect_calls 0 '^apt-get'
  expect_calls 1 '^ninja .* phasor_python$'
  expect_calls 1 "^python3 $project/notebooks/execute.py --out $project/out/notebooks *$"
  expect_line '01_first 1.0 3 executed'
  expect_no_text 'executing 01_first'
  expect_line "to read them: $project/out/notebooks/\*\.html"
  expect_last_line 'all is well'
  grep -q 'executing 01_first' "$project/out/notebooks/log.txt" || fail 'wanted a log'
}

test_what_is_missing_is_installed_and_an_earlier_build_configured_again() {
  labs_run
  expect_calls 1 '^cmake '
  labs_run --notebooks
  expect_code 0
  expect_calls 1 "^apt-get .*install --no-install-recommends $wanted$"
  expect_calls 2 '^cmake '
  labs_run --notebooks
  expect_calls 2 '^cmake '
}

test_labs_choose_notebooks() {
  have_python
  labs_run --notebooks 8 first --out here
  expect_code 0
  expect_calls 1 "^python3 .* --out $home/here/notebooks 08_second 01_first$"
}

test_a_notebook_that_fails_is_a_failure() {
  have_python
  touch "$scratch/notebook_fails"
  labs_run --notebooks
  expect_code 1
  expect_last_line '01_first 1.0 0 NameError'
}

test_options_of_labs_are_wrong_use() {
  have_python
  labs_run --notebooks --full
  expect_code 2
  expect_line '--notebooks takes labs and --out, got --full'
  expect_calls 0 .
}

test_without_the_packages_it_says_what_to_type() {
  labs_run --notebooks --no-install
  expect_code 2
  expect_text 'the Python module was not built'
  expect_last_line "sudo apt-get install --no-install-recommends $wanted"
}

test_tests_run_installs_pytorch_too_and_executes_all() {
  echo 0 >"$scratch/ctest_code"
  echo '<testcase name="A.a" status="run">' >"$scratch/report"
  : >"$scratch/ctest_output"
  run "$project/tests/run"
  expect_code 0
  expect_text 'the tests of the Python module are left out'
  expect_calls 1 '^notebooks: $'
  run "$project/tests/run" --notebooks
  expect_code 0
  expect_no_text 'left out: it needs pybind11'
  expect_calls 1 "^apt-get .*install --no-install-recommends $wanted python3-torch$"
  expect_calls 1 '^notebooks: all$'
}

run_cases "$@"
