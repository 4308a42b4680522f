# SPDX-License-Identifier: BSD-3-Clause
"""A directory of results: the files in it that have rows."""

import common
from page import origin

# The kinds of results and their files, and the columns of times with their intervals: what, median,
# low, high.
FILES = {"run": "runs.csv", "creation": "creation.csv", "collectives": "collectives.csv",
         "steps": "steps.csv", "items": "items.csv", "sort": "sort.csv"}
TIMES = {
    "creation": [("time to create", "create_median_s", "create_low_s", "create_high_s"),
                 ("time to free", "free_median_s", "free_low_s", "free_high_s")],
    "collectives": [("time", "time_median_s", "time_low_s", "time_high_s")],
    "steps": [("look", "look_for_request_s", None, None), ("message", "message_s", None, None),
              ("orders", "tell_members_s", None, None), ("exchange", "exchange_loads_s", None, None)],
    "items": [("time of an item", "time_median_s", "time_low_s", "time_high_s")],
    "sort": [("time to sort", "time_median_s", "time_low_s", "time_high_s")],
}
NUMBERS = {"creation": ["group_size"], "collectives": ["group_size", "elements_per_rank"],
           "steps": ["group_size"], "items": ["group_size"], "sort": ["elements_per_rank"]}


class Results:
    """What `directory` holds: `rows` by kind, of which those that `ended_well`."""

    def __init__(self, directory, side):
        if not directory.is_dir():
            raise common.InputError(f"{directory}: no such directory")
        self.directory, self.side = directory, side
        self.name = directory.resolve().name
        self.invocations = origin.invocations(directory)
        present = {kind: file for kind, file in FILES.items() if (directory / file).is_file()}
        if not present:
            raise common.InputError(f"{directory}: no results: there is none of "
                                    f"{', '.join(FILES.values())}")
        read = {kind: _rows(directory, kind) for kind in present}
        self.rows = {kind: rows for kind, rows in read.items() if len(rows)}
        if not self.rows:
            raise common.InputError(f"{directory / next(iter(present.values()))}: there are no rows")

    def first(self):
        return next(iter(self.rows.values()))

    def ended_well(self, kind):
        rows = self.rows[kind]
        return rows[rows.status == "ok"]


def _rows(directory, kind):
    columns = [c for _, *columns in TIMES.get(kind, []) for c in columns if c]
    numbers = ["ranks", "cores", *columns, *NUMBERS.get(kind, ["makespan_s", "ideal_s"])]
    rows = common.read(directory, FILES[kind], ["run", "status", "experiment"], numbers)
    rows = rows.drop_duplicates("run", keep="last")
    return common.in_order(rows).reset_index(drop=True)
