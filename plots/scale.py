#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Weak scaling in virtual time: what the balancers lose as ranks grow, and what it costs to know.

Left: the makespan over the ideal (the bound where the speed-up is not perfect) against the number
of ranks, one line per variant. Middle and right: the wall time and the memory that the virtual
engine itself took, beside a line that grows like n log n (time) or n (memory). Medians over
repetitions.

Reads what `regroup table --format csv` prints of RESULTS_DIR, as run from configs/scale.yaml, or a file of
that.
"""

import common
import numpy
import pandas
from common import GREY

GROWTH, GUIDE = "grows like n log n (time), n (memory)", {"linestyle": (0, (4, 2)), "linewidth": 1.2}


def main():
    arguments = common.parser(__doc__).parse_args()
    rows, note = common.read_table(arguments.results, "wall_s", "memory_mb")
    rows = rows[rows.clock == "virtual"]
    if rows.empty:
        raise common.InputError(f"{arguments.results}: no run with clock virtual")
    if rows.memory_mb.isna().all():
        raise common.InputError(f"{arguments.results}: no memory_mb: only sweeps with more than 65,536 "
                                "ranks in virtual time measure the memory of the engine")
    if not (rows.over_least > 0).any():
        raise common.InputError(f"{arguments.results}: no run has any items")
    common.save(draw(list(common.panels(rows)), note, arguments), arguments)


def draw(panels, note, arguments):
    runs = pandas.concat([part for _, part in panels])
    page = common.Page(arguments, "Weak scaling, and what simulating it takes",
                       " · ".join([common.describe(runs), *common.repeated(runs)]),
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
    names = {"over_least": f"makespan / {runs.least.iloc[0]}", "wall_s": "time of the engine in s",
             "memory_mb": "peak memory in MB"}
    for axis, (column, name) in zip(axes, names.items()):
        plot(axis, runs, column, styles)
        axis.set_ylabel(name)
    axes[0].axhline(1, label=runs.least.iloc[0], clip_on=False, **common.IDEAL)
    for axis in axes[1:]:
        common.log_times(axis)
    guide(axes[1], runs, "wall_s", lambda n: n * numpy.log2(n))
    guide(axes[2], runs, "memory_mb", lambda n: n)


def plot(axis, runs, column, styles):
    for label, shade, variant in common.variants(runs):
        rows = variant.dropna(subset=column).sort_values("ranks")
        axis.plot(rows.ranks, rows[column], color=shade, label=label,
                  **styles[str(variant.variant.iloc[0])])
    common.ticks_at(axis, runs.ranks.unique())
    axis.set_xlabel("ranks")
    axis.grid(axis="y")
    axis.tick_params(length=0)


def guide(axis, runs, column, growth):
    """A line of the given growth through the largest value of the largest rank count."""
    rows = runs.dropna(subset=column)
    if rows.empty:
        return
    ranks = numpy.array(sorted(rows.ranks.unique()))
    most = rows[column][rows.ranks == ranks[-1]].max()
    axis.plot(ranks, most * growth(ranks) / growth(ranks[-1]), color=GREY, **GUIDE)


if __name__ == "__main__":
    common.run(main)
