# SPDX-License-Identifier: BSD-3-Clause
"""A directory of results: its rows, and what `regroup table` makes of them."""

import common

FILES = common.FILES
# The columns of times with their intervals: what, median, low, high.
TIMES = {
    "creation": [("time to create", "create_median_s", "create_low_s", "create_high_s"),
                 ("time to free", "free_median_s", "free_low_s", "free_high_s")],
    "collectives": [("time", "time_median_s", "time_low_s", "time_high_s")],
    "steps": [("look", "look_for_request_s", None, None), ("message", "message_s", None, None),
              ("orders", "tell_members_s", None, None), ("exchange", "exchange_loads_s", None, None)],
    "items": [("time of an item", "time_median_s", "time_low_s", "time_high_s")],
    "sort": [("time to sort", "time_median_s", "time_low_s", "time_high_s")],
}


class Results:
    """What `directory` holds: `rows` of its file, a row for each task, and `settings`, a row for each
    setting whose tasks ended well, or None."""

    def __init__(self, directory, side):
        if not directory.is_dir():
            raise common.InputError(f"{directory}: no such directory")
        self.directory, self.side = directory, side
        self.name = directory.resolve().name
        self.invocations = common.provenance(directory)
        present = {kind: file for kind, file in FILES.items() if (directory / file).is_file()}
        if not present:
            raise common.InputError(f"{directory}: no results: there is none of "
                                    f"{', '.join(FILES.values())}")
        self.kind, file = next(iter(present.items()))
        self.rows = common.read(directory, file, ["run", "status"], ["ranks", "cores"])
        if not len(self.rows):
            raise common.InputError(f"{directory / file}: there are no rows")
        self.settings = None
        if (self.rows.status == "ok").any():
            self.settings = common.read_table(directory)[0]
        self.finished = None
        if self.settings is not None and self.kind == "run":
            self.finished = common.read_runs(directory)
