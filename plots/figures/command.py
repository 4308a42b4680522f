# SPDX-License-Identifier: BSD-3-Clause
"""The command line of the scripts: the Python that runs them, their options, and how they end."""

import argparse
import importlib
import logging
import os
import re
import shutil
import sys
from pathlib import Path

KINDS = ("png", "svg", "pdf")
WIDTHS = {"single": 84, "double": 174}  # mm: one or two columns of a journal
logging.getLogger("matplotlib").setLevel(logging.ERROR)  # hides messages about its caches
PACKAGES = {"matplotlib": "python3-matplotlib", "pandas": "python3-pandas",
            "jinja2": "python3-jinja2", "plotly": "python3-plotly"}
RESTARTED = "REGROUP_PYTHON_RESTARTED"  # set for the second interpreter, to prevent a third


class InputError(Exception):
    """An error in the user's input, in one line."""


def require(*modules):
    """Restarts the script with another Python, the system's or the first on the path, if this one
    cannot import all of `modules`; exits with 2 and a message if neither can."""
    missing, why = [], ""
    for module in modules:
        try:
            importlib.import_module(module)
        except ModuleNotFoundError as error:
            missing.append(module)
            why = why or ("" if error.name == module else f": {error}")
        except Exception as error:  # such as a module built for another version of numpy
            missing.append(module)
            why = why or f": {' '.join(str(error).split())[:200]}"
    if not missing:
        os.environ.pop(RESTARTED, None)
        return
    for python in ("/usr/bin/python3", shutil.which("python3")):
        other = python and os.path.exists(python) and not os.path.samefile(python, sys.executable)
        if other and RESTARTED not in os.environ:
            os.environ[RESTARTED] = "yes"
            os.execv(python, [python, *sys.argv])
    print(f"{script()}: {sys.executable} cannot import {', '.join(missing)}{why}; install the Debian packages "
          f"{' '.join(PACKAGES[module] for module in missing)} and use /usr/bin/python3",
          file=sys.stderr)
    sys.exit(2)


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise InputError(f"{message} (see --help)")


def parser(doc):
    """Returns the command-line parser of a script whose docstring is `doc`."""
    result = _Parser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("results", metavar="RESULTS", type=Path,
                        help="directory of results, or a file with the output of `regroup table "
                             "--format csv` if the picture needs no other file")
    result.add_argument("--where", metavar="KEY=VALUE[,VALUE…]", action="append", default=[],
                        help="select results with one of these values, as in `regroup table --where`; if "
                             "repeated, all conditions must hold")
    result.add_argument("-o", "--output", metavar="FILE", type=_picture,
                        help="output file; with the extension .png, .svg or .pdf only this one, otherwise all "
                             f"three (default: {script()}.png, .svg and .pdf in RESULTS)")
    result.add_argument("--title", metavar="none|TEXT",
                        help="another title; none: no title and no subtitle")
    result.add_argument("--size", metavar="single|double|WxH", type=_size,
                        help="width of one column (84 mm) or of two columns (174 mm), or width and height "
                             "in mm, as in 120x80 (default: the size that the panels need)")
    result.add_argument("--style", metavar="FILE|user", type=Path,
                        help="style file of matplotlib; user: use the user's matplotlibrc, which is otherwise "
                             "ignored")
    return result


def parser_of_runs(doc):
    """Returns the command-line parser of a script that shows one run."""
    result = parser(doc)
    result.add_argument("--run", metavar="ID", help="hash of the run to show, from the column run")
    result.add_argument("--list", action="store_true", help="print the runs that can be shown, and exit")
    return result


def _picture(text):
    """Parses an output path; without an extension of letters, it stands for all formats."""
    if re.fullmatch(r"\.[A-Za-z]+", end := Path(text).suffix) and end[1:] not in KINDS:
        raise InputError(f"-o: \"{text}\" ends in none of {', '.join(f'.{kind}' for kind in KINDS)}; "
                         "without such an end all of them are written")
    return Path(text)


def _size(text):
    """Returns (width, height) in inches; the height is None if it follows from the content."""
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
    """Runs `main`; on invalid input, prints one line to standard error and exits with 2."""
    try:
        main()
    except (InputError, OSError) as error:
        print(f"{script()}: {error}", file=sys.stderr)
        sys.exit(2)
