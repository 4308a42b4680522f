# SPDX-License-Identifier: BSD-3-Clause
"""Damaged results: no reader may crash, hang, or accept them as intact, and `--resume` must keep
all intact rows."""

import csv
import io
import json
import os
import pathlib
import shutil

import damage
import plot_readers
from command import Fault
from configurations import contents

SWEEP = pathlib.Path(__file__).with_name("results.yaml").read_text()
MEASUREMENTS = {
    "creation": "measure: creation\nranks: [4, 8]\ngroup_size: [2, 4]\n"
                "communicator: [create_group, comm_split, range]\n",
    "collectives": "measure: collectives\nranks: 8\ngroup_size: 8\noperation: [bcast, scan]\n"
                   "communicator: [range, comm_split]\nbytes: [8, 512]\n",
    "steps": "measure: steps\nranks: 8\ngroup_size: [2, 4]\n",
    "items": "measure: items\nranks: 8\ngroup_size: [1, 2, 4]\n"
             "walker: [spin, {kind: lennard_jones, atoms: [9, 20]}]\n",
    "sort": "measure: sort\nranks: 8\nelements_per_rank: [1, 64]\n"
            "communicator: [range, create_group, sample_sort]\n"}
MAIN = {"run": "runs.csv", "creation": "creation.csv", "collectives": "collectives.csv",
        "steps": "steps.csv", "items": "items.csv", "sort": "sort.csv"}

# Replaces an MPI launcher; its first argument is the number of ranks. Copies the file $OUTCOME to
# the path where the ranks would write theirs, with LAST replaced by the last rank.
LAUNCHER = """\
#!/bin/sh
for word; do last=$word; done
: > "$last.start"
sed "s/LAST/$(($1 - 1))/" "$OUTCOME" > "$last"
"""
FIGURES = ["formed_groups", "formed_ranks_min", "formed_ranks_max", "creations_per_sample", "create_min_s", "create_median_s",
           "create_low_s", "create_high_s", "free_min_s", "free_median_s", "free_low_s",
           "free_high_s", "bystander_s", "busy_create_s", "late_create_s", "time_min_s",
           "time_median_s", "time_low_s", "time_high_s", "look_for_request_s", "message_s", "tell_members_s",
           "exchange_loads_s", "in_flight_s", "hidden_fraction", "communicators_limit_local", "communicators_limit_common", "storm_alive", "storm_limit_local", "storm_limit_common",
           "storm_lost", "storm_leaked", "creation_s", "constructor_calls", "levels", "received_messages_max",
           "moved_bytes", "imbalance"]

TIMES = ["create_s", "exchange_loads_s", "look_for_request_s", "message_s", "tell_members_s", "time_s"]


def place_of(*nodes):
    """Returns the placement of ranks; `nodes` has the ranks of each node."""
    facts = {"processor": "a chip", "smt": "off", "governor": "", "kernel": "6.1",
             "clock_source": "tsc", "quota": 1.5, "load": 0.25}
    return {"nodes": [{"name": f"n{i}", "bindings": [{"ranks": ranks, "cpus": "0-3"}],
                       "facts": facts} for i, ranks in enumerate(nodes)],
            "mpi": "none at all", "variables": {}, "job_id": ""}


def outcome_of(*nodes, lives=(), figures=None, samples=None):
    """Returns the outcome file that ranks on these nodes write."""
    return json.dumps({
        "lives": lives, "figures": figures or {}, "samples": samples or {}, "place": place_of(*nodes),
        "communicators_alive_max": 2, "communicators_left": 0, "waiting": "polite", "library": "none at all",
        "chains_hash": "", "walker_communicators": 0, "walker_communicators_s": 0, "hand_over_bytes": 0,
        "hand_over_s": 0, "reports": [], "enough_items": 0, "failures": [],
        "resumed_items": 0, "lost": [], "cpu_s": 0.5, "clock_error_us": 0, "setup_s": 0.25})


