# SPDX-License-Identifier: BSD-3-Clause
"""Manipulated results: `regroup verify` must detect each change. Changes are applied to results of
a sweep in virtual time, of a sweep on processes and of measurements, where applicable."""

import csv
import dataclasses
import io
import re
import shutil
from typing import Callable

import pytest

from conftest import BUILD, Workspace

VIRTUAL, MPI, CREATION, STEPS, COLLECTIVES, ITEMS, SORT = (
    "virtual", "mpi", "creation", "steps", "collectives", "items", "sort")
# Runs without stored events.
VIRTUAL_SUMMARY, MPI_SUMMARY, MPI_NONE = "virtual summary", "mpi summary", "mpi none"
RUNS, MEASUREMENTS = (VIRTUAL, MPI), (CREATION, STEPS, COLLECTIVES, ITEMS, SORT)
SUMMARIES, EVENTLESS = (VIRTUAL_SUMMARY, MPI_SUMMARY), (VIRTUAL_SUMMARY, MPI_SUMMARY, MPI_NONE)

BALANCERS = """balancers:
  - none
  - collective: {exchange_interval: 2}
  - asynchronous: {finished_groups: merge}
"""
SWEEPS = {
    VIRTUAL: (f"engine: virtual\nexperiment: x\nranks: 16\njitter: 0.1\nitem_ms: 8\nseed: [1, 2]\n"
              f"costs: cluster\nworkload: {{kind: exponential, mean_items: 8}}\n{BALANCERS}"),
    MPI: (f"experiment: x\nranks: 4\ngroup_size: 1\nitem_ms: 6\nseed: [1, 2]\n"
          f"workload: {{kind: cyclic, multiplier: 4, modulus: 4}}\n{BALANCERS}"),
    CREATION: ("measure: creation\nexperiment: x\nranks: 4\ncommunicator: [create_group, dup]\n"
               "group_size: 2\npattern: [one_group, disjoint]\nsamples: 6\nitem_ms: 1\nlate_ms: 1\n"),
    STEPS: ("measure: steps\nexperiment: x\nranks: 4\ngroup_size: [2, 4]\nsamples: 6\n"),
    COLLECTIVES: ("measure: collectives\nexperiment: x\nranks: 4\noperation: [bcast, scan]\n"
                  "communicator: create_group\ngroup_size: 4\nsamples: 6\n"),
    ITEMS: ("measure: items\nexperiment: x\nranks: 4\ngroup_size: [1, 4]\nsamples: 6\nitems_per_sample: 1\nitem_ms: 1\n"),
    SORT: ("measure: sort\nexperiment: x\nranks: 4\ncommunicator: [range, sample_sort]\n"
           "elements_per_rank: 16\nsamples: 6\n"),
}
SWEEPS |= {VIRTUAL_SUMMARY: SWEEPS[VIRTUAL] + "events: summary\n",
           MPI_SUMMARY: SWEEPS[MPI] + "events: summary\n",
           MPI_NONE: SWEEPS[MPI] + "events: none\n"}
# A run that fails, added to the runs on processes.
HOPELESS = SWEEPS[MPI].replace("item_ms: 6", "item_ms: [6, 60000]") + "timeout_s: 0.5\n"


