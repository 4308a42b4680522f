# SPDX-License-Identifier: BSD-3-Clause
"""A heat map of ratios (1 is perfect), with a row per problem and a column per balancer."""

import math

import numpy
from matplotlib.colors import LogNorm

from figures.page import INK, text_width

WORST = 4  # larger ratios have the same colour


def shown(value):
    """Formats a ratio: three decimals below 2, two below 10, otherwise none."""
    if value != value:
        return ""
    return f"{value:.3f}" if value < 2 else f"{value:.2f}" if value < 10 else f"{value:.0f}"


def draw(page, titles, names, values, beneath=None):
    """Draws `values` (rows, columns) on an empty page, each above its element of `beneath`."""
    texts = [page.wrap(title, page.small, 0.34 * page.width) for title in titles]
    left = 0.2 + max(text_width(line, page.small) for text in texts for line in text.split("\n"))
    room = page.width - left - 0.45  # the last name, slanted, extends beyond its column
    beside = max(1, min(len(names), int(room / (3.9 * page.small / 72))))
    blocks = math.ceil(len(names) / beside)  # of columns; several are stacked
    beside = math.ceil(len(names) / blocks)
    slanted = max(text_width(name, page.base) for name in names)
    high = 0.75 * slanted + 0.25
    lines = max(text.count("\n") + 1 for text in texts)
    line = max(1.9 if beneath is None else 3.2, 0.2 + 1.35 * lines) * page.small / 72
    axes = page.panels(blocks, high + line * len(titles) + 0.1, most=1)
    for i, (axis,) in enumerate(axes):
        part = slice(i * beside, (i + 1) * beside)
        _plot(axis, values[:, part], None if beneath is None else beneath[:, part], names[part], texts, page)
        axis.set_xlim(-0.5, beside - 0.5)
    return page.finish()


def _plot(axis, values, beneath, names, texts, page):
    axis.imshow(values, aspect="auto", cmap="YlOrBr", norm=LogNorm(1, WORST))
    for row, column in numpy.ndindex(values.shape):
        value = values[row, column]
        text = shown(value) if beneath is None else f"{shown(value)}\n({shown(beneath[row, column])})"
        axis.text(column, row, text if value == value else "", ha="center", va="center", size=page.small,
                  color="white" if value > 2.2 else INK)
    axis.set_yticks(range(len(texts)), texts, size=page.small)
    axis.set_xticks(range(len(names)), names, rotation=48, ha="left", rotation_mode="anchor")
    axis.xaxis.tick_top()
    axis.tick_params(length=0)
    axis.grid(False)
    for spine in axis.spines.values():
        spine.set_visible(False)
    for line in numpy.arange(0.5, len(texts) - 0.5):
        axis.axhline(line, color="white", linewidth=1)
    for line in numpy.arange(0.5, len(names) - 0.5):
        axis.axvline(line, color="white", linewidth=1)
