# SPDX-License-Identifier: BSD-3-Clause
"""Helpers of tests of pictures: results, and scripts run as by a user."""

import contextlib
import io
import os
import runpy
import subprocess
import sys
import traceback
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pandas

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("REGROUP_BUILD", ROOT / "build"))
os.environ["REGROUP"] = str(BUILD / "regroup")
PLOTS = ROOT / "plots"
sys.path.insert(0, str(PLOTS))
import common  # noqa: E402, F401  imported once, since it takes a second

KINDS = ("png", "svg", "pdf")
SVG = "{http://www.w3.org/2000/svg}"

RUNS = """experiment: paper
engine: virtual
ranks: [16, 32]
group_size: 4
item_ms: 100
workload: {kind: cyclic, multiplier: 10, modulus: 32}
balancers:
  - none
  - collective: {exchange_interval: 16, communicator: create_group}
  - asynchronous: {finished_groups: [release, merge], communicator: create_group}
repetitions: 2
"""
ONE_RANK_COUNT = RUNS.replace("[16, 32]", "32")
PROBLEMS = ONE_RANK_COUNT.replace("{kind: cyclic, multiplier: 10, modulus: 32}", "uniform")
WORKLOADS = ONE_RANK_COUNT.replace("{kind: cyclic, multiplier: 10, modulus: 32}",
                                   "[uniform, constant, exponential, pareto]")
SCALE = RUNS.replace("[16, 32]", "[4096, 16384, 131072]").replace("repetitions: 2", "events: none")
FAULTS = RUNS.replace("[16, 32]", "32") + """walker: {kind: sleep, state_bytes: 1000}
save_every: [5, 20]
on_rank_loss: recover
faults: {mtbf_s: 2, save_ms: 10}
"""
CHAINS = """experiment: chains
ranks: 4
group_size: 2
walkers_in_all: 4
item_ms: 1
walker: {kind: lennard_jones, atoms: 13, moves_per_item: 20, burn_in_items: 4}
report_every: 4
keep_draws: false
workload: {kind: pareto, mean_items: 60}
balancers: [none, asynchronous]
"""


def make(directory, text):
    """Runs a configuration and returns the directory of its results."""
    directory.mkdir(exist_ok=True)
    (directory / "config.yaml").write_text(text)
    jobs = ["--jobs", "1"] if "131072" in text else []  # so memory is measured
    done = subprocess.run([os.environ["REGROUP"], "run", directory / "config.yaml", "--out", directory / "results", *jobs],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    return directory / "results"


def edit(path, change):
    """Applies `change` to a CSV file, with cells as texts."""
    frame = pandas.read_csv(path, dtype=str, keep_default_na=False)
    change(frame).to_csv(path, index=False)


# ---- tables of measurements, as `regroup table --format csv` prints them -------------------------

def measured(time, seconds, **columns):
    ends = {"min": 0.9, "median": 1, "low": 0.95, "high": 1.1}
    return {"panel": "", "title": "", "ranks": 16, "cores": 2, "oversubscribed": "yes", "waited": "wrapper",
            "caller": "group", **{f"{time}_{end}_s": share * seconds for end, share in ends.items()}, **columns}


def creations(**columns):
    costs = {"range": 2e-8, "create_group": 1e-4, "comm_split": 3e-4}
    return [measured("create", cost * size, communicator=strategy, pattern=pattern, group_size=size, ranks=ranks,
                     caller="parent" if strategy == "comm_split" else "group") | columns
            for strategy, cost in costs.items() for pattern in ("one_group", "halves", "cascaded", "alternating")
            for ranks in (8, 16) for size in (2, 4, 8)]


def collectives(**columns):
    return [measured("time", cost * (10 + size), communicator=strategy, operation=operation, bytes=8 * size,
                     creation=creation, group_size=16, calls_per_sample=1) | columns
            for strategy, cost in (("range", 1e-5), ("create_group", 2e-5)) for size in (1, 8, 64)
            for operation, creation in (("scan", "before"), ("bcast", "before"), ("bcast", "timed"),
                                        ("reduce", "before"), ("gather", "before"))]


def items(times, **columns):
    return [measured("time", seconds, ranks=8, walker="spin", item_ms="2", group_size=size, items_per_sample=10) | columns
            for size, seconds in times.items()]


WAYS = {"range": 1, "create_group": 8, "sample_sort": 0.5}


def sorts(**columns):
    ways = [(ranks, *way) for ranks in (16, 32) for way in WAYS.items()] + [(1, "std_sort", 0.01)]
    return [measured("time", 1e-6 * size + 1e-3 * slow, communicator=way, elements_per_rank=size, ranks=ranks,
                     assignment="greedy", input="uniform", element_type="double",
                     oversubscribed="no" if ranks == 1 else "yes") | columns
            for ranks, way, slow in ways for size in (1, 16, 256, 4096)]


def table(path, rows):
    pandas.DataFrame(rows).to_csv(path, index=False)
    return path


# ---- scripts -------------------------------------------------------------------------------------

def run(script, *arguments):
    """Runs a script in this process without changing its settings of matplotlib."""
    command = [str(word) for word in (PLOTS / f"{script}.py", *arguments)]
    code, out, err, before = 0, io.StringIO(), io.StringIO(), sys.argv
    with matplotlib.rc_context(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            sys.argv = list(command)
            runpy.run_path(command[0], run_name="__main__")
        except SystemExit as end:
            code = end.code or 0
        except Exception:
            code = 1
            traceback.print_exc()
        finally:
            sys.argv = before
            common.plt.close("all")
    return subprocess.CompletedProcess(command, code, out.getvalue(), err.getvalue())


def succeed(script, *arguments):
    process = run(script, *arguments)
    assert (process.returncode, process.stderr) == (0, ""), process.stderr
    return process.stdout


def complaint(script, *arguments):
    """Runs a script that must exit with 2, and returns its one line on standard error."""
    process = run(script, *arguments)
    assert (process.returncode, process.stdout) == (2, ""), process.stderr
    assert process.stderr.count("\n") == 1, process.stderr
    return process.stderr


def texts(path):
    """Returns the texts of a picture, each as one line."""
    groups = [node for node in ElementTree.parse(path).iter(f"{SVG}g") if node.findall(f"{SVG}text")]
    return [" ".join("".join(line.itertext()).strip() for line in group.findall(f"{SVG}text"))
            for group in groups]


def drawn(script, results, *arguments):
    """Draws a picture with a script and returns its texts."""
    target = (results if results.is_dir() else results.parent) / f"{script}.svg"
    succeed(script, results, *arguments, "-o", target)
    return texts(target)
