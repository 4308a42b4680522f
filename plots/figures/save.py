# SPDX-License-Identifier: BSD-3-Clause
"""Writing pictures: the same bytes for the same results."""

import sys

from figures.command import KINDS, script
from figures.replace import replace

PAGE = 240  # mm: as high as a page of a journal has room

# No dates, and no versions.
METADATA = {"png": {"Software": None}, "svg": {"Date": None},
            "pdf": {"CreationDate": None, "Producer": None, "Creator": None}}


def save(figure, arguments):
    """Writes `figure` as PNG, SVG and PDF, or as the one that --output names, and prints the
    paths."""
    height = 25.4 * figure.get_figheight()
    if arguments.size and not arguments.size[1] and height > PAGE:
        print(f"{script()}: this picture is {height:,.0f} mm high, and a page {PAGE}: --size double may "
              "be lower; else draw results of fewer settings, each in a directory of its own",
              file=sys.stderr)
    target = arguments.output or arguments.results / script()
    kinds = KINDS
    if target.suffix[1:] in KINDS:
        kinds, target = [target.suffix[1:]], target.with_suffix("")
    for kind in kinds:
        path = target.with_name(f"{target.name}.{kind}")
        if arguments.output and path.is_symlink():  # links in results are not followed
            path = path.resolve()
        replace(path, lambda beside, kind=kind: figure.savefig(beside, format=kind,
                                                               metadata=METADATA[kind]))
        print(path)
