# SPDX-License-Identifier: BSD-3-Clause
"""Results that tests of pictures may modify: copies of results computed once."""

import shutil

import pytest

import scripts


def pytest_configure(config):
    config.addinivalue_line("markers", "mpi: launches MPI processes")


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Returns the results of a configuration, which is run only once."""
    known = {}

    def of(text):
        if text not in known:
            known[text] = scripts.make(tmp_path_factory.mktemp("made") / "run", text)
        return known[text]
    return of


@pytest.fixture
def copy(made, tmp_path):
    """Copies the results of a configuration."""
    return lambda text: shutil.copytree(made(text), tmp_path / "results", dirs_exist_ok=True)


@pytest.fixture
def runs(copy):
    return copy(scripts.RUNS)


@pytest.fixture
def chains(copy):
    if not (scripts.BUILD / "regroup-mpi").exists():
        pytest.skip(f"{scripts.BUILD} was built without MPI")
    return copy(scripts.CHAINS)


@pytest.fixture
def sample(copy, tmp_path):
    """Returns input of a script: results of runs, or a table of measurements."""
    tables = {"figure1": scripts.creations, "rbc": scripts.collectives, "sort": scripts.sorts,
              "speedup": lambda: scripts.items({1: 1, 2: 0.5, 4: 0.4, 8: 0.5})}
    configurations = {"balance": scripts.WORKLOADS, "scale": scripts.SCALE, "chains": scripts.CHAINS,
                      "faults": scripts.FAULTS}

    def of(script):
        if script in tables:
            return scripts.table(tmp_path / f"{script}.csv", tables[script]())
        if script == "chains" and not (scripts.BUILD / "regroup-mpi").exists():
            pytest.skip(f"{scripts.BUILD} was built without MPI")
        return copy(configurations.get(script, scripts.RUNS))
    return of
