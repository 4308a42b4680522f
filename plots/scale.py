#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Weak scaling in virtual time: what the balancers lose as ranks grow, and what it costs to know.

Left: the makespan over the ideal against the number of ranks, one line per balancer. Middle and
right: the wall time and the memory that the virtual engine itself took, beside a line that grows
like n log n (time) or n (memory). Medians over repetitions.

Reads RESULTS_DIR/runs.csv, as written from configs/scale.yaml.
"""

import common
import numpy
from common import GREY
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

WIDTH, HEIGHT = 3.1, 3.1


def main():
    arguments = common.parser(__doc__).parse_args()
    runs, note = common.read_runs(arguments.results, ["makespan_s", "ideal_s", "wall_s"])
    runs = runs[runs.clock == "virtual"]
    if runs.empty:
        raise common.InputError(f"{arguments.results}/runs.csv: no run with clock virtual")
    memory = common.read(arguments.results, "runs.csv", ["run"], ["memory_mb"])
    memory = memory[["run", "memory_mb"]].drop_duplicates("run", keep="last")
    runs = runs.drop(columns="memory_mb").merge(memory, on="run")
    runs = common.with_labels(runs.assign(over_ideal=runs.makespan_s / runs.ideal_s))
    common.save(draw(runs, note), arguments)


def draw(runs, note):
    labels = common.text_width("grows like n log n (time), n (memory)", 9.5) + 0.5
    figure = common.canvas(0.75 + 2 * (WIDTH + 0.85) + WIDTH + 0.45 + labels, 5.1,
                           "Weak scaling, and what simulating it takes",
                           common.describe(runs), note)
    axes = [common.add_axes(figure, 0.75 + i * (WIDTH + 0.85), 1.2, WIDTH, HEIGHT)
            for i in range(3)]
    for axis, column, title in zip(axes, ["over_ideal", "wall_s", "memory_mb"],
                                   ["makespan over the ideal", "run time of the engine in s",
                                    "peak memory in MB"]):
        plot(axis, runs.dropna(subset=[column]), column)
        axis.set_title(title, pad=10)
    axes[0].set_ylim(bottom=1)
    guide(axes[1], runs, "wall_s", lambda n: n * numpy.log2(n))
    guide(axes[2], runs.dropna(subset=["memory_mb"]), "memory_mb", lambda n: n)
    handles, names = axes[0].get_legend_handles_labels()
    growth = axes[1].get_lines()[-1]
    axes[2].legend([*handles, growth], [*names, "grows like n log n (time), n (memory)"],
                   loc="upper left", bbox_to_anchor=(1.04, 1), borderaxespad=0)
    return figure


def plot(axis, runs, column):
    for label in runs.label.unique():
        variant = runs[runs.label == label]
        medians = variant.groupby("ranks")[column].median()
        axis.plot(medians.index, medians, color=common.colour(variant.iloc[0]), linewidth=1.6,
                  marker="o", markersize=4, markeredgecolor="white", markeredgewidth=0.6,
                  label=label)
    ranks = sorted(runs.ranks.unique())
    axis.set_xscale("log", base=2)
    axis.xaxis.set_major_locator(FixedLocator(ranks[::2] if len(ranks) > 6 else ranks))
    axis.xaxis.set_minor_locator(NullLocator())
    axis.xaxis.set_major_formatter(FuncFormatter(power))
    axis.set_xlabel("ranks")
    axis.grid(axis="y")
    axis.tick_params(length=0)
    if column != "over_ideal":
        axis.set_yscale("log")
        axis.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))


def power(ranks, _):
    exponent = int(numpy.log2(ranks) + 0.5)
    return f"$2^{{{exponent}}}$" if 2 ** exponent == ranks else f"{ranks:,.0f}"


def guide(axis, runs, column, growth):
    """A line of the given growth through the slowest run of the largest rank count."""
    ranks = numpy.array(sorted(runs.ranks.unique()))
    most = runs[runs.ranks == ranks[-1]][column].max()
    axis.plot(ranks, most * growth(ranks) / growth(ranks[-1]), color=GREY,
              linestyle=(0, (1, 1.5)), linewidth=1.2)


if __name__ == "__main__":
    common.run(main)
