# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures: the shared cluster, directories for sweeps, and the number of trials per test."""

import csv
import os
import pathlib
import tempfile

import pytest

import cluster as pretended

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("REGROUP_BUILD", ROOT / "build"))
REGROUP = BUILD / "regroup"
HYDRA = "mpiexec.mpich"
CORES = [2, 2, 2, 4]


def pytest_addoption(parser):
    parser.addoption("--whole", action="store_true", help="everything that clusters do to jobs")
    parser.addoption("--trials", type=int, default=1, help="how often")


def pytest_configure(config):
    config.addinivalue_line("markers", "whole: only with --whole")


def pytest_generate_tests(metafunc):
    if "trial" in metafunc.fixturenames:
        metafunc.parametrize("trial", range(metafunc.config.getoption("trials")))


def pytest_collection_modifyitems(config, items):
    for item in items:
        if item.get_closest_marker("whole") and not config.getoption("whole"):
            item.add_marker(pytest.mark.skip(reason="--whole does it"))


@pytest.fixture(scope="session")
def whole(request):
    return request.config.getoption("whole")


@pytest.fixture(scope="session")
def cluster():
    reason = pretended.why_not()
    program = BUILD / "regroup-mpi"
    if not program.exists() or b"libmpich" not in program.read_bytes():
        reason = f"{BUILD} was not built with MPICH"
    if reason:
        pytest.skip(reason)
    with tempfile.TemporaryDirectory(prefix="regroup-cluster-", ignore_cleanup_errors=True) as state:
        made = pretended.Cluster(pathlib.Path(state), CORES)
        yield made
        made.end()


class Sweep:
    """A directory with a configuration whose runs are executed by jobs."""

    def __init__(self, cluster, path):
        self.cluster = cluster
        self.path = path
        (path / "build").symlink_to(BUILD)
        (path / "jobs").symlink_to(ROOT / "jobs")

    def configure(self, text):
        (self.path / "mine.yaml").write_text(text)

    def submit(self, *options, script="jobs/slurm.sh"):
        return self.cluster.submit(
            "--nodes=4", "--ntasks=8", "--ntasks-per-node=2", "--overcommit", "--signal=B:USR1@1",
            *options, script, "mine.yaml", cwd=self.path)

    def in_job(self, *command, code=0, timeout=200):
        """Returns the output of `regroup` in an allocation of all nodes."""
        return self.cluster.run("salloc", "-Q", "-N", "4", "-n", "10", "build/regroup", *command,
                                code=code, timeout=timeout, cwd=self.path)

    def rows(self, below="."):
        try:
            text = (self.path / "results/mine" / below / "runs.csv").read_text()
        except FileNotFoundError:
            return []
        table = list(csv.reader(text[: text.rfind("\n") + 1].splitlines()))
        return [dict(zip(table[0], row)) for row in table[1:]]

    def nodes(self, row):
        """Returns the number of hosts of a run."""
        place = self.path / "results/mine/places" / (row["placement"] + ".yaml")
        return place.read_text().count("  - name: ")

    def began(self, number=1, seconds=60):
        """Waits for `number` rows and, for a short time, until the next run works."""
        logs = self.path / "results/mine"
        assert pretended.eventually(lambda: len(self.rows()) >= number, seconds), self.said()
        pretended.eventually(lambda: list(logs.rglob("*.start")), 5)

    def said(self):
        return "".join(file.read_text() for file in self.path.glob("*.out"))

    def none_is_false(self):
        wrong = [(row["status"], row["message"]) for row in self.rows() if row["status"] != "ok"]
        assert not wrong, f"{wrong}\n{self.said()}"

    def resume(self):
        """Executes the missing runs, as a user would do later."""
        self.cluster.wait_idle(4)
        self.in_job("run", "mine.yaml", "--resume")

    def complete(self, number):
        self.none_is_false()
        assert len(self.rows()) == number, self.said()
        self.cluster.run("build/regroup", "verify", "results/mine", cwd=self.path)


@pytest.fixture
def sweep(cluster, tmp_path):
    yield Sweep(cluster, tmp_path)
    cluster.run("scancel", "--user=root", code=None)
    cluster.run("scancel", "--user=root", "--signal=KILL", "--full", code=None)
    for host in (f"n{i + 1}" for i in range(len(CORES))):
        if not cluster.is_up(host):
            cluster.boot(host)
    cluster.wait_idle(len(CORES))
