#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""A page of results, or of two beside each other: one file that browsers open without network.

What was run and where, the result in one sentence, the table, the pictures, a timeline of runs to
zoom into, warnings, where the results come from, and the command to repeat them. `regroup report`
calls this.
"""

import argparse
import tempfile
from pathlib import Path

from figures import interpreter


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, prog="report",
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", metavar="RESULTS_DIR", type=Path, nargs="+",
                        help="the folder of a sweep's results, or two of them")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path,
                        help="the page (default: RESULTS_DIR/report.html)")
    parser.add_argument("--run", metavar="ID", action="append", default=[],
                        help="show this run in the timeline (default: one of each variant)")
    asked = parser.parse_args()
    if len(asked.results) > 2:
        parser.error("one directory of results or two")
    return asked


def main(asked):
    from page import content, write
    target = asked.output or asked.results[0] / "report.html"
    with tempfile.TemporaryDirectory(prefix="regroup-report-") as directory:
        found = content.of(asked.results, asked.run, Path(directory))
    write.save(target, write.page(found))
    print(target)


if __name__ == "__main__":
    options = arguments()
    interpreter.require("matplotlib", "pandas", "jinja2", "plotly")
    import common
    common.run(lambda: main(options))
