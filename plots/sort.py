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

Reads what `regroup table --format csv` prints of RESULTS_DIR, or a file of that.
"""

import common
import pandas

X, MEDIAN, INTERVAL = "elements_per_rank", "time_median_s", ["time_low_s", "time_high_s"]


def main():
    arguments = common.parser(__doc__).parse_args()
    rows, note = common.read_table(arguments.results, "assignment", "input", "element_type", X, MEDIAN,
                                   *INTERVAL)
    rows = rows[rows[X] > 0]
    if rows.empty:
        raise common.InputError(f"{arguments.results}: no sort of elements with status ok")
    rows = with_ways(rows)
    alone = rows[rows.communicator == "std_sort"]
    together = rows if len(alone) == len(rows) else rows[rows.communicator != "std_sort"]
    panels = list(common.panels(together, "ranks"))
    notes = [note, common.without_interval(rows, INTERVAL[0])]
    common.save(draw(panels, rows, alone, "  ".join(filter(None, notes)), arguments), arguments)


def with_ways(rows):
    """`rows` with what names their lines, and its colour, the same in all panels."""
    greedy = rows.assignment.isin(["greedy", ""])
    ways = rows.communicator.where(greedy, rows.communicator + ", " + rows.assignment)
    first = sorted(ways.unique(), key=lambda way: way.split(",")[0] != "range")
    return rows.assign(way=ways, colour=ways.map(common.colours(first)))


def draw(panels, rows, alone, note, arguments):
    same = [f"{rows[c].iloc[0]}" for c in ("input", "element_type") if rows[c].nunique() == 1]
    subtitle = " · ".join([common.ranks_on_cores(rows), *same,
                           "medians and their 95 % confidence intervals"])
    page = common.Page(arguments, "Time to sort over communicators of each strategy", subtitle, note,
                       4.6 + 2.6 * min(len(panels) - 1, 2))
    unit = common.unit_of(rows[MEDIAN])
    styles = common.of_names(sorted(rows.way.unique(), key=by_name))
    compared = any(bases_of(part) for _, part in panels)
    axes = page.panels(len(panels), (3.4 if page.narrow else 4.4) - (0 if compared else 1.2), 2.4, 3,
                       (2.4, 1) if compared else (1,))
    for (axis, *beneath), (title, part) in zip(axes, panels):
        page.title(axis, title, page.columns(len(panels), 2.4, 3))
        plot_times(axis, part, like(alone, part), styles, unit)
        bases = bases_of(part)
        last = axis
        if bases:
            axis.tick_params(labelbottom=False)
            last, = beneath
            plot_ratios(last, part, bases, styles)
        elif beneath:
            beneath[0].remove()
        last.set_xlabel("elements per rank, n/p")
    times = [axis for axis, *_ in axes]
    ratios = [other for _, *beneath in axes for other in beneath if other in page.figure.axes]
    return page.finish(common.keys_of(times), [times, ratios])


def bases_of(part):
    """The times of `range`, by their way; none where there is nothing to compare."""
    if part.way.nunique() < 2:
        return {}
    return {way: times_of(part[part.way == way]) for way in part.way.unique()
            if way.split(",")[0] == "range"}


def by_name(way):
    return way.split(",")[0] != "range", way


def like(alone, part):
    """Those of `alone` that sorted what `part` did."""
    same = [alone[c].isin(part[c].unique()) for c in ("input", "element_type")]
    return alone[same[0] & same[1] & ~alone.index.isin(part.index)]


def times_of(rows):
    """The times of one line, over the elements per rank."""
    return rows.set_index(X)[[MEDIAN, *INTERVAL]].sort_index()


def ways(part):
    """(name, colour, times) of each line; range and its like come first."""
    for way in sorted(part.way.unique(), key=by_name):
        rows = part[part.way == way]
        yield way, rows.colour.iloc[0], times_of(rows)


def plot_times(axis, part, alone, styles, unit):
    name, factor = unit
    for way, colour, times in ways(part):
        times = factor * times
        axis.fill_between(times.index, times[INTERVAL[0]], times[INTERVAL[1]], color=colour,
                          alpha=0.2, linewidth=0)
        axis.plot(times.index, times[MEDIAN], color=colour, label=way, **styles[way])
    if len(alone):
        times = factor * times_of(alone)[MEDIAN]
        axis.plot(times.index, times, label="std_sort", **common.IDEAL)
    common.ticks_at(axis, part[X].unique())
    common.log_times(axis)
    if len(alone):  # of few elements it is far below
        axis.set_ylim(bottom=min(factor * part[MEDIAN].min() / 3, times.iloc[-1] / 2))
    axis.grid(axis="y")
    axis.tick_params(length=0, which="both")
    axis.set_ylabel(f"time to sort in {name}")


def plot_ratios(axis, part, bases, styles):
    ratios = []
    for way, colour, times in ways(part):
        _, _, assignment = way.partition(", ")
        base = bases.get(", ".join(filter(None, ["range", assignment])), next(iter(bases.values())))
        ratio = (times[MEDIAN] / base[MEDIAN]).dropna()
        if len(ratio):
            axis.plot(ratio.index, ratio, color=colour, **styles[way])
            ratios.append(ratio)
    every = pandas.concat(ratios)
    common.ticks_at(axis, part[X].unique())
    common.log_times(axis)
    axis.set_ylim(min(0.8, 0.9 * every.min()), max(1.25, 1.1 * every.max()))
    axis.grid(axis="y")
    axis.tick_params(length=0, which="both")
    axis.set_ylabel("time / range")


if __name__ == "__main__":
    common.run(main)
