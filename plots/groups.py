#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The communicators that a file defines: every process a number, every communicator a box.

    regroup groups check FILE --ranks 12 --format json > groups.json
    plots/groups.py groups.json --columns 4

Processes stand in rows of --columns, by rank. Communicators of one name have one colour; those that
fill a block of the rows are boxes, all others lines through their members, in their order.
Intercommunicators are dashed lines between the middles of their groups.
"""

import itertools
import json
import math
from pathlib import Path

import common
from common import INK
from matplotlib.patches import FancyBboxPatch

MOST_RANKS = 1024
LEAST = 0.33  # inches of a process
STEP = 0.05  # by which boxes of the next name are smaller


def arguments():
    parser = common.bare_parser(__doc__)
    parser.add_argument("definitions", metavar="FILE", type=Path,
                        help="what 'regroup groups check --format json' prints")
    parser.add_argument("--columns", type=int, help="processes in a row (default: a square)")
    parser.add_argument("--names", help="only communicators of these names, with commas between")
    return parser.parse_args()


def read(path):
    try:
        content = json.loads(path.read_text("utf-8"))
        content["communicators"], content["intercommunicators"], content["ranks"]
    except FileNotFoundError:
        raise common.InputError(f"{path}: no such file") from None
    except (ValueError, KeyError, TypeError):
        raise common.InputError(f"{path}: not what 'regroup groups check --format json' prints") from None
    if content["ranks"] > MOST_RANKS:
        raise common.InputError(f"{path}: {content['ranks']} processes; at most {MOST_RANKS} can be told "
                                "apart in a picture")
    return content


def main():
    asked = arguments()
    content = read(asked.definitions)
    names = list(dict.fromkeys(one["name"] for one in content["communicators"]))
    if asked.names:
        unknown = [name for name in asked.names.split(",") if name not in names]
        if unknown:
            raise common.InputError(f"{asked.definitions}: no communicator {unknown[0]}; there are "
                                    f"{', '.join(names)}")
        names = [name for name in names if name in asked.names.split(",")]
    if asked.columns is not None and asked.columns < 1:
        raise common.InputError("--columns: give 1 or more")
    asked.results = asked.definitions.parent
    common.save(draw(content, names, asked), asked)


def draw(content, names, asked):
    ranks = content["ranks"]
    columns = min(asked.columns or math.ceil(math.sqrt(ranks)), ranks)
    page = common.Page(asked, "", width=max(1.2 + 0.75 * columns, 4))
    most = int((page.width - 0.3) / LEAST)
    if columns > most and asked.columns:
        raise common.InputError(f"--columns: {25.4 * page.width:.0f} mm have room for {most} processes "
                                "in a row")
    columns = min(columns, most)
    rows = math.ceil(ranks / columns)
    step = min(0.75, (page.width - 0.2) / (columns + 0.2))
    axis = page.panels(1, step * rows + 0.25)[0][0]
    colours = common.colours(names)
    dashes = dict(zip(names, itertools.cycle(common.DASHES)))
    # Larger groups are drawn around smaller ones.
    largest = {name: max(len(one["ranks"]) for one in content["communicators"] if one["name"] == name)
               for name in names}
    depth = {name: i for i, name in enumerate(sorted(names, key=largest.get, reverse=True))}
    for one in content["communicators"]:
        if one["name"] in names:
            outline(axis, one["ranks"], columns, depth[one["name"]],
                    {"color": colours[one["name"]], "linestyle": dashes[one["name"]]})
    for rank in range(content["ranks"]):
        axis.text(*place(rank, columns), str(rank), ha="center", va="center", size=page.base,
                  color=INK)
        if content["processors"] and step > 0.6:
            axis.text(place(rank, columns)[0], place(rank, columns)[1] + 0.17,
                      content["processors"][rank], ha="center", va="center", size=6, color=INK)
    handles = [common.key(name, colours[name], linewidth=2, linestyle=dashes[name]) for name in names]
    for joins in content["intercommunicators"]:
        ends = [middle(content["communicators"][joins[side]]["ranks"], columns)
                for side in ("first", "second")]
        axis.plot(*zip(*ends), color=INK, linewidth=1.2, linestyle=(0, (4, 2)), marker="o", markersize=4)
        handles.append(common.key(joins["name"], INK, linewidth=1.2, linestyle=(0, (4, 2)), marker="o",
                                  markersize=4))
    axis.set_xlim(-0.6, columns - 0.4)
    axis.set_ylim(rows - 0.4, -0.6)
    axis.set_aspect("equal")
    axis.axis("off")
    return page.finish(handles)


def place(rank, columns):
    return rank % columns, rank // columns


def middle(ranks, columns):
    places = [place(rank, columns) for rank in ranks]
    across, down = (sum(values) / len(places) for values in zip(*places))
    return across, down - 0.24  # above the numbers


def outline(axis, ranks, columns, depth, look):
    across, down = zip(*(place(rank, columns) for rank in ranks))
    width, height = max(across) - min(across) + 1, max(down) - min(down) + 1
    if width * height == len(ranks):
        inset = 0.06 + STEP * depth
        axis.add_patch(FancyBboxPatch(
            (min(across) - 0.5 + inset, min(down) - 0.5 + inset), width - 2 * inset, height - 2 * inset,
            boxstyle="round,pad=0,rounding_size=0.12", fill=False, linewidth=2, **look))
    else:
        shift = 0.3 - STEP * depth
        axis.plot([x - shift for x in across], [y - shift for y in down], linewidth=2, marker="s",
                  markersize=5, solid_joinstyle="round", **look)


if __name__ == "__main__":
    common.run(main)
