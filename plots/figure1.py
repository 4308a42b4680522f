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

Reads RESULTS_DIR/creation.csv, of which the rows with pattern one_group count.
"""

import common

FILE = "creation.csv"
TEXTS = ["communicator", "caller", "pattern", "oversubscribed", "waited", "mpi_library", "repetition",
         "seed"]
MEDIAN, INTERVAL = "create_median_s", ["create_low_s", "create_high_s"]
VARIANT = ["communicator", "caller", "colour"]


def main():
    arguments = common.parser(__doc__).parse_args()
    rows, status = common.read_finished(arguments.results, FILE, TEXTS, ["group_size", MEDIAN],
                                        INTERVAL)
    rows = rows.assign(colour=rows.communicator.map(common.colours(rows.communicator)))
    rows = rows[rows.pattern == "one_group"]
    if rows.empty:
        raise common.InputError(f"{arguments.results / FILE}: no row with pattern one_group and "
                                f"status ok (looked at {len(status)} rows)")
    notes = [common.note(status[status != "unsupported"]),
             common.without_interval(rows, INTERVAL[0])]
    panels = common.split(rows, "group_size", VARIANT)
    common.save(draw(panels, rows, "  ".join(filter(None, notes)), arguments), arguments)


def draw(panels, rows, note, arguments):
    strategies = sorted(rows.communicator.unique())
    subtitle = " · ".join([common.ranks_on_cores(rows),
                           " and ".join(sorted(rows.mpi_library.unique())), *common.repeated(rows),
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
        columns = [MEDIAN, *INTERVAL]
        times = rows.groupby("group_size").agg(dict(zip(columns, ["median", "min", "max"])))
        median, low, high = (factor * times[name] for name in columns)
        axis.fill_between(times.index, low, high, color=shade, alpha=0.15, linewidth=0)
        style = dict(styles[strategy])
        if rows.caller.iloc[0] == "parent":
            style |= {"markerfacecolor": "white", "markeredgecolor": shade, "markeredgewidth": 1}
        axis.plot(times.index, median, color=shade, label=strategy, **style)
    common.ticks_at(axis, part.group_size.unique())
    common.log_times(axis)
    axis.grid(axis="y")
    axis.tick_params(length=0, which="both")
    axis.set_xlabel("group size in ranks")
    axis.set_ylabel(f"time to create in {name}")


if __name__ == "__main__":
    common.run(main)
