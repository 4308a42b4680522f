#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Timeline of one run: the activity of every rank.

    plots/timeline.py results/demo

Each walker group is a rectangle over its ranks, or several rectangles if the ranks have gaps. It has the
colour of its walker and extends from the creation of the group to the end of its last item. Hatched grey
is idle time: the group has no walker, or waits for another group or for the end of the run. A black edge
marks a regrouping, at the time when the new communicator is ready. White is the time to create it. A
cross marks a lost rank, and an edge of the next groups marks the time when the other ranks continued.
Colours repeat; the numbers identify walkers.

Large runs are simplified. With more than 64 groups and waiting walkers, numbers, edges and hatches are
omitted. With more than 256, all walkers have the same colour. With more than 20,000 rectangles, the
picture is an image in which the colour of a pixel is its fraction of work. --ranks shows a part of such
a run in detail.

The default is the longest run whose balancer creates communicators, otherwise the longest run; only
finished runs with stored groups count. --list prints these runs. RESULTS are read by `regroup table` and
from RESULTS/events.csv.
"""

import math

import common
import numpy
from common import GREY, INK
from figures.events import lost_ranks, read_groups, shares, why_without, with_events
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator, MultipleLocator
from page import units

# Paul Tol's light palette, for dark text on it. With seven colours, walkers whose distance is a
# power of two differ.
HUES = ["#77AADD", "#EE8866", "#EEDD88", "#FFAABB", "#44BB99", "#BBCC33", "#99DDFF"]
IDLE = "#E4E4E4"
DETAILED, COLOURED = 64, 256  # at most: groups and waiting walkers; walkers
PIXELS, SHAPE = 20000, (900, 1400)  # rectangles, at most; shape of the image otherwise
LOST = "#AA1111"
CROSS = {"marker": "x", "markersize": 7, "markeredgewidth": 2, "linestyle": ""}
LIMITS = {"least": {"linestyle": (0, (1, 1.5)), "linewidth": 1.6},
          "makespan": {"linestyle": "-", "linewidth": 1.3}}


def main():
    options = common.parser_of_runs(__doc__)
    options.add_argument("--ranks", metavar=("FROM", "TO"), type=int, nargs=2,
                         help="show only these ranks")
    arguments = options.parse_args()
    runs = common.read_runs(arguments.results, where=arguments.where)
    if arguments.list:
        common.list_runs(runs)
        return
    shown = with_events(runs)
    shown = runs if shown.empty else shown
    forming = shown[shown.communicator != ""]
    run = common.choose_run(runs, arguments.run, shown if forming.empty else forming)
    if why := why_without(run):
        raise common.InputError(why)
    groups = read_groups(arguments.results, runs[runs.run == run.run]).get(run.run)
    if groups is None:
        raise common.InputError(f"{arguments.results / 'events.csv'}: no rows of run {run.run}")
    if arguments.ranks:
        groups = within(groups, *arguments.ranks)
    subtitle = common.describe(runs[runs.run == run.run])
    common.save(draw(run, subtitle, groups, arguments), arguments)


def within(groups, first, last):
    """Restricts `groups` to the ranks `first` to `last`."""
    part = groups[(groups.hi >= first) & (groups.lo <= last)]
    if part.empty:
        raise common.InputError(f"no ranks {first} to {last} in this run, whose ranks are "
                                f"{groups.lo.min():.0f} to {groups.hi.max():.0f}")
    return part.assign(lo=part.lo.clip(lower=first), hi=part.hi.clip(upper=last))


# ---- picture -------------------------------------------------------------------------------------

def draw(run, subtitle, groups, arguments):
    detailed = len(groups[~groups.begin_event.isin(["regroup", "recover"])]) <= DETAILED
    page = common.Page(arguments, f"Timeline of {run.label}", f"{subtitle} · {run.named}", "", 9.5)
    axis = page.panels(1, 3.2 if page.narrow else 5.4)[0][0]
    axis.set_xlim(0, max(run.makespan_s, groups.end_s.max()) or 1)
    axis.set_ylim(groups.hi.max() + 0.5, groups.lo.min() - 0.5)
    if len(groups) > PIXELS:
        draw_shares(axis, groups)
    else:
        draw_idle(axis, groups, detailed)
        draw_work(axis, groups, detailed)
    draw_limits(axis, run)
    label_axes(axis, groups)
    lost = lost_ranks(groups)
    if len(lost) > 0:  # a line without points would affect the layout
        axis.plot(lost.end_s, lost["rank"], color=LOST, zorder=6, clip_on=False, **CROSS)
    figure = page.finish(legend(run, groups, detailed, len(lost) > 0))
    if detailed:
        draw_edges(axis, groups)
        name_walkers(axis, groups, page)
    return figure


def draw_shares(axis, groups):
    """Draws groups smaller than a pixel: its colour shows the fraction of work."""
    ranks, end = (groups.lo.min(), groups.hi.max()), axis.get_xlim()[1]
    busy = groups[(groups.busy_until_s > groups.begin_s) & (groups.walker_id >= 0)]
    idle = groups[groups.end_s > groups.busy_until_s]
    work = shares(busy, "begin_s", "busy_until_s", SHAPE, ranks, end)[:, :, None]
    waits = shares(idle, "busy_until_s", "end_s", SHAPE, ranks, end)[:, :, None]
    white, hue, grey = (numpy.array(to_rgb(colour)) for colour in ("white", HUES[0], IDLE))
    picture = white + work * (hue - white) + waits * (grey - white)
    axis.imshow((255 * picture.clip(0, 1)).round().astype("uint8"), aspect="auto",
                interpolation="nearest",
                extent=(0, end, ranks[1] + 0.5, ranks[0] - 0.5))


def rectangles(groups, begin, end):
    """Returns the corners of each group's rectangle from column `begin` to column `end`."""
    return [((left, lo - 0.5), (right, lo - 0.5), (right, hi + 0.5), (left, hi + 0.5))
            for left, right, lo, hi in zip(groups[begin], groups[end], groups.lo, groups.hi)]


