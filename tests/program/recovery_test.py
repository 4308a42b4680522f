# SPDX-License-Identifier: BSD-3-Clause
"""Losses of real ranks: killed, stopped, or in an item for too long. The others continue."""

import pytest

from chain_errors_test import CONFIG as CHAINS, FAILING, chains, place  # noqa: F401 (a fixture)

pytestmark = pytest.mark.mpi

SLEEPING = """ranks: 8
group_size: 2
item_ms: 10
workload: {kind: constant, mean_items: 50}
on_rank_loss: recover
balancers: [none, {asynchronous: {communicator: create_group}}, {spread: {communicator: range}}]
"""
COMPUTING = """ranks: 6
group_size: 2
walker: {kind: lennard_jones, atoms: 5, moves_per_item: 40, burn_in_items: 5}
workload: {kind: constant, mean_items: 60}
report_every: 10
save_every: 5
on_rank_loss: recover
repetitions: 4
timeout_s: 20
balancers: [none, {asynchronous: {communicator: range}}, {spread: {communicator: create_group}}]
"""


@pytest.mark.parametrize("faults, lost", [
    ("{kill: {rank: 5, at_item: 10}}", 1),
    ("{kill: [{rank: 0, at_item: 5}, {rank: 2, at_s: 0.1}, {rank: 3, at_s: 0.1}]}", 3),
    ("{hang: {rank: 6, at_s: 0.1}}", 1),
], ids=["a member", "rank 0 and a whole group", "a leader stops"])
def test_sleeping_walkers_go_on_from_their_last_items(workspace, faults, lost):
    rows = workspace.sweep(f"{SLEEPING}faults: {faults}\n")
    assert [row["status"] for row in rows] == 3 * ["ok"]
    assert int(rows[0]["ranks_lost"]) == lost  # with other balancers, a rank may have too few items
    assert all(int(row["ranks_lost"]) <= lost for row in rows)
    workspace.run("verify", "results", code=0)


def test_chains_come_to_the_same_whoever_is_lost(workspace):
    rows = workspace.sweep(COMPUTING + "faults: [none, {kill: [{rank: 0, at_item: 20}, {rank: 3, at_item: 33}]}]\n")
    assert [row["status"] for row in rows] == 24 * ["ok"]
    assert len({(row["repetition"], row["chains_hash"]) for row in rows}) == 4
    assert {row["ranks_lost"] for row in rows if "faults" not in row["settings"]} == {"0"}
    assert all(int(row["ranks_lost"]) >= 1 for row in rows if "faults" in row["settings"])
    workspace.run("verify", "results", code=0)


def test_a_chain_that_hangs_and_one_that_throws_leave_the_others_as_they_are(place):  # noqa: F811
    hanging = FAILING.replace("        super().execute(item, team)\n", '''        if self.number == 4 and item.number == 30 and "HEALTHY" not in os.environ:
            time.sleep(1000)
        super().execute(item, team)
''')
    config = CHAINS.replace("ranks: 4", "ranks: 6").replace("  - collective: {exchange_interval: 4, communicator: create_group}\n", "")
    config += "save_every: 6\non_rank_loss: recover\nitem_timeout_s: 2\n"
    rows = place.sweep(config, hanging)
    assert [row["status"] for row in rows] == 2 * ["ok"], rows
    for row in rows:
        assert row["chains_failed"] == "2" and 1 <= int(row["ranks_lost"]) <= 4
        failures = {failure["chain"]: failure for failure in chains(place, row["run"])[1]}
        assert failures.keys() == {"1", "4"}
        assert failures["4"]["executed_items"] == "30" and "more than 2 s" in failures["4"]["reason"]
    place.workspace.run("verify", "results", code=0)
    hashes = [{c["chain"]: c["chain_hash"] for c in chains(place, row["run"])[0]} for row in rows]
    healthy_run = config.replace("  - none\n", "") + "environment: {HEALTHY: '1'}\n"
    (row,) = place.sweep(healthy_run, hanging, "--overwrite")
    healthy = {c["chain"]: c["chain_hash"] for c in chains(place, row["run"])[0]}
    for found in hashes:
        assert {c: h for c, h in found.items() if c not in "14"} == {c: h for c, h in healthy.items() if c not in "14"}
