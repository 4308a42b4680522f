#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Range communicators and communicators of MPI: counterparts of Figures 4 to 7 and 9 of the RBC paper
(Axtmann, Wiebigke, Sanders: Lightweight MPI Communicators with Applications to Perfectly Balanced
Quicksort, IPDPS 2018).

    plots/rbc.py results/rbc results/rbc_bcast results/rbc_creation

Shows the creation of two halves and of overlapping groups as a function of the number of ranks, with
one line per strategy. Operations are shown as a function of bytes, with one line per kind of
communicator: operations of range communicators, and nonblocking operations of MPI on communicators of
MPI. Lines are medians, and bands are their 95 % confidence intervals; medians of fewer than six samples
have no band. Each combination of other settings that vary has its own panel. Panels without data are
omitted and listed below the figure.

RESULTS and MORE are read by `regroup table`.
"""

from pathlib import Path

import common
import pandas
from figures import summary

CREATION, COLLECTIVES = "creation", "collectives"


def operation(name, creation):
    return lambda rows: rows[(rows.operation == name) & (rows.creation == creation)]


def pattern(*names):
    return lambda rows: rows[rows.pattern.isin(names)]


# (title, kind of measurement, predicate on its rows).
PANELS = [
    ("Scan", COLLECTIVES, operation("scan", "before")),  # Figure 4
    ("Two halves", CREATION, pattern("halves")),  # Figure 5
    ("Overlapping groups", CREATION, pattern("cascaded", "alternating")),  # Figure 6
    ("Communicator and broadcast", COLLECTIVES, operation("bcast", "timed")),  # Figure 7
    ("Broadcast", COLLECTIVES, operation("bcast", "before")),  # Figure 9
    ("Reduce", COLLECTIVES, operation("reduce", "before")),  # Figure 9
    ("Gather", COLLECTIVES, operation("gather", "before")),  # Figure 9
]


def main():
    parser = common.parser(__doc__)
    parser.add_argument("more", metavar="MORE", type=Path, nargs="*", help="more directories of results for the same figure")
    arguments = parser.parse_args()
    rows, notes = read_all([arguments.results, *arguments.more], arguments.where)
    panels, missing = [], []
    for title, kind, choose in PANELS:
        chosen = choose(rows[kind]) if kind in rows else pandas.DataFrame()
        if chosen.empty:
            missing.append(title)
            continue
        ranks = [] if kind == CREATION else ["ranks"]  # the x axis of creation
        for fixed, part in common.panels(chosen, *ranks):
            panels.append(("\n".join(filter(None, [title, fixed])), part))
    if not panels:
        raise common.InputError(f"{arguments.results}: no measurement that ended well belongs to a panel")
    panels, more = summary.few(panels, pandas.concat(rows.values()), "", arguments, ["bytes"])
    notes.append(more)
    every = pandas.concat([part for _, part in panels], ignore_index=True)
    notes.append(common.without_interval(every, "low"))
    if missing:
        notes.append(f"No data for: {', '.join(missing)}.")
    common.save(draw(panels, every, "  ".join(filter(None, notes)), arguments), arguments)


def read_all(directories, where):
    """Returns the rows of each kind, and notes."""
    rows, notes = {}, []
    for directory in directories:
        found, note = common.read_table(directory, where=where)
        kind = CREATION if "pattern" in found else COLLECTIVES
        if kind == COLLECTIVES and "operation" not in found:
            raise common.InputError(f"{directory}: measurements of neither creation nor collectives")
        rows.setdefault(kind, []).append(with_coordinates(found, kind))
        notes.append(note)
    whole = {kind: pandas.concat(parts, ignore_index=True) for kind, parts in rows.items()}
    shades = common.colours(name for part in whole.values() for name in part.communicator)
    return {kind: part.assign(colour=part.communicator.map(shades)) for kind, part in whole.items()}, notes


def with_coordinates(rows, kind):
    """Adds the coordinates of every panel to `rows`: x, and a time with its interval."""
    if kind == CREATION:
        time, x = "create", rows.ranks
    else:
        rows = rows[rows.bytes > 0]
        time, x = "time", rows.bytes
    return rows.assign(x=x, median=rows[f"{time}_median_s"], low=rows[f"{time}_low_s"],
                       high=rows[f"{time}_high_s"], x_label="ranks" if kind == CREATION else "bytes of each rank")


def draw(panels, every, note, arguments):
    subtitle = f"{common.ranks_on_cores(every)} · medians and their 95 % confidence intervals"
    page = common.Page(arguments, "Range communicators and those of MPI", subtitle, note,
                       4.4 + 2.9 * min(len(panels) - 1, 2))
    styles = common.of_names(sorted({label for _, part in panels for label, _ in lines(part)}))
    unit = common.unit_of(every["median"])
    axes = [axis for axis, in page.panels(len(panels), 2.6 if page.narrow else 3.2, 2.4, 3)]
    alike = {}  # axes over ranks, and axes over bytes
    for axis, (title, part) in zip(axes, panels):
        page.title(axis, title)
        plot(axis, part, styles, unit)
        alike.setdefault(part.x_label.iloc[0], []).append(axis)
    return page.finish(common.keys_of(axes), alike.values())


def lines(part):
    """Yields (label, rows) of each line."""
    several = "pattern" in part and part.pattern.nunique() > 1
    names = part.communicator + ", " + part.pattern if several else part.communicator
    yield from part.sort_values("x").groupby(names)


def plot(axis, part, styles, unit):
    name, factor = unit
    for label, rows in lines(part):
        common.line_with_band(axis, rows.x, factor * rows["median"], factor * rows.low, factor * rows.high,
                              rows.colour.iloc[0], label=label, **styles[label])
    common.frame(axis, part.x.unique(), part.x_label.iloc[0], f"time in {name}", log=True)


if __name__ == "__main__":
    common.run(main)
