#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Do the tests notice? Changes the sources in one small way after the other, and runs the tests that
# ought to fail then. The changes are the lists in tests/mutants/; how a list is written stands at
# the top of the first.
#
#   tests/mutants.sh                 all of them: an hour, in a copy of the tree
#   tests/mutants.sh --only REGEX    those whose name, or whose file, matches
#   tests/mutants.sh --from NAME     from that one on, to take up a run that was interrupted
#   tests/mutants.sh --pure          those that tests without MPI notice
#   tests/mutants.sh --check         only looks whether the lists fit the sources: at once
#   tests/mutants.sh --list          their names, files and tests
#
# The copy, its build and all logs are in build-mutants, or where REGROUP_MUTANTS says. Exit code 1
# where one survives without a reason in the list, does not build, or is killed in spite of its
# reason; 2 where a list does not fit the sources.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
export LC_ALL=C # bytes will do, and are faster

tree=${REGROUP_MUTANTS:-$PWD/build-mutants}
jobs=$(nproc)
limit_s=60  # of one program of tests on the sources as they are
declare -A limits_s=() # … on mutants: five times what it took then, and 15 s
only='' from='' pure=false action=run

usage() { sed -n '4,/^set /{/^set /d; s/^# \{0,1\}//; p}' tests/mutants.sh; }

while (($#)); do
  case $1 in
    --only) only=${2-}; shift ;;
    --from) from=${2-}; shift ;;
    --pure) pure=true ;;
    --check | --list) action=${1#--} ;;
    --help | -h) usage; exit ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done

# ---- the lists

names=() files=() tests=() olds=() news=() reasons=()
wrong=0

complain() {
  printf '%s\n' "$1" >&2
  ((++wrong))
}

# Lines of one text are joined; the marker and the blank after it are no part of it.
add_line() {
  local -n text=$1
  [[ ${text[last]} == "$nothing" ]] && text[last]=$2 || text[last]+=$'\n'$2
}

read_list() {
  local line file='' default='' number=0 last
  local nothing=$'\1'
  while IFS= read -r line || [[ -n $line ]]; do
    ((++number))
    last=$((${#names[@]} - 1))
    case $line in
      '' | '#'*) ;;
      '@ '*) read -r file default <<<"${line:2}" ;;
      '! '*)
        names+=("${line:2}") files+=("$file") tests+=("$default")
        olds+=("$nothing") news+=("$nothing") reasons+=("$nothing")
        ;;
      '? '*) tests[last]=${line:2} ;;
      '- '* | '-') add_line olds "${line:2}" ;;
      '+ '* | '+') add_line news "${line:2}" ;;
      '= '*) add_line reasons "${line:2}" ;;
      *) complain "$1:$number: no line of a list: $line" ;;
    esac
  done <"$1"
}

