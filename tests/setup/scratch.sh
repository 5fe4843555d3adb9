# shellcheck shell=bash
# A scratch project on a fake machine, for the tests of labs/run and tests/run: the scripts are the
# real ones; dpkg-query, apt-get, sudo, id, cmake, ninja and ctest are stubs that write each call
# into the file `calls`. Every test gets a new one, in a folder with a space in its name.

source_root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)

fail() {
  printf 'FAILED: %s\n--- code %s, output:\n%s\n--- calls:\n' "$1" "${code:-}" "${output:-}"
  cat "$scratch/calls"
  exit 1
}

# stub NAME: the program on standard input, with `scratch` set, its call written down.
stub() {
  {
    printf '#!%s\nscratch=%q\n' "$BASH" "$scratch"
    # shellcheck disable=SC2016 # for the stub to expand
    printf 'echo "${0##*/} $*" >>"$scratch/calls"\n'
    cat
  } >"$scratch/bin/$1"
  chmod +x "$scratch/bin/$1"
}

stub_packages() {
  stub dpkg-query <<'END'
while read -r package; do
  case " $* " in *" $package "*) echo "$package installed" ;; esac
done <"$scratch/installed"
END
  stub apt-get <<'END'
if [ -e "$scratch/apt_fails" ]; then echo 'E: Unable to fetch some archives'; exit 100; fi
case " $* " in *' install '*)
  echo '0 upgraded, 120 newly installed, 0 to remove and 3 not upgraded.'
  echo 'Need to get 142 MB of archives.'
  echo 'After this operation, 650 MB of additional disk space will be used.'
  for word; do case $word in APT::Status-Fd=*) fd=${word#*=} ;; esac; done
  echo 'pmstatus:libfmt-dev:50.0:Installing libfmt-dev' >&"$fd"
  # As under the real apt-get, the scripts of packages find that file closed.
  if ! (eval "exec $fd>&-"; printf 'configuring\n') 2>/dev/null; then
    echo 'E: Sub-process dpkg returned an error code (1)'; exit 100
  fi
  for word; do echo "$word"; done >>"$scratch/installed"
esac
END
  stub sudo <<'END'
if [ -e "$scratch/sudo_fails" ]; then echo 'sudo: a password is required' >&2; exit 1; fi
case $1 in
  -v) exit ;;
  -n) shift ;;
esac
"$@"
END
  stub id <<'END'
cat "$scratch/uid"
END
}

