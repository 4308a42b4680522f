#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Item times by group size in one run, and the group sizes in which chains ended.

    plots/learning.py results/chains

Top: a dot for each walker group that executed items, at its mean item time; the area of the dot grows
with the number of items. The line is the fit a/g + b [g > 1] + c log2 g + d (g - 1) with non-negative
coefficients and the least relative errors. The dashed line is the time of one rank divided by g.
Bottom: how many chains began and how many ended in groups of each size.

The default is the longest finished run whose balancer creates communicators; --list prints all runs.
RESULTS are read by `regroup table` and from RESULTS/events.csv.
"""

import itertools

import common
import numpy
from figures.events import read_groups, why_without, with_events
from matplotlib.ticker import MaxNLocator

OWN, FIT = list(common.colours(["measured", "fit"]).values())


def main():
    arguments = common.parser_of_runs(__doc__).parse_args()
    runs = common.read_runs(arguments.results, where=arguments.where)
    if arguments.list:
        common.list_runs(runs)
        return
    forming = with_events(runs)[with_events(runs).communicator != ""]
    run = common.choose_run(runs, arguments.run, runs if forming.empty else forming)
    if why := why_without(run):
        raise common.InputError(why)
    groups = read_groups(arguments.results, runs[runs.run == run.run]).get(run.run)
    chains = None if groups is None else with_sizes(groups)
    if chains is None or not (chains["items"] > 0).any():
        raise common.InputError(f"{arguments.results / 'events.csv'}: no items of run {run.run}")
    subtitle = common.describe(runs[runs.run == run.run])
    common.save(draw(run, subtitle, chains, arguments), arguments)


def with_sizes(groups):
    """Returns a row for each group with a chain: its size, number of items and mean item time."""
    sizes = (groups.hi - groups.lo + 1).groupby(groups.group).sum()
    groups = groups.drop_duplicates("group").assign(size=sizes.to_numpy())
    chains = groups[groups.walker_id >= 0]
    items = chains.items_left_begin - chains.items_left_end
    return chains.assign(items=items, item_s=(chains.busy_until_s - chains.begin_s) / items)


def draw(run, subtitle, chains, arguments):
    page = common.Page(arguments, f"What group sizes were worth to {run.label}", f"{subtitle} · {run.named}",
                       "", 7.5)
    times, counts = (axis for axis, in page.panels(2, 2.4 if page.narrow else 3.0, most=1))
    draw_times(times, chains[chains["items"] > 0])
    draw_ends(counts, chains)
    times.set_xlim(counts.get_xlim())
    return page.finish(common.keys_of([times, counts]), [[times]])


def draw_times(axis, chains):
    name, factor = common.unit_of(chains.item_s)
    sizes, items = chains["size"].to_numpy(), chains["items"].to_numpy()
    times = factor * chains.item_s.to_numpy()
    axis.scatter(sizes, times, 8 + 60 * items / items.max(), color=OWN, alpha=0.5, linewidth=0,
                 label="group", zorder=3)
    curve = fit(sizes, times, items)
    every = numpy.unique(numpy.geomspace(1, sizes.max(), 200).round())
    axis.plot(every, curve(every), color=FIT, linewidth=1.4, label="fit", zorder=4)
    axis.plot(every, curve(numpy.ones(1)) / every, label="one rank's time, divided", **common.IDEAL)
    common.frame(axis, powers(sizes), "group size in ranks", f"time per item in {name}", log=True)


def draw_ends(axis, chains):
    ordered = chains.sort_values("begin_s").groupby("walker_id")["size"]
    sizes = chains["size"]
    for ends, style, label in ((ordered.first(), {"marker": "o", "markerfacecolor": "white", "markersize": 9},
                                "chains that began"),
                               (ordered.last(), {"marker": "D", "markersize": 4}, "chains that ended")):
        numbers = ends.value_counts().sort_index()
        axis.plot(numbers.index, numbers, color=OWN, linewidth=0, label=label, **style)
    common.frame(axis, powers(sizes), "group size in ranks", "chains")
    axis.set_xscale("log", base=2)
    common.ticks_at(axis, powers(sizes))
    axis.set_xlim(0.8, 1.25 * sizes.max())
    axis.set_ylim(bottom=0)
    axis.yaxis.set_major_locator(MaxNLocator(integer=True))


def powers(sizes):
    """Returns the powers of two up to the largest size."""
    return 2 ** numpy.arange(int(numpy.log2(sizes.max())) + 1)


def fit(sizes, times, items):
    """Returns item time as a function of size: the best fit over the subsets of terms whose
    coefficients are not negative."""
    def terms(sizes):
        return numpy.column_stack([1 / sizes, sizes > 1, numpy.log2(sizes), sizes - 1]).astype(float)
    weights = numpy.sqrt(items)
    columns = terms(sizes) * (weights / times)[:, None]
    best = None
    for number in range(1, 5):
        for some in map(list, itertools.combinations(range(4), number)):
            found, *_ = numpy.linalg.lstsq(columns[:, some], weights, rcond=None)
            error = ((columns[:, some] @ found - weights) ** 2).sum()
            if (found >= 0).all() and (best is None or error < best[0] * (1 - 1e-9)):
                best = error, some, found
    _, some, found = best
    return lambda sizes: terms(sizes)[:, some] @ found


if __name__ == "__main__":
    common.run(main)
