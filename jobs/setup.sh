#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Installs missing packages for building, running and plotting.
#
#   jobs/setup.sh                on Debian and Ubuntu, as root or with sudo
#   jobs/setup.sh --python       also packages for walkers in Python
#   jobs/setup.sh --tests        also those, and packages for tests/run.sh
#   jobs/setup.sh --prefix DIR   without root: unpacks Debian packages into DIR
#
# Libraries are searched on the system and in CMAKE_PREFIX_PATH, programs
# and Python modules in PATH, which environment modules, Spack and conda
# set. If nothing is missing, nothing is installed. On systems without
# apt-get, missing packages are only listed.
#
# --prefix needs a C++ compiler and apt repositories. It writes DIR/env.sh;
# run `source DIR/env.sh` before you build or run Regroup.
set -euo pipefail

# Debian package, and how it is recognized: a program, header or module.
needs='
g++                      program g++
cmake                    program cmake
make                     program make
ninja-build              program ninja
git                      program git
mpich                    program mpiexec
libmpich-dev             program mpicxx
libyaml-cpp-dev          header  yaml-cpp/yaml.h
libcli11-dev             header  CLI/CLI.hpp
libfmt-dev               header  fmt/format.h
nlohmann-json3-dev       header  nlohmann/json.hpp
libcsv-dev               header  csv.h
libutfcpp-dev            header  utf8.h
librandom123-dev         header  Random123/philox.h
libpugixml-dev           header  pugixml.hpp
libre2-dev               header  re2/re2.h
libjemalloc-dev          header  jemalloc/jemalloc.h
python3-matplotlib       module  matplotlib
python3-pandas           module  pandas
python3-jinja2           module  jinja2
python3-plotly           module  plotly'
python_needs='
pybind11-dev             header  pybind11/pybind11.h
python3-dev              program python3-config
python3-numpy            module  numpy'
test_needs='
python3-emcee            module  emcee
python3-mpi4py           module  mpi4py
libgtest-dev             header  gtest/gtest.h
libgmock-dev             header  gmock/gmock.h
libbenchmark-dev         header  benchmark/benchmark.h
openmpi-bin              program mpiexec.openmpi
libopenmpi-dev           program mpicxx.openmpi
libsimgrid-dev           program smpicxx
liblammps-dev            header  lammps/library.h
clang-format             program clang-format
ccache                   program ccache
python3-pytest           module  pytest
python3-pytest-xdist     module  xdist
mkdocs                   program mkdocs
chromium                 program chromium'

usage() { sed -n '4,/^set /{/^set /d; s/^# \{0,1\}//; p}' "${BASH_SOURCE[0]}"; }
complain() { printf 'setup: %s\n' "$*" >&2; }

prefix=
while (($# > 0)); do
  case $1 in
    --python) needs+=$python_needs ;;
    --tests) needs+=$python_needs$test_needs ;;
    --prefix)
      [[ -n ${2-} ]] || { complain "--prefix: name a folder"; exit 2; }
      prefix=$2
      shift
      ;;
    -h | --help) usage; exit 0 ;;
    *) complain "unknown argument: $1"; usage >&2; exit 2 ;;
  esac
  shift
done

# Determines the missing packages.
missing_packages() {
  local package kind name headers='' found
  local include=()
  local folders=()
  IFS=':;' read -ra folders <<<"${CMAKE_PREFIX_PATH-}"
  for folder in ${folders[@]+"${folders[@]}"}; do include+=(-isystem "$folder/include"); done
  while read -r package kind name; do
    case $kind in
      program) command -v "$name" >/dev/null || echo "$package" ;;
      module)
        /usr/bin/python3 -c "import $name" 2>/dev/null || python3 -c "import $name" 2>/dev/null ||
          echo "$package"
        ;;
      header) headers+="#if !__has_include(<$name>)
missing $package
#endif
" ;;
    esac
  done <<<"$needs"
  # The compiler checks all headers at once; without it, all count as missing.
  if found=$("${CXX:-c++}" -E -P -x c++ ${include[@]+"${include[@]}"} - <<<"$headers" 2>/dev/null); then
    sed -n 's/^missing \(.*\)/\1/p' <<<"$found" | tr -d ' '
  else
    sed -n 's/^missing //p' <<<"$headers"
  fi
}

