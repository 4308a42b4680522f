# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures and helpers for tests of whole commands: a workspace and the `regroup` command."""

import contextlib
import csv
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import time
import uuid

import pytest

BUILD = pathlib.Path(
    os.environ.get("REGROUP_BUILD", pathlib.Path(__file__).resolve().parents[2] / "build")
)
REGROUP = BUILD / "regroup"
MPI_PROGRAM = BUILD / "regroup-mpi"
MPICH = MPI_PROGRAM.exists() and b"libmpich" in MPI_PROGRAM.read_bytes()
MPIEXEC = shutil.which("mpiexec.mpich") or "mpiexec"
CACHE = BUILD / "CMakeCache.txt"
only_mpich = pytest.mark.skipif(not MPICH, reason=f"{BUILD} was not built with MPICH")
SANITIZED = CACHE.exists() and "REGROUP_SANITIZE:BOOL=TRUE" in CACHE.read_text()


# Tests may run inside a job, whose hosts they must not use.
OF_A_JOB = ("SLURM_", "SLURMD_", "PBS_", "FLUX_")
for variable in [name for name in os.environ if name.startswith(OF_A_JOB)]:
    del os.environ[variable]

# First line of launcher scripts that pretend that all ranks have started.
MARK = 'for last; do :; done; touch "$last.start"\n'


def pytest_configure(config):
    config.addinivalue_line("markers", "mpi: launches MPI processes")
    config.addinivalue_line("markers", "quick: wants the time that a build without sanitizers takes")
    config.addinivalue_line("markers", "long: takes seconds; has the label `all`")


def pytest_collection_modifyitems(items):
    lacks_mpi = not MPI_PROGRAM.exists()
    for item in items:
        if lacks_mpi and item.get_closest_marker("mpi"):
            item.add_marker(pytest.mark.skip(reason=f"{BUILD} was built without MPI"))
        if SANITIZED and item.get_closest_marker("quick"):
            item.add_marker(pytest.mark.skip(reason=f"{BUILD} was built with sanitizers"))


def memory_limit(mb):
    """Returns a `preexec_fn` that limits memory; not with sanitizers, which reserve terabytes."""
    limit = resource.RLIM_INFINITY if SANITIZED else mb * 2**20
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def eventually(condition, seconds=10):
    """Waits at most `seconds` until `condition` holds; returns whether it does."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def expect_one_line(done, *words):
    """Checks that a command refused with one message and no other output."""
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("regroup: ") and done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.endswith("\n")
    for word in words:
        assert word in done.stderr


def options_in(text):
    """Parses `a=1 b="2 3"` into (name, value) pairs."""
    return [(name, quoted or plain)
            for name, quoted, plain in re.findall(r'(\w+)=(?:"([^"]*)"|(\S*))', text)]


class Workspace:
    """An empty directory to run `regroup` in, which finds all processes started from it."""

    def __init__(self, path):
        self.path = path
        self.mark = f"REGROUP_TEST={uuid.uuid4()}"
        name, value = self.mark.split("=")
        self.environment = dict(os.environ, **{name: value})
        self.begin = []  # prefix of commands
        self.program = REGROUP

    def write(self, name, text):
        (self.path / name).write_text(text)
        return name

    def script(self, name, text):
        self.write(name, "#!/bin/sh\n" + text)
        (self.path / name).chmod(0o755)
        return str(self.path / name)

    def launcher(self, text):
        """Writes a launcher that pretends that its ranks have started, and then executes `text`."""
        return self.script("launcher", MARK + text)

    def start(self, *arguments, **options):
        return subprocess.Popen(
            [*self.begin, self.program, *map(str, arguments)], cwd=self.path, env=self.environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def run(self, *arguments, timeout=150, code=None, **options):
        """Runs the command to its end and checks its exit code, if `code` is given."""
        process = self.start(*arguments, **options)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        assert code in (None, process.returncode), out + err
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def sweep(self, config, *arguments, code=0, file="runs.csv", **options):
        """Runs the configuration text `config`, checks the exit code, returns rows of a file."""
        self.run("run", self.write("test.yaml", config), "--out", "results", *arguments, code=code,
                 **options)
        return self.rows(file)

    def refuses(self, text, line, *words, command="run"):
        """Checks that a configuration is refused at `line`, and that nothing is written."""
        (self.path / "bad.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
        expect_one_line(self.run(command, "bad.yaml"), f"bad.yaml:{line}: ", *words)
        assert os.listdir(self.path) == ["bad.yaml"]

    def text(self, file="runs.csv"):
        return (self.path / "results" / file).read_text()

    def rows(self, file="runs.csv", expanded=True):
        """Returns the complete rows of a file of results. Settings, and options as in
        `collective(exchange_interval=2)`, are expanded to separate entries."""
        text = self.text(file)
        lines = text[: text.rfind("\n") + 1].splitlines()
        table = list(csv.reader(lines, strict=True))
        for row in table:
            assert len(row) == len(table[0]), f"{file}: {row}"
        rows = [dict(zip(table[0], row)) for row in table[1:]]
        for row in rows if expanded else []:
            options = options_in(row.get("settings", ""))
            for name in ("workload", "speedup", "walker", "balancer", "costs"):
                if found := re.fullmatch(r"(\w+)\((.*)\)", row.get(name, "")):
                    row[name] = found[1]
                    options += options_in(found[2])
            row.update(options)
        return rows

    def write_rows(self, file, rows, directory="results"):
        """Writes a file of results with all columns; `rows` override default values."""
        (listed,) = json.loads(self.run("list", file, "--format", "json").stdout)["lists"]
        (self.path / directory).mkdir(exist_ok=True)
        with open(self.path / directory / file, "w", newline="") as target:
            table = csv.DictWriter(target, [column["name"] for column in listed["columns"]], restval="",
                                   extrasaction="ignore", lineterminator="\n")
            table.writeheader()
            for number, row in enumerate(rows):
                table.writerow({"run": f"{number:016}", "invocation": 1, "status": "ok", "repetition": 1,
                                "seed": 1, "waiting": "auto", "waited": "wrapper", "wall_s": 1, **row})

    def change(self, file, row, column, value):
        """Replaces one field of a file of results; rows count from 0, -1 is the header."""
        path = self.path / "results" / file
        table = list(csv.reader(path.read_text().splitlines()))
        table[row + 1][table[0].index(column)] = value
        with open(path, "w", newline="") as target:
            csv.writer(target, lineterminator="\n").writerows(table)

    def processes(self, name=""):
        """Returns all processes (called `name`, if given) of commands started here."""
        found = []
        for directory in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                environment = (directory / "environ").read_bytes().split(b"\0")
                state = (directory / "stat").read_text().rsplit(")", 1)[1].split()[0]
                comm = (directory / "comm").read_text().strip()
            except OSError:
                continue
            if self.mark.encode() in environment and state != "Z" and name in ("", comm):
                found.append(int(directory.name))
        return found

    def nothing_left(self, seconds=0):
        return eventually(lambda: not self.processes(), seconds)


@pytest.fixture
def workspace(tmp_path):
    space = Workspace(tmp_path)
    yield space
    for process in space.processes():
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
