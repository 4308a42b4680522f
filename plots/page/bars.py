# SPDX-License-Identifier: BSD-3-Clause
"""What the interactive timeline shows of runs: a bar for each range of ranks of each group."""

import base64

import common
import numpy
import pandas
from figures.events import why_without, with_events
from page import sentences, units

MOST_RUNS, MOST_BARS = 12, 60_000  # of a page; a run with more bars comes as shades
MOST_BYTES = 300_000_000  # of events.csv
ROWS, COLUMNS = 512, 1024  # of the shades
NUMBERS = ["begin_s", "busy_until_s", "end_s", "items_left_begin", "items_left_end"]


def of_results(results, asked):
    """(runs for the page, of which the first one is shown, why there are none). `asked`: names of
    runs, or none for one of each variant."""
    runs, path = results.finished, results.directory / "events.csv"
    if runs is None:
        return [], "no run ended well"
    written = with_events(runs)
    if written.empty:
        return [], why_without(runs.iloc[-1])
    chosen = _asked(results, runs, asked) if asked else _middle(results.settings, written)
    if not path.is_file():
        return [], "there is no events.csv"
    if path.stat().st_size > MOST_BYTES:
        return [], (f"events.csv has {path.stat().st_size / 1e6:.0f} MB; `regroup trace` writes a "
                    "part of a run for other viewers")
    events = common.read(results.directory, "events.csv",
                         ["run", "begin_event", "end_event", "group_ranks", "walker_id"], NUMBERS)
    events = events[events.run.isin(chosen.run)]
    shown = [_run(run, part) for run in chosen.itertuples()
             if len(part := events[events.run == run.run])]
    left = MOST_BARS
    for run in sorted(shown, key=lambda run: len(run["bars"])):
        left -= len(run["bars"])
        run["shades"] = _shades(run["bars"], run) if left < 0 else None
        run["bars"] = [] if left < 0 else _columns(run["bars"])
    missing = why_without(next(chosen.itertuples())) or "events.csv has no rows of these runs"
    return shown, "" if shown else missing


def _asked(results, runs, names):
    for name in names:
        if name not in set(runs.run):
            raise common.InputError(f"{results.directory / 'runs.csv'}: no finished run is called "
                                    f"{name}")
    return runs.set_index("run", drop=False).loc[list(dict.fromkeys(names))]


def _middle(settings, runs):
    """The runs whose times are medians: of the variant that the sentence is about, of the others of
    its setting, and of itself in other settings of as many ranks."""
    there, best = sentences.shown_by(settings) or (settings, None)
    of_panel = runs[(runs.panel == there.panel.iloc[0]) & (runs.ranks == there.ranks.max())]
    mine = runs[(runs.label == best) & (runs.ranks == there.ranks.iloc[0])]
    parts = [of_panel[of_panel.label == best], *(part for _, _, part in common.variants(of_panel)),
             *(part for _, part in common.panels(mine))]
    middle = [part.sort_values("makespan_s").iloc[(len(part) - 1) // 2] for part in parts if len(part)]
    return pandas.DataFrame(middle).drop_duplicates("run")[:MOST_RUNS]


def _run(run, events):
    where = ", ".join(filter(None, [run.label, run.panel, f"{units.number(run.ranks)} ranks"]))
    return {"run": run.run, "title": f"{where}: {units.seconds(run.makespan_s)} (run {run.run[:8]})",
            "ranks": int(run.ranks), "makespan": run.makespan_s, "least": run.least_s,
            "leastName": run.least, "clock": run.clock, "bars": _bars(events, run.makespan_s)}


def _bars(events, makespan):
    waits = (events.end_event == "stop") & (events.end_s < makespan)
    walkers = pandas.to_numeric(events.walker_id.replace("", "-1"), errors="coerce").fillna(-1)
    bars = events.assign(end_s=events.end_s.mask(waits, makespan), walker_id=walkers,
                         group=numpy.arange(len(events)), members=events.group_ranks,
                         ranks=events.group_ranks.str.split(" ")).explode("ranks")
    ends = bars.ranks.str.extract(r"^(?P<lo>\d+)(?:-(?P<hi>\d+))?$").astype(float)
    bars = bars.assign(lo=ends.lo, hi=ends.hi.fillna(ends.lo)).sort_values("begin_s")
    wrong = bars[[*NUMBERS[:3], "lo"]].isna().any(axis=1)
    if wrong.any():
        raise common.InputError(f"events.csv: a row of run {bars.run.iloc[0]} lacks ranks or times")
    return bars


def _columns(bars):
    micro = lambda cells: [round(v, 6) for v in cells]  # noqa: E731
    whole = lambda cells: [int(v) for v in cells.fillna(-1)]  # noqa: E731
    walkers = sorted(bars.walker_id[bars.walker_id >= 0].unique())
    places = {walker: i for i, walker in enumerate(walkers)}
    return {"lo": whole(bars.lo), "hi": whole(bars.hi), "begin": micro(bars.begin_s),
            "busy": micro(bars.busy_until_s), "end": micro(bars.end_s),
            "walker": whole(bars.walker_id), "hue": [places.get(w, -1) for w in bars.walker_id],
            "left": whole(bars.items_left_begin), "rest": whole(bars.items_left_end),
            "group": whole(bars.group), "formed": [int(e == "regroup") for e in bars.begin_event]}


def _shades(bars, run):
    """The share of each cell that is work, in bytes, row by row, as base64."""
    rows = min(ROWS, run["ranks"])
    height, width = run["ranks"] / rows, run["makespan"] / COLUMNS
    work = numpy.zeros((rows, COLUMNS + 2))
    busy = bars[(bars.walker_id >= 0) & (bars.busy_until_s > bars.begin_s)]
    for row in range(rows):
        top, bottom = row * height, (row + 1) * height
        inside = busy[(busy.hi + 1 > top) & (busy.lo < bottom)]
        share = (numpy.minimum(inside.hi + 1, bottom) - numpy.maximum(inside.lo, top)) / height
        for times, sign in ((inside.begin_s, 1), (inside.busy_until_s, -1)):
            at = numpy.clip(times / width, 0, COLUMNS).to_numpy()
            cell = at.astype(int)
            numpy.add.at(work[row], cell, sign * share * (1 - (at - cell)))
            numpy.add.at(work[row], cell + 1, sign * share * (at - cell))
    cells = numpy.clip(numpy.cumsum(work, axis=1)[:, :COLUMNS], 0, 1)
    return {"rows": rows, "columns": COLUMNS,
            "cells": base64.b64encode((cells * 255).astype("uint8").tobytes()).decode()}
