#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""What it costs to create a communicator, against the size of the group: Figure 1 of the paper.

One line per communicator strategy, both axes logarithmic: the median, with a band that is its 95 %
confidence interval; of several repetitions, their median, with a band over all their intervals. A
median of fewer than six samples has no interval, and no band. Hollow marks are parent-collective
(all ranks enter the call), the others group-collective (only the members do). A strategy that makes
nothing but copies of its parent is a point. The paper's text gives no times, so there is no mark of
its curves. Each number of ranks gets a panel of its own, and so
does each combination of whatever else varies (waiting, cores, MPI library, samples, …).

Reads what `regroup table --format csv` prints of RESULTS_DIR, or a file of that;
rows with pattern one_group count.
"""

import common

MEDIAN, INTERVAL = "create_median_s", ["create_low_s", "create_high_s"]


def main():
    arguments = common.parser(__doc__).parse_args()
    rows, note = common.read_table(arguments.results, "caller", "pattern", MEDIAN, *INTERVAL)
    rows = rows.assign(colour=rows.communicator.map(common.colours(rows.communicator)))
    rows = rows[rows.pattern == "one_group"]
    if rows.empty:
        raise common.InputError(f"{arguments.results}: no row with pattern one_group and status ok")
    notes = [note, common.without_interval(rows, INTERVAL[0])]
    panels = list(common.panels(rows, "ranks"))
    common.save(draw(panels, rows, "  ".join(filter(None, notes)), arguments), arguments)


def draw(panels, rows, note, arguments):
    strategies = sorted(rows.communicator.unique())
    subtitle = " · ".join([common.ranks_on_cores(rows),
                           "hollow: parent-collective",
                           "medians and their 95 % confidence intervals"])
    page = common.Page(arguments, "Cost of creating a communicator", subtitle, note, 8.2)
    styles, unit = common.of_names(strategies), common.unit_of(rows[MEDIAN])
    parts = page.panels(len(panels), 3.0 if page.narrow else 4.2)
    columns = page.columns(len(panels), 2.6, 2)
    axes = [axis for axis, in parts]
    for axis, (title, part) in zip(axes, panels):
        page.title(axis, title, columns)
        plot(axis, part, styles, unit)
    return page.finish(common.keys_of(axes), [axes])


def plot(axis, part, styles, unit):
    name, factor = unit
    for strategy, rows in part.groupby("communicator"):
        shade = rows.colour.iloc[0]
        rows = rows.sort_values("group_size")
        median, low, high = (factor * rows[name] for name in [MEDIAN, *INTERVAL])
        axis.fill_between(rows.group_size, low, high, color=shade, alpha=0.15, linewidth=0)
        style = dict(styles[strategy])
        if rows.caller.iloc[0] == "parent":
            style |= {"markerfacecolor": "white", "markeredgecolor": shade, "markeredgewidth": 1}
        axis.plot(rows.group_size, median, color=shade, label=strategy, **style)
    common.ticks_at(axis, part.group_size.unique())
    common.log_times(axis)
    axis.grid(axis="y")
    axis.tick_params(length=0, which="both")
    axis.set_xlabel("group size in ranks")
    axis.set_ylabel(f"time to create in {name}")


if __name__ == "__main__":
    common.run(main)
