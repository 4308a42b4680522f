# SPDX-License-Identifier: BSD-3-Clause
"""Colours of variants; all pictures of the same results use the same colours."""

import itertools
import re

from matplotlib.colors import LinearSegmentedColormap, hsv_to_rgb, to_hex

# The palette of Okabe and Ito, for colour-blind readers, followed by colours of Paul Tol.
PALETTE = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#332288", "#999933",
           "#882255", "#44AA99", "#661100", "#6699CC", "#117733", "#AA4499"]


def colours(names):
    """Returns a colour for each of `names`, in order of appearance."""
    hues = (hsv_to_rgb((0.618 * i % 1, 0.7, 0.7)) for i in itertools.count())
    return dict(zip(dict.fromkeys(names), itertools.chain(PALETTE, map(to_hex, hues))))


def variant_colours(runs):
    """Returns for each variant a shade of its balancer's colour; grey without a communicator."""
    families = {}
    for run in runs:
        families.setdefault(run.balancer if run.communicator else "", []).append(run.variant)
    bases = {**colours(filter(None, families)), "": "#555555"}
    shades = {family: LinearSegmentedColormap.from_list(family, ["white", bases[family], "black"],
                                                        4097) for family in families}
    return {name: to_hex(shades[family](0.2 + 0.6 * (i + 0.5) / len(names)))
            for family, names in families.items() for i, name in enumerate(names)}


def natural(text):
    """Returns a sort key that orders numbers in texts by value."""
    parts = re.split(r"(\d+(?:\.\d+)?(?:e[+-]?\d+)?)", text)
    return tuple(float(part) if i % 2 else part for i, part in enumerate(parts))
