# SPDX-License-Identifier: BSD-3-Clause
"""What pictures of one run share: which run they show."""

import common


def parser(doc):
    """The command line of the script that `doc`, its docstring, explains."""
    result = common.parser(doc)
    result.add_argument("--run", metavar="ID", help="the run to show")
    result.add_argument("--list", action="store_true",
                        help="list the finished runs that can be shown and stop")
    return result


def print_all(runs):
    columns = ["run", "ranks", "group_size", "item_ms", "workload", "seed", "repetition",
               "makespan_s", "label"]
    aligned = runs.assign(label=runs.label.str.ljust(runs.label.str.len().max()))
    print(aligned[columns].to_string(index=False, justify="left"))


def choose(runs, run_id, preferred):
    """The run of that name or, where `run_id` is None, the last of `preferred`."""
    if run_id is None:
        return preferred.iloc[-1]
    chosen = runs[runs.run == run_id]
    if chosen.empty:
        raise common.InputError(f"no finished run is called {run_id} (--list shows them all)")
    return chosen.iloc[0]
