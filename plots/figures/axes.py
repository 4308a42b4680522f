# SPDX-License-Identifier: BSD-3-Clause
"""Axes: ticks that do not overlap, units, and one scale for panels of one quantity."""

import math

import numpy
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter, NullLocator

UNITS = {"s": 1, "ms": 1e3, "µs": 1e6, "ns": 1e9}


def unit_of(seconds):
    """(name, factor) of the unit that `seconds` are shown in: the middle one has a digit or more before
    its point."""
    values = numpy.asarray(seconds, dtype=float)
    values = values[numpy.isfinite(values) & (values > 0)]
    if not len(values):
        return "s", 1
    middle = 10 ** numpy.log10(values).mean()
    for name, factor in UNITS.items():
        if middle * factor >= 3 or name == "ns":
            return name, factor


def count(number, _=None):
    """A number of ranks or elements: powers of two from 1024 on as 1 Ki, 16 Ki, 1 Mi."""
    for size, name in ((2 ** 30, "Gi"), (2 ** 20, "Mi"), (2 ** 10, "Ki")):
        whole = number / size
        if whole >= 1 and whole == int(whole) and int(whole) & (int(whole) - 1) == 0:
            return f"{whole:.0f} {name}"
    return f"{number:,.0f}"


def plain(number, _=None):
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:g}"


def ticks_at(axis, values):
    """Makes the horizontal axis logarithmic, to the base 2, with ticks at `values` only, as many of
    them as have room."""
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


def one_scale(axes):
    """Gives all of `axes` the range that all of them need, and ticks that tell it."""
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
    """The steps within a decade that give several labels, and not too many."""
    decades = math.log10(high / low)
    if decades > 2.2:
        return (1,)
    if decades > 0.9:
        return (1, 2, 5)
    return (1, 1.5, 2, 3, 4, 5, 7) if decades > 0.3 else tuple(numpy.arange(1, 10, 0.25))


def thin(figure):
    """Leaves out ticks whose labels overlap their neighbours', from the last one on."""
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
