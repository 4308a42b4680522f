# SPDX-License-Identifier: BSD-3-Clause
"""What figures of lines share: their names beside them, and their horizontal axis."""

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator


def ticks_at(axis, values):
    """Makes the horizontal axis logarithmic, to the base 2, with ticks at `values` only."""
    values = sorted(values)
    axis.set_xscale("log", base=2)
    axis.xaxis.set_major_locator(FixedLocator(values))
    axis.xaxis.set_minor_locator(NullLocator())
    axis.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
    axis.set_xlim(values[0] / 1.1, values[-1] * 1.1)


def label(axis, height):
    """Names each line to the right of `axis`, `height` inches high, with a thin connection from its
    end."""
    axis.autoscale_view()
    lines = axis.get_lines()
    ends = [axis.transAxes.inverted().transform(axis.transData.transform(line.get_xydata()[-1]))
            for line in lines]
    places = spread([y for _, y in ends], 0.19 / height)
    for line, end, place in zip(lines, ends, places):
        axis.annotate(line.get_label(), end, (1.05, place), size=9, xycoords="axes fraction",
                      textcoords="axes fraction", va="center", color=line.get_color(),
                      annotation_clip=False,
                      arrowprops={"arrowstyle": "-", "color": line.get_color(), "linewidth": 0.6,
                                  "shrinkA": 1, "shrinkB": 4, "relpos": (0, 0.5)})


def spread(wanted, distance):
    """Positions near `wanted` that are at least `distance` apart, in the same order."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    blocks = []  # of neighbours that touch: [sum of wanted first positions, members]
    for i in order:
        blocks.append([wanted[i], [i]])
        while len(blocks) > 1 and _end(blocks[-2], distance) > _start(blocks[-1], distance):
            total, members = blocks.pop()
            before = blocks[-1]
            before[0] += total
            before[1] += members
    placed = [0.0] * len(wanted)
    for block in blocks:
        for k, i in enumerate(block[1]):
            placed[i] = _start(block, distance) + k * distance
    ceiling = 1  # of the axes: above stands the title
    for i in reversed(order):
        placed[i] = min(placed[i], ceiling)
        ceiling = placed[i] - distance
    return placed


def _start(block, distance):
    return block[0] / len(block[1]) - distance * (len(block[1]) - 1) / 2


def _end(block, distance):
    return _start(block, distance) + distance * len(block[1])