FINDINGS = outcome_of("0-LAST", figures={name: 1e-5 * (i + 2) for i, name in enumerate(FIGURES)},
                      samples={name: [{"number": i + 1, "began_s": 0.01 * i, "value_s": 1e-5}
                                      for i in range(8)] for name in TIMES})


class Whole:
    """Intact results, and the command that created them."""

    def __init__(self, trial, command, config):
        self.directory = trial.path / f"whole-{command}"
        self.words = ["run", f"{command}.yaml", "--out", "results"]
        (trial.path / f"{command}.yaml").write_text(config)
        launcher = trial.path / "launcher.sh"
        launcher.write_text(LAUNCHER)
        launcher.chmod(0o755)
        (trial.path / "findings.json").write_text(FINDINGS)
        self.environment = {"OUTCOME": str(trial.path / "findings.json")}
        trial.command(*self.words[:3], self.directory, cwd=trial.path, codes=(0,),
                      environment=self.environment)
        self.main = MAIN[command]
        self.contents = contents(self.directory)
        self.tables = tables(self.directory)
        self.rows = {row["run"]: row for row in self.tables[self.main]}


def tables(directory):
    """Returns the complete rows of every CSV file; None for files that cannot be read."""
    found = {}
    for path in sorted(directory.glob("*.csv")):
        if path.is_symlink() or not path.is_file():
            found[path.name] = None
            continue
        try:
            text = path.read_bytes().decode("utf-8")
            whole = io.StringIO(text[:text.rfind("\n") + 1], newline="")
            found[path.name] = list(csv.DictReader(whole, strict=True))
        except (OSError, UnicodeError, csv.Error):
            found[path.name] = None
    return found


class Trial:
    def __init__(self, command, path):
        self.command = command
        self.path = pathlib.Path(path)
        own_launcher = f"samples: 8\nlauncher: {self.path}/launcher.sh {{ranks}}\n"
        configs = {"run": SWEEP, **{k: v + own_launcher for k, v in MEASUREMENTS.items()}}
        self.whole = {name: Whole(self, name, text) for name, text in configs.items()}
        self.number = 0

    def __call__(self, dice):
        kind = dice.choices(list(MAIN), [12, 2, 1, 1, 1, 1])[0]
        whole = self.whole[kind]
        results = self.path / "results"
        shutil.rmtree(results, ignore_errors=True)
        shutil.copytree(whole.directory, results, symlinks=True)
        (self.path / "victim").write_text("not ours")
        name = self.spoil(results, whole, dice)
        self.number += 1
        try:
            return name, self.judged(kind, whole, results, drawn=dice.random() < 0.01)
        except Fault as fault:
            fault.damage = name
            raise
        finally:
            os.chmod(results, 0o755)

    def spoil(self, results, whole, dice):
        files = [name for name in sorted(whole.contents) if (results / name).is_file()]
        file = dice.choice(files + [f for f in files if f.endswith(".csv")] * 3)
        path = results / file
        if dice.random() < 0.03:
            name = dice.choice(STRANGE)(path, self.path)
            self.data = f"{file}: {name}".encode()
            return f"{name}, {file}"
        data = path.read_bytes()
        name, damaged = damage.damage(data, dice)
        if dice.random() < 0.1 and damaged:
            second, damaged = damage.damage(damaged, dice)
            name += f", {second}"
        path.write_bytes(damaged)
        self.data = damaged
        return f"{name}, {file}"

    def judged(self, kind, whole, results, drawn):
        damaged = tables(results)
        table = self.command("table", "results", cwd=self.path)
        main_is_torn = torn(results / whole.main)
        if table.code == 0 and main_is_torn and not table.err:
            raise Fault("a torn file is read as if whole", table.out[-300:])
        verified = None
        if kind == "run":
            verified = self.command("verify", "results", cwd=self.path)
            if verified.code == 0 and "not checked" not in verified.out and (
                    not same_facts(damaged, whole.tables)):
                raise Fault("verified, but changed", verified.out[-300:])
            if verified.code != 0 and contents(results) == whole.contents:
                raise Fault("not verified, but whole", verified.out + verified.err)
        plot_readers.check(results, drawn)
        return self.resumed(whole, results, damaged, verified)

    def resumed(self, whole, results, damaged, verified):
        before = contents(results)
        ended = self.command(*whole.words, "--resume", cwd=self.path, codes=(0, 1, 2),
                             environment=whole.environment)
        if (self.path / "victim").read_text() != "not ours":
            raise Fault("files beside the results changed", str(whole.words))
        after = contents(results)
        if ended.code == 2:
            if after != before:
                raise Fault("results changed by a refused --resume", ended.err)
            return "refused"
        found = tables(results)
        rows = found[whole.main]
        if rows is None:
            raise Fault("no CSV after --resume", ended.out)
        ids = [row["run"] for row in rows]
        if len(set(ids)) != len(ids):
            raise Fault("doubled rows", ended.out)
        if not set(whole.rows) <= set(ids):
            raise Fault("lost rows", f"{sorted(set(whole.rows) - set(ids))}: {ended.out}")
        self.check_kept(whole, damaged, rows, ended)
        if verified is not None:
            self.check_whole_again(whole, found, verified)
        return "resumed"

    def check_kept(self, whole, damaged, rows, ended):
        """Checks that all readable rows were kept."""
        readable = damaged.get(whole.main) or []
        ids = {row["run"]: row for row in rows}
        lost = [row for row in readable if row.get("run") in whole.rows
                and row == whole.rows[row["run"]] and ids[row["run"]] != row]
        foreign = [row for row in readable if row not in rows]
        if lost or foreign:
            raise Fault("rows dropped", f"{len(lost)} whole, {len(foreign)} other: {ended.err}")

    def check_whole_again(self, whole, found, verified):
        """Checks that results accepted by `verify` after --resume equal the original ones."""
        again = self.command("verify", "results", cwd=self.path)
        self.command("table", "results", cwd=self.path)
        if again.code == 0 and not same_facts(found, whole.tables):
            raise Fault("verified after --resume, but changed", again.out)


