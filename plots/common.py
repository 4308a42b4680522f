# SPDX-License-Identifier: BSD-3-Clause
"""What the scripts share, by one name; figures/ has an idea in each file."""

from figures import interpreter

interpreter.require("matplotlib", "pandas")

# The page comes first: it tells matplotlib that there is no screen.
from figures.page import GREY, INK, PALE, Page, plt, text_width, wrap
from figures.axes import count, log_times, one_scale, plain, ticks_at, unit_of
from figures.command import InputError, bare_parser, parser, run, script
from figures.marks import DASHES, IDEAL, MARKERS, ideal_key, key, keys_of, of_names
from figures.names import PALETTE, colours, variants
from figures.reading import in_order, note, read, read_finished, read_runs, without_interval
from figures.save import save
from figures.settings import (CONDITIONS, OUTCOMES, REPETITIONS, SETTINGS, describe, over_least, panels,
                              problems, ranks_on_cores, repeated, said, separating, setting, several_problems,
                              split)
