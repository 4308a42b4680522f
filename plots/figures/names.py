# SPDX-License-Identifier: BSD-3-Clause
"""The names of variants, and their colours, which are the same in all figures of some results."""

import itertools
import re

import pandas
from matplotlib.colors import LinearSegmentedColormap, hsv_to_rgb, to_hex


def with_colours(runs):
    """`runs` with the colours of their variants, which are the same in all figures of some results.
    Variants of a balancer stand together, in order."""
    places = {name: i for i, name in enumerate(runs.balancer.unique())}
    order = sorted(runs.drop_duplicates("variant").itertuples(),
                   key=lambda run: (places[run.balancer], natural(run.variant)))
    names = pandas.Categorical(runs.variant, [run.variant for run in order], True)
    return runs.assign(variant=names, colour=runs.variant.map(_variant_colours(order)))


def variants(runs):
    """(label, colour, runs) of each variant, in their order."""
    for (_, label, colour), part in runs.groupby(["variant", "label", "colour"], observed=True):
        yield label, colour, part


def natural(text):
    """A key that sorts the numbers in texts by their size."""
    parts = re.split(r"(\d+(?:\.\d+)?(?:e[+-]?\d+)?)", text)
    return tuple(float(part) if i % 2 else part for i, part in enumerate(parts))


# ---- colours -------------------------------------------------------------------------------------

# Okabe and Ito's, which colour-blind readers can tell apart, and then some of Paul Tol's.
PALETTE = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#332288", "#999933",
           "#882255", "#44AA99", "#661100", "#6699CC", "#117733", "#AA4499"]


def colours(names):
    """A colour for each of `names`, in the order in which they appear."""
    hues = (hsv_to_rgb((0.618 * i % 1, 0.7, 0.7)) for i in itertools.count())
    return dict(zip(dict.fromkeys(names), itertools.chain(PALETTE, map(to_hex, hues))))


def _variant_colours(runs):
    """Shades of each balancer's colour: of grey where it forms no communicator."""
    families = {}
    for run in runs:
        families.setdefault(run.balancer if run.communicator else "", []).append(run.variant)
    bases = {**colours(filter(None, families)), "": "#555555"}
    shades = {family: LinearSegmentedColormap.from_list(family, ["white", bases[family], "black"],
                                                        4097) for family in families}
    return {name: to_hex(shades[family](0.2 + 0.6 * (i + 0.5) / len(names)))
            for family, names in families.items() for i, name in enumerate(names)}
