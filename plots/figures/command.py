# SPDX-License-Identifier: BSD-3-Clause
"""The command line of the scripts: what all of them take, and how they end."""

import argparse
import re
import sys
from pathlib import Path

KINDS = ("png", "svg", "pdf")
WIDTHS = {"single": 84, "double": 174}  # mm: one column of a journal, and two


class InputError(Exception):
    """What is wrong with the user's input, in one line."""


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise InputError(f"{message} (see --help)")


def parser(doc):
    """The command line of the script that `doc`, its docstring, explains."""
    result = bare_parser(doc)
    result.add_argument("results", metavar="RESULTS_DIR", type=Path,
                        help="the folder of a sweep's results: runs.csv and its neighbours")
    return result


def bare_parser(doc):
    """The options that every script has: where the picture goes, and how it looks."""
    result = _Parser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("-o", "--output", metavar="FILE", type=picture,
                        help="FILE.png, .svg or .pdf: this one only; without such an end all three "
                             f"(default: {script()}.png, .svg and .pdf beside the results)")
    result.add_argument("--title", metavar="none|TEXT",
                        help="another title, or none: neither title nor the line beneath it")
    result.add_argument("--size", metavar="single|double|WxH", type=size,
                        help="the width of one column (84 mm) or two (174 mm), or width and height "
                             "in mm, as in 120x80 (default: what the panels need)")
    result.add_argument("--style", metavar="FILE", type=Path, help="a style file of matplotlib")
    return result


def picture(text):
    """The path of a picture, or of all kinds of it, which has no end or one that is no word."""
    if re.fullmatch(r"\.[A-Za-z]+", end := Path(text).suffix) and end[1:] not in KINDS:
        raise InputError(f"-o: \"{text}\" ends in none of {', '.join(f'.{kind}' for kind in KINDS)}; "
                         "without such an end all of them are written")
    return Path(text)


def size(text):
    """(width, height) in inches; the height is None where it follows from the content."""
    if text in WIDTHS:
        return WIDTHS[text] / 25.4, None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)", text)
    if not found or not all(40 <= float(side) <= 2000 for side in found.groups()):
        raise InputError(f"--size: \"{text}\" is none of single, double and WxH, with W and H from 40 "
                         "to 2000 mm (see --help)")
    return tuple(float(side) / 25.4 for side in found.groups())


def script():
    return Path(sys.argv[0]).stem


def run(main):
    """Runs `main`; where the input is at fault, one line on standard error and exit code 2."""
    try:
        main()
    except (InputError, OSError) as error:
        print(f"{script()}: {error}", file=sys.stderr)
        sys.exit(2)