def same_facts(found, expected):
    """Returns whether tables are equal, except for columns that differ between repetitions."""
    changing = {"wall_s", "memory_mb", "setup_s", "invocation"}

    def facts(rows):
        return sorted(tuple(sorted((k, str(v).strip()) for k, v in row.items() if k not in changing))
                      for row in rows)
    return all(found.get(name) is not None and facts(found[name]) == facts(rows)
               for name, rows in expected.items())


def torn(path):
    """Returns whether the last line of the file is incomplete, or a quote is open."""
    if path.is_symlink() or not path.is_file():
        return False
    data = path.read_bytes()
    return not data.endswith(b"\n") or data.count(b'"') % 2 == 1


# ---- other entries in place of files -------------------------------------------------------------

def is_gone(path, home):
    path.unlink()
    return "is gone"


def is_a_directory(path, home):
    path.unlink()
    path.mkdir()
    return "is a directory"


def is_a_link(path, home):
    path.unlink()
    path.symlink_to(home / "victim")
    return "is a link"


def is_a_loop(path, home):
    path.unlink()
    path.symlink_to(path.name)
    return "is a link to itself"


def is_endless(path, home):
    path.unlink()
    path.symlink_to("/dev/zero")
    return "is /dev/zero"


def is_a_pipe(path, home):
    path.unlink()
    os.mkfifo(path)
    return "is a pipe"


def has_a_draft(path, home):
    """Adds a draft, as a killed command may leave it."""
    path.with_name(path.name + ".new").symlink_to(home / "victim")
    return "has a draft that is a link"


STRANGE = [is_gone, is_gone, is_a_directory, is_a_link, is_a_loop, is_endless, is_a_pipe,
           has_a_draft]
