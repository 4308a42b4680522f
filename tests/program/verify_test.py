# SPDX-License-Identifier: BSD-3-Clause
"""`regroup verify` on results that are old, unfinished, or depend on removed files."""

import signal
import threading

import pytest

from conftest import eventually

SMALL = """engine: virtual
ranks: 16
workload: {kind: exponential, mean_items: 8}
seed: [1, 2, 3]
balancers: [none, collective: {exchange_interval: 2}]
"""


def verify(workspace, code=0):
    done = workspace.run("verify", "results", code=code)
    return done.stdout


def test_at_most_twenty_violations_are_listed(workspace):
    workspace.sweep(SMALL + "group_size: [1, 2, 3, 4]\n")
    for row in range(24):
        workspace.change("runs.csv", row, "clock", "wall")
    lines = verify(workspace, 1).splitlines()
    assert len([line for line in lines if line.startswith("results/runs.csv:")]) == 20
    assert "… and 4 more" in lines and "results: 24 violations" in lines


TRACE = """engine: virtual
ranks: 8
group_size: 2
workload: {kind: trace, trace_file: items.csv}
balancers: [none, collective: {exchange_interval: 2}]
"""


def test_runs_whose_files_are_gone_or_have_changed_are_checked_without_them(workspace):
    items = workspace.path / "items.csv"
    items.write_text("items\n3\n1\n4\n1\n")
    workspace.sweep(TRACE)
    assert "not checked" not in verify(workspace)
    items.write_text("items\n3\n1\n4\n2\n")
    told = verify(workspace)
    assert "missing or have changed (2 times)" in told
    items.unlink()
    told = verify(workspace)
    assert "missing or have changed (2 times)" in told and "2 of 2 runs verified" in told


def test_results_of_a_sweep_that_goes_on_or_was_killed_are_fine(workspace):
    workspace.write("test.yaml", SMALL + "repetitions: 10000\n")
    sweep = workspace.start("run", "test.yaml", "--out", "results")
    threading.Thread(target=sweep.stdout.read, daemon=True).start()  # else the pipe fills
    runs = workspace.path / "results/runs.csv"
    assert eventually(lambda: runs.exists() and runs.read_text().count("\n") > 1, 30)
    sweep.send_signal(signal.SIGSTOP)
    assert f"added by a running sweep: process {sweep.pid}" in verify(workspace)
    sweep.send_signal(signal.SIGKILL)
    sweep.wait(timeout=30)
    assert "added by a running sweep" not in verify(workspace)
    workspace.sweep(SMALL + "repetitions: 1\n", "--resume")
    assert "not checked" not in verify(workspace)


BESIDE = """ranks: 2
group_size: 1
walker: {kind: lennard_jones, atoms: 4, moves_per_item: 5}
workload: {kind: constant, mean_items: 20}
report_every: 5
balancers: [none, asynchronous: {communicator: range}]
"""


@pytest.mark.long
@pytest.mark.mpi
@pytest.mark.parametrize("config, sweeps", [(SMALL + "repetitions: 300\n", 6), (BESIDE, 12)])
def test_no_violation_is_found_beside_sweeps_that_go_on_and_begin_anew(workspace, config, sweeps):
    """Only runs that were complete when verification began are checked."""
    workspace.sweep(config)
    end = threading.Event()
    told = []

    def verify_all_the_time():
        while not end.is_set():
            told.append(workspace.run("verify", "results"))
    beside = threading.Thread(target=verify_all_the_time)
    beside.start()
    try:
        for _ in range(sweeps):
            workspace.sweep(config, "--overwrite")
    finally:
        end.set()
        beside.join()
    assert len(told) > sweeps / 2
    assert [done.stdout + done.stderr for done in told if done.returncode != 0] == []
    verify(workspace)
