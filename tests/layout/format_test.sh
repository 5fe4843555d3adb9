#!/usr/bin/env bash
# Every C++ file is formatted as .clang-format says. Left out (exit code 77) without clang-format,
# and with another major version than the one the files were formatted with: versions differ.
wanted=14
root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)

version=$(clang-format --version 2>/dev/null)
if [[ ! $version =~ version\ $wanted\. ]]; then
  echo "left out: wanted clang-format $wanted, found ${version:-none on the PATH}"
  exit 77
fi
find "$root/src" "$root/labs" "$root/tests" -name '*.[hc]pp' -print0 |
  xargs -0 clang-format --dry-run --Werror --ferror-limit=1
