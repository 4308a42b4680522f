#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which balancer serves which imbalance: times over the bound, as a heat map.

A row for each problem (workload, speed-up, and whatever else varies), a column for each variant of a
balancer; the number is the median of the execution time over the bound, below which no schedule can
end (docs/results.md). 1.00 is perfect. --table prints the same as a Markdown table.

Reads what `regroup table --format csv` prints of RESULTS_DIR, or a file of that.
"""

import math

import common
import numpy
from common import INK
from matplotlib.colors import LogNorm

WORST = 4  # what is worse has the same colour


def main():
    options = common.parser(__doc__)
    options.add_argument("--table", action="store_true", help="print a Markdown table, draw nothing")
    arguments = options.parse_args()
    runs, note = common.read_table(arguments.results, "of_bound")
    problems, names = rows(runs)
    if arguments.table:
        print_table(problems, names)
    else:
        subtitle = f"execution time / bound · {common.describe(runs)}"
        common.save(draw(problems, names, subtitle, note, arguments), arguments)


def rows(runs):
    """(title, median of each variant) for each problem, and the variants' names."""
    names = list(dict.fromkeys(label for label, _, _ in common.variants(runs)))
    medians = [(title or "all runs", part.groupby("label").of_bound.first().reindex(names))
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


def draw(problems, names, subtitle, note, arguments):
    page = common.Page(arguments, "Which balancer serves which imbalance", subtitle, note,
                       max(7, 3.5 + 0.8 * len(names)))
    texts = [page.wrap(title, page.small, 0.34 * page.width) for title, _ in problems]
    left = 0.2 + max(common.text_width(line, page.small) for text in texts for line in text.split("\n"))
    room = page.width - left - 0.45  # the last name leans out of its column
    beside = max(1, min(len(names), int(room / (3.9 * page.small / 72))))
    blocks = math.ceil(len(names) / beside)  # of columns, above each other where there are too many
    beside = math.ceil(len(names) / blocks)
    slanted = max(common.text_width(name, page.base) for name in names)
    high = 0.75 * slanted + 0.25
    line = max(1.9, 0.2 + 1.35 * max(text.count("\n") + 1 for text in texts)) * page.small / 72
    height = high + line * len(problems) + 0.1
    axes = page.panels(blocks, height, most=1)
    values = numpy.array([list(medians) for _, medians in problems], dtype=float)
    for i, (axis,) in enumerate(axes):
        part = slice(i * beside, (i + 1) * beside)
        plot(axis, values[:, part], names[part], texts, page)
        axis.set_xlim(-0.5, beside - 0.5)
    return page.finish()


def plot(axis, values, names, texts, page):
    axis.imshow(values, aspect="auto", cmap="YlOrBr", norm=LogNorm(1, WORST))
    for row, column in numpy.ndindex(values.shape):
        value = values[row, column]
        axis.text(column, row, shown(value), ha="center", va="center", size=page.small,
                  color="white" if value > 2.2 else INK)
    axis.set_yticks(range(len(texts)), texts, size=page.small)
    axis.set_xticks(range(len(names)), names, rotation=48, ha="left", rotation_mode="anchor")
    axis.xaxis.tick_top()
    axis.tick_params(length=0)
    axis.grid(False)
    for spine in axis.spines.values():
        spine.set_visible(False)
    for line in numpy.arange(0.5, len(texts) - 0.5):
        axis.axhline(line, color="white", linewidth=1)
    for line in numpy.arange(0.5, len(names) - 0.5):
        axis.axvline(line, color="white", linewidth=1)


if __name__ == "__main__":
    common.run(main)
