#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""What an item takes a group, against the size of the group, as it was measured.

Both axes are logarithmic. The line through the medians is what the speed-up model `measured` takes:
straight from point to point, and level beyond the last size, where it is dotted. The band is the
95 % confidence interval, ticks below it are the fastest samples; of several repetitions and seeds,
the median of the medians, with all their intervals, and the fastest of all. Medians of fewer than
six samples have no interval. Beside it the ideal, a share of the smallest group's time, and the
curve of Amdahl's law that comes nearest, by relative errors, with its serial fraction.

Groups with more members than cores stand on grey, with hollow points: their members share cores,
and a machine with enough of them is faster. Amdahl's law is fitted without them where two sizes or
more are left. Each walker, and each combination of whatever else varies, gets a panel of its own.

Reads RESULTS_DIR/items.csv; instead of a folder such a file can be given.
"""

import math

import common
import lines
import numpy
from common import GREY, INK, PALE, plt
from matplotlib.ticker import EngFormatter, LogLocator

FILE = "items.csv"
TEXTS = ["walker", "item_ms", "oversubscribed", "waited", "library", "repetition", "seed"]
MEDIAN, FASTEST, INTERVAL = "time_median_s", "time_min_s", ["time_low_s", "time_high_s"]
COLOURS = list(common.colours(["measured", "amdahl"]).values())
WIDTH, HEIGHT = 3.6, 3.4


def main():
    arguments = common.parser(__doc__).parse_args()
    name = FILE
    if arguments.results.is_file():
        name, arguments.results = arguments.results.name, arguments.results.parent
    path = arguments.results / name
    rows, status = common.read_finished(arguments.results, name, TEXTS,
                                        ["cores", "group_size", MEDIAN, FASTEST], INTERVAL)
    if rows.empty:
        raise common.InputError(f"{path}: no row with status ok (looked at {len(status)} rows)")
    for column in ["group_size", MEDIAN, FASTEST]:
        if not (rows[column] > 0).all():
            raise common.InputError(f"{path}: column {column}: all must be above 0")
    notes = [common.note(status[status != "unsupported"]),
             common.without_interval(rows, INTERVAL[0])]
    panels = common.split(with_times(rows), "group_size", ["item_ms"])
    common.save(draw(panels, rows, "  ".join(filter(None, notes))), arguments)


def with_times(rows):
    """`rows` whose walkers have their T in their names where there are several: to those that take
    what they take it means nothing."""
    several = rows.groupby("walker").item_ms.transform("nunique") > 1
    return rows.assign(walker=rows.walker.where(~several, rows.walker + "(" + rows.item_ms + " ms)"))


def draw(panels, rows, note):
    columns = min(len(panels), 3)
    left, top = 0.85, 1.0 + (0.3 if panels[0][0] else 0)
    labels = common.text_width("Amdahl, 100.0 % serial", 9.5)
    column, row = left + WIDTH + 0.5 + labels, HEIGHT + 1.05
    subtitle = " · ".join([common.ranks_on_cores(rows),
                           " and ".join(sorted(rows.library.unique())), *common.repeated(rows),
                           " and ".join(sorted(rows.walker.unique())),
                           "medians and their 95 % confidence intervals, fastest samples"])
    figure = common.canvas(columns * column,
                           top + math.ceil(len(panels) / columns) * row - 0.1,
                           "Time of an item by the size of its group", subtitle, note)
    for i, (title, part) in enumerate(panels):
        axis = common.add_axes(figure, left + i % columns * column, top + i // columns * row,
                               WIDTH, HEIGHT)
        axis.set_title(title, pad=10)
        plot(axis, part)
        lines.label(axis, HEIGHT)
    return figure


def plot(axis, part):
    times = part.groupby("group_size").agg(
        {MEDIAN: "median", FASTEST: "min", INTERVAL[0]: "min", INTERVAL[1]: "max"})
    sizes, medians = times.index.to_numpy(), times[MEDIAN].to_numpy()
    last, end = sizes[-1], 1.5 * sizes[-1]
    cores = part.cores.max()
    crowded = sizes > cores
    own, law = COLOURS

    axis.fill_between(sizes, times[INTERVAL[0]], times[INTERVAL[1]], color=own, alpha=0.15,
                      linewidth=0)
    axis.plot(sizes, medians, color=own, linewidth=1.6, label="measured", zorder=3)
    axis.hlines(medians[-1], last, end, color=own, linewidth=1.6, linestyle=(0, (1, 1.5)))
    axis.scatter(sizes, medians, s=26, facecolor=numpy.where(crowded, "white", own),
                 edgecolor=own, linewidth=1.2, zorder=4)
    axis.scatter(sizes, times[FASTEST], s=60, marker="_", color=own, linewidth=1.2, zorder=3)
    axis.plot(sizes, medians[0] * sizes[0] / sizes, color=GREY, linewidth=1.1,
              linestyle=(0, (4, 2)), label="ideal")
    fitted = ~crowded if (~crowded).sum() > 1 else numpy.full(len(sizes), True)
    if fitted.sum() > 1:
        fixed, shared = amdahl(sizes[fitted], medians[fitted])
        every = numpy.geomspace(sizes[0], last, 100)
        axis.plot(every, fixed + shared / every, color=law, linewidth=1.3,
                  label=f"Amdahl, {100 * fixed / (fixed + shared):.1f} % serial")

    lines.ticks_at(axis, sizes)
    axis.set_xlim(right=end)
    if crowded.any():
        axis.axvspan(cores * 2 ** 0.5 if (sizes <= cores).any() else axis.get_xlim()[0], end,
                     color=PALE, alpha=0.45, linewidth=0, zorder=0)
        axis.annotate(f"more members than {cores:.0f} core{'s' if cores > 1 else ''}", (0.98, 0.985),
                      xycoords="axes fraction", ha="right", va="top", size=8, color=INK)
    axis.set_yscale("log")
    few_decades = times[MEDIAN].max() < 100 * times[FASTEST].min()
    axis.yaxis.set_major_locator(LogLocator(10, subs=(1, 2, 5) if few_decades else (1,)))
    axis.yaxis.set_major_formatter(EngFormatter("s"))
    axis.yaxis.set_minor_formatter(plt.NullFormatter())
    axis.grid(axis="y")
    axis.tick_params(length=0, which="both")
    axis.set_xlabel("group size")
    axis.set_ylabel("time of an item")


def amdahl(sizes, times):
    """The (fixed, shared) whose fixed + shared / size have the least relative errors, squared; none
    of them is below 0."""
    parts = numpy.column_stack([1 / times, 1 / (sizes * times)])
    fixed, shared = numpy.linalg.lstsq(parts, numpy.ones(len(sizes)), rcond=None)[0]
    if fixed < 0 or shared < 0:
        alone = [part.sum() / (part ** 2).sum() for part in parts.T]
        fixed, shared = (0, alone[1]) if fixed < 0 else (alone[0], 0)
    return fixed, shared


if __name__ == "__main__":
    common.run(main)
