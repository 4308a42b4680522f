#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Weak scaling in virtual time: the loss of each balancer, and the cost of the simulation.

    plots/scale.py results/scale

Left: the makespan divided by the ideal (by the bound if the speed-up is not perfect) as a function of
the number of ranks, one line per variant. Middle and right: wall time and memory of the virtual engine,
with a reference line that grows like n log n (time) or n (memory). Values are medians over repetitions.

RESULTS, for instance of `regroup run configs/scale.yaml --jobs 1`, are read by `regroup table`.
"""

import common
import numpy
import pandas
from common import GREY
from figures import summary

GROWTH, GUIDE = "grows like n log n (time), n (memory)", {"linestyle": (0, (4, 2)), "linewidth": 1.2}


def main():
    arguments = common.parser(__doc__).parse_args()
    rows, note = common.read_table(arguments.results, "wall_s", "memory_mb", where=arguments.where)
    rows = rows[rows.clock == "virtual"].sort_values("ranks", kind="stable")
    for lacking, why in ((rows.empty, "no run with clock virtual"),
                         (rows.memory_mb.isna().all(), "no memory_mb: 'regroup run --jobs 1' measures the memory "
                                                       "of the virtual engine"),
                         (not (rows.over_least > 0).any(), "no run has any items")):
        if lacking:
            raise common.InputError(f"{arguments.results}: {why}")
    if figure := summary.instead(rows, note, arguments, ["ranks"], chosen={"engine": "virtual"}):
        common.save(figure, arguments)
        return
    panels, note = summary.few(list(common.panels(rows)), rows, note, arguments, ["ranks"])
    common.save(draw(panels, note, arguments), arguments)


def draw(panels, note, arguments):
    runs = pandas.concat([part for _, part in panels])
    page = common.Page(arguments, "Weak scaling, and the cost of simulating it",
                       " · ".join([common.describe(runs), *common.repeated(runs)]), note, 11)
    axes = [axis for axis, in page.panels(3 * len(panels), 2.4 if page.narrow else 3.4, 2.2,
                                          1 if page.width < 6 else 3)]
    styles = common.of_names(str(name) for name in runs.variant.cat.categories)
    for i, (title, part) in enumerate(panels):
        loss, time, memory = axes[3 * i:3 * i + 3]
        page.title(loss, title)
        plot(loss, part, "over_least", f"makespan / {part.least.iloc[0]}", styles)
        loss.axhline(1, label=part.least.iloc[0], clip_on=False, **common.IDEAL)
        plot(time, part, "wall_s", "time of the engine in s", styles, lambda n: n * numpy.log2(n))
        plot(memory, part, "memory_mb", "peak memory in MB", styles, lambda n: n)
    keys = [*common.keys_of(axes[:1]), common.key(GROWTH, GREY, **GUIDE)]
    for axis in axes[::3]:
        axis.set_ylim(bottom=1)
    return page.finish(keys, [axes[i::3] for i in range(3)])


def plot(axis, runs, column, name, styles, growth=None):
    """Draws `column` over ranks; a line grows like `growth` to the value at the most ranks."""
    runs = runs.dropna(subset=column)
    for label, shade, variant in common.variants(runs):
        axis.plot(variant.ranks, variant[column], color=shade, label=label, **styles[str(variant.variant.iloc[0])])
    common.frame(axis, runs.ranks.unique(), "ranks", name, log=bool(growth))
    if growth:
        ranks = runs.ranks.unique()
        most = runs[column][runs.ranks == ranks[-1]].max()
        axis.plot(ranks, most * growth(ranks) / growth(ranks[-1]), color=GREY, **GUIDE)


if __name__ == "__main__":
    common.run(main)
