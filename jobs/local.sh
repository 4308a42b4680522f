#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Creates tables and pictures on this machine, from a fresh clone:
#
#   jobs/local.sh configs/demo.yaml
#   jobs/local.sh CONFIG [OPTIONS OF regroup run]
#
# Installs missing packages (Debian, Ubuntu), builds Regroup in build/,
# executes CONFIG, verifies the results, and adds a table, pictures and a
# report to them. Results are stored in results/EXPERIMENT of the
# repository, or in the directory of --out. Without --overwrite, a second
# call runs only the missing tasks (--resume). 'build/regroup run --help'
# describes all options.
#
# Exit code: that of 'regroup run' (0 all tasks ended well, 1 some did not,
# 2 error in CONFIG or the command line, 75 some tasks have no result, 130
# interrupted), or 1 if another step failed.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
regroup=$root/build/regroup

usage() { sed -n '4,/^set /{/^set /d; s/^# \{0,1\}//; p}' "${BASH_SOURCE[0]}"; }
heading() { printf '\n== %s\n' "$*"; }
complain() { printf 'local.sh: %s\n' "$*" >&2; }

(($# > 0)) || { usage >&2; exit 2; }
for argument; do
  [[ $argument == --help || $argument == -h ]] && { usage; exit 0; }
done
config=$1
shift
[[ $config != -* ]] || { complain "the configuration comes first (see --help)"; exit 2; }
# Relative to the working directory, or else to the repository.
[[ -e $config || ! -e $root/$config ]] || config=$root/$config
[[ -f $config ]] || { complain "$config: no such file"; exit 2; }

out=
for ((i = 1; i <= $#; ++i)); do
  case ${!i} in
    --out) next=$((i + 1)); out=${!next-} ;;
    --out=*) out=${!i#--out=} ;;
  esac
done

heading "Set-up"
"$root/jobs/setup.sh" || exit 1

heading "Build"
log=$root/build/build.log
mkdir -p "$root/build"
# Shows Ninja's progress, [12/345], on one line.
progress() {
  local line percent shown=-1
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    percent=$((100 * BASH_REMATCH[1] / BASH_REMATCH[2]))
    if [[ -t 1 ]]; then
      printf '\r%3d %% of %d steps' "$percent" "${BASH_REMATCH[2]}"
    elif ((percent / 10 > shown / 10)) || ((shown < 0)); then
      printf '%d %% ' "$percent"
    fi
    shown=$percent
  done
  ((shown < 0)) || printf '\n'
}
build() (
  cd "$root"
  # A moved or copied tree contains the CMake cache of another folder.
  fresh=()
  if [[ -e build/CMakeCache.txt ]] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" build/CMakeCache.txt; then
    fresh=(--fresh)
  fi
  cmake --preset release ${fresh[@]+"${fresh[@]}"} && cmake --build --preset release -j "$(nproc)"
)
if ! build 2>&1 | tee "$log" | progress; then
  tail -n 40 "$log" >&2
  complain "the build failed; its output is in $log"
  exit 1
fi
"$regroup" --version

heading "Runs"
brief=$("$regroup" plan --brief "$config") || exit
read -r kind name <<<"$brief"  # kind: run, or that of the measurements
if [[ -z $out ]]; then
  out=$root/results/$name
  set -- "$@" --out "$out"
fi

code=0
resume=--resume
[[ " $* " != *" --overwrite "* ]] || resume=
"$regroup" run "$config" $resume "$@" || code=$?
((code < 2)) || exit "$code"

# A step that fails from here on does not stop the others.
attempt() {
  "$@" && return
  complain "failed: $*"
  ((code != 0)) || code=1
}
table() { "$regroup" table "$out" >"$out/table.txt"; }
picture() { "$root/plots/$1.py" "$out" >/dev/null </dev/null; }

if [[ $kind == run ]]; then
  heading "Verification"
  attempt "$regroup" verify "$out"
  heading "Table"
fi
attempt table
[[ $kind != run ]] || cat "$out/table.txt"  # measurements have printed it

pictures=$("$root/plots/pictures.py" "$out") || attempt false
[[ -z $pictures ]] || heading "Pictures"
while IFS=$'\t' read -r name _; do
  [[ -z $name ]] || attempt picture "$name"
done <<<"$pictures"
heading "Report"
attempt "$regroup" report "$out"

heading "Done: results are in $out"
while IFS=$'\t' read -r name shows; do
  [[ -n $name && -e $out/$name.png ]] && printf '  %-14s%s\n' "$name.png" "$shows"
done <<<"$pictures"
for file in \
  "report.html   everything on one page, with a timeline to zoom: open it in a browser" \
  "table.txt     the table above" \
  "runs.csv      one row per run; docs/results.md explains files and columns" \
  "$kind.csv  one row per measurement; docs/results.md explains the columns"; do
  [[ -e $out/${file%% *} ]] && echo "  $file"
done
((code == 0)) || complain "not everything succeeded: see above, and status and message in the results"
exit "$code"
