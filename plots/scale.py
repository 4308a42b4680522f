#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Weak scaling in virtual time: what the balancers lose as ranks grow, and what it costs to know.

Left: the makespan over the ideal (the bound where the speed-up is not perfect) against the number
of ranks, one line per variant. Middle and right: the wall time and the memory that the virtual
engine itself took, beside a line that grows like n log n (time) or n (memory). Medians over
repetitions.

Reads RESULTS_DIR/runs.csv, as written from configs/scale.yaml.
"""

import common
import numpy
import pandas
from common import GREY

GROWTH, GUIDE = "grows like n log n (time), n (memory)", {"linestyle": (0, (4, 2)), "linewidth": 1.2}


def main():
    arguments = common.parser(__doc__).parse_args()
    runs, note = common.read_runs(arguments.results, ["makespan_s", "wall_s"], ["memory_mb"])
    runs = runs[runs.clock == "virtual"]
    path = arguments.results / "runs.csv"
    if runs.empty:
        raise common.InputError(f"{path}: no run with clock virtual")
    if runs.memory_mb.isna().all():
        raise common.InputError(f"{path}: column memory_mb is empty: only sweeps with more than "
                                "65,536 ranks in virtual time tell the memory that they took")
    if not (runs.least_s > 0).any():
        raise common.InputError(f"{path}: no run has any items")
    common.save(draw(common.panels(runs), note, arguments), arguments)


def draw(panels, note, arguments):
    runs = pandas.concat([part for _, part in panels])
    page = common.Page(arguments, "Weak scaling, and what simulating it takes",
                       common.describe(runs) + (": medians" if common.repeated(runs) else ""),
                       note, 11)
    axes = [axis for axis, in page.panels(3 * len(panels), 2.4 if page.narrow else 3.4, 2.2,
                                          1 if page.width < 6 else 3)]
    columns = page.columns(3 * len(panels), 2.2, 1 if page.width < 6 else 3)
    styles = common.of_names(str(name) for name in runs.variant.cat.categories)
    for i, (title, part) in enumerate(panels):
        draw_row(axes[3 * i:3 * i + 3], part, styles)
        page.title(axes[3 * i], title, columns)
    keys = [*common.keys_of(axes[:1]), common.key(GROWTH, GREY, **GUIDE)]
    for axis in axes[::3]:
        axis.set_ylim(bottom=1)
    return page.finish(keys, [axes[i::3] for i in range(3)])


def draw_row(axes, runs, styles):
    shown = [common.over_least, column("wall_s"), column("memory_mb")]
    for axis, values, name in zip(axes, shown, [f"makespan / {runs.least.iloc[0]}",
                                                "time of the engine in s", "peak memory in MB"]):
        plot(axis, runs, values, styles)
        axis.set_ylabel(name)
    axes[0].axhline(1, label=runs.least.iloc[0], clip_on=False, **common.IDEAL)
    for axis in axes[1:]:
        common.log_times(axis)
    guide(axes[1], column("wall_s")(runs), lambda n: n * numpy.log2(n))
    guide(axes[2], column("memory_mb")(runs), lambda n: n)


def column(name):
    """Makes (ranks, value) of runs: those that have one in the column `name`."""
    return lambda runs: runs[["ranks", name]].set_axis(["ranks", "value"], axis=1).dropna()


def plot(axis, runs, values, styles):
    for label, shade, variant in common.variants(runs):
        medians = values(variant).groupby("ranks").value.median()
        axis.plot(medians.index, medians, color=shade, label=label,
                  **styles[str(variant.variant.iloc[0])])
    common.ticks_at(axis, runs.ranks.unique())
    axis.set_xlabel("ranks")
    axis.grid(axis="y")
    axis.tick_params(length=0)


def guide(axis, values, growth):
    """A line of the given growth through the slowest run of the largest rank count."""
    if values.empty:
        return
    ranks = numpy.array(sorted(values.ranks.unique()))
    most = values.value[values.ranks == ranks[-1]].max()
    axis.plot(ranks, most * growth(ranks) / growth(ranks[-1]), color=GREY, **GUIDE)


if __name__ == "__main__":
    common.run(main)
