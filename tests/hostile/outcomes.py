# SPDX-License-Identifier: BSD-3-Clause
"""Damaged outcome files of launched processes: each gives a row, and a row with status ok describes
a possible run."""

import json
import pathlib
import re
import shutil

import damage
from command import Fault
from configurations import rows_of
from results import FINDINGS, LAUNCHER, outcome_of

RUN = """\
ranks: 4
group_size: 2
item_ms: 1
timeout_s: 30
workload: {kind: constant, mean_items: 3}
balancers: [none]
"""
MEASUREMENT = "measure: steps\nranks: 4\ngroup_size: 2\ntimeout_s: 30\n"


def life(lo, hi):
    return {"ranks": f"{lo}-{hi}", "walker": lo, "began": "start", "ended": "stop",
            "items_before": 3, "items_after": 0, "executed_min": 3, "executed_max": 3,
            "formed_s": 0, "busy_until_s": 0.0015, "ended_s": 0.0016}


OUTCOME = outcome_of("0-1", "2-3", lives=[life(0, 1), life(2, 3)])
NUMBERS = ["0", "-1", "1e308", "1e400", "-1e308", "99999999999999999999", "2147483647", "2147483648",
           "-2147483648", "9223372036854775807", "-9223372036854775808", "1.5", "null", '"x"', "[]",
           "{}", "true", "1e-320"]


def number_changed(data, dice):
    found = list(re.finditer(rb"-?\d+(\.\d+)?(e-?\d+)?|true|false", data))
    if not found:
        return data
    number = dice.choice(found)
    return data[:number.start()] + dice.choice(NUMBERS).encode() + data[number.end():]


def key_dropped(data, dice):
    found = list(re.finditer(rb'"\w+": [^,{}\[\]]+, ', data))
    if not found:
        return data
    key = dice.choice(found)
    return data[:key.start()] + data[key.end():]


def nested(data, dice):
    return dice.choice([b"[" * 200_000, b'{"lives":' * 100_000, b"[]", b"{}", b"null", b"", b"1",
                        b'{"lives":[' + b"{}," * 100_000 + b"{}]}"])


WAYS = [number_changed] * 6 + [key_dropped, key_dropped, nested, damage.byte_changed,
                               damage.byte_dropped, damage.bytes_inserted, damage.truncated,
                               damage.torn]


class Trial:
    def __init__(self, command, path):
        self.command = command
        self.path = pathlib.Path(path)
        launcher = self.path / "launcher.sh"
        launcher.write_text(LAUNCHER)
        launcher.chmod(0o755)
        own = f"launcher: {launcher} {{ranks}}\n"
        (self.path / "run.yaml").write_text(RUN + own)
        (self.path / "steps.yaml").write_text(MEASUREMENT + own)
        for words, data in (("run", OUTCOME), ("steps", FINDINGS)):
            self.data = data.encode()
            status = self.judged(words, json.loads(data))
            if status != "ok":
                raise Fault("what was not damaged is not taken", f"{words}: {status}")

    def __call__(self, dice):
        words, data = dice.choice([("run", OUTCOME), ("run", OUTCOME), ("steps", FINDINGS)])
        data = data.encode()
        whole = json.loads(data)
        name = ""
        for _ in range(dice.choice([1, 1, 1, 2])):
            way = dice.choice(WAYS)
            name = way.__name__
            data = way(data, dice) if data else b""
        self.data = data
        try:
            return name, self.judged(words, whole)
        except Fault as fault:
            fault.damage = name
            raise

    def judged(self, command, whole):
        (self.path / "outcome").write_bytes(self.data)
        shutil.rmtree(self.path / "results", ignore_errors=True)
        ended = self.command("run", f"{command}.yaml", "--out", "results", cwd=self.path,
                             codes=(0, 1), environment={"OUTCOME": str(self.path / "outcome")})
        file = "runs.csv" if command == "run" else "steps.csv"
        rows = rows_of(self.path / "results" / file)
        if len(rows) != 1 or (rows[0]["status"] == "ok") != (ended.code == 0):
            raise Fault("lost rows", f"{ended.code}: {rows}")
        if rows[0]["status"] == "ok" and not parsed(self.data):
            raise Fault("taken, but no JSON", self.data[:200])
        if rows[0]["status"] == "failed" and not rows[0]["message"]:
            raise Fault("failed without a reason", str(rows))
        self.command("table", "results", cwd=self.path, codes=(0,))
        if command == "run":
            self.command("verify", "results", cwd=self.path, codes=(0, 1))
        return rows[0]["status"]


def parsed(data):
    try:
        json.loads(data)
        return True
    except ValueError:
        return False
