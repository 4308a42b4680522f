#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# All tests, from a clean clone on Debian or Ubuntu:
#
#   tests/run.sh [-D OPTION=VALUE…]    options for CMake, such as -D REGROUP_WERROR=ON
#
# Installs missing packages, then builds and tests three times: with
# MPICH (all tests), with the address and undefined-behaviour sanitizers (the unit tests, the command on
# hostile input, the fuzz targets), and with Open MPI (those tests that need MPI). Where there is
# SimGrid, whole runs of the MPI program on it come last. The last line counts the tests of all parts.
# Exit code 1 where one failed.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

usage() { sed -n '4,/^set /{/^set /d; s/^# \{0,1\}//; p}' tests/run.sh; }
cmake_options=()
while (($# > 0)); do
  case $1 in
    -D?*) cmake_options+=("$1") ;;
    -D) (($# > 1)) || { usage >&2; exit 2; }; shift; cmake_options+=("-D$1") ;;
    -h | --help) usage; exit 0 ;;
    *) printf 'run.sh: unknown argument: %s\n\n' "$1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done

for variable in ${!SLURM@} ${!PBS_@} ${!FLUX_@}; do  # of a job in which we may be: its hosts are not meant
  unset "$variable"
done

passed=0
failed=0
failures=()
times=()

# part NAME COMMAND…: runs the command, which counts what passed and what failed, and times it.
part() {
  local name=$1 passed_before=$passed failed_before=$failed began=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  "$@"
  local line
  printf -v line '%-34s %4d passed %4d failed %5d s' "$name" $((passed - passed_before)) \
    $((failed - failed_before)) $((SECONDS - began))
  printf '%s\n' "$line"
  times+=("$line")
}

fail() {
  ((++failed))
  failures+=("$1")
  printf 'FAILED: %s\n' "$1"
}

# build PRESET DIRECTORY TARGETS: what it says is shown where it fails.
build() {
  local targets
  read -ra targets <<<"$3"
  mkdir -p "$2"
  if ! { cmake --preset "$1" "${cmake_options[@]}" && cmake --build --preset "$1" --target "${targets[@]}" -j "$(nproc)"; } \
    >"$2/build.log" 2>&1; then
    tail -n 60 "$2/build.log"
    fail "build of the preset $1: all of its output is in $2/build.log"
    return 1
  fi
}

# build_and_test PRESET DIRECTORY TARGETS [OPTION OF ctest…]
build_and_test() {
  local preset=$1 directory=$2 targets=$3
  shift 3
  local began=$SECONDS
  build "$preset" "$directory" "$targets" || return
  printf 'built in %d s\n' $((SECONDS - began))
  run_tests "$preset" "$directory" "$@"
}

# run_tests PRESET DIRECTORY [OPTION OF ctest…]: the log goes to the directory.
run_tests() {
  local preset=$1 directory=$2
  shift 2
  local log=$directory/tests.log code=0
  ctest --preset "$preset" -j2 --timeout 300 "$@" 2>&1 | tee "$log" |
    sed -u "/^ *Start /d; s/ \.\.\.*/ /" || code=1
  local all bad skipped
  read -r bad all < <(sed -n 's/.* \([0-9]*\) tests failed out of \([0-9]*\)$/\1 \2/p' "$log") ||
    { bad=0 all=0; }
  skipped=$(grep -c '^[[:space:]]*[0-9]* - .* (Skipped)$' "$log")
  ((skipped == 0)) || printf '%d tests were skipped: they count as neither\n' "$skipped"
  ((passed += all - bad - skipped, failed += bad))
  ((bad == 0)) || failures+=("$bad tests of the preset $preset: see $log")
  ((code == 0 || bad > 0)) || fail "ctest of the preset $preset: see $log"
}

# Every reader on its corpus and on mutations of it: by libFuzzer where clang has it, else by a replay
# of our own.
fuzz() {
  # Debian 12's clang 14 has no std::source_location, which the sources use.
  local target='#include <source_location>
    extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) {
      return std::source_location::current().line() > 99; }'
  if clang++ -std=c++20 -fsanitize=fuzzer -x c++ - -o /dev/null <<<"$target" 2>/dev/null; then
    build_and_test fuzz build-fuzz fuzz_targets -L fuzz
  else
    build_and_test sanitize build-sanitize fuzz_targets -L fuzz
  fi
}

# The program of the ranks for SimGrid, launched by the command of the preset release.
simgrid() {
  if ! command -v smpicxx >/dev/null; then
    printf 'left out: there is no smpicxx (Debian: libsimgrid-dev)\n'
    return
  fi
  build simgrid build-simgrid regroup-mpi || return
  run_tests release build-simgrid -L simgrid
}

set_up() { jobs/setup.sh --tests || fail "set-up: nothing else was done"; }

summary() {
  printf '\n== summary\n'
  printf '%s\n' "${times[@]}"
  ((failed == 0)) || printf 'FAILED: %s\n' "${failures[@]}"
  printf 'in all %d s\n' "$SECONDS"
  printf '%d passed, %d failed\n' "$passed" "$failed"
  ((failed == 0))
}

part "set-up" set_up
((failed == 0)) || { summary; exit 1; }
part "MPICH, and all without MPI" build_and_test release build "all tests" -LE simgrid
part "sanitizers" build_and_test sanitize build-sanitize "unit_tests jobs_tests regroup" -L 'unit|hostile'
part "fuzz targets, sanitizers" fuzz
# What is of the command and its files alone has nothing to do with the MPI library; and numbers of ranks
# differ in our code, not in the library's, but in range_random, which compares the two.
part "Open MPI" build_and_test openmpi build-openmpi "all tests" \
  -LE 'unit|explorer|plots|docs|simgrid|hostile|micro|outside|command' -E '[^m]_(1|2|5|17)$'
part "SimGrid" simgrid
summary
