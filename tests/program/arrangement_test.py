# SPDX-License-Identifier: BSD-3-Clause
"""Placement of ranks: the number per node, their order, and the rows that record it. Nodes are
simulated: a variable sets the node name that a rank reports."""

import re

import pytest

from conftest import MPICH

pytestmark = pytest.mark.mpi

RUN = "ranks: 8\ngroup_size: 2\nitem_ms: 1\nworkload: {kind: constant, mean_items: 3}\nbalancers: [none]\n"


def launcher(workspace, nodes="$((rank / $1))"):
    """Returns the launcher that starts ranks on simulated nodes, given the number on each."""
    path = workspace.script("pretend.sh", "rank=${PMI_RANK:-$OMPI_COMM_WORLD_RANK}\n"
                            f"export REGROUP_PRETENDED_NODE=n{nodes}\nshift 2\nexec \"$@\"\n")
    workspace.environment.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    start = "mpiexec.mpich" if MPICH else "mpiexec --oversubscribe"
    return f"launcher: {start} -n {{ranks}} {path} {{ranks_per_node}} {{nodes}}\n"


def nodes_of(workspace, row):
    text = workspace.text(f"places/{row['placement']}.yaml")
    return re.findall(r'^    ranks: "(.*)"', text, re.MULTILINE)


def test_ranks_are_put_on_nodes_and_numbered_as_is_asked(workspace):
    config = RUN + "ranks_per_node: [4, 3]\nrank_order: [launcher, packed, round_robin]\n" + launcher(workspace)
    done = workspace.run("run", workspace.write("test.yaml", config), "--out", "results", code=0)
    assert "another place" not in done.stderr, "they were asked for"
    rows = workspace.rows()
    found = {(row["ranks_per_node"], row.get("rank_order", "launcher")): row for row in rows}
    for order in ("launcher", "packed"):
        assert nodes_of(workspace, found["4", order]) == ["0-3", "4-7"]
        assert nodes_of(workspace, found["3", order]) == ["0-2", "3-5", "6-7"]
    assert nodes_of(workspace, found["4", "round_robin"]) == ["0 2 4 6", "1 3 5 7"]
    assert nodes_of(workspace, found["3", "round_robin"]) == ["0 3 6", "1 4 7", "2 5"]
    assert found["4", "packed"]["groups_across_nodes"] == "0"
    assert found["4", "round_robin"]["groups_across_nodes"] == "4"
    assert [row["status"] for row in rows] == ["ok"] * 6
    workspace.run("verify", "results", code=0)
    table = workspace.run("table", "results").stdout
    assert "ranks_per_node" in table and "round_robin" in table


def test_ranks_that_a_launcher_spreads_are_packed(workspace):
    row, = workspace.sweep(RUN + "ranks_per_node: 4\nrank_order: packed\n"
                           + launcher(workspace, "$((rank % 2))"))
    assert nodes_of(workspace, row) == ["0-3", "4-7"]


def test_a_random_order_is_that_of_the_seed(workspace):
    rows = workspace.sweep(RUN + "ranks_per_node: 4\nrank_order: random\nseed: [1, 2]\nrepetitions: 2\n"
                           + launcher(workspace))
    places = {(row["seed"], row["placement"]) for row in rows}
    assert len(rows) == 4 and len(places) == 2 and len({seed for seed, _ in places}) == 2
    workspace.run("verify", "results", code=0)


@pytest.mark.parametrize("nodes, came", [("$((rank / 2))", "placed them on 4, up to 2 on one"),
                                         ("$((rank < 5))", "placed them on 2, up to 5 on one"),
                                         ("0", "placed them on 1, up to 8 on one")])
def test_ranks_that_came_otherwise_are_a_failed_row(workspace, nodes, came):
    row, = workspace.sweep(RUN + "ranks_per_node: 4\n" + launcher(workspace, nodes), code=1)
    assert row["status"] == "failed", row
    assert row["message"].startswith("ranks_per_node is 4, which means 8 ranks on 2 nodes")
    assert came in row["message"]
    assert row["makespan_s"] == ""
    assert workspace.nothing_left(5)


def test_verify_finds_a_row_whose_ranks_lie_otherwise_than_asked(workspace):
    workspace.sweep(RUN + "ranks_per_node: 4\n" + launcher(workspace))
    workspace.run("verify", "results", code=0)
    workspace.change("runs.csv", 0, "settings", "ranks_per_node=3")
    workspace.run("verify", "results", code=1)


