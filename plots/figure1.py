#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""What it costs to create a communicator, against the size of the group: Figure 1 of the paper.

One line per communicator strategy, both axes logarithmic: the median, with a band that is its 95 %
confidence interval; of several repetitions, their median, with a band over all their intervals. A
median of fewer than six samples has no interval, and no band. Dashed lines are parent-collective
(all ranks enter the call), the others group-collective (only the members do). A strategy that makes
nothing but copies of its parent is a point. Each number of ranks gets a panel of its own, and so
does each combination of whatever else varies (waiting, cores, MPI library, samples, …).

Reads RESULTS_DIR/creation.csv, of which the rows with pattern one_group count.
"""

import math

import common
import lines
from common import plt
from matplotlib.ticker import EngFormatter, LogLocator

FILE = "creation.csv"
TEXTS = ["strategy", "caller", "pattern", "oversubscribed", "waited", "library", "repetition",
         "seed"]
MEDIAN, INTERVAL = "create_median_s", ["create_low_s", "create_high_s"]
VARIANT = ["strategy", "caller", "colour"]
MARKERS = "os^DvPX*<>"
WIDTH = 5.6


def main():
    arguments = common.parser(__doc__).parse_args()
    rows, status = common.read_finished(arguments.results, FILE, TEXTS, ["group_size", MEDIAN],
                                        INTERVAL)
    rows = rows.assign(colour=rows.strategy.map(common.colours(rows.strategy)))
    rows = rows[rows.pattern == "one_group"]
    if rows.empty:
        raise common.InputError(f"{arguments.results / FILE}: no row with pattern one_group and "
                                f"status ok (looked at {len(status)} rows)")
    notes = [common.note(status[status != "unsupported"]),
             common.without_interval(rows, INTERVAL[0])]
    panels = common.split(rows, "group_size", VARIANT)
    common.save(draw(panels, rows, "  ".join(filter(None, notes))), arguments)


def draw(panels, rows, note):
    strategies = sorted(rows.strategy.unique())
    columns = min(len(panels), 2)
    left, top = 0.85, 1.0 + (0.3 if panels[0][0] else 0)
    height = max(4.2, 0.21 * len(strategies))
    labels = max(common.text_width(name, 9.5) for name in strategies)
    column, row = left + WIDTH + 0.3 + labels, height + 1.05
    subtitle = " · ".join([common.ranks_on_cores(rows),
                           " and ".join(sorted(rows.library.unique())), *common.repeated(rows),
                           "dashed: parent-collective",
                           "medians and their 95 % confidence intervals"])
    figure = common.canvas(columns * column,
                           top + math.ceil(len(panels) / columns) * row - 0.1,
                           "Cost of creating a communicator", subtitle, note)
    marker = {name: MARKERS[i % len(MARKERS)] for i, name in enumerate(strategies)}
    for i, (title, part) in enumerate(panels):
        axis = common.add_axes(figure, left + i % columns * column, top + i // columns * row,
                               WIDTH, height)
        axis.set_title(title, pad=10)
        plot(axis, part, marker)
        lines.label(axis, height)
    return figure


def plot(axis, part, marker):
    for strategy, rows in part.groupby("strategy"):
        shade = rows.colour.iloc[0]
        columns = [MEDIAN, *INTERVAL]
        times = rows.groupby("group_size").agg(dict(zip(columns, ["median", "min", "max"])))
        median, low, high = (times[name] for name in columns)
        axis.fill_between(times.index, low, high, color=shade, alpha=0.15, linewidth=0)
        dashed = rows.caller.iloc[0] == "parent"
        axis.plot(times.index, median, color=shade, linewidth=1.6, label=strategy,
                  linestyle=(0, (4, 1.5)) if dashed else "-", marker=marker[strategy],
                  markersize=5, markeredgecolor="white", markeredgewidth=0.7, clip_on=False)
    lines.ticks_at(axis, part.group_size.unique())
    axis.set_yscale("log")
    axis.yaxis.set_major_locator(LogLocator(10))
    axis.yaxis.set_major_formatter(EngFormatter("s"))
    axis.yaxis.set_minor_formatter(plt.NullFormatter())
    axis.grid(axis="y")
    axis.tick_params(length=0, which="both")
    axis.set_xlabel("group size")
    axis.set_ylabel("time to create")


if __name__ == "__main__":
    common.run(main)
