#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the tables of the documentation that the program itself knows.

What stands in docs/*.md between the lines

  <!-- regroup list WORD -->
  <!-- end -->

becomes what `regroup list WORD --format markdown` prints. Between

  <!-- balance CONFIG -->
  <!-- end -->

it becomes what `plots/balance.py` tells of the runs of CONFIG, which are made for it, in virtual time.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

DOCS = pathlib.Path(__file__).resolve().parent
BLOCK = re.compile(r"^<!-- (regroup list|balance) (\S+) -->\n(.*?)^<!-- end -->$",
                   re.MULTILINE | re.DOTALL)
MARK = re.compile(r"^<!-- (?:regroup\b.*|balance\b.*|end) -->$", re.MULTILINE)


class Mistake(Exception):
    """What is wrong with a page."""


def output(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Mistake(done.stderr.strip())
    return done.stdout


def printed(regroup, what, word):
    """The table that the program prints, or the plot of its runs."""
    if what == "regroup list":
        return output(regroup, "list", word, "--format", "markdown")
    with tempfile.TemporaryDirectory() as results:
        output(regroup, "run", DOCS.parent / word, "--out", results)
        return output(DOCS.parent / "plots/balance.py", results, "--table")


def filled(text, table_of):
    """The page `text` with all tables as `table_of` tells them."""
    blocks = BLOCK.findall(text)
    if len(MARK.findall(text)) != 2 * len(blocks):
        raise Mistake("a line '<!-- regroup list WORD -->', '<!-- balance CONFIG -->' or '<!-- end -->' "
                      "lacks its other half")
    # Empty lines, without which Markdown knows no table.
    return BLOCK.sub(lambda found: f"<!-- {found[1]} {found[2]} -->\n\n"
                                   f"{table_of(found[1], found[2])}\n<!-- end -->", text)


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
            right = filled(text, lambda what, word: printed(arguments.regroup, what, word))
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