def test_plan_asks_for_the_nodes_of_the_configuration(workspace):
    config = RUN + "ranks_per_node: [4, 2]\n" + launcher(workspace)
    path = workspace.write("test.yaml", config)
    done = workspace.run("plan", path, "--format", "slurm", "--ranks-per-node", "64", code=0)
    assert "--nodes=4" in done.stdout or "-N 4" in done.stdout, done.stdout


CREATION = ("measure: creation\nranks: 8\ncommunicator: create_group\nsamples: 3\nitem_ms: 0\nlate_ms: 0\n"
            "pattern: [within_node, across_nodes]\n")


def created(workspace, config):
    rows = workspace.sweep(config, file="creation.csv")
    return {(row["pattern"], row["group_size"]): row for row in rows}


def test_groups_are_formed_within_nodes_and_across_them(workspace):
    rows = created(workspace, CREATION + "group_size: [2, 3]\nranks_per_node: 4\n" + launcher(workspace))
    assert rows["within_node", "2"]["formed_groups"] == "4"
    assert rows["within_node", "3"]["formed_groups"] == "2"
    assert rows["across_nodes", "2"]["formed_groups"] == "4"
    assert rows["across_nodes", "2"]["formed_ranks_min"] == rows["across_nodes", "2"]["formed_ranks_max"] == "2"
    row = rows.pop(("across_nodes", "3"))
    assert row["status"] == "unsupported"
    assert row["message"] == "no group of 3 is across_nodes: 8 ranks are on 2 nodes, at most 4 on one"
    assert all(row["status"] == "ok" for row in rows.values())
    assert list((workspace.path / "results/logs").iterdir()) == []
    workspace.run("verify", "results", code=0)


@pytest.mark.parametrize("column, value", [("group_size", "3"), ("settings", "")])
def test_verify_knows_the_groups_of_the_nodes(workspace, column, value):
    created(workspace, CREATION + "group_size: 2\nranks_per_node: 4\n" + launcher(workspace))
    workspace.run("verify", "results", code=0)
    workspace.change("creation.csv", 1, column, value)
    workspace.run("verify", "results", code=1)


VIRTUAL = ("engine: virtual\nranks: 64\ngroup_size: 4\nitem_ms: 1\nworkload: cyclic\n"
           "costs: {kind: cluster, latency_us: 50, tell_members_us: 50, group_creation_us: 200, intranode_latency_ratio: 0.05}\n")


def test_simulated_nodes_have_groups_across_them(workspace):
    rows = workspace.sweep(VIRTUAL + "ranks_per_node: [0, 8]\nrank_order: [packed, round_robin]\n"
                           "balancers: [none]\n")
    assert [(row["settings"], row["groups_across_nodes"]) for row in rows] == [
        ("", "0"), ("rank_order=packed ranks_per_node=8", "0"),
        ("rank_order=round_robin ranks_per_node=8", "16")]
    assert all(row["placement"] == "" for row in rows)
    workspace.run("verify", "results", code=0)
    workspace.change("runs.csv", 1, "groups_across_nodes", "1")
    done = workspace.run("verify", "results", code=1)
    assert "groups_across_nodes is '1' instead of '0'" in (
        done.stdout + done.stderr)


def test_a_random_order_in_virtual_time_is_drawn_by_the_seed_and_by_no_repetition(workspace):
    rows = workspace.sweep(VIRTUAL + "ranks_per_node: 8\nrank_order: random\nseed: [1, 2]\n"
                           "repetitions: 2\nbalancers: [asynchronous]\n")
    assert [(row["seed"], row["repetition"]) for row in rows] == [("1", "1"), ("2", "1")]
    rows = workspace.sweep(VIRTUAL + "ranks_per_node: 8\nseed: [1, 2]\nbalancers: [asynchronous]\n",
                           "--overwrite")
    assert len(rows) == 1


def test_ranks_that_prefer_their_own_node_form_fewer_groups_across(workspace):
    plain, preferring = workspace.sweep(
        VIRTUAL.replace("64", "256") + "ranks_per_node: 16\n"
        "balancers: [{spread: {prefer_own_node: [false, true]}}]\n")
    assert plain["prefer_own_node"] == "false" and preferring["prefer_own_node"] == "true"
    assert int(preferring["groups_across_nodes"]) < int(plain["groups_across_nodes"])
    assert float(preferring["makespan_s"]) < 1.05 * float(plain["makespan_s"])


def test_real_ranks_prefer_their_own_node(workspace):
    rows = workspace.sweep(
        RUN.replace("[none]", "[{spread: {prefer_own_node: true}}]").replace("constant, mean_items: 3",
                                                                           "single, mean_items: 12")
        + "ranks_per_node: 4\n" + launcher(workspace))
    assert rows[0]["status"] == "ok", rows[0]["message"]
    workspace.run("verify", "results", code=0)
