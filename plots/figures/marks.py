# SPDX-License-Identifier: BSD-3-Clause
"""Lines that can be told apart in grey, too: by markers, dashes and widths, besides colours."""

from matplotlib.lines import Line2D

MARKERS = "os^DvPX*<>"
DASHES = ["-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)), (0, (3, 1, 3, 1, 1, 1))]
IDEAL = {"color": "#000000", "linestyle": (0, (1, 1.5)), "linewidth": 1.8}


def of_names(names):
    """What `plot` needs for each of `names`, which are drawn in this order. Later lines are thinner
    and have smaller markers, so that those beneath them can be seen."""
    names = list(dict.fromkeys(names))
    shares = {name: i / max(1, len(names) - 1) for i, name in enumerate(names)}
    return {name: {"marker": MARKERS[i % len(MARKERS)], "linestyle": DASHES[i % len(DASHES)],
                   "linewidth": 2.4 - 1.3 * shares[name], "markersize": 7.5 - 2.9 * shares[name],
                   "markeredgecolor": "white", "markeredgewidth": 0.6 - 0.3 * shares[name], "clip_on": False,
                   "zorder": 3 + shares[name]}
            for i, name in enumerate(names)}


def key(label, colour, **style):
    """A line of the legend."""
    return Line2D([], [], color=colour, label=label, **style)


def ideal_key(label="ideal"):
    return Line2D([], [], label=label, **IDEAL)


def keys_of(axes):
    """The lines of the legend: each label of `axes` once, in order of appearance."""
    found = {}
    for axis in axes:
        for handle, label in zip(*axis.get_legend_handles_labels()):
            found.setdefault(label, handle)
    return list(found.values())
