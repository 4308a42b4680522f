#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Execution time divided by the bound, for each balancer and workload, as a heat map.

    plots/balance.py results/workloads

Rows are problems (workload, speed-up, and other settings that vary), columns are variants of balancers.
Each number is the median execution time divided by the bound, below which no schedule can end
(docs/results.md); 1.00 is perfect. --table prints the same numbers as a Markdown table. More than 100
rows are replaced by a summary by workload and balancer, with the median and the maximum of all runs.

RESULTS are read by `regroup table`.
"""

import common
import numpy
from figures import heat_map, summary


def main():
    options = common.parser(__doc__)
    options.add_argument("--table", action="store_true", help="print a Markdown table instead of drawing")
    arguments = options.parse_args()
    runs, note = common.read_table(arguments.results, "of_bound", where=arguments.where)
    if arguments.table:
        print_table(runs)
        return
    figure = summary.instead(runs, note, arguments, most=summary.MOST_ROWS, of="rows")
    common.save(figure or draw(runs, note, arguments), arguments)


def medians(runs):
    """Returns (titles of problems, names of variants, array of medians with a row per problem)."""
    names = list(dict.fromkeys(label for label, _, _ in common.variants(runs)))
    rows = [(title or "all runs", part.groupby("label").of_bound.first().reindex(names))
            for title, part in common.panels(runs, "ranks")]
    return [title for title, _ in rows], names, numpy.array([list(row) for _, row in rows], dtype=float)


def draw(runs, note, arguments):
    titles, names, values = medians(runs)
    page = common.Page(arguments, "Execution time over the bound", common.describe(runs), note,
                       max(7, 3.5 + 0.8 * len(names)))
    return heat_map.draw(page, titles, names, values)


def print_table(runs):
    titles, names, values = medians(runs)
    print(f"| | {' | '.join(names)} |")
    print("|---" * (len(names) + 1) + "|")
    for title, row in zip(titles, values):
        print(f"| {title} | {' | '.join(heat_map.shown(value) for value in row)} |")


if __name__ == "__main__":
    common.run(main)
