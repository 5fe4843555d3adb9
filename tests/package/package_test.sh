#!/usr/bin/env bash
# The library in a program of somebody else's: `package_test.sh find_package BUILD_DIR` installs what
# is built there, moves it elsewhere and builds tests/package/find_package against it;
# `package_test.sh add_subdirectory BUILD_DIR` configures tests/package/add_subdirectory, which
# builds the library along with itself. That takes minutes, so it is done only after `--build` or
# with PHASOR_TEST_SLOWLY set; otherwise only the program's own file is compiled.
set -uo pipefail
here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
root=$(cd -P -- "$here/../.." && pwd -P)

fail() {
  printf 'FAILED: %s\n' "$1"
  exit 1
}

# logged COMMAND...: its output is shown only when it fails.
logged() {
  if "$@" >"$scratch/log" 2>&1; then return; fi
  cat "$scratch/log"
  fail "$*"
}

# configure_program KIND OPTION...
configure_program() {
  local kind=$1
  shift
  logged cmake -G Ninja -S "$here/$kind" -B "$program" "$@"
}

expect_program_runs() {
  "$program/program" || fail 'the program computed something else'
}

headers_in() { (cd "$1" && find phasor -name '*.hpp' | sort); }

expect_headers() {
  local wanted missing
  wanted=$(headers_in "$root/src" | grep -vE '^phasor/(cli|python)/')
  missing=$(diff <(echo "$wanted") <(headers_in "$1"))
  if [ -n "$missing" ]; then fail "wanted the headers of the library (<) beside (>): $missing"; fi
}

# No flag of this project's own and no path of this machine is handed on.
expect_clean_package() {
  local found
  found=$(grep -rnF -e -W -e "$root" -e "$build" -e "$scratch" "$1")
  if [ -n "$found" ]; then fail "did not want this in the package: $found"; fi
}

# The module, imported by the Python that it was built for, is the installed one.
expect_module() {
  local engine python
  engine=$(find "$1" -name '_engine*.so')
  if [ -z "$engine" ]; then
    if ninja -C "$build" -t query phasor_python >/dev/null 2>&1; then
      fail 'wanted the Python module'
    fi
    echo 'without the Python module, which is not built here'
    return
  fi
  python=$(sed -n 's/^_Python3_EXECUTABLE:INTERNAL=//p' "$build/CMakeCache.txt")
  PYTHONPATH=$(dirname "$(dirname "$engine")") "$python" -c \
    'import sys, phasor, phasor._engine as engine; sys.exit(engine.__file__ != sys.argv[1])' \
    "$engine" || fail 'the installed module cannot be imported'
}

test_find_package() {
  local prefix="$scratch/moved to" config
  logged cmake --install "$build" --prefix "$scratch/installed"
  mv "$scratch/installed" "$prefix"
  config=$(dirname "$(find "$prefix" -name phasor-config.cmake)")
  expect_headers "$prefix/include"
  expect_clean_package "$config"
  "$prefix/bin/phasor" --version || fail 'wanted the command'
  expect_module "$prefix"

  configure_program find_package -DCMAKE_PREFIX_PATH="$prefix"
  grep -qxF "phasor_DIR:PATH=$config" "$program/CMakeCache.txt" || fail 'found another phasor'
  logged ninja -C "$program"
  expect_program_runs
}

test_add_subdirectory() {
  # What the library itself does not need is not looked for.
  configure_program add_subdirectory -DCMAKE_DISABLE_FIND_PACKAGE_{CLI11,GTest,Python3}=ON
  local archives
  archives=$(ninja -C "$program" -t inputs program | grep '\.a$' | sort | xargs)
  if [ "$archives" != 'phasor/libphasor_base.a phasor/libphasor_f32.a' ]; then
    fail "wanted the library alone to be built, got $archives"
  fi
  if [ "$slowly" = no ]; then
    logged ninja -C "$program" "$here/main.cpp^"
    echo 'configured and compiled, but not linked: PHASOR_TEST_SLOWLY=1 builds the library as well'
    return
  fi
  logged ninja -C "$program" -j "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}"
  expect_program_runs
}

kind=${1:-} build=${2:-} slowly=no
if [ -n "${PHASOR_TEST_SLOWLY:-}" ] || [ "${3:-}" = --build ]; then slowly=yes; fi
if [[ $kind != find_package && $kind != add_subdirectory ]] || [ ! -f "$build/CMakeCache.txt" ]; then
  echo 'usage: package_test.sh find_package|add_subdirectory BUILD_DIR [--build]' >&2
  exit 2
fi
build=$(cd -P -- "$build" && pwd -P)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/phasor package XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
program=$scratch/program
"test_$kind"
