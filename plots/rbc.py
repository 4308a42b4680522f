#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Range communicators beside those of MPI: counterparts of Figures 4 to 7 and 9 of the RBC paper
(Axtmann, Wiebigke, Sanders: Lightweight MPI Communicators with Applications to Perfectly Balanced
Quicksort, IPDPS 2018).

Creation of two halves and of overlapping groups against the number of ranks, one line per strategy;
operations against the number of elements, one line per kind of communicator: our operations on
range communicators, MPI's nonblocking ones on those of MPI. Lines are medians, bands their 95 %
confidence intervals, of several repetitions over all of these; medians of fewer than six samples
have none. Whatever else varies (waiting, cores, MPI library, samples, …) has panels of its own.
Panels that the results have no data for are left out, and named at the foot.

Reads what `regroup table --format csv` prints of RESULTS_DIR, or a file of that, also
of several directories.
"""

from pathlib import Path

import common
import pandas

CREATION, COLLECTIVES = "creation", "collectives"


def operation(name, creation):
    return lambda rows: rows[(rows.operation == name) & (rows.creation == creation)]


def pattern(*names):
    return lambda rows: rows[rows.pattern.isin(names)]


# Title, file, and which of its rows.
PANELS = [
    ("Scan", COLLECTIVES, operation("scan", "before")),  # Figure 4
    ("Two halves", CREATION, pattern("halves")),  # Figure 5
    ("Overlapping groups", CREATION, pattern("cascaded", "alternating")),  # Figure 6
    ("Communicator and broadcast", COLLECTIVES, operation("bcast", "timed")),  # Figure 7
    ("Broadcast", COLLECTIVES, operation("bcast", "before")),  # Figure 9
    ("Reduce", COLLECTIVES, operation("reduce", "before")),  # Figure 9
    ("Gather", COLLECTIVES, operation("gather", "before")),  # Figure 9
]


def main():
    parser = common.parser(__doc__)
    parser.add_argument("more", metavar="MORE_DIR", type=Path, nargs="*",
                        help="further folders of results, for the same figure")
    arguments = parser.parse_args()
    rows, notes = read_all([arguments.results, *arguments.more])
    panels, missing = [], []
    for title, file, choose in PANELS:
        chosen = choose(rows[file]) if file in rows else pandas.DataFrame()
        if chosen.empty:
            missing.append(title)
            continue
        ranks = [] if file == CREATION else ["ranks"]  # creation is drawn over them
        for fixed, part in common.panels(chosen, *ranks):
            panels.append(("\n".join(filter(None, [title, fixed])), part))
    if not panels:
        raise common.InputError(f"{arguments.results}: no measurement that ended well belongs "
                                "to a panel")
    every = pandas.concat([part for _, part in panels], ignore_index=True)
    notes.append(common.without_interval(every, "low"))
    if missing:
        notes.append(f"No data for: {', '.join(missing)}.")
    common.save(draw(panels, every, "  ".join(filter(None, notes)), arguments), arguments)


# ---- reading -------------------------------------------------------------------------------------

def read_all(directories):
    """The rows of each kind, and notes."""
    rows, notes = {}, []
    for directory in directories:
        found, note = common.read_table(directory)
        kind = CREATION if "pattern" in found else COLLECTIVES
        if kind == COLLECTIVES and "operation" not in found:
            raise common.InputError(f"{directory}: measurements of neither creation nor collectives")
        rows.setdefault(kind, []).append(with_coordinates(found, kind))
        notes.append(note)
    whole = {kind: pandas.concat(parts, ignore_index=True) for kind, parts in rows.items()}
    shades = common.colours(name for part in whole.values() for name in part.maker)
    return {kind: part.assign(colour=part.maker.map(shades)) for kind, part in whole.items()}, notes


def with_coordinates(rows, file):
    """`rows` with what every panel is drawn from: who made the communicator, in which variant of
    the panel, x, and a time with its interval."""
    if file == CREATION:
        time, maker, variant, x = "create", rows.communicator, rows.pattern, rows.ranks
    else:
        rows = rows[rows.elements_per_rank > 0]
        time, maker, x = "time", rows.communicator, rows.elements_per_rank
        variant = rows.calls_per_sample.map("× {:.0f}".format)
    return rows.assign(maker=maker, variant=variant, x=x, median=rows[f"{time}_median_s"],
                       low=rows[f"{time}_low_s"], high=rows[f"{time}_high_s"],
                       x_label="ranks" if file == CREATION else "doubles of each rank")


# ---- drawing -------------------------------------------------------------------------------------

def draw(panels, every, note, arguments):
    subtitle = " · ".join([common.ranks_on_cores(every),
                           "medians and their 95 % confidence intervals"])
    page = common.Page(arguments, "Range communicators beside those of MPI", subtitle, note,
                       4.4 + 2.9 * min(len(panels) - 1, 2))
    styles = common.of_names(sorted({label for _, part in panels for label, _ in variants(part)}))
    unit = common.unit_of(every["median"])
    axes = [axis for axis, in page.panels(len(panels), 2.6 if page.narrow else 3.2, 2.4, 3)]
    for axis, (title, part) in zip(axes, panels):
        page.title(axis, title, page.columns(len(panels), 2.4, 3))
        plot(axis, part, styles, unit)
    alike = {}  # what is measured against the ranks, and what against elements
    for axis, (_, part) in zip(axes, panels):
        alike.setdefault(part.x_label.iloc[0], []).append(axis)
    return page.finish(common.keys_of(axes), alike.values())


def variants(part):
    """(label, rows) of each line."""
    several = part.variant.nunique() > 1
    for (maker, variant), rows in part.groupby(["maker", "variant"]):
        yield f"{maker}, {variant}" if several else maker, rows


def plot(axis, part, styles, unit):
    name, factor = unit
    for label, rows in variants(part):
        shade = rows.colour.iloc[0]
        times = rows.sort_values("x")
        axis.fill_between(times.x, factor * times.low, factor * times.high, color=shade, alpha=0.2,
                          linewidth=0)
        axis.plot(times.x, factor * times["median"], color=shade, label=label, **styles[label])
    common.ticks_at(axis, part.x.unique())
    common.log_times(axis)
    axis.grid(axis="y")
    axis.tick_params(length=0, which="both")
    axis.set_xlabel(part.x_label.iloc[0])
    axis.set_ylabel(f"time in {name}")


if __name__ == "__main__":
    common.run(main)
