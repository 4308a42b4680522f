# SPDX-License-Identifier: BSD-3-Clause
"""Warnings about the reliability of results."""

import common
from page import units
from page.tables import TIMES

WIDE = 0.05  # warn if the range of repetitions exceeds this fraction of the median


def of_results(results):
    """Returns a line for each warning."""
    rows = results.rows
    what = "run" if results.kind == "run" else f"measurement of {results.kind}"
    told = [*_unfinished(rows, what), *_crowded(rows, what), *_mixed(results, what)]
    if results.kind == "run":
        told += _dispersed(results)
    elif results.settings is not None:
        told += _few_samples(results.kind, results.settings)
    if any("uncommitted" in str(one.get("tree", "")) for one in results.invocations):
        told.append("The program was built from sources with uncommitted changes: its version does "
                    "not identify exactly what ran.")
    return told


def _unfinished(rows, what):
    lost = rows[rows.status != "ok"]
    told = []
    reasons = lost.assign(message=lost.get("message", "")).groupby(["status", "message"]).size()
    for (status, message), count in list(reasons.sort_values(ascending=False).items())[:8]:
        told.append(f"{units.counted(count, what)} of {len(rows):,} did not end well ({status})"
                    + (f": {message}" if message else "."))
    if len(reasons) > 8:
        told.append(f"And {len(reasons) - 8} more reasons, in the column message.")
    return told


def _crowded(rows, what):
    if "oversubscribed" not in rows or not (crowded := (rows.oversubscribed == "yes").sum()):
        return []
    return [f"Oversubscribed: {units.counted(crowded, what)} of {len(rows):,} had more ranks than "
            "cores. Times of communication are those of ranks that wait for cores."]


MIXED = {"placement": "places", "cores": "numbers of cores", "waited": "ways of waiting"}
MIXED_INVOCATIONS = {"mpi": "MPI libraries", "version": "versions of Regroup"}


def _mixed(results, what):
    rows, told = results.rows, []
    for column, name in MIXED.items():
        well = rows[rows[column].notna() & (rows[column] != "")]
        if well.groupby("ranks")[column].nunique().max() > 1:
            told.append((well[column].nunique(), name))
    for key, name in MIXED_INVOCATIONS.items():
        values = {one.get(key) for one in results.invocations}
        if len(values) > 1:
            told.append((len(values), name))
    return [f"Mixed: {units.counted(len(rows), what)} are of {number} {name}, which are kept apart."
            for number, name in told]


def _dispersed(results):
    rows = results.settings
    if rows is None:
        return ["No run ended well: there is no result."]
    share = (rows.makespan_max_s - rows.makespan_min_s) / rows.makespan_s
    wide = rows.assign(share=share)[share > WIDE]
    told = [f"Times vary: {row.label} at {units.number(row.ranks)} ranks took "
            f"{units.seconds(row.makespan_min_s)} to {units.seconds(row.makespan_max_s)}, "
            f"{100 * row.share:.0f} % of the median." for row in wide.itertuples()]
    return told[:8] + ([f"And {len(told) - 8} more variants vary as much."] if told[8:] else [])


def _few_samples(kind, rows):
    told = []
    for what, median, low, _ in TIMES[kind]:
        if low and (note := common.without_interval(rows[rows[median].notna()], low)):
            told.append(f"{kind}, {what}: {note}")
    return told
