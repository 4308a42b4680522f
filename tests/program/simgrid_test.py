# SPDX-License-Identifier: BSD-3-Clause
"""The engine simgrid: the MPI program on SimGrid, and messages where it is not possible."""

import json
import shutil

import pytest
from conftest import BUILD

PROGRAM = BUILD.parent / "build-simgrid" / "regroup-mpi"
built = pytest.mark.skipif(not PROGRAM.exists() or shutil.which("smpirun") is None,
                           reason=f"{PROGRAM} is not built, or there is no smpirun")
HEAD = "engine: simgrid\ntimeout_s: 100\n"


def statistics(row):
    return tuple(round(float(row["regroups_" + name]), 4) for name in ("avg", "stdev", "min", "max"))


@built
def test_64_ranks_regroup_as_in_virtual_time(workspace):
    rows = workspace.sweep("engine: [simgrid, virtual]\nranks: 64\ntimeout_s: 100\nbalancers:\n"
                           "  - none\n  - collective: {exchange_interval: [1, 16, 64, 128]}\n"
                           "  - asynchronous\n", timeout=150)
    golden = [
        (7.0, (0, 0, 0, 0)),
        (6.125, (5.375, 2.1176, 2, 8)),
        (6.125, (5.375, 2.1176, 2, 8)),
        (6.475, (3.75, 1.199, 2, 5)),
        (6.475, (2.625, 0.4841, 2, 3)),
        (3.521875, (4.375, 2.1176, 1, 7)),
    ]
    simulated = [row for row in rows if row["engine"] == "simgrid"]
    virtual = [row for row in rows if row["engine"] == "virtual"]
    assert len(simulated) == len(virtual) == len(golden)
    for row, free, (makespan, regroupings) in zip(simulated, virtual, golden):
        assert row["status"] == "ok", row["message"]
        assert row["clock"] == "simgrid" and row["waited"] == "direct"
        assert statistics(row) == statistics(free) == regroupings
        assert float(row["makespan_s"]) == pytest.approx(makespan, rel=1e-3)
        assert float(row["makespan_s"]) >= float(free["makespan_s"])
    assert float(simulated[0]["makespan_s"]) == pytest.approx(7.0, rel=1e-6)
    assert float(simulated[-1]["makespan_s"]) == pytest.approx(
        float(virtual[-1]["makespan_s"]), rel=0.01)
    workspace.run("verify", "results", code=0)


@built
@pytest.mark.parametrize("ranks", [1, 3, 6, 37])
def test_unusual_numbers_of_ranks_run_on_simgrid(workspace, ranks):
    rows = workspace.sweep(HEAD + f"ranks: {ranks}\nbalancers:\n  - none\n"
                           "  - collective: {communicator: [comm_create, comm_split]}\n"
                           "  - asynchronous: {finished_groups: [release, merge]}\n", timeout=150)
    assert [row["status"] for row in rows] == 5 * ["ok"]
    workspace.run("verify", "results", code=0)


@built
def test_all_strategies_that_simgrid_has_the_calls_of_run_on_it(workspace):
    rows = workspace.sweep(
        HEAD + "ranks: 16\ngroup_size: 2\nbalancers:\n"
        "  - collective: {communicator: [comm_create, comm_split, create_group, range, icreate_group]}\n"
        "  - asynchronous:\n      finished_groups: [release, merge]\n"
        "      communicator: [create_group, range, icreate_group]\n", timeout=150)
    assert [row["status"] for row in rows] == 11 * ["ok"]
    workspace.run("verify", "results", code=0)


@built
def test_a_run_of_1024_ranks_ends_without_messages_between_any_two_of_them(workspace):
    rows = workspace.sweep(HEAD + "ranks: 1024\nbalancers: [none]\n", timeout=150)
    assert [row["status"] for row in rows] == ["ok"]


