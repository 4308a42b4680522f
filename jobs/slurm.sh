#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Template for Slurm. Adapt the lines marked <-, build on the login node (docs/clusters.md),
# put `launcher: srun -n {ranks}` into the configuration, and submit from the repository:
#
#   sbatch jobs/slurm.sh configs/mine.yaml
#
# One job executes all runs of the configuration, one after the other, each as a job step. Submitting
# again does what is missing, for instance when the time was not enough. A job that was killed leaves
# the file `lock` in its results, which names it: --break-lock takes over.
#SBATCH --job-name=regroup
#SBATCH --output=%x-%j.out
#SBATCH --nodes=4                # <- nodes × tasks: at least the largest `ranks`
#SBATCH --ntasks-per-node=64     # <- one per core, so that ranks do not share cores
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00          # <- 'build/regroup plan CONFIG' predicts it
#SBATCH --exclusive
#SBATCH --signal=B:TERM@60       # a minute before the end: finish cleanly, keep all whole rows
set -euo pipefail

config=${1:?usage: sbatch jobs/slurm.sh CONFIG}
cd "$SLURM_SUBMIT_DIR"
# module load gcc cmake mpich    # <- the modules that Regroup was built with
# export SLURM_MPI_TYPE=pmi2     # <- where 'srun --mpi=list' shows that MPI needs another one

exec build/regroup run "$config" --resume
