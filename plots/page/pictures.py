# SPDX-License-Identifier: BSD-3-Clause
"""The pictures that belong to results, drawn by the other scripts of plots/."""

import base64
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from page.results import FILES

PLOTS = Path(__file__).resolve().parents[1]
LARGE = 400_000  # bytes of an SVG; what is larger comes as PNG
TYPES = {".svg": "image/svg+xml", ".png": "image/png"}


@dataclass
class Picture:
    title: str
    about: str  # in one sentence, for who does not see it
    address: str = ""  # data:…
    why: str = ""  # there is none


def _reported(results):
    path = results.directory / "chains.csv"
    return path.is_file() and len(path.read_bytes().splitlines()) > 1


def _has(results, column):
    return "run" in results.rows and results.rows["run"][column].nunique() > 1


# Script, kinds of results, title, what is to be seen, and whether that is of use.
SCRIPTS = [
    ("figure2", ["run"], "Execution times",
     "The execution time of each variant of a balancer, beside the ideal.", lambda r: True),
    ("table1", ["run"], "Regroupings per process",
     "In how many regroupings a process took part, by variant, beside the numbers of the paper.",
     lambda r: True),
    ("timeline", ["run"], "Timeline of one run",
     "What every rank did, over the time: working on a walker, or idle; black edges are "
     "regroupings.", lambda r: True),
    ("balance", ["run"], "Times over the bound",
     "A heat map of execution times over the bound: a row for each workload, a column for each "
     "variant.", lambda r: _has(r, "workload")),
    ("scale", ["run"], "Weak scaling",
     "Makespan over the ideal, and time and memory of the virtual engine, by the number of ranks.",
     lambda r: _has(r, "ranks") and set(r.rows["run"].engine) == {"virtual"}),
    ("chains", ["run"], "What chains observed",
     "Energy, accepted moves, R-hat and autocorrelation of the chains of one run.", _reported),
    ("figure1", ["creation"], "Cost of creating a communicator",
     "The time to create a communicator by the size of the group, a line for each strategy.",
     lambda r: "one_group" in set(r.rows["creation"].pattern)),
    ("rbc", ["creation", "collectives"], "Range communicators beside MPI's",
     "Times of creation and of operations on range communicators and on those of MPI.",
     lambda r: "collectives" in r.rows or "halves" in set(r.rows["creation"].pattern)),
    ("speedup", ["items"], "Time of an item",
     "The time of an item by the size of its group, beside the ideal and Amdahl's law.",
     lambda r: True),
    ("sort", ["sort"], "Time to sort",
     "The time to sort by the elements of each rank, a line for each strategy.", lambda r: True),
]


def of_results(results, directory):
    """The pictures of `results`, drawn in `directory`, where nothing else is."""
    fitting = [(script, title, about) for script, kinds, title, about, useful in SCRIPTS
               if any(kind in results.rows for kind in kinds) and useful(results)]
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        return list(pool.map(lambda one: _drawn(results, directory, *one), fitting))


def without(results):
    """The kinds of results that have no picture of their own."""
    drawn = {kind for _, kinds, *_ in SCRIPTS for kind in kinds}
    return [FILES[kind] for kind in results.rows if kind not in drawn]


def _drawn(results, directory, script, title, about):
    picture = Picture(title, about)
    for ending in TYPES:
        path = directory / f"{results.side}-{script}{ending}"
        if not path.is_file():
            picture.why = _draw(script, results.directory, path)
        if picture.why:
            return picture
        if ending == ".png" or path.stat().st_size <= LARGE:
            text = base64.b64encode(path.read_bytes()).decode()
            picture.address = f"data:{TYPES[ending]};base64,{text}"
            return picture
    return picture


def _draw(script, results, path):
    """Calls a script; answers why it has not drawn."""
    words = [sys.executable, PLOTS / f"{script}.py", results.resolve(), "-o", path]
    done = subprocess.run(words, capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL)
    if done.returncode == 0 and path.is_file():
        return ""
    lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
    return lines[-1].removeprefix(f"{script}: ")
