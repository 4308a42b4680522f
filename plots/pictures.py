#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Lists the pictures that fit results.

    plots/pictures.py RESULTS

prints a line for each picture: the name of its script, a tab, and its content. jobs/local.sh draws these
pictures. Other scripts can be called as well; if results are not suitable, they print the reason.
"""

import sys
from pathlib import Path

import common


def _runs(rows):
    return "makespans_s" in rows and (rows.over_least > 0).any()


def _workloads(rows):
    """Returns whether there are more than three workloads with several balancers."""
    return _runs(rows) and len(rows[["workload", "speedup"]].drop_duplicates()) > 3 and rows.balancer.nunique() > 1


def _scale(rows):
    """Returns whether a sweep over ranks in virtual time measured the memory of the engine."""
    return _runs(rows) and rows.ranks.nunique() > 2 and (rows.memory_mb[rows.clock == "virtual"] > 0).any()


def _paper(rows):
    return _runs(rows) and (rows.paper_avg.notna() & (rows.balancer != "none")).any()


def _computing(rows):
    """Returns whether runs regrouped walkers whose item times are real computations."""
    return _runs(rows) and (~rows.walker.str.startswith(("sleep", "spin", "rounds")) & (rows.communicator != "")
                            & (rows.clock == "wall")).any()


def _patterns(rows, *patterns):
    return "pattern" in rows and rows.pattern.isin(patterns).any()


# (script, predicate on the rows of `regroup table`, content).
OF_ROWS = [
    ("figure2", lambda rows: _runs(rows) and not _workloads(rows), "execution time of each balancer"),
    ("balance", _workloads, "execution time over the bound by workload and balancer"),
    ("scale", _scale, "weak scaling, with the time and memory of the virtual engine"),
    ("faults", lambda rows: _runs(rows) and (rows.on_rank_loss == "recover").any(),
     "makespan by the number of ranks lost"),
    ("table1", _paper, "regroupings per process, beside the paper's"),
    ("figure1", lambda rows: _patterns(rows, "one_group"), "cost of creating a communicator"),
    ("rbc", lambda rows: "operation" in rows or _patterns(rows, "halves", "cascaded", "alternating"),
     "range communicators and those of MPI"),
    ("speedup", lambda rows: "items_per_sample" in rows, "time per item by group size"),
    ("sort", lambda rows: "assignment" in rows, "time to sort over communicators of each strategy"),
]
# (script, file that must have at least one row, predicate on the rows, content).
OF_FILES = [("timeline", "events.csv", lambda rows: True, "what every rank did in one run, and when"),
            ("learning", "events.csv", _computing, "time per item by group size in one run, and where chains ended"),
            ("temperatures", "chains.csv", lambda rows: rows.walker.str.startswith("replica_exchange").any(),
             "heat capacity, energy and swaps by temperature"),
            ("chains", "chains.csv", lambda rows: True, "observations of the chains of one run, and whether they agree")]


def of_results(directory, rows=None):
    """Returns (script, content) of each picture that fits the results in `directory`. `rows`: those
    of common.read_table(), if known."""
    if rows is None:
        rows, _ = common.read_table(directory)
    return [(script, content) for script, fits, content in OF_ROWS if fits(rows)] + \
        [(script, content) for script, file, fits, content in OF_FILES
         if _has_row(directory / file) and fits(rows)]


def _has_row(path):
    if not path.is_file():
        return False
    with open(path, "rb") as file:
        file.readline()
        # A row of chains.csv without a quantity describes a failed chain.
        return any(line.split(b",", 4)[3:4] != [b""] for line in file)


def main():
    words = sys.argv[1:]
    if words in (["-h"], ["--help"]):
        print(__doc__.strip())
    elif len(words) != 1:
        raise common.InputError("give a directory of results (see --help)")
    else:
        for script, content in of_results(Path(words[0])):
            print(f"{script}\t{content}")


if __name__ == "__main__":
    common.run(main)
