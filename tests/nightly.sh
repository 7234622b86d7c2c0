#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What takes too long for every commit: thread sanitizer, label "nightly" (long reference runs, monkey tests),
# and the same golden runs from gcc debug and clang builds, whose fingerprints must equal the committed ones.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
cd "$root"
./app/install-deps.sh nightly
export CTEST_OUTPUT_ON_FAILURE=1 QT_QPA_PLATFORM=offscreen
failed=0

build() { # preset [cmake options]
  local preset=$1
  shift
  cmake --preset "$preset" "$@" && cmake --build "$dir"
}
run() { # name dir ctest-options...
  echo "== $1"
  local dir=$2
  shift 2
  ctest --test-dir "$dir" --no-tests=error -j "$(nproc)" --timeout 3600 "$@" </dev/null || failed=1
}

dir=build/tsan build tsan
run "thread sanitizer" build/tsan -LE '^(nightly|xvfb|structure|bench)$'

dir=build/release build release
if ctest --test-dir build/release -N -L '^nightly$' | grep -q 'Test *#'; then
  run "nightly" build/release -L '^nightly$'
fi

dir=build/dev build dev
run "debug build" build/dev -LE '^(nightly|xvfb|structure|bench)$'

if command -v clang++ >/dev/null; then
  dir=build/clang build core-only -B build/clang -DCMAKE_CXX_COMPILER=clang++
  run "clang build" build/clang -LE '^(nightly|xvfb|structure|bench)$'
else
  echo "clang++ is missing" >&2
  failed=1
fi
exit "$failed"
