#!/usr/bin/env bash
# The pages in Chromium: Axe finds nothing to complain about, nothing is fetched, nothing sticks out
# of a phone's screen, the interactive ones answer to pointer and keys, and all is there without
# scripts. $1: the build folder. Left out (exit code 77) where the browser or its tools are missing.
here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=tests/pages/browser.sh
source "$here/browser.sh"

absent=$(browser_missing)
if [ -n "$absent" ]; then
  echo "left out: there is no $absent"
  exit 77
fi
pages=$(mktemp -d) || exit 1
trap 'rm -rf "$pages"' EXIT
"$1/lab01_sinusoid" --out "$pages/lab01" >/dev/null &&
  "$1/phasor" figures D1-F3 --out "$pages/lab03" &&
  "$1/phasor" claims --lab 01 --results "$pages" --page "$pages/claims.html" >/dev/null &&
  "$1/lab_gallery" "$pages" >/dev/null || exit 1
PLAYWRIGHT_MODULES=$(browser_modules) node "$here/pages_test.mjs" "$pages"
