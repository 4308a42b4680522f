# SPDX-License-Identifier: BSD-3-Clause
"""What rows of a table have in common, in words."""


def describe(rows):
    """The conditions that all of `rows`, settings of runs, share: clock, T, G, ranks, cores."""
    parts = [" and ".join(sorted(rows.clock.unique())) + " clock"]
    fixed = {"item_ms": "T = {} ms", "group_size": "G = {}"}
    parts += [text.format(rows[c].iloc[0]) for c, text in fixed.items() if rows[c].nunique() == 1]
    if rows.workload.nunique() == 1:
        parts.append(f"{rows.workload.iloc[0].split('(')[0]} workload")
    return " · ".join([*parts, ranks_on_cores(rows)])


def repeated(rows):
    """["3 repetitions", "5 seeds", "2 problems"], as far as there are several."""
    return [f"{rows[what].max():.0f} {what}" for what in ("repetitions", "seeds", "problems")
            if what in rows and rows[what].max() > 1]


def several_problems(rows):
    """Whether some setting has different problems: their times are no samples of one time, and only
    their ratios to the least time of each can be seen together."""
    return (rows.problems > 1).any()


def ranks_on_cores(rows):
    """On what `rows` ran: "16–32 ranks on 2 cores (oversubscribed)"."""
    text = f"{_span(rows.ranks)} ranks"
    cores = rows.cores[rows.cores > 0]
    if len(cores):
        text += f" on {_span(cores)} core{'s' if cores.max() > 1 else ''}"
    crowded = rows.oversubscribed == "yes"
    if crowded.any():
        text += " (oversubscribed)" if crowded.all() else " (partly oversubscribed)"
    return text


def _span(values):
    low, high = f"{values.min():,.0f}", f"{values.max():,.0f}"
    return low if low == high else f"{low}–{high}"
