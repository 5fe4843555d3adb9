#!/usr/bin/env bash
# shellcheck disable=SC2317 # run_cases calls the tests by their names
# What the scripts do about packages, on a machine that is all stubs (scratch.sh).
# shellcheck source=tests/setup/scratch.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/scratch.sh"

labs_run() { run "$project/labs/run" "$@"; }

test_nothing_missing_calls_no_apt() {
  labs_run
  expect_code 0
  expect_calls 1 '^dpkg-query '
  expect_calls 0 '^apt-get |^sudo '
}

test_only_the_missing_packages_are_installed_with_one_apt_install() {
  remove libfmt-dev bible-kjv
  labs_run
  expect_code 0
  expect_calls 1 '^apt-get .*update$'
  expect_calls 1 '^apt-get .*install --no-install-recommends libfmt-dev bible-kjv$'
  expect_calls 2 '^apt-get '
  expect_calls 0 '^sudo '
  expect_line 'missing: libfmt-dev bible-kjv'
  expect_line 'installing 120 packages: 142 MB to fetch, 650 MB on disk'
  expect_line 'installed in [0-9]+ s .*build/apt.log.*'
  grep -q 'Need to get' "$project/build/apt.log" || fail 'wanted the log of apt'
}

test_second_run_calls_no_apt_and_does_not_configure_again() {
  remove libfmt-dev
  labs_run
  : >"$scratch/calls"
  labs_run
  expect_code 0
  expect_calls 0 '^apt-get |^sudo |^cmake '
  expect_line 'built: nothing was out of date'
}

test_sudo_is_used_when_not_root() {
  echo 1000 >"$scratch/uid"
  remove cmake
  labs_run
  expect_code 0
  expect_calls 2 '^sudo -n env DEBIAN_FRONTEND=noninteractive .*apt-get '
  expect_calls 1 '^apt-get .*install .*cmake$'
}

test_on_a_terminal_sudo_may_ask_for_the_password_first() {
  echo 1000 >"$scratch/uid"
  remove cmake
  on_terminal "'$project/labs/run'"
  expect_code 0
  grep '^sudo' "$scratch/calls" | head -n 1 | grep -qx 'sudo -v' || fail 'wanted sudo -v first'
  expect_calls 1 '^apt-get .*install .*cmake$'
}

test_without_sudo_the_line_to_type_is_printed() {
  echo 1000 >"$scratch/uid"
  rm "$scratch/bin/sudo"
  remove cmake libfmt-dev
  labs_run
  expect_code 2
  expect_text 'not root'
  expect_last_line 'sudo apt-get install --no-install-recommends cmake libfmt-dev'
  expect_calls 0 '^apt-get |^cmake '
}

test_without_a_password_the_line_to_type_is_printed() {
  echo 1000 >"$scratch/uid"
  touch "$scratch/sudo_fails"
  remove cmake
  labs_run
  expect_code 2
  expect_text 'a password is required'
  expect_last_line 'sudo apt-get install --no-install-recommends cmake'
}

test_without_apt_the_line_to_type_is_printed() {
  rm "$scratch/bin/apt-get"
  remove cmake
  labs_run
  expect_code 2
  expect_text 'no apt-get'
  expect_last_line 'sudo apt-get install --no-install-recommends cmake'
}

test_a_failing_apt_is_told_with_its_reason() {
  touch "$scratch/apt_fails"
  remove cmake
  labs_run
  expect_code 2
  expect_text 'E: Unable to fetch some archives'
  expect_last_line 'sudo apt-get install --no-install-recommends cmake'
  expect_calls 0 '^cmake '
}

test_a_machine_without_dpkg_is_missing_everything() {
  rm "$scratch/bin/dpkg-query" "$scratch/bin/apt-get"
  labs_run
  expect_code 2
  expect_text 'cmake ninja-build libxtensor-dev'
}

test_install_only_installs_and_builds_nothing() {
  remove libfmt-dev
  labs_run --install-only
  expect_code 0
  expect_calls 1 '^apt-get .*install --no-install-recommends libfmt-dev$'
  expect_calls 0 '^cmake |^ninja '
  expect_last_line 'every package is installed'
}

# The one step of the container's file that is Phasor's own, on this machine.
test_the_container_installs_everything() {
  local arguments
  read -ra arguments < <(sed -n 's|^ && /setup/labs/run \(.*\) \\$|\1|p' "$source_root/.devcontainer/Dockerfile")
  remove libfmt-dev
  labs_run "${arguments[@]}"
  expect_code 0
  expect_calls 1 '^apt-get .*install .*libfmt-dev .*pybind11-dev .*jupyter-notebook$'
  expect_calls 0 '^cmake |^ninja '
}

test_no_install_asks_for_nothing() {
  remove cmake
  labs_run --no-install
  expect_code 0
  expect_calls 0 '^dpkg-query |^apt-get '
}

test_another_compiler_replaces_gcc() {
  remove g++
  labs_run # clang++ is on the path of the machine
  expect_code 0
  expect_calls 0 '^apt-get '
}

test_gcc_is_installed_when_there_is_no_compiler() {
  remove g++
  rm "$scratch/bin/clang++"
  labs_run
  expect_calls 1 '^apt-get .*install --no-install-recommends g\+\+$'
}

test_a_compiler_that_is_not_there_is_named() {
  CXX=no-such-compiler labs_run
  expect_code 2
  expect_text "CXX is 'no-such-compiler'"
  expect_calls 0 '^apt-get |^cmake '
}

test_another_gnuplot_replaces_the_package() {
  remove gnuplot-nox
  stub gnuplot </dev/null
  labs_run
  expect_code 0
  expect_calls 0 '^apt-get '
}

run_cases "$@"
