#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The one list of Debian 12 packages. Installs what is missing; touches no network when nothing is.
#
#   app/install-deps.sh [core|all|nightly] [--list]
#     core     what the core, the CLI and their tests need (no Qt)
#     all      plus the GUI and its tests (default)
#     nightly  plus the second compiler
#     --list   print the packages of the set and stop
#
# Exit status: 0 everything is there, 2 something is missing and could not be installed.
set -euo pipefail

core=(
  cmake ninja-build g++ ccache python3
  libfmt-dev libboost-graph-dev rapidjson-dev libvalijson-dev libcli11-dev zlib1g-dev
  libgtest-dev libgmock-dev libbenchmark-dev
)
gui=(
  qt6-base-dev qt6-svg-dev libqcustomplot-dev libgl-dev
  fonts-dejavu-core xvfb xauth
)
nightly=(clang)

set_name=all
list_only=false
for arg in "$@"; do
  case $arg in
    core|all|nightly) set_name=$arg ;;
    --list) list_only=true ;;
    *) echo "install-deps.sh: unknown argument '$arg' (core, all, nightly, --list)" >&2; exit 2 ;;
  esac
done
packages=("${core[@]}")
[ "$set_name" = core ] || packages+=("${gui[@]}")
[ "$set_name" != nightly ] || packages+=("${nightly[@]}")

if $list_only; then
  printf '%s\n' "${packages[@]}"
  exit 0
fi
if ! command -v dpkg-query >/dev/null; then
  echo "install-deps.sh: not a Debian system; these packages, under their Debian 12 names, are needed:" >&2
  echo "  ${packages[*]}" >&2
  echo "Going on; CMake will name what it cannot find." >&2
  exit 0
fi

missing=()
installed=$(dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' "${packages[@]}" 2>/dev/null || true)
for package in "${packages[@]}"; do
  grep -qxE "ii +$(sed 's/[+.]/\\&/g' <<<"$package")" <<<"$installed" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

give_up() {
  echo "install-deps.sh: $1. Missing packages:" >&2
  echo "  ${missing[*]}" >&2
  echo "Install them with: apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
  exit 2
}
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || give_up "not root and there is no sudo"
  # Without a terminal sudo could only wait for a password that never comes.
  if [ -t 0 ]; then as_root=(sudo); else
    sudo -n true 2>/dev/null || give_up "not root and sudo wants a password"
    as_root=(sudo -n)
  fi
fi
echo "Installing: ${missing[*]}"
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0)
"${apt[@]}" update </dev/null || give_up "apt-get update failed"
"${apt[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null || give_up "apt-get install failed"
