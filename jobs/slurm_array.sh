#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Template for a job array of Slurm: each job executes its shard of the
# configuration, as jobs/slurm.sh executes all of it. Adapt the lines
# marked <- in both files, and submit from the repository:
#
#   sbatch jobs/slurm_array.sh configs/mine.yaml [OPTIONS OF regroup run]
#   build/regroup merge results/mine     # when all jobs have ended
#
# 'build/regroup plan CONFIG --shards 8 --format slurm' prints the nodes
# and the time that the largest shard needs, as options of sbatch. To
# submit some jobs of an array of 8 again:
#
#   SHARDS=8 sbatch --array=3,5 jobs/slurm_array.sh configs/mine.yaml
#SBATCH --array=1-8              # <- 1 to the number of shards
#SBATCH --job-name=regroup
#SBATCH --output=%x-%A-%a.out
#SBATCH --open-mode=append       # a restart keeps the earlier output
#SBATCH --requeue
##SBATCH --account=ACCOUNT       # <- if the site needs it: remove a #, also below
##SBATCH --partition=PARTITION   # <-
#SBATCH --nodes=4                # <- nodes × tasks: at least the largest `ranks`
#SBATCH --ntasks-per-node=64     # <- one per core, so that ranks do not share cores
#SBATCH --cpus-per-task=1
#SBATCH --hint=nomultithread     # cores, not the threads of a core
#SBATCH --distribution=block:block,pack  # fill node after node
#SBATCH --time=01:00:00          # <- of one shard
#SBATCH --exclusive
#SBATCH --signal=B:USR1@60       # a minute before the end: end cleanly
set -euo pipefail

config=${1:?usage: sbatch jobs/slurm_array.sh CONFIG [OPTIONS OF regroup run]}
shift
cd "$SLURM_SUBMIT_DIR"
one=jobs/slurm.sh                # <- or your copy of the installed one
if [[ ! -e $one ]] && installed=$(command -v regroup); then  # $0 is Slurm's copy
  one=$(dirname "$(readlink -f "$installed")")/../share/regroup/jobs/slurm.sh
fi
exec "$one" "$config" --shard "$SLURM_ARRAY_TASK_ID/${SHARDS:-$SLURM_ARRAY_TASK_MAX}" "$@"
