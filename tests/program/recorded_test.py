# SPDX-License-Identifier: BSD-3-Clause
"""Runs with item times recorded in other runs."""

import csv

import pytest

from conftest import expect_one_line

SLEEPING = """ranks: 8
group_size: 2
item_ms: 20
jitter: 0.5
workload: {kind: uniform, mean_items: 20}
balancers: [none, {spread: {communicator: create_group}}]
"""
REPLAY = """engine: ENGINE
ranks: 8
group_size: 2
item_ms: 20
workload: {kind: recorded, recorded_file: real/events.csv, recorded_run: RUN}
balancers: [BALANCER]
"""


def row_of(workspace, directory):
    with (workspace.path / directory / "runs.csv").open() as file:
        return list(csv.DictReader(file))


@pytest.mark.mpi
def test_a_real_run_is_replayed_in_virtual_time(workspace):
    workspace.run("run", workspace.write("real.yaml", SLEEPING), "--out", "real", code=0)
    for number, real in enumerate(row_of(workspace, "real"), 1):
        balancer = real["balancer"].partition("(")[0]
        replay = REPLAY.replace("RUN", str(number)).replace("BALANCER", balancer)
        virtual = workspace.sweep(replay.replace("ENGINE", "virtual"), "--overwrite")[0]
        assert virtual["problem"] == real["problem"]
        if balancer == "none":  # recorded times include the gaps between items
            assert float(virtual["makespan_s"]) == pytest.approx(float(real["makespan_s"]), rel=0.03)
        assert float(virtual["bound_s"]) <= float(virtual["makespan_s"])
        workspace.run("verify", "results", code=0)
    again = workspace.sweep(replay.replace("ENGINE", "mpi"), "--overwrite")[0]
    assert float(again["makespan_s"]) >= float(again["ideal_s"]) == pytest.approx(float(virtual["ideal_s"]))
    workspace.run("verify", "results", code=0)
    workspace.change("runs.csv", 0, "ideal_s", "1")
    workspace.run("verify", "results", code=1)


def test_what_cannot_be_replayed_is_refused(workspace):
    workspace.write("items.csv", "chain,item,ranks,seconds\n0,0,1,0.5\n1,0,1,0.25\n1,1,1,0.25\n")
    config = "engine: virtual\nranks: 2\ngroup_size: 1\n" \
             "workload: {kind: recorded, recorded_file: items.csv}\nbalancers: [none, asynchronous]\n"
    rows = workspace.sweep(config)
    assert [float(row["makespan_s"]) for row in rows] == pytest.approx([0.5, 0.5])
    assert "inputs=" in rows[0]["settings"]
    assert "T = 100" not in workspace.run("table", "results", code=0).stdout
    advice = workspace.run("advise", "test.yaml", code=0).stdout
    assert "none" in advice

    def refusal(change, line, *words):
        name = workspace.write("bad.yaml", change)
        expect_one_line(workspace.run("run", name, "--out", "bad"), f"bad.yaml:{line}: ", *words)

    refusal(config + "true_item_ms: 3\n", 6, "recorded sets the times")
    refusal(config + "extra_items: 3\n", 6, "no more items")
    refusal(config.replace("ranks: 2", "ranks: 3"), 4, "items.csv: 2 chains for 3 walkers")
    refusal(config.replace("items.csv", "no.csv"), 4, "no.csv: cannot be read")
    workspace.write("items.csv", "chain,item,ranks,seconds\n0,0,1,x\n")
    refusal(config, 4, "items.csv:2: seconds is 'x'")
