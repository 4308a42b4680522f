#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""One run as a timeline: what every rank did, and when.

Each walker group is a rectangle over its ranks, or several where they have gaps, in the colour of
the walker that it worked on, from its forming to the end of its last item. Grey with hatches is
idle: a group that has no walker, or waits for another one, or for the end of the run. A black edge
is a regrouping: the new communicator is ready. White is time that forming it took. Colours repeat;
walkers are told apart by their numbers. Of more than 64 groups and walkers that waited no numbers,
edges and hatches are drawn, and more than 256 share one colour; --ranks shows a part of such a run in detail.

By default the last finished run whose balancer forms communicators is shown, or else the last
finished run; --list names them all. Reads RESULTS_DIR/runs.csv and events.csv.
"""

import common
import one_run
import pandas
from common import INK
from matplotlib.collections import PolyCollection
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator

# Paul Tol's light palette, made for dark text on it. Seven, so that walkers a power of two apart
# differ.
HUES = ["#77AADD", "#EE8866", "#EEDD88", "#FFAABB", "#44BB99", "#BBCC33", "#99DDFF"]
IDLE = "#E4E4E4"
DETAILED, COLOURED = 64, 256  # groups at most
LEFT, TOP, WIDTH, HEIGHT = 0.85, 1.15, 7.6, 4.6  # the axes, in inches
NUMBERS = ["time_s", "busy_until_s", "end_s", "items_left"]


def main():
    options = one_run.parser(__doc__)
    options.add_argument("--ranks", metavar=("FROM", "TO"), type=int, nargs=2,
                         help="show these ranks only")
    arguments = options.parse_args()
    runs, _ = common.read_runs(arguments.results, ["makespan_s"])
    if arguments.list:
        one_run.print_all(runs)
        return
    forming = runs[runs.communicator != ""]
    run = one_run.choose(runs, arguments.run, runs if forming.empty else forming)
    groups = read_groups(arguments.results, run)
    if arguments.ranks:
        groups = within(groups, *arguments.ranks)
    common.save(draw(run, common.describe(runs[runs.run == run.run]), groups), arguments)


def read_groups(directory, run):
    """The groups of `run`, a row for each range `lo` to `hi` of their ranks; walker -1 where a group
    has none. A group that stopped is idle until the run's end."""
    words = ["run", "event", "end", "ranks", "walker"]
    events = common.read(directory, "events.csv", words, NUMBERS)
    groups = events[events.run == run.run]
    path = directory / "events.csv"
    if groups.empty:
        raise common.InputError(f"{path}: no rows of run {run.run}")
    for column in NUMBERS:
        if groups[column].isna().any():
            raise common.InputError(f"{path}: column {column} is empty in a row of run {run.run}")
    waits = (groups.end == "stop") & (groups.end_s < run.makespan_s)
    walkers = pandas.to_numeric(groups.walker.replace("", "-1"), errors="coerce")
    groups = groups.assign(end_s=groups.end_s.mask(waits, run.makespan_s), walker=walkers,
                           ranks=groups.ranks.str.split(" ")).explode("ranks")
    ends = groups.ranks.str.extract(r"^(?P<lo>\d+)(?:-(?P<hi>\d+))?$").astype(float)
    if ends.lo.isna().any() or walkers.isna().any():
        raise common.InputError(f"{path}: no ranks as in '0-3 8-11', or no walker, in run {run.run}")
    return groups.assign(lo=ends.lo, hi=ends.hi.fillna(ends.lo))


def within(groups, first, last):
    """What `groups` did on the ranks `first` to `last`."""
    part = groups[(groups.hi >= first) & (groups.lo <= last)]
    if part.empty:
        raise common.InputError(f"no ranks {first} to {last} in this run, whose ranks are "
                                f"{groups.lo.min():.0f} to {groups.hi.max():.0f}")
    return part.assign(lo=part.lo.clip(lower=first), hi=part.hi.clip(upper=last))


# ---- picture -------------------------------------------------------------------------------------

def draw(run, subtitle, groups):
    detailed = len(groups[groups.event != "regroup"]) <= DETAILED
    figure = common.canvas(LEFT + WIDTH + 1.25, TOP + HEIGHT + 1.15, f"Timeline of {run.label}",
                           f"{subtitle} · run {run.run}")
    axis = common.add_axes(figure, LEFT, TOP, WIDTH, HEIGHT)
    axis.set_xlim(0, max(run.makespan_s, groups.end_s.max()))
    axis.set_ylim(groups.hi.max() + 0.5, groups.lo.min() - 0.5)
    draw_idle(axis, groups, detailed)
    draw_work(axis, groups, detailed)
    if detailed:
        draw_edges(axis, groups)
        name_walkers(axis, groups)
    draw_limits(axis, run)
    label_axes(axis, groups)
    legend(axis, groups, detailed)
    return figure


