#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Template for Flux, not tried on a real system. Adapt the lines marked <-, build on the login node
# (docs/clusters.md), and submit from the repository; configurations need no `launcher`:
#
#   flux batch jobs/flux.sh configs/mine.yaml [OPTIONS OF regroup run]
#
# One job executes all runs of the configuration, or makes its measurements, one after the other, each
# as a job of the Flux instance that the batch job is. What Flux knows of its resources is kept beside
# the results, as job-ID.txt. Exit code 75: something could not begin. Submitting again does what is
# missing then, or when the time was not enough. A job that was killed leaves the file `lock` in its
# results, which names it: --break-lock takes over.
# flux: --job-name=regroup
# flux: --output=regroup-{{id}}.out
# flux: --nodes=4
# flux: --exclusive
# flux: --time-limit=1h
# flux: --signal=TERM@60s
# <- above: whole nodes, with at least as many cores as the largest `ranks`; the time as
# <- 'build/regroup plan CONFIG' predicts it; a minute before its end the sweep ends cleanly
# <- where the site wants them, also the options --bank=BANK and --queue=QUEUE
set -euo pipefail

config=${1:?usage: flux batch jobs/flux.sh CONFIG [OPTIONS OF regroup run]}
shift
# module load gcc cmake mpich    # <- the modules that Regroup was built with
regroup=build/regroup            # <- or the one that is installed
job=${FLUX_ENCLOSING_ID:-$$}

brief=$("$regroup" plan --brief "$config")
read -r command name <<<"$brief"
out=results/$name
for ((i = 1; i <= $#; ++i)); do
  case ${!i} in
    --out) next=$((i + 1)); out=${!next-} ;;
    --out=*) out=${!i#--out=} ;;
  esac
done
mkdir -p "$out"
{ flux resource list && flux resource R; } >>"$out/job-$job.txt" ||
  printf 'flux.sh: flux resource failed\n' >&2

resume=--resume
[[ " $* " != *" --overwrite "* ]] || resume=  # which starts anew
exec "$regroup" "$command" "$config" $resume "$@"
