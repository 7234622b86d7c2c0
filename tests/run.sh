#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds and runs the tests: release (everything; the window's tests offscreen and under Xvfb) and asan (core, CLI).
#
#   tests/run.sh [all|quick|release|asan] [ctest options...]
#     all      release, then asan (default)
#     quick    release build, label "quick" only: under three minutes once built
#     release, asan   one half
#
# The last line says how many tests were executed (skipped ones do not count).
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
cd "$root"

what=all
case ${1:-} in all|quick|release|asan) what=$1; shift ;; esac
case $what in asan) ./app/install-deps.sh core ;; *) ./app/install-deps.sh ;; esac

export CTEST_OUTPUT_ON_FAILURE=1
export QT_QPA_PLATFORM=offscreen
jobs=$(nproc)
total=0 failed=0 summary=()

build() { # preset
  echo "== build $1"
  mkdir -p "build/$1"
  cmake --preset "$1" >"build/$1/configure.log" 2>&1 || { cat "build/$1/configure.log" >&2; exit 1; }
  cmake --build --preset "$1"
}
# suite NAME PRESET COMMAND...: runs ctest, keeps its log, adds what it executed to the total.
suite() {
  local name=$1 preset=$2 count status=0
  shift 2
  local log=build/$preset/ctest-$name.log
  echo "== test $name"
  "$@" --test-dir "build/$preset" --no-tests=error -j "$jobs" --timeout 300 </dev/null 2>&1 | tee "$log" || status=1
  count=$(grep -cE '^ *[0-9]+/[0-9]+ Test +#.*( Passed|\*\*\*(Failed|Exception|Timeout))' "$log" || true)
  total=$((total + count)) failed=$((failed | status))
  summary+=("$name: $count executed, $(grep -E 'tests passed' "$log" || echo 'no summary from ctest')")
}

# -LE takes labels out: nightly runs in tests/nightly.sh, xvfb needs an X server.
case $what in
  quick)
    build release
    suite quick release ctest -L quick "$@" ;;
  all|release)
    build release
    suite release release ctest -LE '^(nightly|xvfb)$' "$@"
    if grep -qs xvfb build/release/tests/*/CTestTestfile.cmake; then
      unset QT_QPA_PLATFORM
      suite xvfb release xvfb-run -a -s '-screen 0 1920x1200x24' ctest -L '^xvfb$' "$@"
      export QT_QPA_PLATFORM=offscreen
    fi ;;&
  all|asan)
    build asan
    # Structure tests look at sources, benchmarks at speed: both say nothing new under a sanitizer.
    suite asan asan ctest -LE '^(nightly|xvfb|structure|bench)$' "$@" ;;
esac

echo "== summary"
printf '%s\n' "${summary[@]}"
echo "executed tests: $total"
exit "$failed"