def rectangles(groups, begin, end):
    """The corners of each group's rectangle from time `begin` to time `end` over its ranks."""
    return [((left, lo - 0.5), (right, lo - 0.5), (right, hi + 0.5), (left, hi + 0.5))
            for left, right, lo, hi in zip(groups[begin], groups[end], groups.lo, groups.hi)]


def draw_idle(axis, groups, detailed):
    idle = groups[groups.end_s > groups.busy_until_s]  # those without a walker, too
    axis.add_collection(PolyCollection(rectangles(idle, "busy_until_s", "end_s"), facecolor=IDLE,
                                       hatch="////" if detailed else None, **outline(detailed)))


def draw_work(axis, groups, detailed):
    busy = groups[(groups.busy_until_s > groups.time_s) & (groups.walker >= 0)]
    hues = colours(groups)
    axis.add_collection(PolyCollection(rectangles(busy, "time_s", "busy_until_s"),
                                       facecolor=[hues[walker] for walker in busy.walker],
                                       **outline(detailed)))


def outline(detailed):
    if detailed:
        return {"edgecolor": "white", "linewidth": 0.6}
    return {"linewidth": 0, "antialiased": False}  # smoothed rectangles below a pixel would fade


def colours(groups):
    """The colour of each walker; neighbours differ unless there are too many to see."""
    walkers = sorted(groups.walker[groups.walker >= 0].unique())
    few = len(walkers) <= COLOURED
    return {walker: HUES[i % len(HUES) if few else 0] for i, walker in enumerate(walkers)}


def draw_edges(axis, groups):
    formed = groups[groups.event == "regroup"]
    axis.vlines(formed.time_s, formed.lo - 0.4, formed.hi + 0.4, color=INK, linewidth=1.6)


def name_walkers(axis, groups):
    """Writes the walker, and the items it had left, into each rectangle that has room for it."""
    inches_per_s = WIDTH / axis.get_xlim()[1]
    inches_per_rank = HEIGHT / (groups.hi.max() - groups.lo.min() + 1)
    hues = colours(groups)
    wide = (groups.hi - groups.lo + 1) * inches_per_rank > 0.16
    for group in groups[wide & (groups.walker >= 0)].itertuples():
        room = (group.busy_until_s - group.time_s) * inches_per_s - 0.1
        walker = f"{group.walker:.0f}"
        texts = [f"walker {walker}, {group.items_left:.0f} items", f"walker {walker}", walker]
        fitting = [text for text in texts if common.text_width(text, 8) < room]
        if fitting:
            axis.text((group.time_s + group.busy_until_s) / 2, (group.lo + group.hi) / 2,
                      fitting[0], size=8, ha="center", va="center_baseline", zorder=4,
                      bbox={"facecolor": hues[group.walker], "linewidth": 0, "pad": 1})


def draw_limits(axis, run):
    above = axis.get_xaxis_transform()
    for x, name, side, style in ((run.least_s, run.least, "right", (0, (1, 1.5))),
                                 (run.makespan_s, "makespan", "left", "-")):
        axis.plot([x, x], [0, 1.02], color=INK, linestyle=style, linewidth=1.3, transform=above,
                  clip_on=False)
        axis.text(x, 1.03, f"{name} {x:.2f} s", ha=side, va="bottom", size=9, transform=above)


def label_axes(axis, groups):
    axis.set_xlabel("time in s", labelpad=2)
    axis.set_ylabel("rank")
    axis.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:,.0f}"))
    first = groups.lo[groups.event == "start"]
    if len(first) <= 16:
        axis.set_yticks(first)
    else:
        axis.yaxis.set_major_locator(MaxNLocator(9, integer=True, steps=[1, 2, 4, 8, 10]))
    axis.tick_params(length=2)


def legend(axis, groups, detailed):
    several = len(set(colours(groups).values())) > 1
    keys = [Patch(facecolor=HUES[0],
                  label="working (a colour per walker)" if several else "working"),
            Patch(facecolor=IDLE, edgecolor="white", hatch="////" if detailed else None,
                  label="idle")]
    if detailed and (groups.event == "regroup").any():
        keys += axis.plot([], [], color=INK, linewidth=1.6, marker="|", markersize=11, linestyle="",
                          markeredgewidth=1.6, label="regrouped")
    axis.legend(handles=keys, loc="upper left", bbox_to_anchor=(-0.01, -0.1), ncol=len(keys),
                borderpad=0, handlelength=1.6, columnspacing=2.2)


if __name__ == "__main__":
    common.run(main)
