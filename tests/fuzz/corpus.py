#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Regenerates the seeds of the corpora that are files of results, after a change of their columns:
`corpus.py [build/regroup]`. The other seeds are written by hand."""

import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "hostile"))

import results  # noqa: E402
from command import Command  # noqa: E402

SEEDS = {"results-runs": ("run", "runs.csv"), "results-events": ("run", "events.csv"),
         "results-regroups": ("run", "regroups.csv"),
         "measurements-creation": ("creation", "creation.csv"),
         "measurements-collectives": ("collectives", "collectives.csv"),
         "measurements-steps": ("steps", "steps.csv"),
         "measurements-samples": ("steps", "samples.csv"),
         "measurements-sort": ("sort", "sort.csv"),
         "measurements-items": ("items", "items.csv"), "measured_speedup-items": ("items", "items.csv")}


def main():
    regroup = pathlib.Path(sys.argv[1] if sys.argv[1:] else HERE.parents[1] / "build/regroup")
    with tempfile.TemporaryDirectory() as directory:
        trial = results.Trial(Command(regroup.resolve()), directory)
        for seed, (kind, file) in SEEDS.items():
            data = (trial.whole[kind].directory / file).read_bytes()
            (HERE / "corpus" / seed).write_bytes(data)
            print(HERE / "corpus" / seed)


if __name__ == "__main__":
    main()
