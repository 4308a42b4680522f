# SPDX-License-Identifier: BSD-3-Clause
"""What the command `regroup` says of results."""

import json
import subprocess

import common


def table(program, results):
    """What `regroup table` says; of runs alone as Markdown, else as text."""
    words = ["table", str(results.directory)]
    if list(results.rows) == ["run"]:
        words += ["--format", "markdown"]
    return _said(program, words, {0})


def comparison(program, a, b):
    """(what `regroup compare` found as JSON, "") or (None, why it did not)."""
    try:
        return json.loads(_said(program, ["compare", str(a), str(b), "--format", "json"],
                                {0, 1})), ""
    except common.InputError as error:
        return None, str(error)


def _said(program, words, codes):
    try:
        done = subprocess.run([program, *words], capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL)
    except OSError as error:
        raise common.InputError(f"{program}: {error.strerror}") from None
    if done.returncode not in codes:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise common.InputError(lines[-1].removeprefix("regroup: "))
    return done.stdout
