# SPDX-License-Identifier: BSD-3-Clause
"""Features of sweeps: `zip`, `exclude`, numbers of groups, repetitions up to a precision,
and start positions. unit/config_test.cpp tests the reading of configurations."""

import contextlib
import csv
import json
import os
import signal

import pytest

from conftest import eventually, only_mpich

ZIPPED = """engine: virtual
ranks: [8, 16]
workload: {kind: exponential, mean_items: [10, 20]}
balancers: [none, spread]
zip: [ranks, mean_items]
exclude:
  - {ranks: 16, balancer: none}
"""


def verify(workspace):
    return workspace.run("verify", "results", code=0)


def events(workspace):
    return workspace.rows("events.csv")


def test_zipped_lists_advance_together_and_excluded_combinations_are_left_out(workspace):
    rows = workspace.sweep(ZIPPED)
    assert [(row["ranks"], row["mean_items"], row["balancer"]) for row in rows] == [
        ("8", "10", "none"), ("8", "10", "spread"), ("16", "20", "spread")]
    verify(workspace)
    assert "1 combination is left out: excluded" in workspace.run("plan", "test.yaml", code=0).stdout
    assert workspace.sweep(ZIPPED, "--resume") == rows


def test_lists_of_unequal_length_are_refused_with_both_lengths(workspace):
    workspace.refuses(ZIPPED.replace("[10, 20]", "[10, 20, 30]"), 5, "2 values (line 2)", "3 values (line 3)")


def test_an_exclusion_that_matches_nothing_is_refused(workspace):
    workspace.refuses(ZIPPED.replace("{ranks: 16,", "{ranks: 17,"), 7)


GROUPS = """engine: {engine}
ranks: 8
groups: 3
item_ms: 1
workload: {{kind: uniform, mean_items: 9}}
walkers_in_all: 7
balancers: [none, spread, {{asynchronous: {{communicator: create_group}}}}]
"""


def check_groups(workspace, rows):
    assert {row["group_size"] for row in rows} == {"3"} and {row["groups"] for row in rows} == {"3"}
    for row in rows:
        begun = [event for event in events(workspace)
                 if event["run"] == row["run"] and event["begin_event"] == "start"]
        assert [event["group_ranks"] for event in begun] == ["0-2", "3-5", "6-7"]
        assert {event["walker_id"] for event in begun} == {"0", "3", "6"}
    verify(workspace)


def test_a_number_of_groups_in_virtual_time(workspace):
    check_groups(workspace, workspace.sweep(GROUPS.format(engine="virtual")))
    table = list(csv.DictReader(workspace.run("table", "results", "--format", "csv", code=0).stdout.splitlines()))
    assert [row["groups"] for row in table] == ["3"] * 3


@pytest.mark.mpi
def test_a_number_of_groups_on_real_processes(workspace):
    rows = workspace.sweep(GROUPS.format(engine="[virtual, mpi]"))
    check_groups(workspace, rows)
    assert len({row["problem"] for row in rows}) == 1


REPEATED = """engine: virtual
ranks: 8
item_ms: 1
workload: {kind: constant, mean_items: 50}
jitter: [0.01, 0.5]
repetitions: {at_least: 3, at_most: 12, until: 1%}
balancers: [none]
"""


def repetitions(rows):
    """Returns the number of rows for each jitter."""
    return {jitter: sorted(int(row["repetition"]) for row in rows if row["jitter"] == jitter)
            for jitter in ("0.01", "0.5")}


def test_repetitions_end_where_enough_is_known(workspace):
    rows = workspace.sweep(REPEATED)
    taken = repetitions(rows)
    assert taken == {"0.01": list(range(1, 7)), "0.5": list(range(1, 13))}, "an interval needs six"
    table = {row["jitter"]: row for row in csv.DictReader(
        workspace.run("table", "results", "--format", "csv", code=0).stdout.splitlines())}
    assert {jitter: row["repetitions"] for jitter, row in table.items()} == {"0.01": "6", "0.5": "12"}
    assert float(table["0.01"]["makespan_within"]) <= 0.01 < float(table["0.5"]["makespan_within"])
    verify(workspace)


def test_a_resumed_sweep_executes_no_repetition_too_many(workspace):
    whole = workspace.sweep(REPEATED)
    path = workspace.path / "results/runs.csv"
    lines = path.read_text().splitlines(keepends=True)
    for kept in range(1, len(lines) + 1):
        path.write_text("".join(lines[:kept]))
        workspace.run("run", "test.yaml", "--out", "results", "--resume", code=0)
        assert [row["run"] for row in workspace.rows()] == [row["run"] for row in whole]
    # The existing repetitions suffice, or do not.
    assert len(workspace.sweep(REPEATED, "--resume", "--set", "repetitions={at_most: 12, until: 90%}")) == 18
    assert len(workspace.sweep(REPEATED, "--resume", "--set", "repetitions=12")) == 24


