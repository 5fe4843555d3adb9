# shellcheck shell=bash
# What labs/run and tests/run share: the status line, packages, configuring and building.
# Sourced by a script that has set `root` (the project's folder) beforehand.
# Exit codes: 1 the build failed, 2 the set-up needs a hand, 130 stopped by Ctrl-C.

set -uo pipefail
shopt -s lastpipe # the reader at the end of a pipeline runs in this shell and can set variables

# --- the status line -------------------------------------------------------------------------------
live=no bold='' red='' green='' off=''
if [ -t 1 ] && [ "${TERM:-dumb}" != dumb ]; then
  live=yes
  shopt -s checkwinsize
  (:) # makes bash look up COLUMNS
  if [ -z "${NO_COLOR:-}" ]; then
    bold=$'\e[1m' red=$'\e[31m' green=$'\e[32m' off=$'\e[0m'
  fi
fi
status='' started=$SECONDS shown=$SECONDS

# Shows $1 in place of the status before it; into a file or a pipe at most every 15 s.
show_status() {
  if [ "$live" = yes ]; then
    printf '\r\e[K%s' "${1:0:${COLUMNS:-80}-1}"
  elif ((SECONDS - shown >= 15)); then
    printf '%s\n' "$1"
    shown=$SECONDS
  fi
}
clear_status() { if [ "$live" = yes ]; then printf '\r\e[K'; fi; }
say() {
  clear_status
  printf '%s\n' "$1"
}

# Starts a stage: its status and its clock.
begin() {
  status=$1 started=$SECONDS shown=$SECONDS
  show_status "$status"
}

# Hands each line of standard input to the function $1, which may set `status`, and keeps the
# status with its seconds in view while no line comes.
follow() {
  local line='' part=''
  while :; do
    if IFS= read -r -t 1 line; then
      "$1" "$part$line"
      part=''
    elif (($? > 128)); then
      part+=$line # a second without the end of a line, or an interrupt
    else
      if [ -n "$part$line" ]; then "$1" "$part$line"; fi
      return 0
    fi
    show_status "$status  $((SECONDS - started)) s"
  done
}

# Ctrl-C reaches every process of the terminal; what runs is left to end by itself, then we stop.
interrupted=no
on_interrupt() {
  if [ "$interrupted" = yes ]; then exit 130; fi
  interrupted=yes status='stopping'
}
trap on_interrupt INT
stop_if_interrupted() {
  if [ "$interrupted" = no ]; then return; fi
  say 'stopped'
  exit 130
}

have() { command -v -- "$1" >/dev/null 2>&1; }

# $1 as seen from the folder of the caller.
shown_path() { printf '%s' "${1#"$PWD"/}"; }

# --- packages --------------------------------------------------------------------------------------
packages=(g++ cmake ninja-build libxtensor-dev libxtensor-blas-dev libxsimd-dev libopenblas-dev
  nlohmann-json3-dev libcli11-dev libfmt-dev libgtest-dev libbenchmark-dev gnuplot-nox
  fonts-dejavu-core bible-kjv)
missing=()

have_compiler() {
  if [ -n "${CXX:-}" ]; then
    if have "${CXX%% *}"; then return; fi
    say "CXX is '$CXX', which is not on the PATH; unset CXX or name another compiler" >&2
    exit 2
  fi
  have c++ || have g++ || have clang++
}

find_missing() {
  local installed package
  # shellcheck disable=SC2016 # the ${} belong to dpkg-query
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null)
  missing=()
  for package in "${packages[@]}"; do
    case $package in
      g++) if have_compiler; then continue; fi ;;
      gnuplot-nox) if have gnuplot; then continue; fi ;;
      python3) if have python3; then continue; fi ;;
    esac
    if [[ $'\n'$installed$'\n' != *$'\n'"$package installed"$'\n'* ]]; then missing+=("$package"); fi
  done
}

# Ends with the reason $1 and the one line to type.
cannot_install() {
  say "${red}cannot install${off} what is missing: $1" >&2
  say 'install it yourself, then run this again (--no-install when it comes from elsewhere):' >&2
  say "sudo apt-get install --no-install-recommends ${missing[*]}" >&2
  exit 2
}

# Reads apt-get's output: its progress (APT::Status-Fd) becomes the status, the rest the log.
apt_stage='' apt_count='' apt_fetch=''
on_apt_line() {
  local line=$1 percent
  case $line in
    dlstatus:* | pmstatus:*)
      IFS=: read -r _ _ percent line <<<"$line"
      status="$apt_stage: ${percent%.*} %, $line"
      return
      ;;
    *' newly installed'*)
      apt_count=${line% newly installed*}
      apt_count=${apt_count##* }
      ;;
    'Need to get '*) apt_fetch=${line#Need to get } ;;
    'After this operation, '*' will be used.'*)
      line=${line#After this operation, }
      say "installing $apt_count packages: ${apt_fetch% of archives.} to fetch, ${line%% of *} on disk"
      ;;
  esac
  printf '%s\n' "$line" >&3
}

