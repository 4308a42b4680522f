#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Template for Slurm. Adapt the lines marked <-, build on the login node (docs/clusters.md), and submit
# from the repository; configurations need no `launcher`:
#
#   sbatch jobs/slurm.sh configs/mine.yaml [OPTIONS OF regroup run]
#
# One job executes all runs of the configuration, or makes its measurements, one after the other, each
# as a job step. What Slurm knows of the job is kept beside the results, as job-ID.txt. The job starts
# again by itself, and does what is missing, where its time was not enough, a node was lost, others came
# first, or runs could not begin (exit code 75). Submitting it once more does what is missing, too.
#SBATCH --job-name=regroup
#SBATCH --output=%x-%j.out
#SBATCH --open-mode=append       # a start does not wipe out what the one before has said
#SBATCH --requeue
##SBATCH --account=ACCOUNT       # <- where the site wants one: take a # away, here and below
##SBATCH --partition=PARTITION   # <-
#SBATCH --nodes=4                # <- nodes × tasks: at least the largest `ranks`
#SBATCH --ntasks-per-node=64     # <- one per core, so that ranks do not share cores
#SBATCH --cpus-per-task=1
#SBATCH --hint=nomultithread     # cores, not the threads of a core
#SBATCH --distribution=block:block,pack  # rank after rank on a node, then the next node
#SBATCH --time=01:00:00          # <- 'build/regroup plan CONFIG' predicts it
#SBATCH --exclusive
#SBATCH --signal=B:USR1@60       # a minute before the end: finish cleanly, keep all whole rows
set -euo pipefail

config=${1:?usage: sbatch jobs/slurm.sh CONFIG [OPTIONS OF regroup run]}
shift
cd "$SLURM_SUBMIT_DIR"
# module load gcc cmake mpich    # <- the modules that Regroup was built with
# export SLURM_MPI_TYPE=pmi2     # <- where the launcher that is found by itself is not the right one
export SLURM_CPU_BIND=cores      # a rank stays on its core
regroup=build/regroup            # <- or another one; else the one that is installed and on the path
[[ -x $regroup ]] || regroup=regroup
most_restarts=3                  # <- how often the job may start again by itself

restarts=${SLURM_RESTART_COUNT:-0}
options=()
for word; do  # what an earlier start has done stays
  ((restarts > 0)) && [[ $word == --overwrite ]] || options+=("$word")
done

# No quarrel of Slurm's may keep a job from its results.
attempt() { "$@" || printf 'slurm.sh: failed: %s\n' "$*" >&2; }

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
attempt scontrol show job --details "$SLURM_JOB_ID" >>"$out/job-$SLURM_JOB_ID.txt"

resume=--resume
[[ " ${options[*]-} " != *" --overwrite "* ]] || resume=  # which starts anew
"$regroup" "$command" "$config" $resume ${options[@]+"${options[@]}"} &
sweep=$!
# The shell must live on when a signal comes, and hands it to the sweep, which ends cleanly then.
time_is_up=false told_to_stop=false again=true
trap 'time_is_up=true again=true; kill -TERM "$sweep" || :' USR1
trap 'told_to_stop=true again=true; kill -TERM "$sweep" || :' TERM INT
while "$again"; do  # a signal interrupts the shell's waiting
  again=false code=0
  wait "$sweep" || code=$?
done

missing=false  # is anything, for no fault of the configuration's?
if ((code == 75)) || { "$time_is_up" && ((code == 130)); }; then missing=true; fi
if "$missing" && ! "$told_to_stop" && ((restarts < most_restarts)); then
  printf 'slurm.sh: something is missing: this job starts again (%d of %d)\n' $((restarts + 1)) \
    "$most_restarts"
  trap - USR1 TERM INT
  scontrol requeue "$SLURM_JOB_ID" && exec sleep 60  # until Slurm ends this start
fi
exit "$code"
