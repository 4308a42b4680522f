#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""What sorting takes over communicators of each strategy, against the elements per rank: counterpart
of Figure 8 of the RBC paper (Axtmann, Wiebigke, Sanders: Lightweight MPI Communicators with
Applications to Perfectly Balanced Quicksort, IPDPS 2018).

Both axes are logarithmic; a line for each strategy by which Janus Quicksort made its communicators,
and for the sample sort, which makes none. Lines are medians, bands their 95 % confidence intervals,
of several repetitions and seeds over all of these; medians of fewer than six samples have none.
Dotted is what one rank takes for as many elements with std::sort. Beneath, each time over that of
`range`, by the same assignment of elements. Each number of ranks, each input, and each combination
of whatever else varies (type of the elements, waiting, cores, MPI library, …) has a panel of its
own. Sorts of nothing have no place on the axis.

Reads RESULTS_DIR/sort.csv.
"""

import math

import common
import lines
import pandas
from common import GREY, plt
from matplotlib.ticker import EngFormatter, FuncFormatter, LogLocator

FILE = "sort.csv"
TEXTS = ["strategy", "assignment", "input", "element_type", "oversubscribed", "waited", "library",
         "repetition", "seed"]
X, MEDIAN, INTERVAL = "elements_per_rank", "time_median_s", ["time_low_s", "time_high_s"]
OWN = ["strategy", "caller", "assignment", "way", "colour"]  # of lines, and not of panels
WIDTH, HEIGHT, BENEATH, GAP = 3.3, 2.8, 1.2, 0.15


def main():
    arguments = common.parser(__doc__).parse_args()
    path = arguments.results / FILE
    rows, status = common.read_finished(arguments.results, FILE, TEXTS, ["cores", X, MEDIAN],
                                        INTERVAL)
    rows = rows[rows[X] > 0]
    if rows.empty:
        raise common.InputError(f"{path}: no sort of elements with status ok (looked at "
                                f"{len(status)} rows)")
    if not (rows[MEDIAN] > 0).all():
        raise common.InputError(f"{path}: column {MEDIAN}: all must be above 0")
    rows = with_ways(rows)
    alone = rows[rows.strategy == "std_sort"]
    together = rows if len(alone) == len(rows) else rows[rows.strategy != "std_sort"]
    panels = common.split(together, X, OWN)
    notes = [common.note(status[status != "unsupported"]),
             common.without_interval(rows, INTERVAL[0])]
    common.save(draw(panels, rows, alone, "  ".join(filter(None, notes))), arguments)


def with_ways(rows):
    """`rows` with what names their lines, and its colour, the same in all panels."""
    greedy = rows.assignment.isin(["greedy", ""])
    ways = rows.strategy.where(greedy, rows.strategy + ", " + rows.assignment)
    first = sorted(ways.unique(), key=lambda way: way.split(",")[0] != "range")
    return rows.assign(way=ways, colour=ways.map(common.colours(first)))


def draw(panels, rows, alone, note):
    columns = min(len(panels), 3)
    left, top = 0.85, 1.0 + (0.3 if panels[0][0] else 0)
    labels = max(common.text_width(way, 9) for way in [*rows.way, "std_sort"])
    column, row = left + WIDTH + 0.45 + labels, HEIGHT + GAP + BENEATH + 1.05
    same = [f"{rows[c].iloc[0]}" for c in ("input", "element_type") if rows[c].nunique() == 1]
    subtitle = " · ".join([common.ranks_on_cores(rows), *same,
                           " and ".join(sorted(rows.library.unique())), *common.repeated(rows),
                           "medians and their 95 % confidence intervals"])
    figure = common.canvas(columns * column, top + math.ceil(len(panels) / columns) * row - 0.1,
                           "Time to sort over communicators of each strategy", subtitle, note)
    for i, (title, part) in enumerate(panels):
        x, y = left + i % columns * column, top + i // columns * row
        axis = common.add_axes(figure, x, y, WIDTH, HEIGHT)
        axis.set_title(title, pad=10)
        plot_times(axis, part, like(alone, part))
        bases = {way: times_of(part[part.way == way]) for way in part.way.unique()
                 if way.split(",")[0] == "range"}
        last = axis
        if bases and part.way.nunique() > 1:
            axis.tick_params(labelbottom=False)
            last = common.add_axes(figure, x, y + HEIGHT + GAP, WIDTH, BENEATH)
            plot_ratios(last, part, bases)
        last.set_xlabel("elements per rank, n/p")
    return figure


def like(alone, part):
    """Those of `alone` that sorted what `part` did."""
    same = [alone[c].isin(part[c].unique()) for c in ("input", "element_type")]
    return alone[same[0] & same[1] & ~alone.index.isin(part.index)]


def times_of(rows):
    """The times of one line, over the elements per rank."""
    return rows.groupby(X).agg({MEDIAN: "median", INTERVAL[0]: "min", INTERVAL[1]: "max"})


def ways(part):
    """(name, colour, times) of each line; range and its like come first."""
    for way in sorted(part.way.unique(), key=lambda way: (way.split(",")[0] != "range", way)):
        rows = part[part.way == way]
        yield way, rows.colour.iloc[0], times_of(rows)


def line(axis, x, y, colour, **more):
    axis.plot(x, y, color=colour, linewidth=1.6, marker="o", markersize=4.5,
              markeredgecolor="white", markeredgewidth=0.7, clip_on=False, **more)


def plot_times(axis, part, alone):
    for way, colour, times in ways(part):
        axis.fill_between(times.index, times[INTERVAL[0]], times[INTERVAL[1]], color=colour,
                          alpha=0.2, linewidth=0)
        line(axis, times.index, times[MEDIAN], colour, label=way)
    if len(alone):
        times = times_of(alone)[MEDIAN]
        axis.plot(times.index, times, color=GREY, linewidth=1.3, linestyle=(0, (1, 1.5)),
                  label="std_sort")
    lines.ticks_at(axis, part[X].unique())
    axis.set_yscale("log")
    if len(alone):  # of few elements it is far below
        axis.set_ylim(bottom=min(part[MEDIAN].min() / 3, times.iloc[-1] / 2))
    few_decades = part[MEDIAN].max() < 100 * axis.get_ylim()[0]
    axis.yaxis.set_major_locator(LogLocator(10, subs=(1, 2, 5) if few_decades else (1,)))
    axis.yaxis.set_major_formatter(EngFormatter("s"))
    axis.yaxis.set_minor_formatter(plt.NullFormatter())
    axis.grid(axis="y")
    axis.tick_params(length=0, which="both")
    axis.set_ylabel("time to sort")
    lines.label(axis, HEIGHT)


def plot_ratios(axis, part, bases):
    ratios = []
    for way, colour, times in ways(part):
        _, _, assignment = way.partition(", ")
        base = bases.get(", ".join(filter(None, ["range", assignment])), next(iter(bases.values())))
        ratio = (times[MEDIAN] / base[MEDIAN]).dropna()
        if len(ratio):
            line(axis, ratio.index, ratio, colour)
            ratios.append(ratio)
    every = pandas.concat(ratios)
    lines.ticks_at(axis, part[X].unique())
    axis.set_yscale("log")
    axis.yaxis.set_major_locator(LogLocator(10, subs=(1, 2, 5) if every.max() < 50 else (1,)))
    axis.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
    axis.yaxis.set_minor_formatter(plt.NullFormatter())
    axis.set_ylim(min(0.8, 0.9 * every.min()), max(1.25, 1.1 * every.max()))
    axis.grid(axis="y")
    axis.tick_params(length=0, which="both")
    axis.set_ylabel("/ range")


if __name__ == "__main__":
    common.run(main)
