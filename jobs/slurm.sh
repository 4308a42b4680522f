#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Template for Slurm. Adapt the lines marked <-, build on the login node
# (docs/clusters.md), and submit from the repository:
#
#   sbatch jobs/slurm.sh configs/mine.yaml [OPTIONS OF regroup run]
#
# Executes the whole configuration; each task is a job step, and the key
# `launcher` is not needed. Slurm's description of the job is stored with
# the results, as job-ID.txt. The job requeues itself and runs the missing
# tasks if its time was too short or if runs could not start (exit code 75).
# Slurm requeues it after preemption or the loss of a node. If you submit it
# again, it also runs only the missing tasks.
#SBATCH --job-name=regroup
#SBATCH --output=%x-%j.out
#SBATCH --open-mode=append       # a restart keeps the earlier output
#SBATCH --requeue
##SBATCH --account=ACCOUNT       # <- if the site needs it: remove a #, also below
##SBATCH --partition=PARTITION   # <-
#SBATCH --nodes=4                # <- nodes × tasks: at least the largest `ranks`
#SBATCH --ntasks-per-node=64     # <- one per core, so that ranks do not share cores
#SBATCH --cpus-per-task=1
#SBATCH --hint=nomultithread     # cores, not the threads of a core
#SBATCH --distribution=block:block,pack  # fill node after node
#SBATCH --time=01:00:00          # <- 'build/regroup plan CONFIG' predicts it
#SBATCH --exclusive
#SBATCH --signal=B:USR1@60       # a minute before the end: end cleanly
set -euo pipefail

config=${1:?usage: sbatch jobs/slurm.sh CONFIG [OPTIONS OF regroup run]}
shift
cd "$SLURM_SUBMIT_DIR"
# module load gcc cmake mpich    # <- those that Regroup was built with
# export SLURM_MPI_TYPE=pmi2     # <- if the launcher found is not the right one
export SLURM_CPU_BIND=cores      # a rank stays on its core
regroup=build/regroup            # <- or another one; else that in PATH
[[ -x $regroup ]] || regroup=regroup
most_restarts=3                  # <- how often the job may requeue itself

restarts=${SLURM_RESTART_COUNT:-0}
options=()
for word; do  # a restart keeps the results of the earlier start
  ((restarts > 0)) && [[ $word == --overwrite ]] || options+=("$word")
done

# A failure of Slurm's tools does not stop the job.
attempt() { "$@" || printf 'slurm.sh: failed: %s\n' "$*" >&2; }

brief=$("$regroup" plan --brief "$config")
read -r _ name <<<"$brief"
out=results/$name
for ((i = 1; i <= $#; ++i)); do
  case ${!i} in
    --out) next=$((i + 1)); out=${!next-} ;;
    --out=*) out=${!i#--out=} ;;
  esac
done
mkdir -p "$out"
attempt scontrol show job --details "$SLURM_JOB_ID" >>"$out/job-$SLURM_JOB_ID.txt"

resume=--resume
[[ " ${options[*]-} " != *" --overwrite "* ]] || resume=
"$regroup" run "$config" $resume ${options[@]+"${options[@]}"} &
sweep=$!
# The shell survives signals and passes them to the sweep, which ends cleanly.
time_is_up=false told_to_stop=false again=true
trap 'time_is_up=true again=true; kill -TERM "$sweep" || :' USR1
trap 'told_to_stop=true again=true; kill -TERM "$sweep" || :' TERM INT
while "$again"; do  # a signal interrupts `wait`
  again=false code=0
  wait "$sweep" || code=$?
done

missing=false  # whether another start could provide missing results
if ((code == 75)) || { "$time_is_up" && ((code == 130)); }; then missing=true; fi
if "$missing" && ! "$told_to_stop" && ((restarts < most_restarts)); then
  printf 'slurm.sh: results are missing; requeueing this job (%d of %d)\n' $((restarts + 1)) \
    "$most_restarts"
  trap - USR1 TERM INT
  scontrol requeue "$SLURM_JOB_ID" && exec sleep 60  # until Slurm ends this job
fi
exit "$code"
