#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the balancer of docs/extending.md as files that a test includes.

    tests/docs/example.py PAGE DIRECTORY    one_by_one.hpp, and its row in one_by_one.row
"""

import pathlib
import sys

from markdown import Page

page, directory = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
header, row, *_ = Page(page).blocks_of("cpp")
directory.mkdir(parents=True, exist_ok=True)
(directory / "one_by_one.hpp").write_text(header)
(directory / "one_by_one.row").write_text(row)
