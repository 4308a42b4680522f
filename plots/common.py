# SPDX-License-Identifier: BSD-3-Clause
"""The functions that the scripts share, under one name; they are defined in figures/."""

from figures import command

command.require("matplotlib", "pandas")

# figures.page must be imported first: it selects a matplotlib backend without a screen.
from figures.page import GREY, INK, PALE, Page, plt, replace, save, text_width
from figures.axes import (DASHES, IDEAL, count, frame, ideal_key, key, keys_of, line_with_band, log_times, of_names,
                          ticks_at, unit_of)
from figures.colours import PALETTE, colours
from figures.command import InputError, parser, parser_of_runs, run
from figures.results import (FILES, answer, choose_run, conditions, describe, list_runs, need, panels, parse,
                             ranks_on_cores, read_rows, read_runs, read_table, repeated, several_problems, variants,
                             without_interval)