# run_apt STAGE ARGUMENT...
run_apt() {
  apt_stage=$1 status=$1
  shift
  # Progress comes through file 4, a copy of standard output. It is opened after sudo, which closes
  # all but the first three; and it is not file 1 itself, which apt-get would close for the scripts
  # of the packages.
  # shellcheck disable=SC2016  # the inner shell expands it
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C bash -c 'exec "$@" 4>&1' bash \
    apt-get -y -o APT::Status-Fd=4 -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@" 2>&1 \
    </dev/null | follow on_apt_line
  return "${PIPESTATUS[0]}"
}

install_missing() {
  local as_root=() log=$root/build/apt.log reason
  find_missing
  if ((${#missing[@]} == 0)); then return 0; fi
  if ! have apt-get; then cannot_install 'there is no apt-get here'; fi
  if [ "$(id -u)" != 0 ]; then
    if ! have sudo; then cannot_install 'you are not root, and there is no sudo here'; fi
    as_root=(sudo -n) # the password was asked for, or nobody is there to type it
  fi
  say "missing: ${missing[*]}"
  if ((${#as_root[@]})) && [ -t 0 ] && ! sudo -v; then cannot_install 'sudo refused'; fi
  mkdir -p "$root/build" || exit 2
  exec 3>"$log"
  begin 'reading the lists of packages'
  run_apt "$status" update # one broken source fails the update, not the installation
  stop_if_interrupted
  if ! run_apt 'installing' install --no-install-recommends "${missing[@]}"; then
    stop_if_interrupted
    reason=$(grep -E '^(E:|sudo:|Err:)' "$log" | tail -n 1)
    cannot_install "${reason:-apt-get failed} ($(shown_path "$log"))"
  fi
  exec 3>&-
  say "installed in $((SECONDS - started)) s (log: $(shown_path "$log"))"
}

# --- configuring and building ----------------------------------------------------------------------
# Whether the CMake cache of folder $1 belongs to another place, generator or compiler.
is_foreign() {
  local home generator compiler cache=$1/CMakeCache.txt
  home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:[A-Z]*=//p' "$cache")
  generator=$(sed -n 's/^CMAKE_GENERATOR:[A-Z]*=//p' "$cache")
  compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$cache")
  if [ ! "$home" -ef "$root" ] || [ "$generator" != Ninja ]; then return 0; fi
  [ -n "${CXX:-}" ] && [ ! "$(command -v -- "${CXX%% *}")" = "$compiler" ]
}

# Whether the build in folder $1 has the Python module.
has_module() { grep -qs '^build python/phasor/_engine' "$1/build.ninja"; }

# configure PRESET FOLDER [module]: only when the folder is new, moved, older than the presets, or
# without the Python module where that is asked for.
configure() {
  local preset=$1 folder=$2 wants=${3:-} fresh=()
  local cache=$folder/CMakeCache.txt log=$folder/configure.log
  if [ -f "$cache" ]; then
    if is_foreign "$folder"; then
      fresh=(--fresh)
    elif [ -f "$folder/build.ninja" ] && [ ! "$root/CMakePresets.json" -nt "$cache" ] &&
      { [ "$wants" != module ] || has_module "$folder"; }; then
      return 0
    fi
  fi
  begin "configuring (preset $preset)"
  mkdir -p "$folder" || exit 2
  exec 3>"$log"
  cmake -S "$root" --preset "$preset" "${fresh[@]}" 2>&1 | follow on_log_line
  local result=${PIPESTATUS[0]}
  exec 3>&-
  stop_if_interrupted
  if ((result)); then
    clear_status
    cat "$log"
    say "${red}configuring failed${off}; the lines above are in $(shown_path "$log")"
    return 1
  fi
  say "configured in $((SECONDS - started)) s"
}
on_log_line() { printf '%s\n' "$1" >&3; }

# As many compilers as there are processors and gigabytes of free memory for them.
compile_jobs() {
  local jobs gigabytes limit
  jobs=$(nproc)
  gigabytes=$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo)
  limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null)
  if [[ $limit =~ ^[0-9]+$ ]] && ((limit >> 30 < gigabytes)); then gigabytes=$((limit >> 30)); fi
  if ((gigabytes < jobs)); then jobs=$gigabytes; fi
  if ((jobs < 1)); then jobs=1; fi
  echo "${CMAKE_BUILD_PARALLEL_LEVEL:-$jobs}"
}

ninja_progress='^\[[0-9]+/[0-9]+\] '
ninja_check='Re-checking globbed directories|Re-running CMake'
on_ninja_line() {
  printf '%s\n' "$1" >&3
  if [[ $1 =~ $ninja_progress && ! $1 =~ $ninja_check ]]; then status="building $1"; fi
}

# build FOLDER [TARGET...]: everything when no target is named.
build() {
  local folder=$1 log=$1/build.log
  shift
  begin 'building'
  exec 3>"$log"
  NINJA_STATUS='[%f/%t] ' ninja -C "$folder" -j "$(compile_jobs)" "$@" 2>&1 | follow on_ninja_line
  local result=${PIPESTATUS[0]}
  exec 3>&-
  stop_if_interrupted
  if ((result)); then
    clear_status
    grep -vE "$ninja_progress|^ninja: Entering" "$log"
    say "${red}the build failed${off}; the lines above are in $(shown_path "$log")"
    return 1
  fi
  if grep -q '^ninja: no work to do' "$log"; then
    say 'built: nothing was out of date'
  else
    say "built in $((SECONDS - started)) s"
  fi
}
