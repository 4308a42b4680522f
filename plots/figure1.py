#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Cost of creating a communicator as a function of group size: Figure 1 of the paper.

    plots/figure1.py results/creation

Each line is a communicator strategy, on logarithmic axes: the median, with its 95 % confidence interval
as a band. Medians of fewer than six samples have no band. Hollow marks are parent-collective strategies
(all ranks enter the call), filled marks are group-collective (only the members enter it). A strategy
that only copies its parent is a single point. The paper's curves are not shown, because its text gives
no times. Each number of ranks, and each combination of other settings that vary, has its own panel.

RESULTS are read by `regroup table`. Only rows with the pattern one_group are used; if there are none,
those with the pattern pairs, whose groups are sets of ranges.
"""

import common
from figures import summary

TIMES = ["create_median_s", "create_low_s", "create_high_s"]


def main():
    arguments = common.parser(__doc__).parse_args()
    rows, note = common.read_table(arguments.results, "communicator", "caller", "pattern", "group_size", *TIMES,
                                   where=arguments.where)
    rows = rows.assign(colour=rows.communicator.map(common.colours(rows.communicator)))
    pattern = "one_group" if "one_group" in set(rows.pattern) else "pairs"
    rows = rows[rows.pattern == pattern]
    if rows.empty:
        raise common.InputError(f"{arguments.results}: no row with pattern one_group or pairs and status ok")
    notes = [note, common.without_interval(rows, TIMES[1])]
    common.save(draw(rows, "  ".join(filter(None, notes)), arguments), arguments)


def draw(rows, note, arguments):
    subtitle = (f"{common.ranks_on_cores(rows)} · hollow: parent-collective · medians and their 95 % "
                "confidence intervals")
    panels, note = summary.few(list(common.panels(rows, "ranks")), rows, note, arguments, ["group_size"])
    of_sets = " of ranges with gaps, two ranks each" if rows.pattern.iloc[0] == "pairs" else ""
    page = common.Page(arguments, f"Cost of creating a communicator{of_sets}", subtitle, note, 8.2)
    styles, unit = common.of_names(sorted(rows.communicator.unique())), common.unit_of(rows[TIMES[0]])
    axes = [axis for axis, in page.panels(len(panels), 3.0 if page.narrow else 4.2)]
    for axis, (title, part) in zip(axes, panels):
        page.title(axis, title)
        plot(axis, part, styles, unit)
    return page.finish(common.keys_of(axes), [axes])


def plot(axis, part, styles, unit):
    name, factor = unit
    for strategy, rows in part.sort_values("group_size").groupby("communicator"):
        shade, style = rows.colour.iloc[0], dict(styles[strategy])
        if rows.caller.iloc[0] == "parent":
            style |= {"markerfacecolor": "white", "markeredgecolor": shade, "markeredgewidth": 1}
        common.line_with_band(axis, rows.group_size, *(factor * rows[time] for time in TIMES), shade,
                              label=strategy, **style)
    common.frame(axis, part.group_size.unique(), "group size in ranks", f"time to create in {name}", log=True)


if __name__ == "__main__":
    common.run(main)
