#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Template for PBS, not tried on a real system. Adapt the lines marked <-, build on the login node
# (docs/clusters.md), and submit from the repository; configurations need no `launcher`. Options of
# `regroup run`, where there are any, are OPTIONS:
#
#   qsub -v CONFIG=configs/mine.yaml,OPTIONS=--retry jobs/pbs.sh
#
# One job executes all runs of the configuration, or makes its measurements, one after the other. What
# PBS knows of the job is kept beside the results, as job-ID.txt. Exit code 75: something could not
# begin. Submitting again does what is missing then, or when the time was not enough. A job that was
# killed leaves the file `lock` in its results, which names it: OPTIONS=--break-lock takes over.
#PBS -N regroup
#PBS -j oe
#PBS -r y
##PBS -A ACCOUNT
##PBS -q QUEUE
# <- above: where the site wants them, take a # away
#PBS -l select=4:ncpus=64:mpiprocs=64
#PBS -l place=scatter:excl
#PBS -l walltime=01:00:00
# <- above: select × mpiprocs at least the largest `ranks`, one per core;
# <- walltime as 'build/regroup plan CONFIG' predicts it
set -euo pipefail

config=${CONFIG:?usage: qsub -v CONFIG=FILE[,OPTIONS=OPTIONS OF regroup run] jobs/pbs.sh}
read -ra options <<<"${OPTIONS-}"
cd "$PBS_O_WORKDIR"
# module load gcc cmake mpich    # <- the modules that Regroup was built with
regroup=build/regroup            # <- or the one that is installed

brief=$("$regroup" plan --brief "$config")
read -r command name <<<"$brief"
out=results/$name
for ((i = 0; i < ${#options[@]}; ++i)); do
  case ${options[i]} in
    --out) out=${options[i + 1]-} ;;
    --out=*) out=${options[i]#--out=} ;;
  esac
done
mkdir -p "$out"
qstat -f "$PBS_JOBID" >>"$out/job-$PBS_JOBID.txt" || printf 'pbs.sh: qstat failed\n' >&2

# PBS tells all processes of the job when its time is up; the sweep ends cleanly then.
resume=--resume
[[ " ${options[*]-} " != *" --overwrite "* ]] || resume=  # which starts anew
exec "$regroup" "$command" "$config" $resume ${options[@]+"${options[@]}"}
