# SPDX-License-Identifier: BSD-3-Clause
"""What the scripts share, by one name; figures/ has an idea in each file."""

from figures import interpreter

interpreter.require("matplotlib", "pandas")

# The page comes first: it tells matplotlib that there is no screen.
from figures.page import GREY, INK, PALE, Page, plt, text_width, wrap
from figures.axes import count, log_times, one_scale, plain, ticks_at, unit_of
from figures.command import InputError, bare_parser, parser, run, script
from figures.marks import DASHES, IDEAL, MARKERS, ideal_key, key, keys_of, of_names
from figures.describe import describe, ranks_on_cores, repeated, several_problems
from figures.names import PALETTE, colours, variants
from figures.reading import (FILES, answer, note, panels, provenance, read, read_runs, read_table,
                             without_interval)
from figures.save import save
