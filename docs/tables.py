# SPDX-License-Identifier: BSD-3-Clause
"""A hook of mkdocs: inserts the tables that the command prints.

A line `<!-- regroup list WORD -->` of a page is replaced by the output of `regroup list WORD
--format markdown`. The command is build/regroup, or the program named by the variable REGROUP.
"""

import os
import pathlib
import re
import subprocess

from mkdocs.exceptions import PluginError

MARK = re.compile(r"^<!-- regroup list (\S+) -->$", re.MULTILINE)
REGROUP = os.environ.get("REGROUP", pathlib.Path(__file__).resolve().parents[1] / "build/regroup")


def table(word):
    command = [REGROUP, "list", word, "--format", "markdown"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except OSError as error:
        raise PluginError(f"{REGROUP}: {error.strerror}; build Regroup, or set REGROUP") from error
    except subprocess.CalledProcessError as error:
        raise PluginError(error.stderr.strip()) from error
    return f"\n{done.stdout}"


def on_page_markdown(markdown, **_):
    return MARK.sub(lambda found: table(found[1]), markdown)


def on_files(files, **_):
    """Excludes the Python scripts in docs/ from the site."""
    for name in ("tables.py", "gallery.py"):
        files.remove(files.get_file_from_path(name))
    return files
