# shellcheck shell=bash
# labs/run --notebooks: installs what notebooks need, builds the Python module, executes them.
# Sourced by labs/run, whose variables it uses, and by tests/run for its list of packages.
# shellcheck disable=SC2034,SC2154 # set or read there and in setup.sh

notebook_packages=(pybind11-dev python3-dev python3-numpy python3-matplotlib python3-ipykernel
  jupyter-nbconvert jupyter-notebook)

# The Python that the module in folder $1 is built for.
python_of() { sed -n 's/^_Python3_EXECUTABLE:INTERNAL=//p' "$1/CMakeCache.txt"; }

# A line of notebooks/execute.py: what begins is the status, all else is shown.
on_notebook_line() {
  printf '%s\n' "$1" >&3
  case $1 in
    'executing '*) status=$1 ;;
    *) say "$1" ;;
  esac
}

# Says what notebooks lack when nothing was to be installed.
explain_missing_module() {
  say "${red}the Python module was not built${off}: its packages are not all there" >&2
  say "sudo apt-get install --no-install-recommends ${notebook_packages[*]}" >&2
  exit 2
}

# Executes the notebooks of the chosen labs, or all; exits with 1 when one fails.
run_notebooks() {
  local name names=()
  if ((${#options[@]})); then wrong_use "--notebooks takes labs and --out, got ${options[*]}"; fi
  for name in "${chosen[@]}"; do names+=("${name#lab}"); done
  packages+=("${notebook_packages[@]}")
  if [ "$install" = yes ]; then install_missing; fi
  configure native "$root/build" module || exit 1
  if ! has_module "$root/build"; then explain_missing_module; fi
  build "$root/build" phasor_python || exit 1
  mkdir -p "$out/notebooks" || exit 1
  begin 'executing'
  exec 3>"$out/notebooks/log.txt"
  "$(python_of "$root/build")" "$root/notebooks/execute.py" --out "$out/notebooks" "${names[@]}" 2>&1 </dev/null |
    follow on_notebook_line
  local result=${PIPESTATUS[0]}
  exec 3>&-
  stop_if_interrupted
  clear_status
  if ((result)); then exit "$result"; fi
  say "to read them: $(shown_path "$out/notebooks")/*.html"
  say "to work in them: jupyter notebook $(shown_path "$root/notebooks")"
  say "${green}all is well$off"
}
