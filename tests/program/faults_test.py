# SPDX-License-Identifier: BSD-3-Clause
"""Rank losses in virtual time: configurations, results, and errors found by `verify`."""

import pytest

from conftest import options_in

CONFIG = """engine: virtual
ranks: 8
group_size: 2
item_ms: 10
balancers: [none, {spread: {communicator: create_group}}]
on_rank_loss: recover
"""
KILL = "faults: {kill: {rank: 5, at_item: 30}}\n"
MEASUREMENT = "measure: creation\nranks: 2\ngroup_size: 2\ncommunicator: create_group\n"
MD = "engine: virtual\nranks: 4\ngroup_size: 2\nwalker: lennard_jones\nbalancers: [none]\non_rank_loss: recover\n"


@pytest.mark.parametrize("text, line, words", [
    (CONFIG + "faults: {kill: {rank: 8, at_item: 1}}\n", 7, ["rank 8 of 8", "allowed: 0 to 7"]),
    (CONFIG + "faults:\n  slow:\n    - {rank: 1, factor: 2}\n    - {rank: 9, factor: 2}\n", 10, ["rank 9 of 8"]),
    (CONFIG + "faults: {kill: {rank: 1, at_item: 1, at_s: 2}}\n", 7, ["both at_item and at_s"]),
    (CONFIG + "faults: {hang: {rank: 1}}\n", 7, ["neither of at_item and at_s"]),
    (CONFIG + "faults: {kill: {rank: 1, at_item: 0}}\n", 7, ["'0' is not a valid value of at_item", "from 1 to"]),
    (CONFIG + "faults: {kill: {rank: one, at_s: 0}}\n", 7, ["'one' is not a valid value of rank"]),
    (CONFIG + "faults: {kill: {at_s: 0}}\n", 7, ["kill has no rank", "random"]),
    (CONFIG + "faults: {slow: {rank: 1}}\n", 7, ["slow has no factor"]),
    (CONFIG + "faults: {slow: {rank: 1, factor: 0.5}}\n", 7, ["'0.5' is not a valid value of factor"]),
    (CONFIG + "faults: {mtbf_s: 0}\n", 7, ["'0' is not a valid value of mtbf_s"]),
    (CONFIG + "faults: {detection_ms: 5}\n", 7, ["names no fault"]),
    (CONFIG + "faults: {kil: {rank: 1, at_s: 0}}\n", 7, ["unknown key 'kil'", "did you mean 'kill'"]),
    (CONFIG + "faults: some\n", 7, ["'some' is not a valid value of faults", "none | a map"]),
    (CONFIG + "faults: []\n", 7, ["empty list"]),
    (CONFIG + "faults: [none, none]\n", 7, ["given twice"]),
    (CONFIG + "faults: {kill: [{rank: 1, at_s: 1}, {rank: 1, at_s: 2}]}\n", 7, ["rank 1 is lost twice"]),
    (CONFIG.replace("ranks: 8", "ranks: 1") + "faults: {kill: {rank: random, at_s: 1}}\n", 7,
     ["1 of 1 ranks are lost"]),
    (CONFIG.replace("recover", "end") + KILL, 7, ["needs on_rank_loss: recover"]),
    (CONFIG + "on_rank_los: end\n", 7, ["unknown key", "on_rank_loss"]),
    (CONFIG + "walker: rounds\n", 6, ["rounds exchange messages"]),
    (MD, 6, ["lennard_jones has a state", "save_every"]),
    (MEASUREMENT + KILL, 5, ["unknown key 'faults'"]),
    (MEASUREMENT + "on_rank_loss: recover\n", 5, ["unknown key 'on_rank_loss'"]),
])
def test_a_mistake_is_told_with_its_line(workspace, text, line, words):
    workspace.refuses(text, line, *words)


def test_parent_collective_strategies_are_unsupported(workspace):
    row, = workspace.sweep(CONFIG.replace("[none, {spread: {communicator: create_group}}]", "[collective]") + KILL, code=1)
    assert row["status"] == "unsupported" and "comm_split" in row["message"]
    workspace.run("verify", "results", code=0)


def test_runs_go_on_without_lost_ranks(workspace):
    plans = "faults: [none, {kill: {rank: 5, at_item: 30}}, {mtbf_s: 0.1, detection_ms: 10}]\nrepetitions: 3\n"
    rows = workspace.sweep(CONFIG + plans + "save_every: 4\nwalker: {kind: sleep, state_bytes: 100}\n")
    for row in rows:
        faults = dict(options_in(row["settings"])).get("faults", "none")
        lost = int(row["ranks_lost"])
        assert (lost > 0) == (float(row["recovery_s"]) >= 0 and faults != "none")
        if faults.startswith("kill"):
            assert lost == 1
    # Random faults are repeated, others are not.
    assert [row["repetition"] for row in rows].count("2") == 2
    assert max(int(row["items_repeated"]) for row in rows) > 0
    workspace.run("verify", "results", code=0)
    events = workspace.rows("events.csv")
    assert {"recover"} < {row["begin_event"] for row in events}
    for column, value in (("ranks_lost", "3"), ("items_repeated", "1000"), ("recovery_s", "0.5")):
        good = workspace.text()
        workspace.change("runs.csv", 1, column, value)
        assert column in workspace.run("verify", "results", code=1).stdout
        workspace.write("results/runs.csv", good)
    workspace.run("verify", "results", code=0)


def test_equal_runs_lose_equal_ranks(workspace):
    config = CONFIG + "faults: {mtbf_s: 0.3}\nseed: [1, 2]\n"
    first = workspace.sweep(config, file="events.csv")
    assert workspace.sweep(config, "--overwrite", file="events.csv") == first
