#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makespans of runs that lost ranks.

    plots/faults.py results/faults

Left: the makespan as a function of the number of lost ranks, with a point for each run and lines
through the medians. Right, if runs differ in save_every: the makespan with the most frequent failures,
as a function of the interval between saved states, for the initial group size. The dotted line is
Young's interval, the square root of 2 · δ · MTBF, where δ is the time to save a state and MTBF the mean
time between failures of the run. It is optimal if a failure sets all chains back. Here, a failure sets
only one chain back, so longer intervals may be better.

RESULTS of runs with on_rank_loss: recover are read by `regroup table` and from RESULTS/runs.csv.
"""

import math

import common
from common import INK
from matplotlib.ticker import MaxNLocator

YOUNG = {"linestyle": (0, (1, 1.5)), "linewidth": 1.6}


def main():
    arguments = common.parser(__doc__).parse_args()
    runs = common.read_runs(arguments.results, "ranks_lost", where=arguments.where)
    runs = runs[runs.settings.fillna("").str.contains("on_rank_loss=recover")]
    if runs.empty:
        raise common.InputError(f"{arguments.results}: no run with on_rank_loss: recover ended well")
    common.save(draw(with_plans(runs), arguments), arguments)


def with_plans(runs):
    """Adds the fault parameters in the settings of `runs` as columns; NaN if a setting has none."""
    def number(pattern):
        return runs.settings.str.extract(pattern, expand=False).astype(float)
    return runs.assign(mtbf_s=number(r"mtbf:([^s]+)s"), save_s=number(r"save:([^m]+)ms") / 1000,
                       save_every=number(r"save_every=(\d+)"))


def draw(runs, arguments):
    saving = runs.dropna(subset=["mtbf_s", "save_s", "save_every"])
    saving = saving[saving.mtbf_s == saving.mtbf_s.min()]
    several = saving.save_every.nunique() > 1
    page = common.Page(arguments, "Makespans of runs that lost ranks", common.describe(runs), "",
                       8.5 if several else 5.5)
    axes = [axis for axis, in page.panels(1 + several, 3.4, 2.4, 2)]
    by_losses(axes[0], runs)
    if several:
        by_interval(axes[1], saving)
    for axis in axes:
        axis.set_ylim(bottom=0)
        axis.yaxis.set_major_formatter("{x:,.10g}")
    return page.finish(common.keys_of(axes), [axes])


def by_losses(axis, runs):
    styles = common.of_names(runs.label.unique())
    for label, colour, part in variants(runs):
        axis.plot(part.ranks_lost, part.makespan_s, "o", color=colour, markersize=3, alpha=0.4, linewidth=0)
        medians = part.groupby("ranks_lost").makespan_s.median()
        axis.plot(medians.index, medians, color=colour, label=label, **styles[label])
    axis.grid(axis="y")
    axis.tick_params(length=2)
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axis.set_xlabel("ranks lost")
    axis.set_ylabel("makespan in s")


def by_interval(axis, runs):
    runs = runs.assign(interval_s=runs.save_every * runs.item_ms.astype(float) / 1000
                       / runs.group_size.astype(float))
    styles = common.of_names(runs.label.unique())
    for label, colour, part in variants(runs):
        medians = part.groupby("interval_s").makespan_s.median()
        axis.plot(medians.index, medians, color=colour, label=label, **styles[label])
    young_s = math.sqrt(2 * runs.save_s.iloc[0] * runs.mtbf_s.iloc[0])
    axis.axvline(young_s, color=INK, label="Young's interval", **YOUNG)
    common.frame(axis, runs.interval_s.unique(), "interval of saving in s", "makespan in s")


def variants(runs):
    """Yields (label, colour, rows) of each balancer with its communicator."""
    for label, part in runs.groupby("label", sort=False):
        yield label, part.colour.iloc[0], part


if __name__ == "__main__":
    common.run(main)
