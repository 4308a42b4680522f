#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a page about results, or about two results side by side: one HTML file that needs no network.

    plots/report.py results/demo

It contains the results in one sentence, warnings, the table, an interactive timeline of runs, pictures,
provenance, and the command to repeat the experiment. `regroup report` calls this script.
"""

import argparse
import tempfile
from pathlib import Path

from figures import command


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, prog="report",
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", metavar="RESULTS", type=Path, nargs="+",
                        help="a directory of results, or two directories")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path,
                        help="output file (default: RESULTS/report.html)")
    parser.add_argument("--run", metavar="ID", action="append", default=[],
                        help="run to show in the timeline; may be repeated (default: one run of each variant)")
    parser.add_argument("--where", metavar="KEY=VALUE[,VALUE…]", action="append", default=[],
                        help="select results with one of these values; if repeated, all conditions must hold")
    asked = parser.parse_args()
    if len(asked.results) > 2:
        parser.error("one directory of results or two")
    return asked


def main(asked):
    from page import content
    target = asked.output or asked.results[0] / "report.html"
    with tempfile.TemporaryDirectory(prefix="regroup-report-") as directory:
        text = content.page(asked.results, asked.run, asked.where, Path(directory))
    common.replace(target, lambda part: part.write_text(text, encoding="utf-8"))
    print(target)


if __name__ == "__main__":
    options = arguments()
    command.require("matplotlib", "pandas", "jinja2", "plotly")
    import common
    common.run(lambda: main(options))