class Files:
    """The files of a directory of results, as lists of dictionaries."""

    def __init__(self, path):
        self.path = path
        self.main = next(p.stem for p in path.glob("*.csv")
                         if p.stem not in ("events", "regroups", "chains", "samples"))
        tables = {p.stem: self.read(p) for p in path.glob("*.csv")}
        self.tables = {name: rows for name, rows in tables.items() if rows}  # others stay empty
        self.provenance = (path / "provenance.yaml").read_text()

    @staticmethod
    def read(path):
        return list(csv.DictReader(io.StringIO(path.read_text(), newline="")))

    def write(self):
        for name, rows in self.tables.items():
            with open(self.path / f"{name}.csv", "w", newline="") as target:
                columns = list(rows[0])
                writer = csv.writer(target, lineterminator="\n")
                writer.writerow(columns)
                writer.writerows([row[column] for column in columns] for row in rows)
        (self.path / "provenance.yaml").write_text(self.provenance)

    def rows(self, table=None, **wanted):
        return [row for row in self.tables[table or self.main]
                if all(row[key] in (value if isinstance(value, tuple) else (value,))
                       for key, value in wanted.items())]

    def row(self, table=None, **wanted):
        return self.rows(table, **wanted)[0]

    def run(self, balancer="asynchronous", **wanted):
        return next(row for row in self.rows("runs", status="ok", **wanted)
                    if row["balancer"].startswith(balancer))

    def events(self, balancer="asynchronous", **wanted):
        return self.rows("events", run=self.run(balancer)["run"], **wanted)

    def regroups(self):
        return self.rows("regroups", run=self.run("collective")["run"])

    def others(self):
        """Returns the name of the same run with another seed."""
        return self.run(seed="2")["run"]

    def drop(self, table, row):
        self.tables[table] = [other for other in self.tables[table] if other is not row]

    def add(self, table, at, row):
        self.tables[table].insert(self.tables[table].index(at) + 1, dict(row))

    def merge(self):
        """Returns a merged group and one of its parts, which does not contain its leader."""
        for whole in self.events(begin_event="regroup"):
            for part in self.events(end_event="regroup"):
                if hi(part) == hi(whole) and lo(part) > lo(whole):
                    return whole, part
        raise AssertionError("there is no merge")


def lo(row):
    return int(re.match(r"\d+", row["group_ranks"])[0])


def hi(row):
    return int(re.search(r"\d+$", row["group_ranks"])[0])


def ranks(row, first, last):
    row["group_ranks"] = f"{first}-{last}" if last > first else f"{first}"


def number(value):
    """Formats a number as in results."""
    return repr(value).removesuffix(".0")


def times(row, factor, columns=("begin_s", "busy_until_s", "end_s")):
    for column in columns:
        row[column] = number(float(row[column]) * factor)


def form_before_the_end(whole, part):
    """Sets the creation of `whole` before the end of `part`; half its own time may be later."""
    whole["begin_s"] = f"{0.5 * float(part['end_s']):.17g}"


def plus(row, column, amount):
    row[column] = number(float(row[column]) + amount)


def stretch(files, factor):
    """Scales all times of a run, and the figures computed from them."""
    for row in files.events():
        times(row, factor)
    run = files.run()
    makespan = max(float(row["busy_until_s"]) for row in files.events() if row["executed_items_max"] != "0")
    run["makespan_s"] = number(makespan)


def with_gap(files, joined):
    """Removes the second rank of a merged group; with `joined`, in all events of these ranks."""
    whole = files.merge()[0]
    gap = f"{lo(whole)} {lo(whole) + 2}" + (f"-{hi(whole)}" if hi(whole) > lo(whole) + 2 else "")
    for row in files.events(group_ranks=whole["group_ranks"]) if joined else [whole]:
        row["group_ranks"] = gap


def whole_as(files, pattern):
    whole = files.merge()[0]
    whole["group_ranks"] = pattern.format(lo=lo(whole), hi=hi(whole), next=lo(whole) + 1)


def worked(files):
    """Returns a group that executed items and then regrouped."""
    return next(row for row in files.events(end_event="regroup") if row["executed_items_max"] != "0")


def swap_runs(files, table, a, b):
    for row in files.tables[table]:
        row["run"] = {a: b, b: a}.get(row["run"], row["run"])


def relabel(files, table, new):
    old = files.run()["run"]
    for row in files.rows(table, run=old):
        row["run"] = new
    return old


def rename(files):
    """Renames the run in all files."""
    old = files.run()["run"]
    for table in files.tables.values():
        for row in table:
            if row["run"] == old:
                row["run"] = "0123456789abcdef"


def forget_run(files, tables):
    name = files.run()["run"]
    for table in tables:
        files.tables[table] = [row for row in files.tables[table] if row["run"] != name]


