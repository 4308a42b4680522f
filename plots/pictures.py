#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which pictures belong to results: the one place that decides.

    plots/pictures.py RESULTS_DIR

prints a line for each, the name of its script, a tabulator, and what it shows. jobs/local.sh draws
these. Any script can be asked for a picture that does not stand here; it says what it lacks.
"""

import csv
import sys
from pathlib import Path


class Results:
    """The tables of a directory, as they are needed; a table that is not there has no rows."""

    def __init__(self, directory):
        self.directory = Path(directory)
        self.tables = {}

    def rows(self, name):
        if name not in self.tables:
            path = self.directory / name
            self.tables[name] = []
            if path.is_file():
                with open(path, newline="", encoding="utf-8", errors="replace") as file:
                    self.tables[name] = list(csv.DictReader(file))
        return self.tables[name]

    def has(self, name):
        """Whether the table has a row; of events.csv and the like the second line is enough."""
        path = self.directory / name
        if not path.is_file():
            return False
        with open(path, "rb") as file:
            return bool(file.readline()) and bool(file.readline(100))

    def values(self, name, column):
        return {row.get(column) or "" for row in self.rows(name)}


def _runs(results):
    """Runs of which, as far as they tell, some had items."""
    told = results.values("runs.csv", "ideal_s") - {""}
    return results.has("runs.csv") and (not told or any(cell.strip("0.") for cell in told))


def _as_in_the_paper(results):
    """The paper's experiment: the table has its statistics beside those of most balancers."""
    return any(row.get("workload", "").startswith("cyclic(") and row.get("group_size") == "4"
               and row.get("balancer") != "none" for row in results.rows("runs.csv"))


def _workloads(results):
    """Several workloads or speed-ups, each by several balancers."""
    problems = {(row.get("workload"), row.get("speedup")) for row in results.rows("runs.csv")}
    return len(problems) > 3 and len(results.values("runs.csv", "balancer")) > 1


def _scale(results):
    """A sweep in virtual time over many ranks, which tells the memory that it took."""
    told = [row for row in results.rows("runs.csv")
            if row.get("clock") == "virtual" and row.get("memory_mb")]
    return len(results.values("runs.csv", "ranks")) > 2 and bool(told)


def _ranges(results):
    return results.has("collectives.csv") or bool(
        results.values("creation.csv", "pattern") & {"halves", "cascaded", "alternating"})


# Script, whether its picture belongs to results, and what it shows.
PICTURES = [
    ("figure2", lambda r: _runs(r) and not _workloads(r), "execution time of each balancer"),
    ("balance", _workloads, "times over the bound: which balancer serves which workload"),
    ("scale", _scale, "weak scaling, with the time and memory of the virtual engine"),
    ("table1", _as_in_the_paper, "regroupings per process, beside the paper's"),
    ("timeline", lambda r: r.has("events.csv"), "what every rank did in one run, and when"),
    ("chains", lambda r: r.has("chains.csv"),
     "what the chains of one run observed, and whether they agree"),
    ("figure1", lambda r: "one_group" in r.values("creation.csv", "pattern"),
     "what creating a communicator costs"),
    ("rbc", _ranges, "range communicators beside MPI's"),
    ("speedup", lambda r: r.has("items.csv"), "time of an item by the size of its group"),
    ("sort", lambda r: r.has("sort.csv"), "time to sort over communicators of each strategy"),
]


def of_results(directory):
    """(script, what it shows) of each picture that belongs to the results in `directory`."""
    results = Results(directory)
    return [(script, shows) for script, belongs, shows in PICTURES if belongs(results)]


def main():
    words = sys.argv[1:]
    if words in (["-h"], ["--help"]):
        print(__doc__.strip())
    elif len(words) != 1 or not Path(words[0]).is_dir():
        print(f"pictures: {words[0]}: no such directory" if len(words) == 1 else
              "pictures: give a directory of results (see --help)", file=sys.stderr)
        sys.exit(2)
    else:
        for script, shows in of_results(words[0]):
            print(f"{script}\t{shows}")


if __name__ == "__main__":
    main()
