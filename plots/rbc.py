#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Range communicators beside those of MPI: counterparts of Figures 4 to 7 and 9 of the RBC paper
(Axtmann, Wiebigke, Sanders: Lightweight MPI Communicators with Applications to Perfectly Balanced
Quicksort, IPDPS 2018).

Creation of two halves and of overlapping groups against the number of ranks, one line per strategy;
operations against the number of elements, one line per kind of communicator: our operations on
range communicators, MPI's nonblocking ones on those of MPI. Lines are medians, bands their 95 %
confidence intervals, of several repetitions over all of these; medians of fewer than six samples
have none. Whatever else varies (waiting, cores, MPI library, samples, …) has panels of its own.
Panels that the results have no data for are left out, and named at the foot.

Reads RESULTS_DIR/creation.csv and RESULTS_DIR/collectives.csv, one of which may be missing, also
of several directories.
"""

import math
from pathlib import Path

import common
import lines
import pandas
from common import plt
from matplotlib.ticker import EngFormatter, LogLocator

CREATION, COLLECTIVES = "creation.csv", "collectives.csv"
TEXTS = {CREATION: ["strategy", "pattern", "oversubscribed", "waited", "library", "repetition",
                    "seed"],
         COLLECTIVES: ["operation", "communicator", "creation", "group_size", "oversubscribed",
                       "waited", "library", "repetition", "seed"]}
NUMBERS = {CREATION: ["create_median_s"], COLLECTIVES: ["elements", "calls", "time_median_s"]}
INTERVALS = {CREATION: ["create_low_s", "create_high_s"],
             COLLECTIVES: ["time_low_s", "time_high_s"]}
# What panels are drawn over, and what does not split them. These patterns have group sizes of their
# own, which follow from the ranks; the directories may be of several experiments.
X = {CREATION: "ranks", COLLECTIVES: "elements"}
FREE = {CREATION: ["strategy", "caller", "pattern", "group_size", "experiment"],
        COLLECTIVES: ["communicator", "operation", "creation", "calls", "experiment"]}
DRAWN = ["maker", "variant", "x", "median", "low", "high", "x_label", "colour"]

WIDTH, HEIGHT = 2.9, 2.7


def operation(name, creation):
    return lambda rows: rows[(rows.operation == name) & (rows.creation == creation)]


def pattern(*names):
    return lambda rows: rows[rows.pattern.isin(names)]


# Title, file, and which of its rows.
PANELS = [
    ("Scan (Figure 4)", COLLECTIVES, operation("scan", "before")),
    ("Two halves (Figure 5)", CREATION, pattern("halves")),
    ("Overlapping groups (Figure 6)", CREATION, pattern("cascaded", "alternating")),
    ("Communicator and broadcast (Figure 7)", COLLECTIVES, operation("bcast", "timed")),
    ("Broadcast (Figure 9)", COLLECTIVES, operation("bcast", "before")),
    ("Reduce (Figure 9)", COLLECTIVES, operation("reduce", "before")),
    ("Gather (Figure 9)", COLLECTIVES, operation("gather", "before")),
]


def main():
    parser = common.parser(__doc__)
    parser.add_argument("more", metavar="MORE_DIR", type=Path, nargs="*",
                        help="further folders of results, for the same figure")
    arguments = parser.parse_args()
    rows, status = read_all([arguments.results, *arguments.more])
    panels, missing = [], []
    for title, file, choose in PANELS:
        chosen = choose(rows[file]) if file in rows else pandas.DataFrame()
        if chosen.empty:
            missing.append(title)
            continue
        for fixed, part in common.split(chosen, X[file], [*FREE[file], *DRAWN]):
            panels.append(("\n".join(filter(None, [title, fixed])), part))
    if not panels:
        raise common.InputError(f"{arguments.results}: no finished measurement that belongs to a "
                                f"panel (looked at {len(status)} rows)")
    every = pandas.concat([part for _, part in panels], ignore_index=True)
    notes = [common.note(status), common.without_interval(every, "low")]
    if missing:
        notes.append(f"No data for: {', '.join(missing)}.")
    common.save(draw(panels, every, "  ".join(filter(None, notes))), arguments)


# ---- reading -------------------------------------------------------------------------------------

def read_all(directories):
    """The finished rows of each file, and the status of all rows."""
    rows, status = {}, []
    for directory in directories:
        files = [file for file in TEXTS if (directory / file).exists()]
        if directory.is_dir() and not files:
            raise common.InputError(f"{directory}: neither {CREATION} nor {COLLECTIVES}")
        for file in files or TEXTS:
            finished, all_status = common.read_finished(directory, file, TEXTS[file],
                                                        NUMBERS[file], INTERVALS[file])
            rows.setdefault(file, []).append(with_coordinates(finished, file))
            status.append(all_status)
    whole = {file: pandas.concat(parts, ignore_index=True) for file, parts in rows.items()}
    shades = common.colours(name for part in whole.values() for name in part.maker)
    whole = {file: part.assign(colour=part.maker.map(shades)) for file, part in whole.items()}
    return whole, pandas.concat(status)


def with_coordinates(rows, file):
    """`rows` with what every panel is drawn from: who made the communicator, in which variant of
    the panel, x, and a time with its interval."""
    if file == CREATION:
        time, maker, variant, x = "create", rows.strategy, rows.pattern, rows.ranks
    else:
        rows = rows[rows.elements > 0]
        time, maker, x = "time", rows.communicator, rows.elements
        variant = rows.calls.map("× {:.0f}".format)
    return rows.assign(maker=maker, variant=variant, x=x, median=rows[f"{time}_median_s"],
                       low=rows[f"{time}_low_s"], high=rows[f"{time}_high_s"],
                       x_label="ranks" if file == CREATION else "doubles of each rank")


# ---- drawing -------------------------------------------------------------------------------------

def draw(panels, every, note):
    columns = min(len(panels), 3)
    rows = math.ceil(len(panels) / columns)
    labels = max(common.text_width(label, 9) for _, part in panels for label, _ in variants(part))
    left, top = 0.75, 1.25 + (0.2 if any("\n" in title for title, _ in panels) else 0)
    column, row = left + WIDTH + 0.3 + labels, HEIGHT + 1.1
    subtitle = " · ".join([common.ranks_on_cores(every),
                           " and ".join(sorted(every.library.unique())), *common.repeated(every),
                           "medians and their 95 % confidence intervals"])
    figure = common.canvas(columns * column + 0.1, top + rows * row - 0.1,
                           "Range communicators beside those of MPI", subtitle, note)
    for i, (title, part) in enumerate(panels):
        axis = common.add_axes(figure, left + i % columns * column, top + i // columns * row,
                               WIDTH, HEIGHT)
        axis.set_title(title, pad=10)
        plot(axis, part)
    return figure


def variants(part):
    """(label, rows) of each line."""
    several = part.variant.nunique() > 1
    for (maker, variant), rows in part.groupby(["maker", "variant"]):
        yield f"{maker}, {variant}" if several else maker, rows


def plot(axis, part):
    styles = dict(zip(sorted(part.variant.unique()), ["-", (0, (3, 1.5)), ":"]))
    for label, rows in variants(part):
        first = rows.iloc[0]
        times = rows.groupby("x").agg({"median": "median", "low": "min", "high": "max"})
        axis.fill_between(times.index, times.low, times.high, color=first.colour, alpha=0.2,
                          linewidth=0)
        axis.plot(times.index, times["median"], color=first.colour, linewidth=1.6, label=label,
                  linestyle=styles.get(first.variant, ":"), marker="o", markersize=4.5,
                  markeredgecolor="white", markeredgewidth=0.7, clip_on=False)
    lines.ticks_at(axis, part.x.unique())
    axis.set_yscale("log")
    known = pandas.concat([part[column].dropna() for column in ("median", "low", "high")])
    few_decades = known.max() < 1000 * known.min()
    axis.yaxis.set_major_locator(LogLocator(10, subs=(1, 2, 5) if few_decades else (1,)))
    axis.yaxis.set_major_formatter(EngFormatter("s"))
    axis.yaxis.set_minor_formatter(plt.NullFormatter())
    axis.grid(axis="y")
    axis.tick_params(length=0, which="both")
    axis.set_xlabel(part.x_label.iloc[0])
    lines.label(axis, HEIGHT)


if __name__ == "__main__":
    common.run(main)
