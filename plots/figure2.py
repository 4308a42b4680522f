#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Execution time as a function of the number of ranks: Figure 2 of the paper.

    plots/figure2.py results/figure2

Each line is a variant of a balancer: the median over repetitions and seeds, with a band from the
fastest to the slowest run. Another line is the ideal, the time with perfect balance, or the bound if
the speed-up is not perfect. The lower panel shows the percentages above the ideal, on a logarithmic
axis. Results with a single number of ranks become bars, with a dot per run. Each combination of other
settings that vary has its own panel; more than 12 panels are replaced by a summary of the times divided
by the bound, by workload and balancer. If seeds or repetitions draw different items, runs have
different problems. Each time is then divided by the ideal or bound of its own problem. Runs that did
not finish are omitted, and their number is printed below the figure.

Stars at the right edge are values from the text of the paper, for up to 8,192 cores. They are shown if
the runs are the paper's experiment: 7 s without balancing, which is computed; "roughly 15 %" less with
collective balancing; and "over 40 %" less with asynchronous balancing, where the star is the upper limit.

RESULTS are read by `regroup table`.
"""

import itertools

import common
import pandas
from common import GREY, INK, PALE
from figures import summary
from page import units

# Dinan et al., EuroMPI 2011, section 4.2, in s.
TOLD = {"none": 7.0, **{f"collective({n})": 0.85 * 7 for n in (1, 16, 128)},
         "asynchronous(merge)": 0.6 * 7}
# A hatch for the bars of each balancer, since shades cannot be told apart in grey.
HATCHES = ["", "////", "....", "\\\\\\\\", "xxxx", "----"]
STAR = {"marker": "*", "markersize": 9, "linestyle": "", "markeredgecolor": "white",
        "markeredgewidth": 0.5}


def main():
    arguments = common.parser(__doc__).parse_args()
    rows, note = common.read_table(arguments.results, "makespans_s", "of_least", where=arguments.where)
    if figure := summary.instead(rows, note, arguments, ["ranks"]):
        common.save(figure, arguments)
        return
    panels = [(title, with_values(part)) for title, part in common.panels(rows) if (part.over_least > 0).any()]
    if not panels:
        raise common.InputError(f"{arguments.results}: no run has any items")
    panels, note = summary.few(panels, rows, note, arguments, ["ranks"])
    runs = pandas.concat(part for _, part in panels)
    subtitle = " · ".join([common.describe(runs), *common.repeated(runs)])
    if common.repeated(runs):
        subtitle += ": median, fastest and slowest"
    draw = draw_lines if runs.ranks.nunique() > 1 else draw_bars
    figure = draw(panels, ("Execution time of each balancer", subtitle, note), arguments)
    common.save(figure, arguments)


def with_values(rows):
    """Adds the values to draw to the `rows` of one panel: times or, if there are several problems,
    ratios to the least time of each problem."""
    if common.several_problems(rows):
        return rows.assign(values=rows.of_least, value=rows.over_least,
                           low=rows.of_least.map(min), high=rows.of_least.map(max), limit=1.0)
    return rows.assign(values=rows.makespans_s, value=rows.makespan_s, low=rows.makespan_min_s,
                       high=rows.makespan_max_s, limit=rows.least_s)


def name_of_values(rows):
    if common.several_problems(rows):
        return f"execution time / {rows.least.iloc[0]} of each problem"
    return "execution time in s"


# ---- the paper -----------------------------------------------------------------------------------

def papers(rows):
    """Returns {label: seconds} from the text of the paper, for the variants in `rows` that repeat
    its experiment: `regroup table` fills their column paper_avg."""
    if common.several_problems(rows) or not (rows.item_ms == "100").all():
        return {}
    return {row.label: TOLD[name] for row in rows[rows.paper_avg.notna()].itertuples()
            if (name := row.variant.removesuffix(f", {row.communicator}")) in TOLD}


def paper_key():
    return common.key("Dinan et al. 2011, from its text", INK, **STAR)


# ---- several rank counts: lines ------------------------------------------------------------------

def draw_lines(panels, texts, arguments):
    page = common.Page(arguments, *texts, 5.6 if len(panels) == 1 else 8.6)
    axes = page.panels(len(panels), 4.1 if page.narrow else 5.2, parts=(1.8, 1))
    names = [label for _, runs in panels for label, _, _ in common.variants(runs)]
    styles = common.of_names(names)
    for (times, above), (title, runs) in zip(axes, panels):
        page.title(times, title)
        plot_lines(times, runs, styles)
        plot_excess(above, runs, styles)
        times.tick_params(labelbottom=False)
    keys = common.keys_of(times for times, _ in axes)
    if any(papers(runs) for _, runs in panels):
        keys.append(paper_key())
    alike = [[times for (times, _), (_, runs) in zip(axes, panels)
              if common.several_problems(runs) == kind] for kind in (False, True)]
    return page.finish(keys, [*alike, [above for _, above in axes if above.get_yscale() == "log"]])


def plot_lines(axis, runs, styles):
    least = runs.groupby("ranks").limit.first()
    axis.plot(least.index, least, label=runs.least.iloc[0], **common.IDEAL)
    for label, shade, variant in common.variants(runs.sort_values("ranks")):
        common.line_with_band(axis, variant.ranks, variant.value, variant.low, variant.high, shade,
                              label=label, **styles[label])
    for seconds in sorted(set(papers(runs).values())):  # measured on up to 8,192 cores
        axis.plot(1, seconds, color=INK, transform=axis.get_yaxis_transform(), clip_on=False,
                  zorder=6, **STAR)
    common.frame(axis, runs.ranks.unique(), "", name_of_values(runs))
    axis.set_ylim(bottom=0)


def plot_excess(axis, runs, styles):
    """Draws the excess over the least time in %, on a logarithmic axis if all are positive."""
    for label, shade, variant in common.variants(runs.sort_values("ranks")):
        axis.plot(variant.ranks, 100 * (variant.over_least - 1), color=shade, **styles[label])
    all_above = runs.over_least.min() > 1
    if not all_above:
        axis.axhline(0, **common.IDEAL)
    common.frame(axis, runs.ranks.unique(), "ranks", f"above the {runs.least.iloc[0]} in %", log=all_above)


# ---- one rank count: bars ------------------------------------------------------------------------

def draw_bars(panels, texts, arguments):
    page = common.Page(arguments, *texts, 7.4)
    line = 2.3 * page.base / 72 * (1.5 if page.narrow else 1)
    number = sum(runs.variant.nunique() for _, runs in panels)
    page.content = line * number + 0.8 * len(panels)
    grid = page.figure.add_gridspec(
        len(panels), 1, height_ratios=[line * runs.variant.nunique() + 0.8 for _, runs in panels])
    balancers = dict.fromkeys(name for _, runs in panels for name in runs.balancer)
    hatches = dict(zip(balancers, itertools.cycle(HATCHES)))
    for i, (title, runs) in enumerate(panels):
        axis = page.figure.add_subplot(grid[i])
        page.title(axis, title)
        kind = common.several_problems(runs)
        alike = [part for _, part in panels if common.several_problems(part) == kind]
        longest = max(max([part.high.max(), *papers(part).values()]) for part in alike)
        axis.set_xlim(0, 1.03 * longest or 1)
        plot_bars(axis, runs, kind, page, hatches)
        axis.set_xlabel(name_of_values(runs))
    parts = [runs for _, runs in panels]
    keys = [common.ideal_key(name) for name in dict.fromkeys(runs.least.iloc[0] for runs in parts)]
    if any(part["values"].map(len).max() > 1 for part in parts):
        keys.append(common.key("single problem" if kind else "single run", INK, linestyle="", marker="o", markersize=4,
                               markerfacecolor="white", markeredgewidth=0.8))
    if any(papers(runs) for runs in parts):
        keys.append(paper_key())
    return page.finish(keys)


def plot_bars(axis, runs, ratios, page, hatches):
    variants = list(common.variants(runs))
    least, name = runs.limit.iloc[0], runs.least.iloc[0]
    told = papers(runs)
    beside = axis.get_yaxis_transform()
    for y, (label, shade, variant) in enumerate(variants):
        row = variant.iloc[0]
        times = row["values"]
        axis.barh(y, row.value, height=0.58, facecolor=shade, linewidth=0,
                  hatch=hatches[variant.balancer.iloc[0]], edgecolor="white")
        if len(times) > 1:
            axis.plot([row.low, row.high], [y, y], color=INK, linewidth=1)
            axis.plot(times, [y] * len(times), "o", markersize=4, color="white",
                      markeredgecolor=INK, markeredgewidth=0.8)
        if label in told:
            axis.plot(told[label], y, color=INK, zorder=6, clip_on=False, **STAR)
        shown = [] if ratios else [(units.label(row.value), {"weight": "bold"})]
        if least > 0:
            shown.append((f"{row.over_least:.2f} × {name}", {"color": GREY}))
        for (text, style), place in zip(shown, (-0.22, 0.22) if len(shown) > 1 else (0,)):
            axis.text(1.02, y + place, text, va="center", size=page.small, transform=beside, **style)
    axis.axvline(least, color="white", linewidth=3, alpha=0.6)
    axis.axvline(least, **common.IDEAL)
    axis.text(least, -0.72, name if ratios else f"{name} {units.label(least)}", ha="center",
              va="bottom", size=page.small)
    names = [page.wrap(label, None, 0.36 * page.width) for label, _, _ in variants]
    axis.set_yticks(range(len(variants)), names)
    axis.set_ylim(len(variants) - 0.4, -0.65)
    axis.title.set_position((0, 1))
    axis.set_title(axis.get_title(loc="left"), pad=20)
    axis.spines["left"].set_visible(False)
    axis.tick_params(length=0)
    axis.grid(axis="x", color=PALE)


if __name__ == "__main__":
    common.run(main)
