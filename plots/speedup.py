#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measured time per item as a function of group size.

    plots/speedup.py results/items

Both axes are logarithmic. The line through the medians is the speed-up model `measured`: it connects the
points, and beyond the largest size it is constant (dotted). The band is the 95 % confidence interval,
and ticks below it are the fastest samples. Medians of fewer than six samples have no band. The other
lines are the ideal, the time of the smallest group divided by the relative size, and the curve of
Amdahl's law with the least relative errors and its serial fraction.

Groups with more members than cores have a grey background and hollow points. Their members share cores,
so the times would be shorter on a machine with more cores. If at least two other sizes exist, the fit of
Amdahl's law excludes these groups. Each walker, and each combination of other settings that vary, has
its own panel.

RESULTS are read by `regroup table`.
"""

import common
import numpy
from common import INK, PALE
from figures import summary

MEDIAN, FASTEST, INTERVAL = "time_median_s", "time_min_s", ["time_low_s", "time_high_s"]
COLOURS = list(common.colours(["measured", "amdahl"]).values())


def main():
    arguments = common.parser(__doc__).parse_args()
    rows, note = common.read_table(arguments.results, "walker", "group_size", MEDIAN, FASTEST, *INTERVAL,
                                   where=arguments.where)
    notes = [note, common.without_interval(rows, INTERVAL[0])]
    common.save(draw(rows, "  ".join(filter(None, notes)), arguments), arguments)


def draw(rows, note, arguments):
    names = sorted({walker.split("(")[0] for walker in rows.walker})
    subtitle = " · ".join([common.ranks_on_cores(rows), " and ".join(names),
                           "medians and their 95 % confidence intervals"])
    panels, note = summary.few(list(common.panels(rows, "ranks")), rows, note, arguments, ["group_size"])
    page = common.Page(arguments, "Time per item as a function of the group size", subtitle, note,
                       5.0 + 2.2 * min(len(panels) - 1, 2))
    unit = common.unit_of(rows[MEDIAN])
    axes = [axis for axis, in page.panels(len(panels), 2.8 if page.narrow else 3.6, 2.4, 3)]
    for axis, (title, part) in zip(axes, panels):
        page.title(axis, title)
        plot(axis, part.sort_values("group_size"), unit, page)
    for axis in axes:
        axis.set_ylim(axis.get_ylim()[0] / 1.6, None)  # room for the label of the law
    return page.finish(common.keys_of(axes), [axes])


def plot(axis, part, unit, page):
    name, factor = unit
    sizes, medians = part.group_size.to_numpy(), factor * part[MEDIAN].to_numpy()
    last, end, cores = sizes[-1], 1.5 * sizes[-1], part.cores.max()
    crowded = sizes > cores
    own, law = COLOURS
    common.line_with_band(axis, sizes, medians, *(factor * part[side] for side in INTERVAL), own, linewidth=1.6,
                          zorder=3)
    axis.hlines(medians[-1], last, end, color=own, linewidth=1.6, linestyle=(0, (1, 1.5)))
    axis.plot(sizes[~crowded], medians[~crowded], "o-", color=own, markersize=5, label="measured",
              zorder=4, linewidth=0)
    if crowded.any():
        axis.plot(sizes[crowded], medians[crowded], "o", markerfacecolor="white", color=own,
                  markersize=5, zorder=4, label="measured, members share cores")
    axis.plot(sizes, factor * part[FASTEST], "_", markersize=8, color=own, markeredgewidth=1.2, zorder=3,
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
    common.frame(axis, sizes, "group size in ranks", f"time per item in {name}", log=True)
    axis.set_xlim(right=end)
    if crowded.any():
        axis.axvspan(cores * 2 ** 0.5 if (sizes <= cores).any() else axis.get_xlim()[0], end,
                     color=PALE, alpha=0.45, linewidth=0, zorder=0,
                     label=f"more members than {cores:.0f} core{'s' if cores > 1 else ''}")


def amdahl(sizes, times):
    """Fits fixed + shared / size to `times` by least squares of relative errors. Returns (fixed,
    shared), both non-negative."""
    parts = numpy.column_stack([1 / times, 1 / (sizes * times)])
    fixed, shared = numpy.linalg.lstsq(parts, numpy.ones(len(sizes)), rcond=None)[0]
    if fixed < 0 or shared < 0:
        alone = [part.sum() / (part ** 2).sum() for part in parts.T]
        fixed, shared = (0, alone[1]) if fixed < 0 else (alone[0], 0)
    return fixed, shared


if __name__ == "__main__":
    common.run(main)