def swap_rows(files, table, a, b):
    rows = files.tables[table]
    i, j = rows.index(a), rows.index(b)
    rows[i], rows[j] = rows[j], rows[i]


def rename_column(files, table, old, new):
    files.tables[table] = [{new if key == old else key: value for key, value in row.items()}
                           for row in files.tables[table]]


def shortest(files):
    """Returns the shortest sample of a time whose minimum or median is a figure."""
    own = files.row()["run"]
    rows = files.rows("samples", run=own, time=("time_s", "create_s", "look_for_request_s"))
    return min(rows, key=lambda row: float(row["value_s"]))


def bad(files):
    return files.row("runs", status="timeout")


@dataclasses.dataclass
class Tampering:
    what: str
    how: Callable
    where: tuple = RUNS
    blind: dict = dataclasses.field(default_factory=dict)  # {sweep: why it is undetectable}


T = Tampering
NO_BOUND = "nothing says how long real processes take at most, but for the run as a whole"
FACT = "a fact of its own, which nothing else tells"
CLOCKS = {MPI: NO_BOUND}
FACTS = {kind: FACT for kind in SWEEPS}

TAMPERINGS = [
    # Times of groups.
    T("a merge formed at 0", lambda f: f.merge()[0].update(begin_s="0")),
    T("a merge formed before a part of it ended", lambda f: form_before_the_end(*f.merge())),
    T("a part ended after the merge", lambda f: plus(f.merge()[1], "end_s", 0.5)),
    T("a part was busy after the merge", lambda f: plus(f.merge()[1], "busy_until_s", 100.5)),
    T("a group ended before it formed", lambda f: f.merge()[0].update(end_s="0")),
    T("a group was busy before it formed", lambda f: f.merge()[0].update(busy_until_s="0")),
    T("a forming at NaN", lambda f: f.merge()[0].update(begin_s="nan")),
    T("an end at NaN", lambda f: f.merge()[0].update(end_s="nan")),
    T("a last item at NaN", lambda f: f.events()[0].update(busy_until_s="nan")),
    T("an end at infinity", lambda f: f.events()[-1].update(end_s="inf")),
    T("a forming before the start", lambda f: f.events(begin_event="start")[0].update(begin_s="-1")),
    T("a start that was not the common one", lambda f: f.events()[0].update(begin_s="0.001")),
    T("all times of a group × 10", lambda f: times(f.merge()[0], 10)),
    T("all times of a group / 10", lambda f: times(f.merge()[0], 0.1)),
    T("all times of a run × 1000, with its figures", lambda f: stretch(f, 1000)),
    T("all times of a run / 10, with its figures", lambda f: stretch(f, 0.1)),
    T("all times of a run × 1.001, with its figures", lambda f: stretch(f, 1.001), blind=CLOCKS),
    T("items in half of their time",
      lambda f: times(f.events("none", group_ranks="8-11" if f.events("none")[2]["group_ranks"] == "8-11" else "2")[0], 0.5)),
    T("an end 1 µs later", lambda f: plus(f.events(end_event="stop")[-1], "end_s", 1e-6), blind=CLOCKS),
    T("an end an hour later", lambda f: plus(f.events(end_event="stop")[-1], "end_s", 3600.5)),

    # Groups, walkers and items.
    T("another lowest rank", lambda f: ranks(f.merge()[0], lo(f.merge()[0]) + 1, hi(f.merge()[0]))),
    T("another highest rank", lambda f: ranks(f.merge()[0], lo(f.merge()[0]), hi(f.merge()[0]) - 1)),
    T("a rank more", lambda f: ranks(f.events()[0], lo(f.events()[0]), hi(f.events()[0]) + 1)),
    T("a rank beyond the run", lambda f: ranks(f.merge()[0], lo(f.merge()[0]), 99)),
    T("a rank beyond what an integer holds",
      lambda f: ranks(f.events()[0], lo(f.events()[0]) + 2**32, hi(f.events()[0]) + 2**32)),
    T("a rank below zero", lambda f: f.events()[0].update(group_ranks="-1-3")),
    T("a group with a gap", lambda f: with_gap(f, 1)),
    T("a group with a gap, whose ranks joined nobody", lambda f: with_gap(f, 0)),
    T("a group with ranks of another", lambda f: f.merge()[1].update(group_ranks=f"{lo(f.merge()[0])} {f.merge()[1]['group_ranks']}")),
    T("ranges that overlap", lambda f: whole_as(f, "{lo}-{hi} {hi}")),
    T("ranges that touch", lambda f: whole_as(f, "{lo} {next}-{hi}")),
    T("ranges in another order", lambda f: whole_as(f, "{next}-{hi} {lo}")),
    T("a range backwards", lambda f: whole_as(f, "{hi}-{lo}")),
    T("a range of one rank", lambda f: whole_as(f, "{lo}-{lo}")),
    T("ranks with spaces", lambda f: whole_as(f, "{lo} - {hi}")),
    T("ranks with a comma", lambda f: whole_as(f, "{lo},{hi}")),
    T("ranks that are no number", lambda f: whole_as(f, "{lo}-x")),
    T("no ranks", lambda f: whole_as(f, "")),
    T("another walker", lambda f: plus(f.merge()[0], "walker_id", -1)),
    T("no walker of a group that worked", lambda f: worked(f).update(walker_id="")),
    T("no walker of a merge", lambda f: f.merge()[0].update(walker_id="")),
    T("no walker of a start without items", lambda f: f.events(begin_event="start", items_left_begin="0")[0].update(walker_id="")),
    T("no walker and no items of a group that worked", lambda f: worked(f).update(
        walker_id="", items_left_begin="0", items_left_end="0", executed_items_min="0", executed_items_max="0")),
    T("a walker below zero", lambda f: f.merge()[0].update(walker_id="-1")),
    T("more items at the start", lambda f: plus(f.events()[1], "items_left_begin", 1)),
    T("more items at the end", lambda f: plus(f.merge()[0], "items_left_end", 1)),
    T("items below zero", lambda f: f.merge()[0].update(items_left_begin="-1", items_left_end="-1")),
    T("a member that executed less", lambda f: plus(f.events()[1], "executed_items_min", -1)),
    T("a member that executed more", lambda f: plus(f.events()[1], "executed_items_max", 1)),
    T("a workload of one item more",
      lambda f: [plus(f.events("none")[1], c, 1) for c in ("items_left_begin", "executed_items_min", "executed_items_max")]),
    T("a regrouping that is called a start", lambda f: f.merge()[0].update(begin_event="start")),
    T("a start that is called a regrouping", lambda f: f.events()[0].update(begin_event="regroup")),
    T("a regrouping that is called a stop", lambda f: f.merge()[1].update(end_event="stop")),
    T("a stop that is called a regrouping", lambda f: f.events(end_event="stop")[0].update(end_event="regroup")),
    T("a regrouping of balancer none", lambda f: [f.events("none")[0].update(end_event="regroup"), f.add(
        "events", f.events("none")[0], dict(f.events("none")[0], begin_event="regroup", end_event="stop", executed_items_min="0",
        executed_items_max="0", items_left_begin="0", items_left_end="0", **{c: f.events("none")[0]["end_s"] for c in ("begin_s", "busy_until_s")}))]),
    T("a start less", lambda f: f.drop("events", f.events(begin_event="start")[0])),
    T("a merge less", lambda f: f.drop("events", f.merge()[0])),
    T("the last event less", lambda f: f.drop("events", f.tables["events"][-1])),
    T("an event twice", lambda f: f.add("events", f.merge()[0], f.merge()[0])),
    T("two events in another order", lambda f: swap_rows(f, "events", *f.events()[:2]),
      blind={MPI: "the order of groups of real processes says nothing"}),

    # Runs of events.
    T("an event of a run that is not there", lambda f: f.merge()[0].update(run="0123456789abcdef")),
    T("an event of another run", lambda f: f.merge()[0].update(run=f.others())),
    T("all events of a run that is not there", lambda f: relabel(f, "events", "0123456789abcdef")),
    T("the events of two runs with other seeds, exchanged", lambda f: swap_runs(f, "events", f.run()["run"], f.others())),
    T("the events of two balancers, exchanged", lambda f: swap_runs(f, "events", f.run()["run"], f.run("collective")["run"])),
    T("no events of a run", lambda f: forget_run(f, ["events"])),
    T("the events of a run twice", lambda f: f.tables["events"].extend([dict(row) for row in f.events()])),
    T("runs in another order", lambda f: swap_rows(f, "runs", f.run(), f.run("collective"))),

    # Regroupings.
    T("a process more with so many regroupings", lambda f: plus(f.regroups()[0], "processes", 1)),
    T("another number of regroupings", lambda f: plus(f.regroups()[0], "regroupings", 1)),
    T("a row of regroupings less", lambda f: f.drop("regroups", f.regroups()[0])),
    T("a row of regroupings more", lambda f: f.add("regroups", f.regroups()[-1], dict(f.regroups()[-1], regroupings="9", processes="0"))),
    T("the regroupings of two balancers, exchanged", lambda f: swap_runs(f, "regroups", f.run()["run"], f.run("none")["run"])),
    T("no regroupings of a run", lambda f: forget_run(f, ["regroups"])),

    # Figures of runs.
    T("a shorter makespan", lambda f: times(f.run(), 0.9, ["makespan_s"])),
    T("a makespan that is no number", lambda f: f.run().update(makespan_s="nan")),
    T("a longer ideal", lambda f: times(f.run(), 1.1, ["ideal_s"])),
    T("a later bound", lambda f: times(f.run(), 1.01, ["bound_s"])),
    T("another average of regroupings", lambda f: plus(f.run(), "regroups_avg", 0.5)),
    T("another deviation of regroupings", lambda f: plus(f.run(), "regroups_stdev", 0.25)),
    T("other fewest regroupings", lambda f: plus(f.run(), "regroups_min", 1)),
    T("other most regroupings", lambda f: plus(f.run(), "regroups_max", 1)),
    T("another clock", lambda f: f.run().update(clock="simgrid")),
    T("not oversubscribed", lambda f: f.run().update(oversubscribed="no" if f.run()["oversubscribed"] != "no" else "yes")),
    T("no cores", lambda f: f.run().update(cores="0" if f.run()["cores"] else "2")),
    T("another way to have waited", lambda f: f.run().update(waited="somehow")),
    T("more communicators alive", lambda f: f.run().update(communicators_alive_max="2"), blind={MPI: FACT}),
    T("a wall time shorter than the run", lambda f: f.run().update(wall_s="1e-6"), where=(MPI,)),
    T("a longer wall time", lambda f: plus(f.run(), "wall_s", 1.5), blind=FACTS),
    T("a wall time that is no number", lambda f: f.run().update(wall_s="nan")),
    T("a set-up that leaves no time for the run", lambda f: f.run().update(setup_s=f.run()["wall_s"]), where=(MPI,)),
    T("another set-up time", lambda f: times(f.run(), 0.5, ["setup_s"]), where=(MPI,), blind=FACTS),
    T("some memory", lambda f: f.run().update(memory_mb="1"), blind=FACTS),
    T("another invocation", lambda f: f.run().update(invocation="7")),

    # Parameters and names of runs.
    *[T(f"another {column}", lambda f, c=column, v=value: f.run("collective").update({c: v}))
      for column, value in (("ranks", "8"), ("group_size", "2"), ("item_ms", "5"), ("engine", "simgrid"),
                            ("jitter", "0.2"), ("speedup", "amdahl(serial_fraction=0.1)"), ("walker", "spin"), ("balancer", "collective(exchange_interval=3)"),
                            ("communicator", "create_group"), ("seed", "3"), ("repetition", "2"), ("waiting", "direct"),
                            ("settings", "save_every=3"), ("run", "0123456789abcdef"))],
    T("another workload", lambda f: f.run().update(workload="exponential(mean_items=9)"), where=(VIRTUAL,)),
    T("another workload", lambda f: f.run().update(workload="cyclic(multiplier=4 modulus=3)"), where=(MPI,)),
    T("another balancer", lambda f: f.run().update(balancer="none")),
    T("other costs", lambda f: f.run().update(costs=f.run()["costs"].replace("latency_us=1.2", "latency_us=1.3")), where=(VIRTUAL,)),
    T("another name of a run in all files", rename),
    T("a run twice", lambda f: f.add("runs", f.run(), f.run())),
    T("a run less", lambda f: forget_run(f, ["runs"])),
    T("a run less in all files", lambda f: forget_run(f, ["runs", "regroups", "events"]),
      blind={kind: "a sweep need not have all of its runs, as with --only" for kind in RUNS}),

    # How runs ended.
    T("a run that ended well is called failed", lambda f: f.run().update(status="failed")),
    T("a run that ended well is called failed, with a message", lambda f: f.run().update(status="failed", message="x")),
    T("a run that ended well has a message", lambda f: f.run().update(message="x")),
    T("a run that failed is called ok", lambda f: bad(f).update(status="ok"), where=(MPI,)),
    T("a run that failed has a makespan", lambda f: bad(f).update(makespan_s="1"), where=(MPI,)),
    T("a run that failed has no message", lambda f: bad(f).update(message=""), where=(MPI,)),
    T("a run that failed has events", lambda f: relabel(f, "events", bad(f)["run"]), where=(MPI,)),
    T("another ideal of a run that failed", lambda f: times(bad(f), 2, ["ideal_s"]), where=(MPI,)),
    T("another status of a run that failed", lambda f: bad(f).update(status="killed"), where=(MPI,), blind=FACTS),
    T("another message of a run that failed", lambda f: bad(f).update(message="x"), where=(MPI,), blind=FACTS),

    # Files as a whole.
    T("a column less", lambda f: rename_column(f, "runs", "makespan_s", "x")),
    T("provenance on another host", lambda f: setattr(f, "provenance", f.provenance.replace("\nhost: ", "\nhost: x # ")), where=tuple(SWEEPS), blind=FACTS),
    T("provenance of another configuration", lambda f: setattr(f, "provenance", f.provenance.replace("ranks: ", "ranks: 1")), where=tuple(SWEEPS)),

    # Measurements.
    *[T(f"another {column} of a measurement", lambda f, c=column, v=value: f.row().update({c: v}),
        where=(CREATION, STEPS, COLLECTIVES, ITEMS) if column == "group_size" else (CREATION, STEPS, COLLECTIVES, ITEMS, SORT))
      for column, value in (("ranks", "8"), ("group_size", "3"), ("samples", "9"), ("seed", "2"), ("repetition", "2"),
                            ("waiting", "direct"), ("run", "0123456789abcdef"), ("status", "failed"),
                            ("message", "x"), ("setup_s", "nan"), ("wall_s", "-1"), ("oversubscribed", "")) ],
    T("a measurement twice", lambda f: f.add(f.main, f.row(), f.row()), where=(CREATION, STEPS, COLLECTIVES)),
    T("another strategy", lambda f: f.row().update(communicator="comm_split"), where=(CREATION,)),
    T("another pattern", lambda f: f.row().update(pattern="halves"), where=(CREATION,)),
    T("other groups", lambda f: plus(f.row(), "formed_groups", 1), where=(CREATION,), blind=FACTS),
    T("a larger group that came out", lambda f: plus(f.row(), "formed_ranks_max", 1), where=(CREATION,), blind=FACTS),
    T("a smaller group that came out", lambda f: plus(f.row(), "formed_ranks_min", -1), where=(CREATION,), blind=FACTS),
    T("a median below the smallest sample", lambda f: f.row().update(create_median_s="0"), where=(CREATION,)),
    T("a median above its interval", lambda f: f.row().update(free_median_s="1e9"), where=(CREATION,)),
    T("a smallest sample below zero", lambda f: f.row().update(create_min_s="-1"), where=(CREATION,)),
    T("a time of a bystander that is no number", lambda f: f.row().update(bystander_s="nan"), where=(CREATION,)),
    T("no time of a bystander", lambda f: f.row(pattern="one_group").update(bystander_s=""), where=(CREATION,)),
    T("a late member that nobody measured", lambda f: f.row().update(late_create_s=""), where=(CREATION,)),
    T("more communicators after than at any time", lambda f: plus(f.row(), "communicators_alive_after", 9), where=(CREATION,), blind=FACTS),
    T("other messages", lambda f: f.row().update(mpi_messages="99"), where=(CREATION,), blind=FACTS),
    T("a median elsewhere in its interval", lambda f: f.row().update(create_median_s=f.row()["create_high_s"] + "1"), where=(CREATION,)),
    T("a look that took no time", lambda f: f.row().update(look_for_request_s=""), where=(STEPS,)),
    T("an exchange of one leader", lambda f: f.row(group_size="4").update(exchange_loads_s="1"), where=(STEPS,), blind=FACTS),
    T("a message that took less than nothing", lambda f: f.row().update(message_s="-1"), where=(STEPS,)),
    T("another time of a step", lambda f: plus(f.row(), "look_for_request_s", 1e-9), where=(STEPS,)),
    T("another operation", lambda f: f.row(operation="bcast").update(operation="reduce"), where=(COLLECTIVES,)),
    T("a median below the interval", lambda f: f.row().update(time_median_s=f.row()["time_min_s"], time_low_s=f.row()["time_high_s"]), where=(COLLECTIVES,)),
    T("no median", lambda f: f.row().update(time_median_s=""), where=(COLLECTIVES, ITEMS, SORT)),
    T("another strategy of a sort", lambda f: f.row(communicator="range").update(communicator="icreate_group"), where=(SORT,)),
    T("a sort without its levels", lambda f: f.row(communicator="range").update(levels=""), where=(SORT,), blind=FACTS),
    T("a plain sort that divides", lambda f: f.row(communicator="sample_sort").update(levels="3"), where=(SORT,), blind=FACTS),
    T("a sort that is not balanced", lambda f: f.row(communicator="range").update(imbalance="1.25"), where=(SORT,), blind=FACTS),
    T("a sort of other elements", lambda f: f.row().update(element_type="float"), where=(SORT,)),
    T("another walker", lambda f: f.row().update(walker="spin"), where=(ITEMS,)),
    T("another time of an item by the configuration", lambda f: f.row().update(item_ms="2"), where=(ITEMS,)),
    # Samples.
    T("the shortest sample even shorter", lambda f: plus(shortest(f), "value_s", -1e-9), where=MEASUREMENTS,
      blind={STEPS: "nothing is told of its samples but the median"}),
    T("a sample of no time", lambda f: f.rows("samples")[0].update(value_s="nan"), where=MEASUREMENTS),
    T("a sample below zero", lambda f: shortest(f).update(value_s="-1e-9"), where=MEASUREMENTS),
    T("a sample less", lambda f: f.drop("samples", f.rows("samples")[-1]), where=MEASUREMENTS),
    T("a sample twice", lambda f: f.add("samples", f.rows("samples")[0], f.rows("samples")[0]), where=MEASUREMENTS),
    T("another number of a sample", lambda f: plus(f.rows("samples")[2], "sample", 1), where=MEASUREMENTS),
    T("two samples in the wrong order", lambda f: swap_rows(f, "samples", *f.rows("samples")[:2]), where=MEASUREMENTS),
    T("samples of a time that nobody takes", lambda f: f.rows("samples")[0].update(time="wait_s"), where=MEASUREMENTS),
    T("a sample of another time", lambda f: f.rows("samples")[0].update(time="in_flight_work_s"), where=MEASUREMENTS),
    T("a sample before the start", lambda f: f.rows("samples")[0].update(began_s="-1"), where=MEASUREMENTS),
    T("a sample after the end", lambda f: plus(f.rows("samples", run=f.row()["run"], time=f.rows("samples")[0]["time"])[-1],
                                               "began_s", float(f.row()["wall_s"])), where=MEASUREMENTS),
    T("a sample before the one before", lambda f: f.rows("samples")[1].update(began_s="0"), where=MEASUREMENTS),
    T("a sample a little later", lambda f: plus(f.rows("samples")[0], "began_s", 1e-6), where=MEASUREMENTS,
      blind=FACTS),
    T("samples of another measurement", lambda f: f.rows("samples")[0].update(run="0123456789abcdef"), where=MEASUREMENTS),
    # Runs without events.
    T("events that are said to be there", lambda f: f.run().update(events="all"), where=EVENTLESS),
    T("events that are said not to be there", lambda f: f.run().update(events="summary")),
    T("regroupings that are said not to be there", lambda f: f.run().update(events="none"), where=SUMMARIES),
    T("what is written in another word", lambda f: f.run().update(events="some"), where=(*RUNS, *EVENTLESS)),
    T("another makespan, of which no events tell", lambda f: plus(f.run(), "makespan_s", 1e-3), where=EVENTLESS,
      blind={MPI_SUMMARY: FACT, MPI_NONE: FACT}),
    T("another ideal, of which no events tell", lambda f: times(f.run(), 0.9, ["ideal_s"]), where=EVENTLESS),
    T("a makespan beyond the run, of which no events tell", lambda f: plus(f.run(), "makespan_s", 1e3), where=EVENTLESS),
    T("another average, of which no events tell", lambda f: plus(f.run(), "regroups_avg", 1), where=EVENTLESS,
      blind={MPI_NONE: FACT}),
    T("a process that regrouped less, of which no events tell",
      lambda f: plus(f.regroups()[0], "processes", 1), where=SUMMARIES),
    T("a process that regrouped more, of which no events tell",
      lambda f: plus(f.regroups()[-1], "regroupings", 1), where=SUMMARIES),
]

