# SPDX-License-Identifier: BSD-3-Clause
"""Where results come from: what provenance.yaml tells of each invocation."""

import json

FACTS = {"version": "Regroup", "tree": "source tree", "mpi": "MPI library", "compiler": "compiler",
         "host": "host", "system": "system", "processor": "processor", "cores": "cores",
         "launcher": "launcher", "date": "date"}


def facts(results):
    """(what, value) of what was run and where."""
    names = dict.fromkeys(str(one.get("experiment", "")) for one in results.invocations)
    told = [("experiment", ", ".join(filter(None, names)) or "without a name")]
    rows = results.rows
    what = "runs" if results.kind == "run" else f"measurements of {results.kind}"
    told.append((what, f"{len(rows):,}, of which {(rows.status == 'ok').sum():,} ended well"))
    for column in ("engine", "clock", "ranks", "cores", "waited"):
        if column in rows and (text := _values(rows, column)):
            told.append((column, text))
    for key, name in FACTS.items():
        values = dict.fromkeys(str(one[key]) for one in results.invocations if key in one)
        if values and not (key == "cores" and any(what == "cores" for what, _ in told)):
            dates = key == "date" and len(values) > 2
            told.append((name, f"{min(values)} to {max(values)}" if dates else ", ".join(values)))
    return told


def _values(rows, column):
    """The values of `column`, at most eight, numbers by their size."""
    cells = [cell for cell in rows[column].unique() if cell == cell and cell != ""]
    texts = [cell if isinstance(cell, str) else f"{cell:,.10g}" for cell in sorted(cells)]
    return ", ".join(texts if len(texts) <= 8 else [*texts[:3], "…", *texts[-2:]])


def repetition(results):
    """How to repeat: for each invocation (date, directory, command), the last one first."""
    return [(one.get("date", ""), one.get("directory", ""), one.get("command", ""))
            for one in reversed(results.invocations) if one.get("command")]


def configuration(results):
    """(file, text) of the newest configuration; None where it was not kept."""
    for one in reversed(results.invocations):
        if one.get("configuration"):
            return one.get("configuration_file", ""), one["configuration"]
    return None


def provenance(results):
    """For each invocation its (key, value), but for the configuration, which stands elsewhere."""
    return [[(key, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
             for key, value in one.items() if key != "configuration"]
            for one in results.invocations]
