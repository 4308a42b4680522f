#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Template for a job array of Slurm: each job does its share of the runs, as jobs/slurm.sh does all of
# them. Adapt the lines marked <-, here and there, and submit from the repository:
#
#   sbatch jobs/slurm_array.sh configs/mine.yaml [OPTIONS OF regroup run]
#   build/regroup merge results/mine     # when they have ended: brings the shares together
#
# 'build/regroup plan CONFIG --shards 8 --format slurm' tells the number of nodes and the time that the
# largest share needs, as options of sbatch. To submit only some jobs of an array of 8 again:
#
#   SHARDS=8 sbatch --array=3,5 jobs/slurm_array.sh configs/mine.yaml
#SBATCH --array=1-8              # <- as many shares
#SBATCH --job-name=regroup
#SBATCH --output=%x-%A-%a.out
#SBATCH --open-mode=append       # a start does not wipe out what the one before has said
#SBATCH --requeue
##SBATCH --account=ACCOUNT       # <- where the site wants one: take a # away, here and below
##SBATCH --partition=PARTITION   # <-
#SBATCH --nodes=4                # <- nodes × tasks: at least the largest `ranks`
#SBATCH --ntasks-per-node=64     # <- one per core, so that ranks do not share cores
#SBATCH --cpus-per-task=1
#SBATCH --hint=nomultithread     # cores, not the threads of a core
#SBATCH --distribution=block:block,pack  # rank after rank on a node, then the next node
#SBATCH --time=01:00:00          # <- of one share
#SBATCH --exclusive
#SBATCH --signal=B:USR1@60       # a minute before the end: finish cleanly, keep all whole rows
set -euo pipefail

config=${1:?usage: sbatch jobs/slurm_array.sh CONFIG [OPTIONS OF regroup run]}
shift
cd "$SLURM_SUBMIT_DIR"
one=jobs/slurm.sh                # <- or your own copy of the one that is installed
if [[ ! -e $one ]] && installed=$(command -v regroup); then  # $0 is a copy
  one=$(dirname "$(readlink -f "$installed")")/../share/regroup/jobs/slurm.sh
fi
exec "$one" "$config" --shard "$SLURM_ARRAY_TASK_ID/${SHARDS:-$SLURM_ARRAY_TASK_MAX}" "$@"
