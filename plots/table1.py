#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Regroupings per process: Table 1 of the paper.

For each variant of a balancer: in how many regroupings a process took part, as average, standard
deviation over all processes, fewest and most. Average and deviation are medians over the repetitions
and seeds; fewest and most are those of all. Beside them stand the numbers of the paper, at 8,192
processes, where they are comparable: same variant, group size (4) and workload (cyclic, 10, 32).

Of several rank counts the largest is shown, or that of --ranks. Reads what `regroup table --format
csv` prints of RESULTS_DIR, or a file of that; the table goes to standard output as well.
"""

import common
from common import GREY, INK

STATISTICS = ["avg", "stdev", "min", "max"]
HEADS = ["average", "st. dev.", "min", "max"]
HERE, PAPER = "this sweep", "paper, 8,192 ranks"


def main():
    options = common.parser(__doc__)
    options.add_argument("--ranks", type=int, metavar="N", help="show the runs with N ranks")
    arguments = options.parse_args()
    runs, note = common.read_table(arguments.results, "regroups_avg", "paper_avg")
    runs = with_ranks(runs, arguments.ranks)
    sections = [(title, rows(panel)) for title, panel in common.panels(runs)]
    subtitle = " · ".join([common.describe(runs), *common.repeated(runs)])
    print_table(sections, subtitle, note)
    common.save(draw(sections, subtitle, note, arguments), arguments)


def with_ranks(runs, ranks):
    if ranks is None:
        ranks = runs.ranks.max()
    chosen = runs[runs.ranks == ranks]
    if chosen.empty:
        known = ", ".join(f"{r:.0f}" for r in sorted(runs.ranks.unique()))
        raise common.InputError(f"no finished run with {ranks} ranks (there are: {known})")
    return chosen


def rows(runs):
    """(label, four numbers, the paper's four or None) for each variant."""
    return [(label, numbers(part.iloc[0], "regroups"), numbers(part.iloc[0], "paper"))
            for label, _, part in common.variants(runs)]


def numbers(row, of):
    found = tuple(row[f"{of}_{name}"] for name in STATISTICS)
    return found if found[0] == found[0] else None


def cells(numbers):
    if numbers is None:
        return ["–"] * 4
    average, deviation, low, high = numbers
    return [f"{average:.2f}", f"{deviation:.2f}", f"{low:.0f}", f"{high:.0f}"]


# ---- text ----------------------------------------------------------------------------------------

def print_table(sections, subtitle, note):
    width = max(len(label) for _, lines in sections for label, _, _ in lines)
    numbers = "{:>9}{:>10}{:>5}{:>5}"
    print(f"Regroupings per process\n{subtitle}\n")
    print(f"{'':{width}}{HERE:>29}    {PAPER:>29}")
    print(f"{'balancer':{width}}" + numbers.format(*HEADS) + "    " + numbers.format(*HEADS))
    for title, lines in sections:
        print(f"-- {title}" if title else "-" * (width + 62))
        for label, here, there in lines:
            print(f"{label:{width}}" + numbers.format(*cells(here)) + "    "
                  + numbers.format(*cells(there)))
    print(f"\n{note}\n" if note else "")


# ---- picture -------------------------------------------------------------------------------------

FOOT = "– : the paper has no such row."


def draw(sections, subtitle, note, arguments):
    lines = [line for _, part in sections for line in part]
    page = common.Page(arguments, "Regroupings per process", subtitle, note, 8.6)
    numbers = 4.3 * page.base / 72  # from a number to the next
    block = 4 * numbers
    beneath = page.narrow  # the paper's numbers stand below ours, not beside them
    foot = FOOT if not beneath and any(there is None for _, _, there in lines) else ""
    widest = page.width - 0.2 - block * (1 if beneath else 2) - (0 if beneath else 0.3)
    return Table(page, numbers, widest, beneath).draw(sections, foot)


class Table:
    def __init__(self, page, numbers, widest, beneath):
        self.page, self.numbers, self.widest, self.beneath = page, numbers, widest, beneath
        self.row = 1.75 * page.base / 72
        self.items = []  # functions that write, with the y of each
        self.y = 0.5 * self.row
        right = page.width - 0.1
        block = 4 * numbers
        self.starts = [right - block] if beneath else [right - 2 * block - 0.3, right - block]

    def rule(self, weight=0.8, left=0.1, right=None):
        y, end = self.y, right or self.page.width - 0.1
        self.items.append(lambda axis: axis.plot([left, end], [y, y], color=INK, linewidth=weight,
                                                 solid_capstyle="butt"))

    def text(self, x, text, **style):
        y = self.y
        self.items.append(lambda axis: axis.text(x, y, text, va="center_baseline", **style))

    def four(self, start, texts, **style):
        for i, text in enumerate(texts):
            self.text(start + (i + 1) * self.numbers, text, ha="right", **style)

    def draw(self, sections, foot):
        self.rule(1.5)
        if not self.beneath:
            self.y += 0.9 * self.row
            for start, head in zip(self.starts, (HERE, PAPER)):
                self.text(start + 2.1 * self.numbers, head, ha="center", weight="bold")
        self.y += self.row
        self.text(0.1, "balancer")
        for start in self.starts:
            self.four(start, HEADS)
        self.y += 0.7 * self.row
        self.rule()
        for title, part in sections:
            if title:
                self.y += self.row
                wrapped = self.page.wrap(title, None, self.page.width - 0.2)
                self.y += self.row * 0.4 * wrapped.count("\n")
                self.text(0.1, wrapped, style="italic", color=GREY)
                self.y += self.row * 0.4 * wrapped.count("\n")
            for line in part:
                self.line(*line)
        self.y += 0.8 * self.row
        self.rule(1.5)
        if foot:
            self.y += 0.9 * self.row
            self.text(0.1, foot, size=self.page.small, color=GREY)
        axis = self.page.sheet(self.y + self.row)
        for item in self.items:
            item(axis)
        return self.page.finish()

    def line(self, label, here, there):
        self.y += self.row
        wrapped = self.page.wrap(label, None, self.widest)
        for i, piece in enumerate(wrapped.split("\n")):
            self.y += 0.8 * self.row if i else 0
            self.text(0.1, piece)
        self.four(self.starts[0], cells(here))
        if self.beneath and there:
            self.y += 0.85 * self.row
            self.text(0.25, PAPER, color=GREY)
        if there or not self.beneath:
            self.four(self.starts[-1], cells(there), color=GREY)


if __name__ == "__main__":
    common.run(main)
