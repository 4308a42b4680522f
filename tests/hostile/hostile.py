#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tries the command on hostile input and counts faults.

  hostile.py configurations [COUNT]    damaged configurations
  hostile.py results [COUNT]           damaged files of results
  hostile.py outcomes [COUNT]          damaged outcome files of launched processes

Input number N is the same in every run with the same --seed, on every machine. The exit code is 1
if there was a fault; --keep names a directory for the inputs that caused faults.
"""

import argparse
import collections
import concurrent.futures
import pathlib
import random
import sys
import tempfile
import time

import configurations
import outcomes
import results
from command import Command, Fault

HERE = pathlib.Path(__file__).resolve().parent
TRIALS = {"configurations": configurations.Trial, "results": results.Trial,
          "outcomes": outcomes.Trial}


def tried(what, regroup, seed, numbers):
    """Tries the inputs `numbers`; returns (number, damage, outcome, fault, data) for each."""
    found = []
    with tempfile.TemporaryDirectory(prefix="hostile.") as directory:
        trial = TRIALS[what](Command(regroup), directory)
        for number in numbers:
            try:
                name, outcome = trial(random.Random(f"{what} {seed} {number}"))
                found.append((number, name, outcome, None, None))
            except Fault as fault:
                found.append((number, getattr(fault, "damage", ""), fault.kind, str(fault),
                              trial.data))
    return found


def main():
    arguments = command_line()
    began = time.monotonic()
    numbers = [arguments.case] if arguments.case is not None \
        else range(arguments.first, arguments.count)
    chunks = [numbers[i:i + 50] for i in range(0, len(numbers), 50)]
    outcomes, damages, faults = collections.Counter(), collections.Counter(), []
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        for found in pool.map(tried, *zip(*((arguments.what, arguments.regroup, arguments.seed, c)
                                            for c in chunks))):
            for number, damage, outcome, fault, data in found:
                damages[damage.split(",")[0]] += 1
                if fault is None:
                    outcomes[outcome] += 1
                    continue
                faults.append((number, outcome))
                print(f"{number} ({damage}): {fault}", file=sys.stderr, flush=True)
                keep(arguments.keep, number, data)
    print(f"{len(numbers)} {arguments.what} in {time.monotonic() - began:.0f} s: "
          + ", ".join(f"{count} {name}" for name, count in outcomes.most_common()))
    print("damages: " + ", ".join(f"{count} {name}" for name, count in damages.most_common()))
    for kind, count in collections.Counter(kind for _, kind in faults).most_common():
        print(f"FAULT: {count} {kind}, first in number "
              f"{min(number for number, other in faults if other == kind)}")
    print(f"{len(faults)} faults")
    return 1 if faults else 0


def keep(directory, number, data):
    if directory is not None:
        directory.mkdir(parents=True, exist_ok=True)
        (directory / str(number)).write_bytes(data)


def command_line():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=TRIALS)
    parser.add_argument("count", type=int, nargs="?", default=200)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--case", type=int, help="try this input only")
    parser.add_argument("--first", type=int, default=0, help="begin with this input")
    parser.add_argument("--regroup", type=pathlib.Path, default=HERE.parents[1] / "build/regroup")
    parser.add_argument("--jobs", type=int, default=1, help="side by side")
    parser.add_argument("--keep", type=pathlib.Path, help="where to put inputs that go wrong")
    arguments = parser.parse_args()
    arguments.regroup = arguments.regroup.resolve()
    return arguments


if __name__ == "__main__":
    sys.exit(main())
