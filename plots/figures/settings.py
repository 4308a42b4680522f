# SPDX-License-Identifier: BSD-3-Clause
"""What a comparison holds fixed, and what has panels of its own."""

import pandas

from figures.names import natural

# What a comparison of variants holds fixed: all other columns, these first. All but ...
SETTINGS = ["engine", "group_size", "item_ms", "workload", "walker"]
# ... what came out of a run (and all columns in seconds, since configured are milliseconds, and
# numbers of rows of other files), ...
OUTCOMES = ["run", "invocation", "problem", "efficiency", "of_bound", "regroups_avg",
            "regroups_stdev", "regroups_min", "regroups_max", "events", "chains_hash", "hand_over_bytes", "resumed_items", "r_hat",
            "effective_samples", "observed_mean", "enough_items", "clock_error_us", "groups_across_nodes", "began",
            "job_id", "load_average_before", "communicators_alive_max", "communicators_left",
            "memory_mb", "status", "message", "formed_ranks_min", "formed_ranks_max",
            "creations_per_sample", "formed_groups", "mpi_messages", "mpi_bytes",
            "transport_messages", "transport_bytes", "communicators_alive_before",
            "communicators_alive_max", "communicators_alive_after", "communicators_limit_local",
            "communicators_limit_common", "storm_alive", "storm_limit_local", "storm_limit_common",
            "storm_lost", "storm_leaked", "hidden_fraction", "hidden_fraction_low",
            "hidden_fraction_high", "constructor_calls", "levels", "received_messages_max",
            "moved_bytes", "imbalance"]
REPETITIONS = ["repetition", "seed"]
# ... and what may follow from the number of ranks.
CONDITIONS = ["clock", "oversubscribed", "waited", "cores", "nodes", "ranks_per_node_min",
              "ranks_per_node_max", "placement"]

UNITS = {"group_size": "group size {}", "item_ms": "T = {} ms", "workload": "{} workload",
         "engine": "{} engine", "walker": "{} walker", "costs": "{} communication",
         "speedup": "{} speed-up", "ranks": "{} ranks", "waited": "{} waiting", "mpi_library": "{}",
         "regroup_version": "version {}",
         "cores": "{} cores", "nodes": "{} nodes", "ranks_per_node_min": "from {} ranks on a node",
         "ranks_per_node_max": "to {} ranks on a node", "made with": "{}"}


def setting(column, value):
    text = value if isinstance(value, str) else f"{value:g}"
    return UNITS.get(column, column + " {}").format(text)


def panels(runs):
    """(title, runs) for each combination of the settings that vary; "" where there is only one."""
    options = [c for c in runs.loc[:, "balancer":"communicator"]
               if (runs.groupby("variant", observed=True)[c].nunique() <= 1).all()]
    names = ["variant", "label", "colour", "balancer", "communicator"]
    return split(runs, "ranks", [*names, *options])


def split(runs, x, free=()):
    """(title, runs) for each combination of the settings that vary, which is each a panel over `x`:
    of all columns but `free`, outcomes, repetition and seed."""
    columns = separating(runs, x, free)
    if not columns:
        return [("", runs)]
    keys = runs[columns].drop_duplicates()
    keys = keys.sort_values(columns, key=lambda cells: cells.map(lambda v: natural(str(v))))
    return [(", ".join(setting(c, key[c]) for c in columns if said(key[c])),
             runs[(runs[columns].astype(str) == key.astype(str)).all(axis=1)])
            for _, key in keys.iterrows()]


def separating(runs, x, free):
    """The settings that vary, but for those that others of them imply. A condition may follow from
    `x`. An empty cell is no value: the column does not apply there."""
    known = [x, *free, *OUTCOMES, *REPETITIONS]
    others = [c for c in runs if c not in [*SETTINGS, *known] and not c.endswith(("_s", "_rows"))]
    chosen = []
    for column in [*(c for c in SETTINGS if c in runs and c not in known), *others]:
        fixed = [*chosen, x] if column in CONDITIONS else chosen
        cells = runs[column][runs[column].map(said)]
        parts = cells.groupby([runs[c].astype(str) for c in fixed]) if fixed else cells
        if (parts.nunique() > 1).any() if fixed else parts.nunique() > 1:
            chosen.append(column)
    return chosen


def said(cell):
    """Whether a cell, a text or a number, has a value."""
    return cell != "" and cell == cell


def problems(runs):
    """The problem of each run: the items that it had to do. Results without such a column are of
    different problems where their ideals differ."""
    return runs["problem"] if "problem" in runs else runs.ideal_s.astype(str)


def several_problems(runs):
    """Whether `runs` has, for some number of ranks, different problems: their times are no samples
    of one time, and only their ratios to the least time of each can be seen together."""
    return (problems(runs).groupby(runs.ranks).nunique() > 1).any()


def over_least(runs):
    """The makespan over the least time of each problem of each number of ranks: (ranks, value). A
    problem with no items has no such ratio."""
    parts = runs[runs.least_s > 0].assign(problem=problems(runs)).groupby(["ranks", "problem"])
    ratios = parts.makespan_s.median() / parts.least_s.first()
    return ratios.rename("value").reset_index()


def describe(runs):
    """The conditions that all of `runs` share, in one line: clock, T, G, ranks, cores."""
    parts = [" and ".join(sorted(runs.clock.unique())) + " clock"]
    fixed = {"item_ms": "T = {} ms", "group_size": "G = {}", "workload": "{} workload"}
    parts += [text.format(runs[c].iloc[0]) for c, text in fixed.items() if runs[c].nunique() == 1]
    parts += [ranks_on_cores(runs), *repeated(runs)]
    if several_problems(runs):
        numbers = problems(runs).groupby(runs.ranks).nunique()
        parts.append(f"{_span(numbers)} problems")
    return " · ".join(parts)


def repeated(runs):
    """["3 repetitions", "5 seeds"], as far as there are several."""
    numbers = {"repetitions": runs.repetition.nunique(), "seeds": runs.seed.nunique()}
    return [f"{number} {what}" for what, number in numbers.items() if number > 1]


def ranks_on_cores(runs):
    """On what `runs` ran: "16–32 ranks on 2 cores (oversubscribed)"."""
    text = f"{_span(runs.ranks)} ranks"
    cores = runs.cores[runs.cores > 0]
    if len(cores):
        text += f" on {_span(cores)} core{'s' if cores.max() > 1 else ''}{_of_nodes(runs)}"
    crowded = runs.oversubscribed == "yes"
    if crowded.any():
        text += " (oversubscribed)" if crowded.all() else " (partly oversubscribed)"
    return text


def _of_nodes(runs):
    """ " of 4 nodes (7–8 ranks on each)", where some are on several. Older results do not tell."""
    if "nodes" not in runs:
        return ""
    names = ["nodes", "ranks_per_node_min", "ranks_per_node_max"]
    nodes, least, most = (pandas.to_numeric(runs[c]).dropna() for c in names)
    if not len(nodes) or nodes.max() < 2:
        return ""
    each = _span(pandas.concat([least, most]))
    return f" of {_span(nodes)} nodes ({each} ranks on each)"


def _span(values):
    low, high = f"{values.min():,.0f}", f"{values.max():,.0f}"
    return low if low == high else f"{low}–{high}"
