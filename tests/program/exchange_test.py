# SPDX-License-Identifier: BSD-3-Clause
"""Chains that exchange messages: equal results on all groups, also after a kill; their picture."""

import shutil
import subprocess

import pytest
from chains_test import kill_at

REPLICAS = """ranks: {}
group_size: 1
walkers_in_all: 4
item_ms: 1
save_every: 10
report_every: 20
walker: {{kind: replica_exchange, atoms: 13, moves_per_item: 40, swap_every: 4, burn_in_items: 8}}
workload: {{kind: constant, mean_items: 300}}
balancers: [{}]
"""


@pytest.mark.mpi
def test_replicas_that_were_killed_end_as_if_they_had_not_been(workspace):
    config = REPLICAS.format(2, "none")
    whole = workspace.sweep(REPLICAS.format(3, "asynchronous: {communicator: range}"))[0]
    shutil.rmtree(workspace.path / "results")
    states = kill_at(workspace, 4, config)
    assert len(list(states.glob("*.told"))) == 4
    row = workspace.sweep(config, "--resume")[0]
    assert 0 < int(row["resumed_items"]) < 4 * 300
    assert row["chains_hash"] == whole["chains_hash"]
    workspace.run("verify", "results", code=0)

    script = f"{__file__.rsplit('/tests/', 1)[0]}/plots/temperatures.py"
    drawn = subprocess.run(["/usr/bin/python3", script, "results", "-o", "picture.svg"], cwd=workspace.path,
                           capture_output=True, text=True)
    assert drawn.returncode == 0, drawn.stderr
    text = (workspace.path / "picture.svg").read_text()
    assert "4 temperatures of 13 atoms" in text and "Heat capacity" in text


@pytest.mark.parametrize("balancer, words", [("collective", "would deadlock"), ("batch", "are dealt")])
def test_balancers_that_make_groups_wait_for_each_other_are_refused(workspace, balancer, words):
    path = workspace.write("test.yaml", "engine: virtual\nranks: 4\nwalker: rounds\nworkload: constant\n"
                                        f"balancers: [none, {balancer}]\n")
    done = workspace.run("run", path, "--out", "results", code=2)
    assert words in done.stderr and "test.yaml:5" in done.stderr


@pytest.mark.mpi
def test_replicas_that_are_extended_are_those_of_one_long_run(workspace):
    short = REPLICAS.format(2, "none").replace("mean_items: 300", "mean_items: 60") + "keep_states: true\n"
    workspace.sweep(short)
    extended = workspace.sweep(short, "--extend", "40")[-1]
    assert extended["resumed_items"] == str(4 * 60)
    shutil.rmtree(workspace.path / "results")
    whole = workspace.sweep(short.replace("mean_items: 60", "mean_items: 100").replace("none", "asynchronous"))[0]
    assert extended["chains_hash"] == whole["chains_hash"]
