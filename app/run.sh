#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# From a fresh clone to a running program: installs what is missing, builds the programs, starts.
#
#   app/run.sh [SCENARIO] [options...]
#
# SCENARIO is a file, a folder or an id such as 01-basics/01-two-hogs; without one the default scenario opens.
# Everything is passed on to the program. Without a display the same scenario runs in runqscope-cli.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
default_scenario=$root/scenarios/02-shared-runq/01-hackbench-7950x/scenario.json

"$root/app/install-deps.sh"
(
  cd "$root"
  log=build/release/configure.log
  mkdir -p build/release
  cmake --preset release >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
  cmake --build --preset release --target runqscope runqscope-cli
) >&2

# The first argument names the scenario unless it is an option.
if [ $# -eq 0 ] || [ "${1#-}" != "$1" ]; then set -- "$default_scenario" "$@"; fi

bin=$root/build/release/app
if [ -n "${DISPLAY:-}" ] || [ -n "${WAYLAND_DISPLAY:-}" ] || [ -n "${QT_QPA_PLATFORM:-}" ]; then
  exec "$bin/runqscope" "$@"
fi
echo "No display (DISPLAY and WAYLAND_DISPLAY are unset): running in the command line program instead." >&2
for arg in "$@"; do
  case $arg in --help|-h|--version) exec "$bin/runqscope-cli" "$arg" ;; esac
done
exec "$bin/runqscope-cli" run "$@"