read_lists() {
  local list i
  for list in tests/mutants/*.txt; do read_list "$list"; done
  for i in "${!names[@]}"; do
    [[ ${news[i]} == $'\1' ]] && news[i]=
    [[ ${reasons[i]} == $'\1' ]] && reasons[i]=
  done
}

check_lists() {
  local -A seen=()
  local i content without
  for i in "${!names[@]}"; do
    [[ -z ${seen[${names[i]}]:-} ]] || complain "${names[i]}: there are two of that name"
    seen[${names[i]}]=yes
    [[ -n ${tests[i]} ]] || complain "${names[i]}: no test is named"
    [[ ${olds[i]} != "${news[i]}" ]] || complain "${names[i]}: changes nothing"
    [[ -r ${files[i]} ]] || { complain "${names[i]}: ${files[i]} cannot be read"; continue; }
    content=$(<"${files[i]}")
    without=${content//"${olds[i]}"/}
    case $(((${#content} - ${#without}) / ${#olds[i]})) in
      0) complain "${names[i]}: ${files[i]} does not have: ${olds[i]}" ;;
      1) ;;
      *) complain "${names[i]}: ${files[i]} has more than once: ${olds[i]}" ;;
    esac
  done
  ((wrong == 0))
}

# ---- the copy of the tree

sources() {
  git ls-files --cached --others --exclude-standard 2>/dev/null | grep . ||
    find . -path './build*' -prune -o -type f -printf '%P\n'
}

# A file is copied only where it differs, so that builds stay incremental from run to run.
copy_tree() {
  local file
  mkdir -p "$tree/source"
  sources | sort >"$tree/files"
  while IFS= read -r file; do
    cmp -s "$file" "$tree/source/$file" && continue
    mkdir -p "$(dirname "$tree/source/$file")" && cp "$file" "$tree/source/$file"
  done <"$tree/files"
  # What the tree no longer has must not be built.
  find "$tree/source" -type f -printf '%P\n' | sort | comm -13 "$tree/files" - |
    while IFS= read -r file; do rm -f "$tree/source/$file"; done
}

configure() {
  local options=(-DCMAKE_BUILD_TYPE=None '-DCMAKE_CXX_FLAGS=-O1 -w' '-DCMAKE_C_FLAGS=-O1 -w'
    -DCMAKE_GTEST_DISCOVER_TESTS_DISCOVERY_MODE=PRE_TEST -DREGROUP_MPI_TEST_TIMEOUT=0)
  if command -v ccache >/dev/null; then
    options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_C_COMPILER_LAUNCHER=ccache)
    export CCACHE_BASEDIR=$tree
  fi
  cmake -S "$tree/source" -B "$tree/build" -G Ninja "${options[@]}" >"$tree/configure.log" 2>&1 || {
    tail -n 40 "$tree/configure.log"
    exit 2
  }
}

# ---- one test: PROGRAM, PROGRAM:FILTER, PROGRAM@RANKS or PROGRAM@RANKS:FILTER

target_of() {
  local program=${1%%[@:]*}
  case $program in
    unit | jobs | explorer) printf '%s_tests' "$program" ;;
    *) printf '%s' "$program" ;;
  esac
}

build_for() {
  local test targets=()
  for test in "$@"; do targets+=("$(target_of "$test")"); done
  ninja -C "$tree/build" -j "$jobs" "${targets[@]}" >"$tree/build.log" 2>&1
}

run_test() {
  local program=${1%%:*} filter='*'
  local limit=${limits_s[$1]:-$limit_s}
  [[ $1 == *:* ]] && filter=${1#*:}
  if [[ $program == *@* ]]; then
    GTEST_FILTER=$filter ctest --test-dir "$tree/build" -R "^${program/@/_}\$" --timeout "$limit" \
      --no-tests=error --output-on-failure >"$tree/test.log" 2>&1
    return
  fi
  (
    ulimit -v 8000000 # KB: what never ends also takes no end of memory
    GTEST_FILTER=$filter GTEST_FAIL_FAST=1 GTEST_BRIEF=1 \
      timeout -k 5 "$limit" "$tree/build/$(target_of "$program")" >"$tree/test.log" 2>&1
  ) 2>/dev/null # where the shell would tell of a crash
}

# ---- one mutant

mutate() {
  local content
  content=$(<"$1")
  printf '%s\n' "${content/"$2"/"$3"}" >"$1.mutant" && mv "$1.mutant" "$1"
}

# Answers in `verdict`.
try() {
  local i=$1 test
  local file=$tree/source/${files[i]}
  mutate "$file" "${olds[i]}" "${news[i]}"
  verdict=survived
  # shellcheck disable=SC2086
  if ! build_for ${tests[i]}; then
    verdict='did not build'
    mkdir -p "$tree/logs" && cp "$tree/build.log" "$tree/logs/${names[i]}.log"
  else
    for test in ${tests[i]}; do
      run_test "$test" && continue
      verdict="killed by $test"
      break
    done
  fi
  cp "${files[i]}" "$file" # as new as the mutant was, so that it is compiled again
}

selected() {
  local i=$1
  [[ -z $only || ${names[i]} =~ $only || ${files[i]} =~ $only ]] || return 1
  ! $pure || [[ ${tests[i]} != *@* ]]
}

# Tests that fail on the sources as they are notice nothing.
check_tests() {
  local i test began
  local -A all=()
  for i in "$@"; do
    for test in ${tests[i]}; do all[$test]=yes; done
  done
  printf 'building and running %d tests on the sources as they are\n' "${#all[@]}"
  build_for "${!all[@]}" || { tail -n 40 "$tree/build.log"; exit 2; }
  for test in "${!all[@]}"; do
    began=$SECONDS
    run_test "$test" && { limits_s[$test]=$((15 + 5 * (SECONDS - began))); continue; }
    grep -v -e Skipped -e '^$' "$tree/test.log" | tail -n 40
    printf '%s fails on the sources as they are\n' "$test" >&2
    exit 2
  done
}

run_all() {
  local i began number=0 verdict chosen=() survivors=() killed=0 explained=0 unbuilt=0 refuted=0
  for i in "${!names[@]}"; do
    [[ -n $from && ${names[i]} != "$from" ]] && continue
    from=
    ! selected "$i" || chosen+=("$i")
  done
  ((${#chosen[@]})) || { printf 'no mutant matches\n' >&2; exit 2; }
  mkdir -p "$tree"
  exec 9>"$tree/lock"
  flock -n 9 || { printf '%s is in use by another run\n' "$tree" >&2; exit 2; }
  copy_tree
  configure
  check_tests "${chosen[@]}"
  for i in "${chosen[@]}"; do
    began=$SECONDS
    try "$i"
    case $verdict in
      killed*)
        ((++killed))
        [[ -z ${reasons[i]} ]] || { ((++refuted)); verdict+=', in spite of its reason'; }
        ;;
      survived)
        if [[ -n ${reasons[i]} ]]; then
          ((++explained))
          verdict="survived: ${reasons[i]//$'\n'/ }"
        else
          survivors+=("${names[i]} (${files[i]})")
        fi
        ;;
      *) ((++unbuilt)) ;;
    esac
    printf '[%3d/%d] %-44s %4d s  %s\n' $((++number)) ${#chosen[@]} "${names[i]}" \
      $((SECONDS - began)) "$verdict"
  done
  printf '\n%d mutants in %d s: %d killed, %d equivalent with a reason, %d survived, ' \
    ${#chosen[@]} "$SECONDS" "$killed" "$explained" ${#survivors[@]}
  printf '%d did not build\n' "$unbuilt"
  ((${#survivors[@]} == 0)) || printf 'survived: %s\n' "${survivors[@]}"
  ((refuted == 0)) || printf '%d were killed in spite of their reason\n' "$refuted"
  ((${#survivors[@]} + unbuilt + refuted == 0))
}

main() {
  local i
  read_lists
  check_lists || { printf '%d mistakes in the lists of mutants\n' "$wrong" >&2; exit 2; }
  case $action in
    check) printf '%d mutants fit the sources\n' ${#names[@]} ;;
    list)
      for i in "${!names[@]}"; do
        ! selected "$i" || printf '%-44s %-40s %s\n' "${names[i]}" "${files[i]}" "${tests[i]}"
      done
      ;;
    run) run_all ;;
  esac
}

main; exit # in one line: the script may change while it runs
