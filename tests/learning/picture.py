#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""How well `spread` learns: the runs that `learning_cases` prints, sorted by a ratio of makespans.

Left, the makespan divided by that of `none`; right, by that of an informed `spread`, which believes the
true speed-up from the start. Dashes mark 1.05 and 1.25. RESULTS is a file with the output of
`learning_cases`.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "plots"))
sys.dont_write_bytecode = True

import common  # noqa: E402
import numpy  # noqa: E402
import pandas  # noqa: E402

COLOURS = common.colours(["known", "unknown"])


def main():
    arguments = common.parser(__doc__).parse_args()
    runs = pandas.read_csv(arguments.results)
    page = common.Page(arguments, f"spread in {len(runs)} runs with a true and a believed speed-up",
                       "virtual time · 32 to 8,192 ranks · seven workloads · runs sorted by the ratio", "", 8.0)
    panels = [axis for axis, in page.panels(2, 3.0)]
    for axis, other, name, limit in zip(panels, ["none_s", "informed_s"],
                                        ["none", "an informed spread"], [1.05, 1.25]):
        page.title(axis, f"makespan ÷ that of {name}")
        ratios = (runs.learnt_s / runs[other]).sort_values()
        parts = (numpy.arange(len(ratios)) + 0.5) / len(ratios)
        for loads, colour in COLOURS.items():
            own = (runs.loads[ratios.index] == loads).to_numpy()
            axis.plot(100 * parts[own], ratios[own], "o", markersize=3, color=colour, label=f"loads {loads}")
        axis.axhline(limit, color=common.GREY, linestyle=(0, (4, 3)), linewidth=1)
        axis.set_xlabel("% of the runs")
        axis.set_ylim(0, None)
        axis.grid(color=common.PALE)
    common.save(page.finish(common.keys_of(panels)), arguments)


if __name__ == "__main__":
    common.run(main)
