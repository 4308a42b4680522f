#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Kills ranks, the launcher, its keeper or the command itself at random moments of sweeps, on MPI
processes and in virtual time, resumes, and checks that nothing is lost, doubled or left behind.

    REGROUP_BUILD=build tests/program/kills.py [COUNT] [--seed N]

Each sweep is killed up to three times and then resumed to its end. After each kill, no process, no
file in /dev/shm and no System V segment may be left, and all earlier rows must still exist. At the
end, each run has one row with status ok, `regroup verify` finds no violation, and neither a lock
nor a draft is left. The first fault ends the program with exit code 1, and its directory is kept.

As root, the program uses its own /dev/shm; otherwise, no other MPI programs may run meanwhile.
"""

import argparse
import collections
import contextlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from conftest import Workspace, eventually

ENGINES = {
    "mpi": """ranks: 4
group_size: 2
item_ms: 4
repetitions: 4
workload: {kind: cyclic, multiplier: 10, modulus: 4}
balancers:
  - asynchronous: {communicator: [create_group, range]}
""",
    "virtual": """engine: virtual
ranks: 2048
repetitions: 40
balancers:
  - asynchronous: {finished_groups: merge}
""",
}
RUNS = {"mpi": 8, "virtual": 40}
# Victims by program name; all other programs are the launcher and its helpers.
PROGRAMS = {"regroup": "command", "regroup-keeper": "keeper", "regroup-mpi": "rank"}
SIGNALS = {"command": [signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT]}
TABLES = ("runs.csv", "regroups.csv", "events.csv")


class Fault(Exception):
    """Something was lost, duplicated or left behind."""


def expect(condition, what):
    if not condition:
        raise Fault(what)


def shared_memory():
    segments = pathlib.Path("/proc/sysvipc/shm").read_text().splitlines()[1:]
    return {*os.listdir("/dev/shm"), *(f"segment {line.split()[1]}" for line in segments)}


class Sweep:
    """One sweep, from its first start to its last row."""

    def __init__(self, path, engine, chance, memory):
        self.space = Workspace(path)
        self.engine, self.chance, self.memory = engine, chance, memory
        self.space.write("test.yaml", ENGINES[engine])
        self.killed = collections.Counter()

    def start(self):
        mode = ("--retry",) if (self.space.path / "results/runs.csv").exists() else ()
        return self.space.start("run", "test.yaml", "--out", "results", *mode)

    def rows(self, file="runs.csv"):
        exists = (self.space.path / "results" / file).exists()
        return self.space.rows(file) if exists else []

    def good_rows(self):
        return {tuple(row.values()) for row in self.rows() if row["status"] == "ok"}

    def programs(self):
        """Returns {process ID: program name} of the sweep."""
        names = {}
        for process in self.space.processes():
            with contextlib.suppress(OSError):  # the process has just ended
                names[process] = pathlib.Path(f"/proc/{process}/comm").read_text().strip()
        return names

    def kill_once(self, longest_s):
        """Starts the sweep and kills one of its processes after a random time."""
        before = self.good_rows()
        sweep = self.start()
        time.sleep(self.chance.uniform(0, longest_s))
        victims = collections.defaultdict(list)
        for process, name in self.programs().items():
            victims[PROGRAMS.get(name, "launcher")].append(process)
        what = "nothing"
        if victims:
            victim = self.chance.choice(sorted(victims))
            number = self.chance.choice(SIGNALS.get(victim, [signal.SIGKILL]))
            try:
                os.kill(self.chance.choice(victims[victim]), number)
                what = f"{self.engine}: {victim}, {signal.Signals(number).name}"
                self.killed[what] += 1
            except ProcessLookupError:
                pass
        try:
            out, err = sweep.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            raise Fault(f"not ended 120 s after a kill ({what}): {self.programs()}") from None
        # A signal ends the command at once while it reads its configuration. 75: the killed run had
        # not begun.
        expect(sweep.returncode in (0, 1, 75, 130, -signal.SIGKILL, -signal.SIGINT, -signal.SIGTERM),
               f"exit code {sweep.returncode}: {out}{err}")
        self.check_remains(before)

    def check_remains(self, before):
        expect(self.space.nothing_left(10), f"processes left: {self.space.processes()}")
        expect(eventually(lambda: shared_memory() <= self.memory, 5),
               f"left in shared memory: {shared_memory() - self.memory}")
        lost = before - self.good_rows()
        expect(not lost, f"rows lost: {lost}")

    def finish(self):
        """Resumes the sweep to its end, checks the results, and returns its duration."""
        before = self.good_rows()
        began = time.monotonic()
        done = self.space.run("run", "test.yaml", "--out", "results", "--retry", timeout=120)
        took_s = time.monotonic() - began
        expect(done.returncode == 0, f"exit code {done.returncode}: {done.stdout}{done.stderr}")
        self.check_remains(before)
        rows = self.rows()
        expect(len(rows) == RUNS[self.engine], f"{len(rows)} rows")
        expect(len({row["run"] for row in rows}) == len(rows), "a run has two rows")
        expect({row["status"] for row in rows} == {"ok"}, "a run did not end well")
        for table in TABLES[1:]:
            count = collections.Counter(row["run"] for row in self.rows(table))
            expect(set(count) == {row["run"] for row in rows}, f"{table}: {count}")
        verified = self.space.run("verify", "results")
        expect(verified.returncode == 0 and f"{len(rows)} of {len(rows)}" in verified.stdout,
               f"verify: {verified.stdout}{verified.stderr}")
        files = os.listdir(self.space.path / "results")
        expect("lock" not in files and not any(file.endswith(".new") for file in files),
               f"left in the results: {files}")
        return took_s


def kill(count, seed, tell=lambda text: None):
    """Kills `count` times; returns the number of kills by kind. Raises Fault."""
    chance = random.Random(seed)
    killed = collections.Counter()
    longest_s = {}
    sweeps = 0
    while killed.total() < count:
        engine = ("mpi", "virtual")[sweeps % 2]
        path = pathlib.Path(tempfile.mkdtemp(prefix="regroup-kills-"))
        sweep = Sweep(path, engine, chance, shared_memory())
        try:
            if engine in longest_s:
                for _ in range(chance.randint(1, 3)):
                    sweep.kill_once(longest_s[engine])
            # The first sweep of an engine is not killed; its duration limits the random times.
            longest_s.setdefault(engine, sweep.finish())
        except Fault as fault:
            raise Fault(f"{path}: {fault}") from None
        finally:
            for process in sweep.space.processes():
                os.kill(process, signal.SIGKILL)
        shutil.rmtree(path)
        killed.update(sweep.killed)
        sweeps += 1
        tell(f"{killed.total()} kills in {sweeps} sweeps")
    return killed


def in_own_shared_memory():
    """Restarts the program with a private /dev/shm and System V segments, if permitted."""
    script = 'mount -t tmpfs tmpfs /dev/shm && exec "$@"'
    command = ["unshare", "--mount", "--ipc", "sh", "-c", script, "sh"]
    if subprocess.run([*command, "true"], capture_output=True).returncode == 0:
        os.environ["REGROUP_KILLS"] = "isolated"
        os.execvp(command[0], [*command, sys.executable, *sys.argv])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, nargs="?", default=300, help="kills [300]")
    parser.add_argument("--seed", type=int, default=1, help="of the random moments [1]")
    arguments = parser.parse_args()
    if "REGROUP_KILLS" not in os.environ and shutil.which("unshare"):
        in_own_shared_memory()
    try:
        killed = kill(arguments.count, arguments.seed, lambda text: print(text, flush=True))
    except Fault as fault:
        print(f"FAULT: {fault}")
        return 1
    for what, times in sorted(killed.items()):
        print(f"{times:5} {what}")
    print(f"{killed.total()} kills: no row lost or doubled, nothing left behind")
    return 0


if __name__ == "__main__":
    sys.exit(main())