stub_tools() {
  stub cmake <<'END'
project=$2 folder=$2/build
if [ "$4" = dev ]; then folder=$2/build-dev; fi
if [ -e "$scratch/cmake_fails" ]; then echo 'CMake Error: no fmt'; exit 1; fi
mkdir -p "$folder"
printf '%s\n' "CMAKE_HOME_DIRECTORY:INTERNAL=$project" CMAKE_GENERATOR:INTERNAL=Ninja \
  "CMAKE_CXX_COMPILER:FILEPATH=$scratch/bin/clang++" >"$folder/CMakeCache.txt"
echo >"$folder/build.ninja"
if grep -qx pybind11-dev "$scratch/installed"; then
  echo 'build python/phasor/_engine.so: linked' >"$folder/build.ninja"
  echo "_Python3_EXECUTABLE:INTERNAL=$scratch/bin/python3" >>"$folder/CMakeCache.txt"
fi
END
  stub ninja <<'END'
folder=$2
shift 4
if [ -e "$scratch/ninja_fails" ]; then
  printf '[1/9] Building a.o\nFAILED: b.o\nb.cpp:3: error: no such thing\n'; exit 1
fi
step='ninja: no work to do.'
for target in "${@:-all}"; do
  if [ ! -e "$folder/$target" ]; then cp "$scratch/lab" "$folder/$target"; step='[1/1] Linking'; fi
done
echo "$step"
END
  stub python3 <<'END'
echo 'executing 01_first (1 of 1)'
if [ -e "$scratch/notebook_fails" ]; then echo '01_first 1.0 0 NameError'; exit 1; fi
echo '01_first 1.0 3 executed'
END
  stub ctest <<'END'
echo "notebooks: ${PHASOR_NOTEBOOKS:-}" >>"$scratch/calls"
while [ $# -gt 0 ]; do
  if [ "$1" = --output-junit ]; then cp "$scratch/report" "$2"; fi
  shift
done
cat "$scratch/ctest_output"
exit "$(cat "$scratch/ctest_code")"
END
}

# What every lab of the scratch project is, and lab_gallery, and phasor: a script that does as it is
# told. The figures that `phasor figures` lists are in the file `figures`.
write_fake_lab() {
  printf '#!/usr/bin/env bash\nscratch=%q\n' "$scratch" >"$scratch/lab"
  cat >>"$scratch/lab" <<'END'
name=${0##*/}
if [ "$name" = phasor ]; then
  if [ "$1" = figures ]; then cat "$scratch/figures" 2>/dev/null; exit; fi
  if [ -e "$scratch/claims_fail" ]; then echo 'phasor: no such claim'; exit 2; fi
  echo "$*" >"$5"
  echo '3 claims: 1 hold, 0 hold with a condition, 2 fail, 0 not measured'
  exit
fi
if [ "$name" = lab_gallery ]; then echo page >"$1/index.html"; exit; fi
echo "$name got: $*"
if [ "$3" = --bogus ]; then echo "$name: no option --bogus" >&2; exit 2; fi
if [ "$3" = --sleep ]; then sleep 30; fi
if [[ "$3" == --crash=* && $name == "${3#--crash=}"* ]]; then kill -ABRT $$; fi
failed=0
if [[ "$3" == --wrong=* && $name == "${3#--wrong=}"* ]]; then failed=1; fi
printf '{\n  "lab": "%s",\n  "title": "The \\"%s\\"",\n  "seconds": 1.5,\n' "${name:3:2}" "${name:6}"
printf '  "figures": 7, "checks_passed": 12, "checks_failed": %s\n}\n' "$failed"
END
  # The summary goes to a file, the rest to standard output.
  sed -i "s|^printf '{|exec >\"\$2/summary.json\"\n&|" "$scratch/lab"
  chmod +x "$scratch/lab"
}

# Sets scratch, project and home; the machine has every package, two labs and a clang++.
make_scratch() {
  scratch=$(mktemp -d "${TMPDIR:-/tmp}/phasor setup XXXXXX") || exit 1
  trap 'rm -rf "$scratch"' EXIT
  project="$scratch/the project" home=$scratch/home
  mkdir -p "$scratch/bin" "$home" "$project"/{labs/common,labs/lab01_first,labs/lab08_second,tests,.ci}
  cp "$source_root/labs/run" "$project/labs/"
  cp "$source_root"/labs/common/{*.sh,options.cpp} "$project/labs/common/"
  cp "$source_root/tests/run" "$project/tests/"
  mkdir -p "$project/tests/pages" # for tests/run
  cp "$source_root/tests/pages/browser.sh" "$project/tests/pages/"
  cp "$source_root/.ci/run" "$project/.ci/"
  # The options of the stub of a lab.
  printf '{"%s", "of a stub"}\n' --wrong --crash --bogus --sleep |
    tee "$project"/labs/lab0{1_first,8_second}/main.cpp >/dev/null
  touch "$project/CMakePresets.json"
  printf '# Lab 01: The first\n\ntext\n# Another\n' >"$project/labs/lab01_first/README.md"
  local tool
  for tool in awk basename bash cat cp dirname env grep mkdir nproc readlink rm sed sleep tail; do
    ln -s "$(command -v $tool)" "$scratch/bin/$tool"
  done
  : >"$scratch/calls"
  echo 0 >"$scratch/uid"
  sed -n '/^packages=(/,/)$/p' "$project/labs/common/setup.sh" | sed 's/packages=(//; s/)$//' |
    tr -s ' ' '\n' | sed '/^$/d' >"$scratch/installed"
  stub_packages
  stub_tools
  stub 'clang++' </dev/null
  write_fake_lab
}

# Takes packages off the fake machine.
remove() {
  local package
  for package; do sed -i "/^$package\$/d" "$scratch/installed"; done
}

# run COMMAND...: sets output (both streams) and code.
run() {
  output=$(cd "$home" && env -i PATH="$scratch/bin" HOME="$home" TERM=dumb ${CXX:+CXX="$CXX"} \
    "$@" 2>&1 </dev/null)
  code=$?
}

# on_terminal [VARIABLE=VALUE...] COMMAND: the same on a terminal, which util-linux's script makes.
# Left out where there is no such program, or no pseudo-terminals, as in a bare chroot.
on_terminal() {
  local script
  if ! script=$(command -v script); then exit 77; fi
  if ! "$script" -qec true /dev/null </dev/null >/dev/null 2>&1; then exit 77; fi
  output=$(cd "$home" && env -i PATH="$scratch/bin" HOME="$home" TERM=xterm "${@:1:$#-1}" \
    "$script" -qec "${!#}" /dev/null </dev/null)
  code=$?
}

expect_code() { if [ "$code" != "$1" ]; then fail "wanted exit code $1"; fi; }
expect_line() { if ! grep -qxE -- "$1" <<<"$output"; then fail "wanted a line '$1'"; fi; }
expect_text() { if [[ $output != *"$1"* ]]; then fail "wanted '$1' in the output"; fi; }
expect_no_text() { if [[ $output == *"$1"* ]]; then fail "did not want '$1' in the output"; fi; }
expect_last_line() { if [ "${output##*$'\n'}" != "$1" ]; then fail "wanted '$1' at the end"; fi; }
# expect_calls NUMBER REGEX
expect_calls() {
  local number
  number=$(grep -cE -- "$2" "$scratch/calls")
  if [ "$number" != "$1" ]; then fail "wanted $1 calls like '$2', got $number"; fi
}

# run_cases [CASE]: the function test_CASE, or all of them, each with a scratch of its own.
# Exit code 77: the case was left out.
run_cases() {
  local names name result failed=0
  names=${1:+test_$1}
  for name in ${names:-$(compgen -A function test_)}; do
    (make_scratch && "$name")
    result=$?
    if ((result == 77)) && [ -n "$names" ]; then exit 77; fi
    case $result in
      0) echo "$name: passed" ;;
      77) echo "$name: left out" ;;
      *) failed=$((failed + 1)) ;;
    esac
  done
  exit $((failed > 0))
}
