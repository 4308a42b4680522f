#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Regroupings per process: Table 1 of the paper.

For each variant of a balancer: in how many regroupings a process took part, as average, standard
deviation over all processes, fewest and most. Average and deviation are means over the repetitions
and seeds; fewest and most are those of all. Beside them stand the numbers of the paper, at 8,192
processes, where they are comparable: same variant, group size (4) and workload (cyclic, 10, 32).

Of several rank counts the largest is shown, or that of --ranks. Reads RESULTS_DIR/runs.csv; the
table goes to standard output as well.
"""

import common
from common import GREY, INK

STATISTICS = {"regroups_avg": "mean", "regroups_stdev": "mean", "regroups_min": "min",
              "regroups_max": "max"}
HEADS = ["average", "st. dev.", "min", "max"]
HERE, PAPER = "this sweep", "paper, 8,192 ranks"

# Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011, Table 1.
PAPER_ROWS = {"none": (0, 0, 0, 0),
              **{f"collective({n})": (5.38, 2.12, 2, 8) for n in (1, 2, 4, 8, 16, 32)},
              "collective(64)": (3.75, 1.20, 2, 5), "collective(128)": (2.62, 0.48, 2, 3),
              "asynchronous(merge)": (14.38, 3.54, 5, 26)}
PAPER_SETTINGS = {"group_size": "4", "groups": "equal", "workload": "cyclic", "multiplier": "10",
                  "modulus": "32", "walkers_per_group": "1", "walkers_in_all": "0"}


def main():
    options = common.parser(__doc__)
    options.add_argument("--ranks", type=int, metavar="N", help="show the runs with N ranks")
    arguments = options.parse_args()
    runs, note = common.read_runs(arguments.results, list(STATISTICS))
    runs = with_ranks(runs, arguments.ranks)
    sections = [(title, rows(panel)) for title, panel in common.panels(runs)]
    subtitle = common.describe(runs)
    print_table(sections, subtitle, note)
    common.save(draw(sections, subtitle, note), arguments)


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
    return [(label, tuple(part.agg(STATISTICS)[list(STATISTICS)]), paper(part.iloc[0]))
            for label, _, part in common.variants(runs)]


def paper(run):
    # A column that older results lack is a setting that there was no other way.
    if any(run.get(column, value) != value for column, value in PAPER_SETTINGS.items()):
        return None
    return PAPER_ROWS.get(run.variant.removesuffix(f", {run.communicator}"))


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

ROW = 0.27  # inches
COLUMNS = [0.75, 1.6, 2.1, 2.6]  # right edges of the four numbers, in inches
FOOT = "– : the paper has no such row."


def draw(sections, subtitle, note):
    lines = [line for _, part in sections for line in part]
    first = 0.35 + max(common.text_width(label, 9.5) for label, _, _ in lines)
    second = first + COLUMNS[-1] + 0.35
    right = second + COLUMNS[-1] + 0.05
    titles = [title for title, _ in sections if title]
    height = 1.05 + ROW * (3 + len(lines) + 1.7 * len(titles)) + 0.75
    figure = common.canvas(right + 0.2, height, "Regroupings per process", subtitle, note)
    page = common.add_axes(figure, 0, 0, *figure.get_size_inches())
    page.axis("off")
    page.set(xlim=(0, figure.get_figwidth()), ylim=(height, 0))

    def rule(y, left=0.2, end=right, weight=0.8):
        page.plot([left, end], [y, y], color=INK, linewidth=weight, solid_capstyle="butt")

    def write(y, texts, start, **style):
        for text, edge in zip(texts, COLUMNS):
            page.text(start + edge, y, text, ha="right", va="center_baseline", **style)

    y = 1.0
    rule(y, weight=1.5)
    y += 0.75 * ROW
    for start, head in ((first, HERE), (second, PAPER)):
        page.text(start + 0.15 + (COLUMNS[-1] - 0.15) / 2, y, head, ha="center",
                  va="center_baseline", weight="bold")
        rule(y + 0.6 * ROW, start + 0.15, start + COLUMNS[-1], 0.6)
    y += 1.25 * ROW
    page.text(0.2, y, "balancer", va="center_baseline")
    write(y, HEADS, first)
    write(y, HEADS, second)
    y += 0.6 * ROW
    rule(y)
    for title, part in sections:
        if title:
            y += (1.0 if title == titles[0] else 1.5) * ROW
            page.text(0.2, y, title, va="center_baseline", style="italic", color=GREY)
            y += 0.2 * ROW
        for label, here, there in part:
            y += ROW if label != part[0][0] or title else 0.75 * ROW
            page.text(0.2, y, label, va="center_baseline")
            write(y, cells(here), first)
            write(y, cells(there), second, color=GREY)
    rule(y + 0.75 * ROW, weight=1.5)
    if any(there is None for _, _, there in lines):
        page.text(0.2, y + 1.55 * ROW, FOOT, size=8.5, color=GREY, va="center_baseline")
    return figure


if __name__ == "__main__":
    common.run(main)
