#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the tables of the documentation that the program itself knows.

What stands in docs/*.md between the lines

  <!-- regroup list WORD -->
  <!-- end -->

becomes what `regroup list WORD --markdown` prints.
"""

import argparse
import pathlib
import re
import subprocess
import sys

DOCS = pathlib.Path(__file__).resolve().parent
BLOCK = re.compile(r"^<!-- regroup list (\S+) -->\n(.*?)^<!-- end -->$", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"^<!-- (?:regroup\b.*|end) -->$", re.MULTILINE)


class Mistake(Exception):
    """What is wrong with a page."""


def printed(regroup, word):
    """The table that the program prints."""
    done = subprocess.run([regroup, "list", word, "--markdown"], capture_output=True, text=True)
    if done.returncode != 0:
        raise Mistake(done.stderr.strip())
    return done.stdout


def filled(text, table_of):
    """The page `text` with all tables as `table_of` tells them."""
    blocks = BLOCK.findall(text)
    if len(MARK.findall(text)) != 2 * len(blocks):
        raise Mistake("a line '<!-- regroup list WORD -->' or '<!-- end -->' lacks its other half")
    # Empty lines, without which Markdown knows no table.
    return BLOCK.sub(lambda found: f"<!-- regroup list {found[1]} -->\n\n{table_of(found[1])}\n"
                                   "<!-- end -->", text)


def on_files(files, **_):
    """Called by mkdocs: this script stands beside the pages, but is none."""
    files.remove(files.get_file_from_path("tables.py"))
    return files


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true",
                        help="change nothing; exit code 1 where a table is not what the program says")
    parser.add_argument("--regroup", type=pathlib.Path, default=DOCS.parent / "build/regroup",
                        help="the program (default: build/regroup)")
    arguments = parser.parse_args()
    stale = []
    for page in sorted(DOCS.glob("*.md")):
        text = page.read_text()
        try:
            right = filled(text, lambda word: printed(arguments.regroup, word))
        except (Mistake, OSError) as error:
            print(f"{page}: {error}", file=sys.stderr)
            return 2
        if text == right:
            continue
        stale.append(page)
        if not arguments.check:
            page.write_text(right)
    for page in stale:
        print(f"{page}: " + ("a table is not what the program says; docs/tables.py writes it anew"
                             if arguments.check else "written anew"))
    return 1 if stale and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
