#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""What an item takes a group, against the size of the group, as it was measured.

Both axes are logarithmic. The line through the medians is what the speed-up model `measured` takes:
straight from point to point, and level beyond the last size, where it is dotted. The band is the
95 % confidence interval, ticks below it are the fastest samples; of several repetitions and seeds,
the median of the medians, with all their intervals, and the fastest of all. Medians of fewer than
six samples have no interval. Beside it the ideal, a share of the smallest group's time, and the
curve of Amdahl's law that comes nearest, by relative errors, with its serial fraction.

Groups with more members than cores stand on grey, with hollow points: their members share cores,
and a machine with enough of them is faster. Amdahl's law is fitted without them where two sizes or
more are left. Each walker, and each combination of whatever else varies, gets a panel of its own.

Reads what `regroup table --format csv` prints of RESULTS_DIR, or a file of that.
"""

import common
import numpy
from common import INK, PALE

MEDIAN, FASTEST, INTERVAL = "time_median_s", "time_min_s", ["time_low_s", "time_high_s"]
COLOURS = list(common.colours(["measured", "amdahl"]).values())


def main():
    arguments = common.parser(__doc__).parse_args()
    rows, note = common.read_table(arguments.results, "walker", "group_size", MEDIAN, FASTEST,
                                   *INTERVAL)
    for column in ["group_size", MEDIAN, FASTEST]:
        if not (rows[column] > 0).all():
            raise common.InputError(f"{arguments.results}: column {column}: all must be above 0")
    notes = [note, common.without_interval(rows, INTERVAL[0])]
    panels = list(common.panels(with_times(rows), "ranks"))
    common.save(draw(panels, rows, "  ".join(filter(None, notes)), arguments), arguments)


def with_times(rows):
    """`rows` whose walkers have their T in their names where there are several: to those that take
    what they take it means nothing."""
    several = rows.groupby("walker").item_ms.transform("nunique") > 1
    return rows.assign(walker=rows.walker.where(~several, rows.walker + "(" + rows.item_ms + " ms)"))


def draw(panels, rows, note, arguments):
    subtitle = " · ".join([common.ranks_on_cores(rows),
                           " and ".join(sorted(rows.walker.unique())),
                           "medians and their 95 % confidence intervals"])
    page = common.Page(arguments, "Time of an item by the size of its group", subtitle, note,
                       5.0 + 2.2 * min(len(panels) - 1, 2))
    unit = common.unit_of(rows[MEDIAN])
    least = 2.4
    axes = [axis for axis, in page.panels(len(panels), 2.8 if page.narrow else 3.6, least, 3)]
    for axis, (title, part) in zip(axes, panels):
        page.title(axis, title, page.columns(len(panels), least, 3))
        plot(axis, part, unit, page)
    for axis in axes:
        axis.set_ylim(axis.get_ylim()[0] / 1.6, None)  # room for the law's name
    return page.finish(common.keys_of(axes), [axes])


def plot(axis, part, unit, page):
    name, factor = unit
    times = factor * part.set_index("group_size")[[MEDIAN, FASTEST, *INTERVAL]].sort_index()
    sizes, medians = times.index.to_numpy(), times[MEDIAN].to_numpy()
    last, end = sizes[-1], 1.5 * sizes[-1]
    cores = part.cores.max()
    crowded = sizes > cores
    own, law = COLOURS

    axis.fill_between(sizes, times[INTERVAL[0]], times[INTERVAL[1]], color=own, alpha=0.15,
                      linewidth=0)
    axis.plot(sizes, medians, color=own, linewidth=1.6, zorder=3)
    axis.hlines(medians[-1], last, end, color=own, linewidth=1.6, linestyle=(0, (1, 1.5)))
    axis.plot(sizes[~crowded], medians[~crowded], "o-", color=own, markersize=5, label="measured",
              zorder=4, linewidth=0)
    if crowded.any():
        axis.plot(sizes[crowded], medians[crowded], "o", markerfacecolor="white", color=own,
                  markersize=5, zorder=4, label="measured, members share cores")
    axis.plot(sizes, times[FASTEST], "_", markersize=8, color=own, markeredgewidth=1.2, zorder=3,
              label="fastest sample")
    axis.plot(sizes, medians[0] * sizes[0] / sizes, label="ideal", **common.IDEAL)
    fitted = ~crowded if (~crowded).sum() > 1 else numpy.full(len(sizes), True)
    if fitted.sum() > 1:
        fixed, shared = amdahl(sizes[fitted], medians[fitted])
        every = numpy.geomspace(sizes[0], last, 100)
        axis.plot(every, fixed + shared / every, color=law, linewidth=1.4, linestyle=(0, (5, 2)),
                  label="Amdahl's law")
        axis.annotate(f"Amdahl, {100 * fixed / (fixed + shared):.1f} % serial", (0.03, 0.03),
                      xycoords="axes fraction", size=page.small, color=INK)

    common.ticks_at(axis, sizes)
    axis.set_xlim(right=end)
    if crowded.any():
        axis.axvspan(cores * 2 ** 0.5 if (sizes <= cores).any() else axis.get_xlim()[0], end,
                     color=PALE, alpha=0.45, linewidth=0, zorder=0,
                     label=f"more members than {cores:.0f} core{'s' if cores > 1 else ''}")
    common.log_times(axis)
    axis.grid(axis="y")
    axis.tick_params(length=0, which="both")
    axis.set_xlabel("group size in ranks")
    axis.set_ylabel(f"time of an item in {name}")


def amdahl(sizes, times):
    """The (fixed, shared) whose fixed + shared / size have the least relative errors, squared; none
    of them is below 0."""
    parts = numpy.column_stack([1 / times, 1 / (sizes * times)])
    fixed, shared = numpy.linalg.lstsq(parts, numpy.ones(len(sizes)), rcond=None)[0]
    if fixed < 0 or shared < 0:
        alone = [part.sum() / (part ** 2).sum() for part in parts.T]
        fixed, shared = (0, alone[1]) if fixed < 0 else (alone[0], 0)
    return fixed, shared


if __name__ == "__main__":
    common.run(main)
