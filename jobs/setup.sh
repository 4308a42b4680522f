#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Installs what is missing on Debian and Ubuntu; elsewhere it says what is missing. Asks nothing.
#
#   jobs/setup.sh          what building, running and plotting need
#   jobs/setup.sh --tests  also what tests/run.sh needs: Open MPI, SimGrid, clang-format, ccache, pytest,
#                          mkdocs, Chromium
set -euo pipefail

packages=(g++ cmake make ninja-build git mpich libmpich-dev libyaml-dev libcli11-dev libfmt-dev
  nlohmann-json3-dev libcsv-dev libutfcpp-dev librandom123-dev libssl-dev libpugixml-dev libre2-dev libhwloc-dev
  libopen-trace-format2-dev libgtest-dev
  libgmock-dev libbenchmark-dev python3-matplotlib python3-pandas python3-jinja2
  python3-plotly)
test_packages=(openmpi-bin libopenmpi-dev libsimgrid-dev clang-format ccache otf2-tools python3-pytest
  python3-pytest-xdist mkdocs chromium)

commands=(g++ cmake make ninja git mpicxx mpiexec)
test_commands=(clang-format ccache)
modules=(matplotlib pandas jinja2 plotly)
test_modules=(pytest xdist)

case "${1-}" in
  "") ;;
  --tests)
    packages+=("${test_packages[@]}")
    commands+=("${test_commands[@]}")
    modules+=("${test_modules[@]}")
    ;;
  *)
    sed -n 's/^# \{0,1\}//; 4,8p' "$0"
    [[ $1 == --help || $1 == -h ]] && exit 0
    exit 2
    ;;
esac

# Where there is no apt, only what has a name on every system can be looked for; CMake names the
# library that it does not find.
if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  missing=()
  for name in "${commands[@]}"; do
    command -v "$name" >/dev/null || missing+=("$name")
  done
  for name in "${modules[@]}"; do
    python3 -c "import $name" 2>/dev/null || missing+=("python3 with $name")
  done
  ((${#missing[@]} == 0)) && exit 0
  {
    printf 'setup: this system has no apt-get, so nothing can be installed from here.\n'
    printf 'missing:%s\n' "$(printf ' %s,' "${missing[@]}" | sed 's/,$//')"
    printf 'needed in all: a C++20 compiler (GCC 12 or later), CMake 3.25 or later, make, Ninja, git, an\n'
    printf 'MPI library with MPI 3 (MPICH or Open MPI), libyaml, CLI11, fmt, nlohmann-json, libcsv,\n'
    printf 'UTF8-CPP, Random123, OpenSSL, pugixml, RE2, hwloc, GoogleTest with GoogleMock, Google\n'
    printf 'Benchmark, and Python 3 with matplotlib and pandas; for traces also OTF2,\n'
    printf 'for reports also jinja2 and plotly for Python.\n'
    printf 'The tests need also Open MPI beside MPICH, SimGrid, clang-format 14, ccache, pytest,\n'
    printf 'pytest-xdist, mkdocs, Chromium and the tools of OTF2.\n'
  } >&2
  exit 2
fi

installed=" $(dpkg-query -W -f='${db:Status-Status}:${Package} ' "${packages[@]}" 2>/dev/null || true)"
missing=()
for name in "${packages[@]}"; do
  [[ $installed == *" installed:$name "* ]] || missing+=("$name")
done
((${#missing[@]} == 0)) && exit 0

if ((EUID == 0)); then
  as_root=()
elif sudo -n true 2>/dev/null; then
  as_root=(sudo -n)
elif command -v sudo >/dev/null && [[ -t 0 ]]; then
  as_root=(sudo)  # which may ask for the password
else
  printf 'setup: missing packages, and neither root nor sudo to install them. As root:\n' >&2
  printf '  apt-get install --no-install-recommends %s\n' "${missing[*]}" >&2
  exit 2
fi

apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 \
    -o DPkg::Lock::Timeout=300 "$@" </dev/null
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
fail() {
  tail -n 20 "$log" >&2
  printf 'setup: apt-get could not install: %s\n' "${missing[*]}" >&2
  exit 1
}
printf 'installing %s\n' "${missing[*]}"
# Old lists are as good as new ones as long as the packages can be fetched.
apt update >"$log" 2>&1 || printf 'setup: apt-get update failed; trying with the old lists\n' >&2
apt install -y --no-install-recommends "${missing[@]}" >>"$log" 2>&1 || fail
