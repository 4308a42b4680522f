# SPDX-License-Identifier: BSD-3-Clause
"""Axes and lines: ticks that do not overlap, units, one scale for panels of one quantity, and lines
that differ by markers, dashes and widths, besides colours."""

import math

import numpy
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter, NullLocator

MARKERS = "os^DvPX*<>"
DASHES = ["-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)), (0, (3, 1, 3, 1, 1, 1))]
IDEAL = {"color": "#000000", "linestyle": (0, (1, 1.5)), "linewidth": 1.8}
UNITS = {"s": 1, "ms": 1e3, "µs": 1e6, "ns": 1e9}


def unit_of(seconds):
    """Returns (name, factor) of the unit for `seconds`: the largest in which their geometric mean
    is at least 3."""
    values = numpy.asarray(seconds, dtype=float)
    values = values[numpy.isfinite(values) & (values > 0)]
    if not len(values):
        return "s", 1
    middle = 10 ** numpy.log10(values).mean()
    for name, factor in UNITS.items():
        if middle * factor >= 3 or name == "ns":
            return name, factor


def count(number, _=None):
    """Formats a number of ranks or elements: 16,384."""
    return f"{number:,.0f}"


def plain(number, _=None):
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:g}"


def ticks_at(axis, values):
    """Makes the horizontal axis logarithmic to base 2, with ticks at `values` only; `thin` removes
    those without room."""
    values = sorted(values)
    axis.set_xscale("log", base=2)
    axis.xaxis.set_major_locator(FixedLocator(values))
    axis.xaxis.set_minor_locator(NullLocator())
    axis.xaxis.set_major_formatter(FuncFormatter(count))
    axis.set_xlim(values[0] / 1.1, values[-1] * 1.1)
    axis.regroup_ticks = values


def log_times(axis):
    """Makes the vertical axis logarithmic; `one_scale` gives it at least two ticks with labels."""
    axis.set_yscale("log")
    axis.yaxis.set_major_formatter(FuncFormatter(plain))
    axis.yaxis.set_minor_formatter(NullFormatter())
    axis.yaxis.set_minor_locator(NullLocator())


def frame(axis, values, x_label, y_label, log=False):
    """Sets up axes over ranks, sizes or elements; `log`: the vertical axis is logarithmic."""
    ticks_at(axis, values)
    if log:
        log_times(axis)
    axis.grid(axis="y")
    axis.tick_params(length=0, which="both")
    axis.set_xlabel(x_label)
    axis.set_ylabel(y_label)


def one_scale(axes):
    """Gives all of `axes` the same vertical range, and enough labelled ticks."""
    axes = list(axes)
    if not axes:
        return
    low = min(axis.get_ylim()[0] for axis in axes)
    high = max(axis.get_ylim()[1] for axis in axes)
    for axis in axes:
        axis.set_ylim(low, high)
        if axis.get_yscale() == "log":
            axis.yaxis.set_major_locator(LogLocator(10, subs=_steps(low, high)))


def _steps(low, high):
    """Returns the steps within a decade that give several labels, but not too many."""
    decades = math.log10(high / low)
    if decades > 2.2:
        return (1,)
    if decades > 0.9:
        return (1, 2, 5)
    return (1, 1.5, 2, 3, 4, 5, 7) if decades > 0.3 else tuple(numpy.arange(1, 10, 0.25))


def thin(figure):
    """Keeps every n-th tick, counted from the last one, so that labels do not overlap."""
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    for axis in figure.axes:
        values = getattr(axis, "regroup_ticks", None)
        step = 1
        while values and step < len(values) and _overlap(axis.xaxis, renderer):
            step += 1
            axis.xaxis.set_major_locator(FixedLocator(values[::-1][::step][::-1]))


def _overlap(axis, renderer):
    boxes = [label.get_window_extent(renderer) for label in axis.get_ticklabels()
             if label.get_visible() and label.get_text()]
    gap = 0.4 * (boxes[0].height if boxes else 0)
    return any(left.x1 + gap > right.x0 for left, right in zip(boxes, boxes[1:]))


# ---- lines ---------------------------------------------------------------------------------------

def of_names(names):
    """Returns keyword arguments of `plot` for each of `names`, which are drawn in this order. Later
    lines are thinner and have smaller markers, so that the lines beneath them remain visible."""
    names = list(dict.fromkeys(names))
    shares = {name: i / max(1, len(names) - 1) for i, name in enumerate(names)}
    return {name: {"marker": MARKERS[i % len(MARKERS)], "linestyle": DASHES[i % len(DASHES)],
                   "linewidth": 2.4 - 1.3 * shares[name], "markersize": 7.5 - 2.9 * shares[name],
                   "markeredgecolor": "white", "markeredgewidth": 0.6 - 0.3 * shares[name], "clip_on": False,
                   "zorder": 3 + shares[name]}
            for i, name in enumerate(names)}


def key(label, colour, **style):
    """Returns an entry of the legend."""
    return Line2D([], [], color=colour, label=label, **style)


def ideal_key(label="ideal"):
    return Line2D([], [], label=label, **IDEAL)


def keys_of(axes):
    """Returns the entries of the legend: each label of `axes` once, in order of appearance."""
    found = {}
    for axis in axes:
        for handle, label in zip(*axis.get_legend_handles_labels()):
            found.setdefault(label, handle)
    return list(found.values())


def line_with_band(axis, x, median, low, high, colour, **style):
    """Draws a line through medians, and a band over their intervals."""
    axis.fill_between(x, low, high, color=colour, alpha=0.18, linewidth=0)
    axis.plot(x, median, color=colour, **style)
