# SPDX-License-Identifier: BSD-3-Clause
"""The result of measurements in one sentence for each kind. All take rows of common.read_table()."""

import common
from page import units


def of_creation(rows):
    one = rows[rows.pattern == "one_group"]
    part = _largest(one if len(one) else rows, ["ranks", "group_size"], "communicator")
    if not len(one):
        part = part[part.pattern == part.pattern.iloc[0]]
    first = part.iloc[0]
    where = (f"Forming a group of {units.number(first.group_size)} of "
             f"{units.number(first.ranks)} ranks")
    if not len(one):
        where += f" ({first.pattern})"
    return f"{where} {_fastest(part, 'create')}"


def of_collectives(rows):
    columns = ["ranks", "group_size", "operation", "elements_per_rank", "calls_per_sample", "creation"]
    medians = rows.groupby([*columns, "communicator"]).time_median_s.first().unstack()
    compared = medians.dropna()
    if medians.shape[1] < 2 or compared.empty:
        return f"{units.counted(len(medians), 'operation')} measured, over one communicator each"
    wins = compared.idxmin(axis=1).value_counts()
    text = f"{wins.index[0]} is fastest in {wins.iloc[0]} of {len(compared)} operations"
    others = [name for name in compared if name != "range"]
    if "range" in compared and others:
        other = "create_group" if "create_group" in others else others[0]
        ratio = (compared["range"] / compared[other]).median()
        text += f"; range takes {units.digits(ratio)} × the time of {other} (median)"
    return text


STEPS = {"look_for_request_s": "looking for a request", "message_s": "a message", "tell_members_s": "orders to members",
         "exchange_loads_s": "an exchange of loads"}


def of_steps(rows):
    """Of the largest groups for which all steps were measured, as far as there are such."""
    whole = rows[rows[list(STEPS)].notna().all(axis=1)]
    part = _largest(whole if len(whole) else rows, ["ranks", "group_size"])
    first = part.iloc[0]
    told = [f"{what} {units.seconds(part[column].iloc[0])}" for column, what in STEPS.items()
            if part[column].notna().any()]
    told[0] = told[0].replace(" request ", " request takes ")
    return (f"With {units.number(first.ranks)} ranks in groups of {units.number(first.group_size)}, "
            f"{', '.join(told)}")


def of_items(rows):
    """Of the walker that groups help most."""
    found = []
    for title, part in common.panels(rows, "ranks"):
        medians = part.set_index("group_size").time_median_s.sort_index()
        best = medians.idxmin()
        found.append((medians.iloc[0] / medians[best], title, part.iloc[0].walker, medians, best))
    gain, title, walker, medians, best = max(found, key=lambda one: one[0])
    what = f"An item of {walker}{f' ({title})' if title else ''} "
    if best == medians.index[0]:
        return (f"{what}takes {units.seconds(medians[best])} in groups of {units.number(best)}, and "
                "no larger group is faster")
    return (f"{what}takes {units.seconds(medians[best])} in groups of {units.number(best)}, "
            f"{units.times(gain)} × faster than in groups of {units.number(medians.index[0])}")


def of_sort(rows):
    part = _largest(rows, ["ranks", "elements_per_rank"], "communicator")
    first = part.iloc[0]
    part = part[(part.input == first.input) & (part.element_type == first.element_type)]
    return (f"Sorting {units.number(first.elements_per_rank)} {first.element_type} per rank "
            f"({first.input}) on {units.number(first.ranks)} ranks "
            f"{_fastest(part, 'time')}")


SENTENCES = {"creation": of_creation, "collectives": of_collectives, "steps": of_steps,
             "items": of_items, "sort": of_sort}


def _largest(rows, columns, compared=None):
    """The rows where each of `columns` has its largest value of those with two of `compared`."""
    if compared:
        number = rows.groupby(columns)[compared].transform("nunique")
        rows = rows[number >= min(2, number.max())]
    for column in columns:
        rows = rows[rows[column] == rows[column].max()]
    return rows


def _fastest(rows, name):
    """ "is fastest with range: 20 ns, 5,000 × less than with create_group (107 µs)", or than with the
    next where that is fastest or was not measured."""
    medians = rows.groupby("communicator")[f"{name}_median_s"].first().sort_values()
    text = f"is fastest with {medians.index[0]}: {units.seconds(medians.iloc[0])}"
    if len(medians) == 1:
        return text
    other = "create_group" if "create_group" in medians.index[1:] else medians.index[1]
    ratio = medians[other] / medians.iloc[0] if medians.iloc[0] > 0 else float("inf")
    text += f", {units.times(ratio)} × less than with {other} ({units.seconds(medians[other])})"
    ends = rows.groupby("communicator").agg(low=(f"{name}_low_s", "min"), high=(f"{name}_high_s", "max"))
    if ends.loc[medians.index[0], "high"] >= ends.loc[other, "low"]:
        text += ", though their intervals overlap"
    return text