@built
def test_states_move_between_groups_on_simgrid(workspace):
    rows = workspace.sweep(HEAD + "ranks: 32\nwalker: {kind: sleep, state_bytes: 1000}\n"
                           "workload: {kind: exponential, mean_items: 20}\n"
                           "balancers: [none, asynchronous, spread]\n", timeout=150)
    assert [row["status"] for row in rows] == 3 * ["ok"]
    assert len({row["chains_hash"] for row in rows}) == 1


@built
def test_equal_runs_on_simgrid_have_equal_times(workspace):
    rows = workspace.sweep(HEAD + "ranks: 32\nbalancers: [asynchronous]\nrepetitions: 2\n")
    assert rows[0]["makespan_s"] == rows[1]["makespan_s"]


def test_a_run_that_simgrid_cannot_do_is_unsupported(workspace):
    rows = workspace.sweep(HEAD + "ranks: 8\nbalancers:\n"
                           "  - asynchronous: {communicator: intercomm_merge}\n", code=1)
    assert [row["status"] for row in rows] == ["unsupported"]
    assert "intercomm_merge" in rows[0]["message"]
    rows = workspace.sweep(HEAD + "ranks: 8\nwalker: spin\nbalancers: [none]\n", "--overwrite", code=1)
    assert [row["status"] for row in rows] == ["unsupported"]
    assert "spin" in rows[0]["message"]


def test_list_marks_what_simgrid_does_not_support(workspace):
    lists = json.loads(workspace.run("list", "--format", "json").stdout)["lists"]
    marked = [row["name"] for one in lists for row in one.get("rows", [])
              if "unsupported by the engine `simgrid`" in row.get("notes", [])]
    assert marked == ["intercomm_merge", "multicommunicator", "create_from_group",
                      "intercomm_create_from_groups", "idup", "idup_with_info", "split_type_hw_unguided",
                      "split_type_hw_guided", "split_type_resource_guided", "spin",
                      "lennard_jones", "nucleation", "trajectory", "replica_exchange", "umbrella"]


def test_a_missing_build_for_simgrid_is_a_mistake_with_its_remedy(workspace):
    if PROGRAM.exists():
        pytest.skip(f"{PROGRAM} is built")
    workspace.write("test.yaml", HEAD + "ranks: 8\nbalancers: [none]\n")
    done = workspace.run("run", "test.yaml", "--out", "results", code=2)
    assert "cmake --preset simgrid && cmake --build --preset simgrid" in done.stderr


def test_a_launcher_that_is_not_smpirun_is_refused_at_its_line(workspace):
    workspace.write("test.yaml", HEAD + "ranks: 8\nbalancers: [none]\nlauncher: srun -n {ranks}\n")
    done = workspace.run("run", "test.yaml", "--out", "results", code=2)
    assert "test.yaml:5:" in done.stderr and "smpirun" in done.stderr


@built
def test_groups_of_any_sizes_begin_on_simgrid_as_in_virtual_time(workspace):
    rows = workspace.sweep("engine: [simgrid, virtual]\nranks: 16\ntimeout_s: 100\n"
                           "workload: {kind: blocks, long_fraction: 0.5}\nwalkers_in_all: 4\ngroups:\n"
                           "  communicators:\n    - {name: A, members: [0-5, 9-10]}\n"
                           "    - {name: B, members: [6-8, 11]}\n    - {name: C, members: [12-15]}\n"
                           "balancers: [none, spread]\n", timeout=150)
    assert [row["status"] for row in rows] == 4 * ["ok"]
    assert {row["groups"] for row in rows} == {"0-5 9-10/6-8 11/12-15"}
    assert statistics(rows[0]) == statistics(rows[2]) == (0, 0, 0, 0)
    assert float(rows[0]["makespan_s"]) == pytest.approx(float(rows[2]["makespan_s"]), rel=1e-6)
    assert float(rows[1]["makespan_s"]) == pytest.approx(float(rows[3]["makespan_s"]), rel=0.01)
    workspace.run("verify", "results", code=0)
