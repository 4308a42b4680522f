# SPDX-License-Identifier: BSD-3-Clause
"""Tables of a page: a caption, column heads, rows of texts, and notes."""

import itertools
import re
from dataclasses import dataclass, field

from page import units

LIMIT = 2000  # rows of a table; the files contain all rows
COMPARED = 100  # rows of a comparison, whose first rows matter most
# The columns of times with their intervals: name, median, low, high.
TIMES = {
    "creation": [("time to create", "create_median_s", "create_low_s", "create_high_s"),
                 ("time to free", "free_median_s", "free_low_s", "free_high_s")],
    "collectives": [("time", "time_median_s", "time_low_s", "time_high_s")],
    "steps": [("look", "look_for_request_s", None, None), ("message", "message_s", None, None),
              ("orders", "tell_members_s", None, None), ("exchange", "exchange_loads_s", None, None)],
    "items": [("time per item", "time_median_s", "time_low_s", "time_high_s")],
    "sort": [("time to sort", "time_median_s", "time_low_s", "time_high_s")],
}


@dataclass
class Table:
    caption: str
    heads: list
    rows: list
    notes: list = field(default_factory=list)

    def words(self):
        """Returns for each column whether it contains words, which are aligned left."""
        return [any(re.match(r"[^\W\d]", row[i]) for row in self.rows)
                for i in range(len(self.heads))]


def of_runs(markdown):
    """Parses the output of `regroup table --format markdown`, with the text around the table."""
    lines = markdown.splitlines()
    inside = [i for i, line in enumerate(lines) if line.startswith("|")]
    cells = [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", lines[i])[1:-1]]
             for i in inside]
    above = " ".join(line for line in lines[:inside[0]] if line)
    below = "\n".join(lines[inside[-1] + 1:]).split("\n\n")
    notes = [" ".join(note.split()) for note in below if note.strip()]
    return _limited(Table(above, cells[0], cells[2:], notes))


def of_measurements(kind, rows):
    """Returns a table with a row for each setting: its varying parameters and its times."""
    parameters = itertools.takewhile(lambda column: not column.endswith("_s"), rows)
    columns = [c for c in parameters if c not in ("title", "panel") and rows[c].nunique() > 1]
    fixed = [c for c in ("ranks", "cores", "oversubscribed") if c not in columns]
    heads, cells = list(columns), [[_text(v) for v in rows[c]] for c in columns]
    for what, median, low, high in TIMES[kind]:
        heads.append(what)
        cells.append([units.seconds(v) for v in rows[median]])
        if low:
            heads.append("95 % interval")
            cells.append([units.interval(*ends) for ends in zip(rows[low], rows[high])])
    same = ", ".join(f"{c} {_text(rows[c].iloc[0])}" for c in fixed)
    caption = f"Measurements of {kind}: medians of samples" + (f"; all with {same}" if same else "")
    return _limited(Table(caption, heads, [list(row) for row in zip(*cells)]))


def of_comparison(file):
    """Returns a table of the report of `regroup compare` on one file, worse rows first."""
    compared = file["compared"]
    names = sorted({name for one in compared for name in one["parameters"]
                    if len({other["parameters"].get(name) for other in compared}) > 1})
    rows = []
    for one in compared:
        ratio = one.get("ratio")
        ends = f"{units.rounded(one['low'], 3)} … {units.rounded(one['high'], 3)}" if one.get("low") \
            else one.get("why", "")
        of = ", ".join(f"{n} {v}" for n in names if (v := one["parameters"].get(n)))
        rows.append([one["verdict"].lower(), "" if ratio is None else units.rounded(ratio, 3),
                     "exact" if one["method"] == "exact" else ends, units.seconds(one["a_s"]),
                     units.seconds(one["b_s"]), one["time"], of])
    order = ["worse", "slower", "faster", "no difference", "not judged"]
    rows.sort(key=lambda row: order.index(row[0]) if row[0] in order else len(order))
    heads = ["verdict", "B / A", "95 % interval", "A", "B", "column", "of"]
    return _limited(Table(f"{file['file']}: times of B over those of A", heads, rows), COMPARED)


def _text(value):
    return value if isinstance(value, str) else ("" if value != value else f"{value:,.10g}")


def _limited(table, most=LIMIT):
    if len(table.rows) > most:
        table.notes.append(f"The first {most:,} of {len(table.rows):,} rows. --where KEY=VALUE chooses others.")
        table.rows = table.rows[:most]
    return table
