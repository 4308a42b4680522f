#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Template for PBS. Adapt the lines marked <-, build on the login node (docs/clusters.md),
# put `launcher: mpiexec -n {ranks}` into the configuration, and submit from the repository:
#
#   qsub -v CONFIG=configs/mine.yaml jobs/pbs.sh
#
# One job executes all runs of the configuration, one after the other. Submitting again does what is
# missing, for instance when the time was not enough. A job that was killed leaves the file `lock` in
# its results, which names it: --break-lock takes over.
#PBS -N regroup
#PBS -j oe
#PBS -l select=4:ncpus=64:mpiprocs=64
#PBS -l place=scatter:excl
#PBS -l walltime=01:00:00
# <- above: select × mpiprocs at least the largest `ranks`, one per core;
# <- walltime as 'build/regroup plan CONFIG' predicts it
set -euo pipefail

cd "$PBS_O_WORKDIR"
# module load gcc cmake mpich    # <- the modules that Regroup was built with

exec build/regroup run "${CONFIG:?usage: qsub -v CONFIG=FILE jobs/pbs.sh}" --resume
