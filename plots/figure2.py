#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Execution time against the number of ranks: Figure 2 of the paper.

One line per variant of a balancer: the median of its repetitions and seeds, with a band from the
fastest to the slowest one, and the ideal, which is the time with perfect balance (the bound where
the speed-up is not perfect). Results of a single rank count become a bar per variant with a dot per
run. Where a setting other than the ranks varies (engine, group size, T, workload, cores, MPI
library, …), each combination gets a panel of its own. Where seeds or repetitions draw other items,
the runs have different problems, whose times are no samples of one time: shown is then the time of
each problem over its own ideal, or bound. Runs that did not finish are left out, and counted at the
foot.

Reads RESULTS_DIR/runs.csv.
"""

import math

import common
import lines
from common import GREY, INK, PALE, plt

MARKERS = "os^DvPX*"


def main():
    arguments = common.parser(__doc__).parse_args()
    runs, note = common.read_runs(arguments.results, ["makespan_s"])
    subtitle = common.describe(runs)
    if common.repeated(runs):
        subtitle += ": median, fastest and slowest"
    draw = draw_lines if runs.ranks.nunique() > 1 else draw_bars
    figure = draw(common.panels(runs), ("Execution time of each balancer", subtitle, note))
    common.save(figure, arguments)


def widest(panels):
    return max(common.text_width(label, 9.5) for _, runs in panels for label in runs.label.unique())


def values(runs, ratios):
    """What is shown of `runs`, (ranks, value): times, or the ratios of problems."""
    if ratios:
        return common.over_least(runs)
    return runs[["ranks", "makespan_s"]].set_axis(["ranks", "value"], axis=1)


def name_of_values(runs, ratios):
    if ratios:
        return f"execution time / {runs.least.iloc[0]} of each problem"
    return "execution time in s"


# ---- several rank counts: lines ------------------------------------------------------------------

def draw_lines(panels, texts):
    columns = min(len(panels), 2)
    rows = math.ceil(len(panels) / columns)
    names = 1 + max(runs.variant.nunique() for _, runs in panels)
    left, top, width, height = 0.75, 1.0 + title_height(panels), 4.6, max(3.4, 0.21 * names)
    column, row = left + width + 0.4 + widest(panels), height + 1.05
    figure = common.canvas(columns * column, top + rows * row - 0.1, *texts)
    marker = markers(panels)
    for i, (title, runs) in enumerate(panels):
        axis = common.add_axes(figure, left + i % columns * column, top + i // columns * row,
                               width, height)
        axis.set_title(title, pad=10)
        plot_lines(axis, runs, marker)
        lines.label(axis, height)
    return figure


def title_height(panels):
    return 0.25 if panels[0][0] else 0


def markers(panels):
    """A marker for each communicator strategy."""
    names = sorted({name for _, runs in panels for name in runs.communicator.unique()})
    return {name: MARKERS[i % len(MARKERS)] for i, name in enumerate(names)}


def plot_lines(axis, runs, marker):
    ratios = common.several_problems(runs)
    least = runs.assign(least_s=1.0 if ratios else runs.least_s).groupby("ranks").least_s.first()
    axis.plot(least.index, least, color=INK, linestyle=(0, (1, 1.5)), linewidth=1.5,
              label=runs.least.iloc[0])
    for label, shade, variant in common.variants(runs):
        times = values(variant, ratios).groupby("ranks").value.agg(["median", "min", "max"])
        axis.fill_between(times.index, times["min"], times["max"], color=shade, alpha=0.2,
                          linewidth=0)
        axis.plot(times.index, times["median"], color=shade, linewidth=1.6, label=label,
                  marker=marker[variant.communicator.iloc[0]], markersize=5, clip_on=False,
                  markeredgecolor="white", markeredgewidth=0.7)
    lines.ticks_at(axis, runs.ranks.unique())
    axis.set_ylim(bottom=0)
    axis.grid(axis="y")
    axis.tick_params(length=0)
    axis.set_xlabel("ranks")
    axis.set_ylabel(name_of_values(runs, ratios))


# ---- one rank count: bars ------------------------------------------------------------------------

def draw_bars(panels, texts):
    left, width = 0.35 + widest(panels), 4.4
    heights = [0.36 * runs.variant.nunique() + 0.1 for _, runs in panels]
    top, gap = 1.15 + title_height(panels), 0.85
    figure = common.canvas(left + width + 1.9, top + sum(heights) + gap * len(panels) + 0.1, *texts)
    for height, (title, runs) in zip(heights, panels):
        axis = common.add_axes(figure, left, top, width, height)
        axis.set_title(title, pad=20)
        kind = common.several_problems(runs)
        alike = [part for _, part in panels if common.several_problems(part) == kind]
        axis.set_xlim(0, 1.02 * max(values(part, kind).value.max() for part in alike) or 1)
        plot_bars(axis, runs, width, kind)
        if runs is alike[-1]:
            axis.set_xlabel(name_of_values(runs, kind))
        top += height + gap
    return figure


def plot_bars(axis, runs, width, ratios):
    variants = list(common.variants(runs))
    least, name = 1 if ratios else runs.least_s.iloc[0], runs.least.iloc[0]
    for y, (_, shade, variant) in enumerate(variants):
        times = values(variant, ratios).value
        axis.barh(y, times.median(), height=0.58, color=shade, linewidth=0)
        if len(times) > 1:
            axis.plot([times.min(), times.max()], [y, y], color=INK, linewidth=1)
            axis.plot(times, [y] * len(times), "o", markersize=4, color="white",
                      markeredgecolor=INK, markeredgewidth=0.8)
        beside = axis.get_yaxis_transform()
        if not ratios:
            axis.text(1 + 0.75 / width, y, f"{times.median():.2f} s", ha="right", va="center",
                      weight="bold", transform=beside)
        if least > 0:
            axis.text(1 + 0.85 / width, y, f"{times.median() / least:.2f} × {name}", va="center",
                      color=GREY, size=9, transform=beside)
    axis.axvline(least, color="white", linewidth=3, alpha=0.6)
    axis.axvline(least, color=INK, linestyle=(0, (1, 1.5)), linewidth=1.5)
    axis.text(least, -0.75, name if ratios else f"{name} {least:.2f} s", ha="center",
              va="bottom", size=9)
    axis.set_yticks(range(len(variants)), [label for label, _, _ in variants])
    axis.set_ylim(len(variants) - 0.4, -0.65)
    axis.spines["left"].set_visible(False)
    axis.tick_params(length=0)
    axis.grid(axis="x", color=PALE)


if __name__ == "__main__":
    common.run(main)
