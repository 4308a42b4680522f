#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Time to sort as a function of the elements per rank, by communicator strategy: counterpart of Figure 8
of the RBC paper (Axtmann, Wiebigke, Sanders: Lightweight MPI Communicators with Applications to
Perfectly Balanced Quicksort, IPDPS 2018).

    plots/sort.py results/sort

Both axes are logarithmic. There is one line for each strategy that creates the communicators of Janus
Quicksort, and one for sample sort, which creates none. Lines are medians, and bands are their 95 %
confidence intervals; medians of fewer than six samples have no band. The dotted line is std::sort on
one rank, with the same number of elements per rank. The lower panels show the ratios to `range` with
the same assignment of elements. Each number of ranks, each input, and each combination of other settings
that vary has its own panel.

RESULTS are read by `regroup table`.
"""

import common
import pandas
from figures import summary

X, TIMES = "elements_per_rank", ["time_median_s", "time_low_s", "time_high_s"]


def main():
    arguments = common.parser(__doc__).parse_args()
    rows, note = common.read_table(arguments.results, "communicator", "assignment", "input", "element_type", X,
                                   *TIMES, where=arguments.where)
    rows = rows[rows[X] > 0]
    if rows.empty:
        raise common.InputError(f"{arguments.results}: no sort of elements with status ok")
    rows = with_ways(rows)
    alone = rows[rows.communicator == "std_sort"].sort_values(X)
    together = rows if len(alone) == len(rows) else rows[rows.communicator != "std_sort"]
    notes = [note, common.without_interval(rows, TIMES[1])]
    common.save(draw(together, rows, alone, "  ".join(filter(None, notes)), arguments), arguments)


def with_ways(rows):
    """Adds names and colours of lines to `rows`, the same in all panels."""
    greedy = rows.assignment.isin(["greedy", ""])
    ways = rows.communicator.where(greedy, rows.communicator + ", " + rows.assignment)
    return rows.assign(way=ways, colour=ways.map(common.colours(sorted(ways.unique(), key=by_name))))


def by_name(way):
    """Returns a sort key for lines: `range` comes first."""
    return way.split(",")[0] != "range", way


def draw(together, rows, alone, note, arguments):
    same = [f"{rows[c].iloc[0]}" for c in ("input", "element_type") if rows[c].nunique() == 1]
    subtitle = " · ".join([common.ranks_on_cores(rows), *same, "medians and their 95 % confidence intervals"])
    panels, note = summary.few(list(common.panels(together, "ranks")), together, note, arguments, [X])
    page = common.Page(arguments, "Time to sort over communicators of each strategy", subtitle, note,
                       4.6 + 2.6 * min(len(panels) - 1, 2))
    unit = common.unit_of(rows[TIMES[0]])
    styles = common.of_names(sorted(rows.way.unique(), key=by_name))
    compared = any(bases_of(part) for _, part in panels)
    axes = page.panels(len(panels), (3.4 if page.narrow else 4.4) - (0 if compared else 1.2), 2.4, 3,
                       (2.4, 1) if compared else (1,))
    for (axis, *beneath), (title, part) in zip(axes, panels):
        page.title(axis, title)
        bases = bases_of(part)
        plot_times(axis, part, like(alone, part), styles, unit, "" if bases else "elements per rank, n/p")
        if bases:
            axis.tick_params(labelbottom=False)
            plot_ratios(*beneath, part, bases, styles)
        elif beneath:
            beneath[0].remove()
    times = [axis for axis, *_ in axes]
    ratios = [other for _, *beneath in axes for other in beneath if other in page.figure.axes]
    return page.finish(common.keys_of(times), [times, ratios])


def bases_of(part):
    """Returns {way: medians} of `range`; empty if there is nothing to compare."""
    if part.way.nunique() < 2:
        return {}
    return {way: rows.set_index(X)[TIMES[0]] for way, rows in part.groupby("way") if way.split(",")[0] == "range"}


def like(alone, part):
    """Returns the rows of `alone` with the same input and element type as `part`."""
    same = [alone[c].isin(part[c].unique()) for c in ("input", "element_type")]
    return alone[same[0] & same[1] & ~alone.index.isin(part.index)]


def lines(part):
    """Yields (name, rows) of each line."""
    for way in sorted(part.way.unique(), key=by_name):
        yield way, part[part.way == way].sort_values(X)


def plot_times(axis, part, alone, styles, unit, x_label):
    name, factor = unit
    for way, rows in lines(part):
        common.line_with_band(axis, rows[X], *(factor * rows[time] for time in TIMES), rows.colour.iloc[0],
                              label=way, **styles[way])
    common.frame(axis, part[X].unique(), x_label, f"time to sort in {name}", log=True)
    if len(alone):  # std_sort; far below for few elements
        times = factor * alone[TIMES[0]]
        axis.plot(alone[X], times, label="std_sort", **common.IDEAL)
        axis.set_ylim(bottom=min(factor * part[TIMES[0]].min() / 3, times.iloc[-1] / 2))


def plot_ratios(axis, part, bases, styles):
    ratios = []
    for way, rows in lines(part):
        _, _, assignment = way.partition(", ")
        base = bases.get(", ".join(filter(None, ["range", assignment])), next(iter(bases.values())))
        ratio = (rows.set_index(X)[TIMES[0]] / base).dropna()
        axis.plot(ratio.index, ratio, color=rows.colour.iloc[0], **styles[way])
        ratios.append(ratio)
    every = pandas.concat(ratios)
    common.frame(axis, part[X].unique(), "elements per rank, n/p", "time / range", log=True)
    axis.set_ylim(min(0.8, 0.9 * every.min()), max(1.25, 1.1 * every.max()))


if __name__ == "__main__":
    common.run(main)
