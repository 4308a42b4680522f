#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# What Dockerfile and apptainer.def do inside their containers, on Debian 12 and as root:
#
#   packaging/container.sh [PREFIX]
#
# Installs the packages of jobs/setup.sh, builds Regroup without its tests, and installs it into
# PREFIX, which is /usr/local where none is given. What only the build needed goes away.
set -euo pipefail

if [[ ${1-} == -* ]]; then
  sed -n '4,/^set /{/^set /d; s/^# \{0,1\}//; p}' "${BASH_SOURCE[0]}"
  [[ $1 == --help || $1 == -h ]] && exit 0
  exit 2
fi
prefix=${1:-/usr/local}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$PWD/build-container

jobs/setup.sh
cmake --preset release -B "$build" -D REGROUP_TESTS=OFF
cmake --build "$build" -j "$(nproc)"
cmake --install "$build" --prefix "$prefix"
rm -rf "$build"
