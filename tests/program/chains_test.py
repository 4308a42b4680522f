# SPDX-License-Identifier: BSD-3-Clause
"""Walkers with a state: what their chains come to, and what handing states over costs."""

import pytest

CHAINS = """group_size: 4
walkers_in_all: 4
item_ms: 1
walker: {kind: lennard_jones, atoms: 7, moves: 20, burn_in: 200}
workload: {kind: trace, file: items.csv}
"""
BALANCERS = """balancers:
  - none
  - collective: {interval: 4, communicator: range}
  - asynchronous: {finished: release, communicator: create_group}
  - spread: {communicator: create_group}
"""
STATES = """engine: virtual
ranks: 32
costs: cluster
workload: {kind: single, at: last}
balancers: [spread]
walker: {kind: sleep, state_bytes: [0, 1000, 100000000]}
"""


def chains(workspace, ranks, *arguments):
    workspace.write("items.csv", "items\n40\n90\n0\n25\n")
    return workspace.sweep(f"ranks: {ranks}\n{CHAINS}{BALANCERS}", *arguments)


@pytest.mark.mpi
def test_chains_come_to_the_same_on_however_many_ranks(workspace):
    rows = chains(workspace, "[1, 3, 8]")
    assert len(rows) == 12
    assert len({row["chains_hash"] for row in rows}) == 1
    assert len(rows[0]["chains_hash"]) == 16
    handed = [row for row in rows if row["ranks"] == "8" and row["balancer"] != "none"]
    assert any(int(row["hand_over_bytes"]) > 7 * 24 for row in handed)
    assert all(float(row["hand_over_s"]) == 0 for row in rows if row["ranks"] == "1")
    done = workspace.run("verify", "results")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.mpi
def test_another_repetition_has_other_chains(workspace):
    rows = workspace.sweep(f"ranks: 4\nrepetitions: 2\n{CHAINS}balancers: [none]\n".replace(
        "kind: trace, file: items.csv", "kind: constant, mean: 3"))
    assert len({row["chains_hash"] for row in rows}) == 2


@pytest.mark.mpi
def test_verify_finds_chains_that_differ(workspace):
    rows = chains(workspace, "3")
    workspace.change("runs.csv", 2, "chains_hash", "0123456789abcdef")
    done = workspace.run("verify", "results")
    assert done.returncode == 1
    said = f"its chains came to 0123456789abcdef, and those of run {rows[0]['run']} to"
    assert f"runs.csv:4: run {rows[2]['run']}" in done.stdout and said in done.stdout
    workspace.change("runs.csv", 2, "chains_hash", "")
    assert "chains_hash is ''" in workspace.run("verify", "results").stdout


def test_in_virtual_time_a_state_costs_what_its_bytes_take(workspace):
    none, little, much = workspace.sweep(STATES)
    assert [row["chains_hash"] for row in (none, little, much)] == ["", "", ""]
    assert [row["hand_over_bytes"] for row in (none, little, much)] == ["0", "1000", "100000000"]
    # Latency alone is some microseconds for each of a few regroupings; 100 MB at 24 GB/s take 4 ms.
    assert float(none["hand_over_s"]) == 0
    assert 1e-6 < float(little["hand_over_s"]) < 1e-3
    assert float(much["hand_over_s"]) > 4e-3
    assert float(little["makespan_s"]) <= float(much["makespan_s"])
    assert workspace.run("verify", "results").returncode == 0


def test_a_walker_is_told_where_it_is_not_as_usual(workspace):
    done = workspace.run("plan", workspace.write("test.yaml", STATES))
    words = [line.split(", ", 1)[1] for line in done.stdout.splitlines() if ", #" in line]
    assert "sleep" not in words[0]
    assert "sleep(state_bytes=1000)" in words[1] and "sleep(state_bytes=100000000)" in words[2]
