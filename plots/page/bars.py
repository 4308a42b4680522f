# SPDX-License-Identifier: BSD-3-Clause
"""The runs of the interactive timeline: a bar for each range of ranks of each group."""

import base64
import math

import common
import pandas
from figures.events import lost_ranks, read_groups, shares, why_without, with_events
from page import findings, units

MOST_RUNS, MOST_BARS = 12, 60_000  # in a page; runs beyond MOST_BARS are drawn as shades
MOST_BYTES = 300_000_000  # limit for events.csv
SHAPE = (512, 1024)  # rows and columns of the shades, at most


def of_results(results, asked):
    """Returns (runs for the page, the first of which is shown; the reason if there are none).
    `asked`: names of runs; if empty, runs with median times are chosen."""
    runs, path = results.finished, results.directory / "events.csv"
    if runs is None:
        return [], "no run ended well"
    for name in asked:
        if name not in set(runs.run):
            raise common.InputError(f"{results.directory / 'runs.csv'}: no finished run is called {name}")
    written = with_events(runs)
    if written.empty:
        return [], why_without(runs.iloc[-1])
    if not path.is_file():
        return [], "there is no events.csv"
    if path.stat().st_size > MOST_BYTES:
        return [], (f"events.csv has {path.stat().st_size / 1e6:.0f} MB; `regroup trace` writes a "
                    "part of a run for other viewers")
    chosen = runs.set_index("run", drop=False).loc[list(dict.fromkeys(asked))] if asked else \
        _median_runs(results.settings, written)
    groups = read_groups(results.directory, chosen)
    shown = [_run(run, groups[run.run]) for run in chosen.itertuples() if run.run in groups]
    left = MOST_BARS
    for run in sorted(shown, key=lambda run: len(run["bars"])):
        left -= len(run["bars"])
        run["shades"] = _shades(run["bars"], run) if left < 0 else None
        run["bars"] = [] if left < 0 else _columns(run["bars"], run["makespan"])
    missing = why_without(chosen.iloc[0]) or "events.csv has no rows of these runs"
    return shown, "" if shown else missing


def _median_runs(settings, runs):
    """Returns runs with median times: of the variant in the finding, of the other variants in its
    setting, and of that variant in other settings with this number of ranks, if these are few."""
    names = set(runs.run)
    settings = settings[[not names.isdisjoint(cell.split(" ")) for cell in settings.names]]
    there, best = findings.shown_by(settings) or (settings, None)
    at_ranks = runs[runs.ranks == there.ranks.max()]
    of_panel = at_ranks[at_ranks.panel == there.panel.iloc[0]]
    others = [part for _, part in common.panels(at_ranks[at_ranks.label == best])]
    parts = [of_panel[of_panel.label == best], *(part for _, _, part in common.variants(of_panel)),
             *(others if len(others) <= MOST_RUNS else [])]
    median = [part.sort_values("makespan_s").iloc[(len(part) - 1) // 2] for part in parts if len(part)]
    return pandas.DataFrame(median).drop_duplicates("run")[:MOST_RUNS]


def _run(run, groups):
    where = ", ".join(filter(None, [run.label, run.panel, f"{units.number(run.ranks)} ranks"]))
    return {"run": run.run, "title": f"{where}: {units.seconds(run.makespan_s)} (run {run.run[:8]})",
            "ranks": int(run.ranks), "makespan": run.makespan_s, "least": run.least_s if run.least_s > 0 else None,
            "leastName": run.least, "clock": run.clock, "bars": groups.sort_values("begin_s"),
            "lost": lost_ranks(groups)[["rank", "end_s"]].values.tolist()}


def _columns(bars, makespan):
    decimals = 6 - min(0, max(-9, math.floor(math.log10(makespan or 1))))  # more for short runs

    def times(cells):
        return cells.round(decimals).tolist()

    def whole(cells):
        return cells.fillna(-1).astype(int).tolist()
    walkers = sorted(bars.walker_id[bars.walker_id >= 0].unique())
    return {"lo": whole(bars.lo), "hi": whole(bars.hi), "begin": times(bars.begin_s),
            "busy": times(bars.busy_until_s), "end": times(bars.end_s),
            "walker": whole(bars.walker_id),
            "hue": [walkers.index(w) if w >= 0 else -1 for w in bars.walker_id],
            "left": whole(bars.items_left_begin), "rest": whole(bars.items_left_end),
            "group": whole(bars.group), "formed": whole(bars.begin_event.isin(["regroup", "recover"]))}


def _shades(bars, run):
    """Returns the fraction of work in each cell, one byte per cell, by rows, as base64."""
    rows, columns = min(SHAPE[0], run["ranks"]), SHAPE[1]
    busy = bars[(bars.walker_id >= 0) & (bars.busy_until_s > bars.begin_s)]
    cells = shares(busy, "begin_s", "busy_until_s", (rows, columns), (0, run["ranks"] - 1), run["makespan"])
    return {"rows": rows, "columns": columns,
            "cells": base64.b64encode((cells * 255).round().astype("uint8").tobytes()).decode()}
