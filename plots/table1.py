#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Regroupings per process: Table 1 of the paper.

    plots/table1.py results/table1

Shows for each variant of a balancer the number of regroupings of a process: average and standard
deviation over the processes, as medians over repetitions and seeds, and the minimum and maximum of all
runs. The paper's numbers, for 8,192 processes, are shown if they are comparable: same variant, group
size (4) and workload (cyclic, 10, 32). `regroup table` prints the same numbers as text.

If there are several rank counts, the largest is shown, or that of --ranks. RESULTS are read by
`regroup table`.
"""

import common
from common import GREY, INK
from figures import summary
from page import units

HERE, PAPER = "this sweep", "paper, 8,192 ranks"
FOOT = "– : the paper has no such row."


def main():
    options = common.parser(__doc__)
    options.add_argument("--ranks", type=int, metavar="N", help="show runs with N ranks")
    arguments = options.parse_args()
    rows, note = common.read_table(arguments.results, "regroups_avg", "paper_avg", where=arguments.where)
    ranks = arguments.ranks or rows.ranks.max()
    if not (rows.ranks == ranks).any():
        known = ", ".join(f"{r:.0f}" for r in sorted(rows.ranks.unique()))
        raise common.InputError(f"no finished run with {ranks} ranks (there are: {known})")
    rows = rows[rows.ranks == ranks]
    common.save(summary.instead(rows, note, arguments, chosen={"ranks": ranks}) or draw(rows, note, arguments), arguments)


def cells(row, of):
    """Returns the four numbers of the columns `of`_avg, …; `of`: "regroups" or "paper"."""
    average, deviation, low, high = (row[f"{of}_{name}"] for name in ("avg", "stdev", "min", "max"))
    if average != average:
        return ["–"] * 4
    return [units.rounded(average, 2), units.rounded(deviation, 2), f"{low:.0f}", f"{high:.0f}"]


def draw(rows, note, arguments):
    subtitle = " · ".join([common.describe(rows), *common.repeated(rows)])
    panels, note = summary.few(list(common.panels(rows)), rows, note, arguments)
    page = common.Page(arguments, "Regroupings per process", subtitle, note, 8.6)
    table = Table(page)
    table.head()
    for title, part in panels:
        table.section(title)
        for label, _, one in common.variants(part):
            table.line(label, cells(one.iloc[0], "regroups"), cells(one.iloc[0], "paper"))
    table.foot()
    return page.finish()


class Table:
    """Draws a table from top to bottom. On a narrow page, the paper's numbers are below ours."""

    def __init__(self, page):
        self.page, self.axis, self.y = page, page.sheet(), 0
        self.row, self.number = 1.75 * page.base / 72, 4.3 * page.base / 72
        right = page.width - 0.1
        self.starts = [right - 4 * self.number] if page.narrow else \
            [right - 8 * self.number - 0.3, right - 4 * self.number]
        self.dashes = False

    def text(self, x, text, **style):
        self.axis.text(x, self.y, text, va="center_baseline", **style)

    def four(self, start, texts, **style):
        for i, text in enumerate(texts, 1):
            self.text(start + i * self.number, text, ha="right", **style)

    def rule(self, weight, rows):
        self.y += rows * self.row
        self.axis.plot([0.1, self.page.width - 0.1], [self.y] * 2, color=INK, linewidth=weight,
                       solid_capstyle="butt")

    def head(self):
        self.rule(1.5, 0.5)
        if not self.page.narrow:
            self.y += 0.9 * self.row
            for start, head in zip(self.starts, (HERE, PAPER)):
                self.text(start + 2.1 * self.number, head, ha="center", weight="bold")
        self.y += self.row
        self.text(0.1, "balancer")
        for start in self.starts:
            self.four(start, ["average", "st. dev.", "min", "max"])
        self.rule(0.8, 0.7)

    def section(self, title):
        for line in self.page.wrap(title, None, self.page.width - 0.2).split("\n") if title else []:
            self.y += 0.9 * self.row
            self.text(0.1, line, style="italic", color=GREY)

    def line(self, label, here, paper):
        self.y += self.row
        for i, piece in enumerate(self.page.wrap(label, None, self.starts[0] - 0.1).split("\n")):
            self.y += 0.8 * self.row if i else 0
            self.text(0.1, piece)
        self.four(self.starts[0], here)
        if self.page.narrow and paper[0] != "–":
            self.y += 0.85 * self.row
            self.text(0.25, PAPER, color=GREY)
        if not self.page.narrow or paper[0] != "–":
            self.four(self.starts[-1], paper, color=GREY)
            self.dashes |= paper[0] == "–"

    def foot(self):
        self.rule(1.5, 0.8)
        if self.dashes:
            self.y += 0.9 * self.row
            self.text(0.1, FOOT, size=self.page.small, color=GREY)
        self.page.content = self.y + self.row
        self.axis.set_ylim(self.page.content, 0)


if __name__ == "__main__":
    common.run(main)
