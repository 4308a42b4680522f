#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which balancer serves which imbalance: times over the bound, as a heat map.

A row for each problem (workload, speed-up, and whatever else varies), a column for each variant of a
balancer; the number is the median of the execution time over the bound, below which no schedule can
end (docs/results.md). 1.00 is perfect. --table prints the same as a Markdown table.

Reads RESULTS_DIR/runs.csv.
"""

import common
import numpy
from common import INK, plt
from matplotlib.colors import LogNorm

CELL_WIDTH, CELL_HEIGHT, WORST = 0.95, 0.27, 4  # inches; what is worse has the same colour


def main():
    options = common.parser(__doc__)
    options.add_argument("--table", action="store_true", help="print a Markdown table, draw nothing")
    arguments = options.parse_args()
    runs, note = common.read_runs(arguments.results, ["of_bound"])
    runs = runs.assign(of_bound=runs.of_bound.astype(float))
    problems, names = rows(runs)
    if arguments.table:
        print_table(problems, names)
    else:
        subtitle = f"execution time / bound · {common.describe(runs)}"
        common.save(draw(problems, names, subtitle, note), arguments)


def rows(runs):
    """(title, median of each variant) for each problem, and the variants' names."""
    names = list(dict.fromkeys(label for label, _, _ in common.variants(runs)))
    medians = [(title or "all runs", part.groupby("label").of_bound.median().reindex(names))
               for title, part in common.panels(runs)]
    return medians, names


def print_table(problems, names):
    print(f"| | {' | '.join(names)} |")
    print("|---" * (len(names) + 1) + "|")
    for title, medians in problems:
        print(f"| {title} | {' | '.join(shown(value) for value in medians)} |")


def shown(value):
    """Three decimals as long as they tell something."""
    if value != value:
        return ""
    return f"{value:.3f}" if value < 2 else f"{value:.2f}" if value < 10 else f"{value:.0f}"


def draw(problems, names, subtitle, note):
    left = 0.3 + max(common.text_width(title, 9) for title, _ in problems)
    top = 1.1 + 0.55 * max(common.text_width(name, 9.5) for name in names)
    width, height = CELL_WIDTH * len(names), CELL_HEIGHT * len(problems)
    figure = common.canvas(max(left + width + 0.9, 7), top + height + (0.6 if note else 0.3),
                           "Which balancer serves which imbalance", subtitle, note)
    axis = common.add_axes(figure, left, top, width, height)
    values = numpy.array([list(medians) for _, medians in problems], dtype=float)
    axis.imshow(values, aspect="auto", cmap="YlOrBr", norm=LogNorm(1, WORST))
    for row, column in numpy.ndindex(values.shape):
        value = values[row, column]
        axis.text(column, row, shown(value), ha="center", va="center", size=9,
                  color="white" if value > 2.2 else INK)
    axis.set_yticks(range(len(problems)), [title for title, _ in problems], size=9)
    axis.set_xticks(range(len(names)), names, rotation=33, ha="left", rotation_mode="anchor")
    axis.xaxis.tick_top()
    axis.tick_params(length=0)
    axis.grid(False)
    for line in numpy.arange(0.5, len(problems) - 0.5):
        axis.axhline(line, color="white", linewidth=1)
    for line in numpy.arange(0.5, len(names) - 0.5):
        axis.axvline(line, color="white", linewidth=1)
    return figure


if __name__ == "__main__":
    common.run(main)
