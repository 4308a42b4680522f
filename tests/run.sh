#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds and tests a clean clone on Debian or Ubuntu:
#
#   tests/run.sh [-D OPTION=VALUE…]          with MPICH, at 1, 2, 4 and 8 ranks: minutes
#   tests/run.sh --all [-D OPTION=VALUE…]    all tests
#
# Both install missing packages first. -D passes options to CMake, such as -D REGROUP_WERROR=ON. --all
# also runs odd and large numbers of ranks, longer random tests, the tests of the documentation and of
# external projects, the sanitizers, the fuzz targets, Open MPI and, where it is installed,
# SimGrid.
#
# The last line counts the cases that passed and failed. The exit code is 1 if one failed.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

usage() { sed -n '4,/^set /{/^set /d; s/^# \{0,1\}//; p}' tests/run.sh; }
cmake_options=()
all=false
while (($# > 0)); do
  case $1 in
    --all) all=true ;;
    -D?*) cmake_options+=("$1") ;;
    -D) (($# > 1)) || { usage >&2; exit 2; }; shift; cmake_options+=("-D$1") ;;
    -h | --help) usage; exit 0 ;;
    *) printf 'run.sh: unknown argument: %s\n\n' "$1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done

for variable in ${!SLURM@} ${!PBS_@} ${!FLUX_@}; do  # ignore the hosts of a surrounding job
  unset "$variable"
done

passed=0
failed=0
failures=()
times=()

# part NAME COMMAND…: runs the command, which counts passed and failed tests, and times it.
part() {
  local name=$1 passed_before=$passed failed_before=$failed began=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  "$@"
  local line
  printf -v line '%-34s %5d passed %4d failed %5d s' "$name" $((passed - passed_before)) \
    $((failed - failed_before)) $((SECONDS - began))
  printf '%s\n' "$line"
  times+=("$line")
}

fail() {
  ((++failed))
  failures+=("$1")
  printf 'FAILED: %s\n' "$1"
}

# build PRESET TARGETS: the output is shown only if the build fails.
build() {
  local directory=build-$1 targets began=$SECONDS
  [[ $1 != release ]] || directory=build
  read -ra targets <<<"$2"
  mkdir -p "$directory"
  if ! { cmake --preset "$1" "${cmake_options[@]}" &&
         cmake --build --preset "$1" --target "${targets[@]}" -j "$(nproc)"; } >"$directory/build.log" 2>&1; then
    grep -E -A5 'error|FAILED' "$directory/build.log" | head -n 60
    fail "build of the preset $1: see $directory/build.log"
    return 1
  fi
  printf 'built in %d s\n' $((SECONDS - began))
}

# Prints "PASSED FAILED": cases in a log of ctest, where tests without case counts are one case.
count_cases() {
  awk '
    function end() {
      if (!counted && !skipped) p = ok
      if (!ok && !skipped && f == 0) f = 1
      passed += p; failed += f
      counted = skipped = ok = p = f = 0
    }
    /^[0-9]+\/[0-9]+ Testing: / { if (open) end(); open = 1 }
    /^\[  PASSED  \] [0-9]+ test/ { p += $4; counted = 1 }
    /^\[  FAILED  \] .* ms\)$/ { ++f }
    /^[0-9].* in [0-9.]+s/ {
      counted = 1
      for (i = 1; i < NF; ++i) {
        if ($(i + 1) ~ /^passed,?$/) p += $i
        if ($(i + 1) ~ /^(failed|errors?),?$/) f += $i
      }
    }
    /^Test Passed\.$/ { ok = 1 }
    /^Test Skipped/ || /SKIP_/ || /^[0-9]+ skipped in / { skipped = 1 }
    END { if (open) end(); print passed + 0, failed + 0 }' "$1"
}

# run_tests PRESET DIRECTORY [OPTION OF ctest…]
run_tests() {
  local preset=$1 directory=$2 code=0
  shift 2
  local log=$directory/Testing/Temporary/LastTest.log
  rm -f "$log"
  ctest --preset "$preset" -j "$(nproc)" "$@" 2>&1 | sed -u '/^ *Start /d; s/ \.\.\.*/ /' || code=1
  local good bad
  read -r good bad < <(count_cases "$log")
  ((code == 0 || bad > 0)) || bad=1
  ((passed += good, failed += bad))
  cp "$log" "$directory/tests.log"
  ((bad > 0)) || return 0
  failures+=("$bad cases of the preset $preset: see $directory/tests.log")
  mapfile -t -O "${#failures[@]}" failures < <(
    grep -aoE '^(\[  FAILED  \] .* ms\)|FAILED .*::.*|in the test .*)' "$log" | cut -c 1-200 | head -n 20)
}

mpich() {
  if "$all"; then
    # Excludes tests that the long tests repeat.
    build release "all all_tests" &&
      run_tests release build -LE simgrid -E '^((unit|explorer)_tests\.[01]|engine\.[28])$'
  else
    build release "all tests" && run_tests release build -LE '^all$'
  fi
}

# Unit tests, range communicators and Janus sort, hostile input, and readers on (mutated) corpora.
sanitizers() {
  build sanitize "regroup unit_tests mpi_tests fuzz_targets" &&
    run_tests sanitize build-sanitize -R '^(unit_tests|range|janus_sort|hostile|fuzz)\.'
}

# The command and its files do not depend on the MPI library.
open_mpi() { build openmpi "all tests_on_mpi" && run_tests openmpi build-openmpi -L 'mpi' -LE '^all$'; }

# The program of the ranks for SimGrid, launched by the command of the preset release.
simgrid() {
  if ! command -v smpicxx >/dev/null; then
    printf 'left out: there is no smpicxx (Debian: libsimgrid-dev)\n'
    return
  fi
  build simgrid regroup-mpi && run_tests release build -L simgrid
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
part "MPICH" mpich
if "$all"; then
  part "sanitizers" sanitizers
  part "Open MPI" open_mpi
  part "SimGrid" simgrid
fi
summary