def test_shards_decide_like_the_whole(workspace):
    whole = {row["run"] for row in workspace.sweep(REPEATED)}
    for shard in ("1/2", "2/2"):
        workspace.run("run", "test.yaml", "--out", "parts", "--shard", shard, code=0)
    assert "missing" not in workspace.run("merge", "parts", code=0).stdout
    with open(workspace.path / "parts/runs.csv", newline="") as table:
        assert {row["run"] for row in csv.DictReader(table)} == whole


def test_what_never_ends_well_is_not_repeated_further(workspace):
    config = REPEATED.replace("jitter: [0.01, 0.5]", "timeout_s: 0.1\njitter: 0.1").replace("ranks: 8", "ranks: 4096")
    config = config.replace("mean_items: 50", "mean_items: 100000").replace("at_least: 3", "at_least: 2")
    rows = workspace.sweep(config, code=1)
    assert [row["status"] for row in rows] == ["timeout", "timeout"]


def test_a_plan_tells_what_is_certain(workspace):
    planned = json.loads(workspace.run("plan", workspace.write("test.yaml", REPEATED), "--format", "json",
                                       code=0).stdout)
    assert planned["repetitions"] == {"at_least": 3, "at_most": 12, "until": 0.01,
                                      "certain": {**planned["all"], **planned["repetitions"]["certain"]}}
    assert planned["repetitions"]["certain"]["tasks"] == 12 and planned["all"]["tasks"] == 24
    assert "#7" not in workspace.run("plan", "test.yaml", code=0).stdout


@pytest.mark.mpi
def test_an_interrupted_sweep_continues_its_repetitions(workspace):
    config = REPEATED.replace("virtual", "mpi").replace("ranks: 8", "ranks: 2\ngroup_size: 1").replace(
        "[0.01, 0.5]", "0").replace("1%", "100%")
    sweep = workspace.start("run", workspace.write("test.yaml", config), "--out", "results")
    main = workspace.path / "results/runs.csv"
    assert eventually(lambda: main.exists() and main.read_text().count("\n") > 2, 60)
    os.kill(sweep.pid, signal.SIGINT)
    sweep.communicate()
    with contextlib.suppress(ProcessLookupError):
        os.kill(sweep.pid, signal.SIGKILL)
    assert sweep.returncode == 130 and 2 <= len(workspace.rows()) < 6
    rows = workspace.sweep(config, "--resume")
    assert sorted(int(row["repetition"]) for row in rows) == [1, 2, 3, 4, 5, 6]


ATOMS = "3\nthree atoms\nAr 0 0 0\nAr 1.1 0 0\nAr 0 1.1 0\n"
STARTED = """engine: mpi
ranks: 2
group_size: 1
workload: {kind: constant, mean_items: 3}
walker: {kind: lennard_jones, atoms: 3, moves_per_item: 10, positions_file: start.xyz}
report_every: 1
save_every: 1
balancers: [none, {spread: {communicator: create_group}}]
"""


@pytest.mark.mpi
def test_chains_start_from_the_positions_in_a_file(workspace):
    workspace.write("start.xyz", ATOMS)
    rows = workspace.sweep(STARTED)
    assert len({row["chains_hash"] for row in rows}) == 1 and all(row["inputs"] for row in rows)
    verify(workspace)
    workspace.write("start.xyz", ATOMS.replace("1.1", "1.2"))
    other = workspace.sweep(STARTED, "--resume")
    assert len(other) == 4, "results of another file are those of another run"
    assert len({row["chains_hash"] for row in other}) == 2


@pytest.mark.mpi
@only_mpich
def test_a_run_ends_where_a_rank_finds_another_file(workspace):
    workspace.write("start.xyz", ATOMS)
    launcher = workspace.script("launcher", "sed -i s/1.1/1.2/ start.xyz\nexec mpiexec.mpich -n 2 \"$@\"\n")
    rows = workspace.sweep(STARTED + f"launcher: {launcher}\n", code=1)
    assert rows[0]["status"] == "failed" and "all ranks must read the same file" in rows[0]["message"]
    assert workspace.nothing_left(10)


@pytest.mark.parametrize("atoms, line", [
    (ATOMS.replace("3\n", "4\n"), 1), (ATOMS.replace("1.1 0 0", "1.1 0"), 4), (ATOMS + "Ar 1 1 1\n", 6)])
def test_positions_that_do_not_fit_are_refused_before_anything_starts(workspace, atoms, line):
    workspace.write("start.xyz", atoms)
    done = workspace.run("run", workspace.write("test.yaml", STARTED), code=2)
    assert f"test.yaml:5: start.xyz:{line}: " in done.stderr and done.stderr.count("\n") == 1
    assert not (workspace.path / "results").exists()


def test_missing_positions_are_refused(workspace):
    workspace.refuses(STARTED, 5, "start.xyz")
