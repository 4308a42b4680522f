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
foot. Below the times stands by how many % they lie above the ideal, on a logarithmic axis.

Stars at the right edge are what the text of the paper tells, of up to 8,192 cores, where the runs did
the same: 7 s without balancing, which is computed; "roughly 15 %" less with collective balancing; and
"over 40 %" less with asynchronous balancing, where the star is the longest time that says.

Reads what `regroup table --format csv` prints of RESULTS_DIR, or a file of that.
"""

import itertools

import common
import pandas
from common import GREY, INK, PALE

# Dinan et al., EuroMPI 2011, section 4.2, of up to 8,192 cores: 7 s, and what the text says that
# balancing gains: "roughly 15 %", and "over 40 %", which is at most this long.
TOLD = {"none": 7.0, **{f"collective({n})": 0.85 * 7 for n in (1, 16, 128)},
         "asynchronous(merge)": 0.6 * 7}
# Of the bars of each balancer: shades alone are no difference in grey.
HATCHES = ["", "////", "....", "\\\\\\\\", "xxxx", "----"]
STAR = {"marker": "*", "markersize": 9, "linestyle": "", "markeredgecolor": "white",
        "markeredgewidth": 0.5}


def main():
    arguments = common.parser(__doc__).parse_args()
    rows, note = common.read_table(arguments.results, "makespans_s", "of_least")
    panels = [(title, with_values(part)) for title, part in common.panels(rows)
              if (part.over_least > 0).any()]
    if not panels:
        raise common.InputError(f"{arguments.results}: there is nothing to draw: no run has items")
    runs = pandas.concat(part for _, part in panels)
    subtitle = " · ".join([common.describe(runs), *common.repeated(runs)])
    if common.repeated(runs):
        subtitle += ": median, fastest and slowest"
    draw = draw_lines if runs.ranks.nunique() > 1 else draw_bars
    figure = draw(panels, ("Execution time of each balancer", subtitle, note), arguments)
    common.save(figure, arguments)


def with_values(rows):
    """`rows` of one panel with what is shown of them: times or, where there are several problems,
    ratios to the least time of each."""
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
    """(label, seconds) of what the paper's text tells of the variants in `rows`, where they did what
    the paper did: the table has the paper's statistics beside these."""
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
        page.title(times, title, page.columns(len(panels), 2.6, 2))
        plot_lines(times, runs, styles)
        plot_excess(above, runs, styles)
        times.tick_params(labelbottom=False)
        above.set_xlabel("ranks")
    keys = common.keys_of(times for times, _ in axes)
    if any(papers(runs) for _, runs in panels):
        keys.append(paper_key())
    alike = [[times for (times, _), (_, runs) in zip(axes, panels)
              if common.several_problems(runs) == kind] for kind in (False, True)]
    return page.finish(keys, [*alike, [above for _, above in axes if above.get_yscale() == "log"]])


def plot_lines(axis, runs, styles):
    least = runs.groupby("ranks").limit.first()
    axis.plot(least.index, least, label=runs.least.iloc[0], **common.IDEAL)
    for label, shade, variant in common.variants(runs):
        times = variant.sort_values("ranks")
        axis.fill_between(times.ranks, times.low, times.high, color=shade, alpha=0.2, linewidth=0)
        axis.plot(times.ranks, times.value, color=shade, label=label, **styles[label])
    for seconds in sorted(set(papers(runs).values())):  # of up to 8,192 cores
        axis.plot(1, seconds, color=INK, transform=axis.get_yaxis_transform(), clip_on=False,
                  zorder=6, **STAR)
    common.ticks_at(axis, runs.ranks.unique())
    axis.set_ylim(bottom=0)
    axis.grid(axis="y")
    axis.tick_params(length=0)
    axis.set_ylabel(name_of_values(runs))


def plot_excess(axis, runs, styles):
    """What 1 % more than the least time is: on a logarithmic axis, where all took more."""
    lowest = []
    for label, shade, variant in common.variants(runs):
        rows = variant.sort_values("ranks")
        above = 100 * (rows.over_least - 1)
        lowest.append(above.min())
        axis.plot(rows.ranks, above, color=shade, **styles[label])
    if min(lowest) > 0:
        common.log_times(axis)
    else:
        axis.axhline(0, **common.IDEAL)
    common.ticks_at(axis, runs.ranks.unique())
    axis.grid(axis="y")
    axis.tick_params(length=0)
    axis.set_ylabel(f"above the {runs.least.iloc[0]} in %")


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
        axis.set_xlim(0, 1.02 * max(part.high.max() for part in alike) or 1)
        plot_bars(axis, runs, kind, page, hatches)
        axis.set_xlabel(name_of_values(runs))
    parts = [runs for _, runs in panels]
    keys = [common.ideal_key(name) for name in dict.fromkeys(runs.least.iloc[0] for runs in parts)]
    if any(part["values"].map(len).max() > 1 for part in parts):
        keys.append(common.key("single run", INK, linestyle="", marker="o", markersize=4,
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
        shown = [] if ratios else [(f"{row.value:.2f} s", {"weight": "bold"})]
        if least > 0:
            shown.append((f"{row.over_least:.2f} × {name}", {"color": GREY}))
        for (text, style), place in zip(shown, (-0.22, 0.22) if len(shown) > 1 else (0,)):
            axis.text(1.02, y + place, text, va="center", size=page.small, transform=beside, **style)
    axis.axvline(least, color="white", linewidth=3, alpha=0.6)
    axis.axvline(least, **common.IDEAL)
    axis.text(least, -0.72, name if ratios else f"{name} {least:.2f} s", ha="center",
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
