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
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

WIDTH, HEIGHT = 3.1, 3.1


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
    common.save(draw(common.panels(runs), note), arguments)


def draw(panels, note):
    labels = common.text_width("grows like n log n (time), n (memory)", 9.5) + 0.5
    runs = pandas.concat([part for _, part in panels])
    top, row = (1.5 if panels[0][0] else 1.2), HEIGHT + 1.4
    figure = common.canvas(0.75 + 2 * (WIDTH + 0.85) + WIDTH + 0.45 + labels,
                           top + len(panels) * row - 0.6,
                           "Weak scaling, and what simulating it takes",
                           common.describe(runs) + (": medians" if common.repeated(runs) else ""),
                           note)
    for i, (title, part) in enumerate(panels):
        draw_row(figure, top + i * row, title, part)
    return figure


def draw_row(figure, top, title, runs):
    axes = [common.add_axes(figure, 0.75 + i * (WIDTH + 0.85), top, WIDTH, HEIGHT)
            for i in range(3)]
    if title:
        axes[0].annotate(title, (0, HEIGHT * 72 + 30), xycoords="axes points", size=10.5,
                         weight="bold")
    shown = [common.over_least, column("wall_s"), column("memory_mb")]
    for axis, values, title in zip(axes, shown,
                                   [f"makespan over the {runs.least.iloc[0]}",
                                    "run time of the engine in s", "peak memory in MB"]):
        plot(axis, runs, values)
        axis.set_title(title, pad=10)
    axes[0].set_ylim(bottom=1)
    for axis in axes[1:]:
        axis.set_yscale("log")
        axis.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
    guide(axes[1], column("wall_s")(runs), lambda n: n * numpy.log2(n))
    guide(axes[2], column("memory_mb")(runs), lambda n: n)
    handles, names = axes[0].get_legend_handles_labels()
    growth = axes[1].get_lines()[-1]
    axes[2].legend([*handles, growth], [*names, "grows like n log n (time), n (memory)"],
                   loc="upper left", bbox_to_anchor=(1.04, 1), borderaxespad=0)


def column(name):
    """Makes (ranks, value) of runs: those that have one in the column `name`."""
    return lambda runs: runs[["ranks", name]].set_axis(["ranks", "value"], axis=1).dropna()


def plot(axis, runs, values):
    for label, shade, variant in common.variants(runs):
        medians = values(variant).groupby("ranks").value.median()
        axis.plot(medians.index, medians, color=shade, linewidth=1.6, label=label, marker="o",
                  markersize=4, markeredgecolor="white", markeredgewidth=0.6)
    ranks = sorted(runs.ranks.unique())
    axis.set_xscale("log", base=2)
    axis.xaxis.set_major_locator(FixedLocator(ranks[::2] if len(ranks) > 6 else ranks))
    axis.xaxis.set_minor_locator(NullLocator())
    axis.xaxis.set_major_formatter(FuncFormatter(power))
    axis.set_xlabel("ranks")
    axis.grid(axis="y")
    axis.tick_params(length=0)


def power(ranks, _):
    exponent = int(numpy.log2(ranks) + 0.5)
    return f"$2^{{{exponent}}}$" if 2 ** exponent == ranks else f"{ranks:,.0f}"


def guide(axis, values, growth):
    """A line of the given growth through the slowest run of the largest rank count."""
    if values.empty:
        return
    ranks = numpy.array(sorted(values.ranks.unique()))
    most = values.value[values.ranks == ranks[-1]].max()
    axis.plot(ranks, most * growth(ranks) / growth(ranks[-1]), color=GREY,
              linestyle=(0, (1, 1.5)), linewidth=1.2)


if __name__ == "__main__":
    common.run(main)