mapfile -t missing < <(missing_packages)
if ((${#missing[@]} == 0)); then
  printf 'nothing is missing: %s, %s, %s\n' "$("${CXX:-c++}" --version | sed -n 1p)" \
    "$(cmake --version | sed -n 1p)" "$(command -v mpicxx)"
  exit 0
fi

if ! command -v apt-get >/dev/null || ! command -v dpkg >/dev/null; then
  complain "this system has no apt-get; missing:"
  while read -r package kind name; do
    [[ " ${missing[*]} " != *" $package "* ]] ||
      printf '  %-8s %-26s (Debian: %s)\n' "$kind" "$name" "$package" >&2
  done <<<"$needs"
  complain "needed: C++20 (GCC 12, clang 16 or later), CMake 3.25 or later, MPICH or Open MPI;" \
    "docs/installing.md explains modules, Spack and conda"
  exit 2
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
fail() {
  tail -n 20 "$log" >&2
  complain "$*"
  exit 1
}

# Without root: apt with private lists and cache, and the system's list of
# installed packages.
if [[ -n $prefix ]]; then
  [[ " ${missing[*]} " != *" g++ "* ]] ||
    { complain "--prefix does not install a C++ compiler, and none is found"; exit 2; }
  mkdir -p "$prefix/apt/lists/partial" "$prefix/apt/archives/partial" || exit 2
  prefix=$(cd "$prefix" && pwd)
  apt=(-qq -o "Dir::State::lists=$prefix/apt/lists" -o "Dir::Cache=$prefix/apt"
    -o Debug::NoLocking=true -o APT::Sandbox::User=)
  printf 'unpacking into %s: %s\n' "$prefix" "${missing[*]}"
  apt-get "${apt[@]}" update >"$log" 2>&1 || fail "apt-get update failed"
  apt-get "${apt[@]}" -s install --no-install-recommends "${missing[@]}" >"$prefix/apt/plan" 2>"$log" ||
    fail "apt-get does not know how to install: ${missing[*]}"
  mapfile -t packages < <(sed -n 's/^Inst \([^ ]*\) .*/\1/p' "$prefix/apt/plan")
  (cd "$prefix/apt/archives" && apt-get "${apt[@]}" download "${packages[@]}") >"$log" 2>&1 ||
    fail "apt-get could not download: ${packages[*]}"
  for package in "$prefix"/apt/archives/*.deb; do
    dpkg -x "$package" "$prefix" 2>"$log" || fail "$package could not be unpacked"
  done
  rm -rf "$prefix/apt"
  # Redirects absolute links into the prefix.
  find "$prefix" -type l -lname '/*' | while IFS= read -r link; do
    target=$prefix$(readlink "$link")
    [[ ! -e $target ]] || ln -sfn "$target" "$link"
  done
  for module in matplotlib/__init__ plotly/offline/offline; do
    file=$prefix/usr/lib/python3/dist-packages/$module.py
    [[ ! -e $file ]] ||
      sed -Ei "s#'(/usr/share/(matplotlib|python3-plotly)|/etc/matplotlibrc)#'$prefix\1#" "$file"
  done
  multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || "${CXX:-c++}" -print-multiarch)
  libraries=$prefix/usr/lib/$multiarch
  cat >"$prefix/env.sh" <<END
# For bash: source this file before you build or run Regroup.
export PATH="$prefix/usr/bin:\$PATH"
export CMAKE_PREFIX_PATH="$prefix/usr\${CMAKE_PREFIX_PATH:+:\$CMAKE_PREFIX_PATH}"
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
export PYTHONPATH="$prefix/usr/lib/python3/dist-packages\${PYTHONPATH:+:\$PYTHONPATH}"
export CPLUS_INCLUDE_PATH="$prefix/usr/include/$multiarch\${CPLUS_INCLUDE_PATH:+:\$CPLUS_INCLUDE_PATH}"
END
  printf 'now run: source %s/env.sh\n' "$prefix"
  exit 0
fi

if ((EUID == 0)); then
  as_root=()
elif sudo -n true 2>/dev/null; then
  as_root=(sudo -n)
elif command -v sudo >/dev/null && [[ -t 0 ]]; then
  as_root=(sudo)  # may ask for the password
else
  complain "missing packages, and neither root nor sudo to install them: ${missing[*]}"
  complain "without root, jobs/setup.sh --prefix DIR unpacks them below DIR"
  exit 2
fi

apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 \
    -o DPkg::Lock::Timeout=300 "$@" </dev/null
}

printf 'installing, which can take some minutes: %s\n' "${missing[*]}"
# Old lists suffice as long as the packages can be fetched.
apt update >"$log" 2>&1 || complain "apt-get update failed; trying with the old lists"
apt install -y --no-install-recommends "${missing[@]}" >>"$log" 2>&1 ||
  fail "apt-get could not install: ${missing[*]}"