CASES = [pytest.param(tampering, where, id=f"{where}: {tampering.what}")
         for tampering in TAMPERINGS for where in tampering.where]


@pytest.fixture(scope="module")
def originals(tmp_path_factory):
    """The results of each sweep, executed when they are first asked for."""
    made = {}

    def results(where):
        if where not in made:
            if where != VIRTUAL and not (BUILD / "regroup-mpi").exists():
                pytest.skip(f"{BUILD} was built without MPI")
            space = Workspace(tmp_path_factory.mktemp(where))
            done = space.run("run", space.write("test.yaml", SWEEPS[where]), "--out", "results")
            assert done.returncode == 0, done.stdout + done.stderr
            if where == MPI:
                space.write("test.yaml", HOPELESS)
                done = space.run("run", "test.yaml", "--out", "results", "--resume", "--only", "none")
                assert done.returncode == 1, done.stdout + done.stderr
            made[where] = space.path / "results"
        return made[where]

    return results


@pytest.fixture
def files(request, originals, workspace):
    shutil.copytree(originals(request.getfixturevalue("where")), workspace.path / "results")
    return Files(workspace.path / "results")


def verify(workspace):
    done = workspace.run("verify", "results")
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("where", SWEEPS)
def test_results_that_nobody_changed_are_fine(workspace, files, where):
    files.write()
    code, output = verify(workspace)
    assert code == 0, output
    assert ("not checked" in output) == (where in (MPI_SUMMARY, MPI_NONE))


@pytest.mark.parametrize("tampering, where", CASES)
def test_computing_again_finds_every_change(workspace, files, tampering, where):
    tampering.how(files)
    files.write()
    code, output = verify(workspace)
    if where in tampering.blind:
        assert code == 0, f"this is noticed: {output}"
    else:
        assert code in (1, 2), output
        assert re.search(r"\.(csv|yaml)(:\d+)?: ", output), output