def draw_idle(axis, groups, detailed):
    idle = groups[groups.end_s > groups.busy_until_s]  # includes groups without a walker
    axis.add_collection(PolyCollection(rectangles(idle, "busy_until_s", "end_s"), facecolor=IDLE,
                                       hatch="////" if detailed else None, **outline(detailed)))


def draw_work(axis, groups, detailed):
    busy = groups[(groups.busy_until_s > groups.begin_s) & (groups.walker_id >= 0)]
    hues = colours(groups)
    axis.add_collection(PolyCollection(rectangles(busy, "begin_s", "busy_until_s"),
                                       facecolor=[hues[walker] for walker in busy.walker_id],
                                       **outline(detailed)))


def outline(detailed):
    if detailed:
        return {"edgecolor": "white", "linewidth": 0.6}
    return {"linewidth": 0, "antialiased": False}  # antialiasing would fade small rectangles


def colours(groups):
    """Returns a colour for each walker; all are equal if there are too many walkers."""
    walkers = sorted(groups.walker_id[groups.walker_id >= 0].unique())
    few = len(walkers) <= COLOURED
    return {walker: HUES[i % len(HUES) if few else 0] for i, walker in enumerate(walkers)}


def draw_edges(axis, groups):
    formed = groups[groups.begin_event.isin(["regroup", "recover"])]
    axis.vlines(formed.begin_s, formed.lo - 0.4, formed.hi + 0.4, color=INK, linewidth=1.6)


def name_walkers(axis, groups, page):
    """Labels each rectangle that has room with its walker and the items left."""
    axis.figure.draw_without_rendering()  # determines all sizes
    box = axis.get_window_extent().transformed(axis.figure.dpi_scale_trans.inverted())
    inches_per_s = box.width / axis.get_xlim()[1]
    inches_per_rank = box.height / (groups.hi.max() - groups.lo.min() + 1)
    hues = colours(groups)
    wide = (groups.hi - groups.lo + 1) * inches_per_rank > 1.4 * page.small / 72
    for group in groups[wide & (groups.walker_id >= 0)].itertuples():
        room = (group.busy_until_s - group.begin_s) * inches_per_s - 0.1
        walker = f"{group.walker_id:.0f}"
        texts = [f"walker {walker}, {group.items_left_begin:.0f} items", f"walker {walker}", walker]
        fitting = [text for text in texts if common.text_width(text, page.small) < room]
        if fitting:
            axis.text((group.begin_s + group.busy_until_s) / 2, (group.lo + group.hi) / 2,
                      fitting[0], size=page.small, ha="center", va="center_baseline", zorder=4,
                      bbox={"facecolor": hues[group.walker_id], "linewidth": 0, "pad": 1})


def draw_limits(axis, run):
    """Draws the ideal and the makespan; the legend contains their times."""
    above = axis.get_xaxis_transform()
    for x, style in ((run.least_s, LIMITS["least"]), (run.makespan_s, LIMITS["makespan"])):
        if not x > 0:  # the ideal is unknown
            continue
        axis.plot([x, x], [0, 1.03], color=INK, transform=above, clip_on=False, **style)


def label_axes(axis, groups):
    axis.set_xlabel("time in s")
    axis.set_ylabel("rank")
    first = groups.lo[groups.begin_event == "start"]
    number = groups.hi.max() - groups.lo.min() + 1
    if len(first) <= 16:
        axis.set_yticks(first)
    elif number > 2048:  # ticks at large powers of two
        step = 2 ** math.floor(math.log2(number / 4))
        axis.yaxis.set_major_locator(MultipleLocator(step))
    else:
        axis.yaxis.set_major_locator(MaxNLocator(9, integer=True, steps=[1, 2, 4, 8, 10]))
    axis.yaxis.set_major_formatter(FuncFormatter(common.count))
    axis.tick_params(length=2)


def legend(run, groups, detailed, lost):
    several = len(set(colours(groups).values())) > 1
    keys = [Patch(facecolor=HUES[0],
                  label="working (a colour per walker)" if several else "working"),
            Patch(facecolor=IDLE, edgecolor="white", hatch="////" if detailed else None,
                  label="idle")]
    if (groups.begin_event == "regroup").any():
        keys.append(Patch(facecolor="white", edgecolor=GREY, linewidth=0.8, label="regrouping"))
    if detailed and (groups.begin_event == "regroup").any():
        keys.append(common.key("regrouped", INK, marker="|", markersize=9, linestyle="",
                               markeredgewidth=1.6))
    if lost:
        keys.append(common.key("rank lost", LOST, **CROSS))
    if run.least_s > 0:
        keys.append(common.key(f"{run.least} {units.label(run.least_s)}", INK, **LIMITS["least"]))
    keys.append(common.key(f"makespan {units.label(run.makespan_s)}", INK, **LIMITS["makespan"]))
    return keys


if __name__ == "__main__":
    common.run(main)
