# shellcheck shell=bash
# What it takes to look at the pages in a browser. Sourced by pages_test.sh and tests/run.

# Prints the folder in which both packages of npm are; fails when there is none.
browser_modules() {
  local folder
  for folder in "${NODE_PATH:-}" "$(npm root -g 2>/dev/null)" /usr/lib/node_modules \
    /usr/local/lib/node_modules; do
    if [ -d "$folder/axe-core" ] && [ -d "$folder/playwright-core" ]; then
      printf '%s' "$folder"
      return 0
    fi
  done
  return 1
}

# Prints what is missing, nothing when all is there.
browser_missing() {
  local missing=()
  if ! command -v chromium >/dev/null; then missing+=('chromium (apt-get install chromium)'); fi
  if ! command -v node >/dev/null; then
    missing+=('node (apt-get install nodejs)')
  elif ! browser_modules >/dev/null; then
    missing+=('axe-core and playwright-core (npm install -g axe-core playwright-core)')
  fi
  if ((${#missing[@]})); then printf '%s' "${missing[0]}${missing[1]:+ and ${missing[1]}}"; fi
}
