# SPDX-License-Identifier: BSD-3-Clause
"""In an allocation of several hosts, the default launcher works, and `preflight` reports hosts."""

RUNS = "group_size: 4\nitem_ms: 4\nbalancers: [none]\ntimeout_s: 60\n"


def test_the_default_launcher_is_the_jobs(sweep):
    sweep.configure("ranks: 8\nrepetitions: 2\n" + RUNS)
    assert "launcher: srun --mpi=pmi2 -n {ranks} (" in sweep.in_job("run", "mine.yaml")
    sweep.complete(2)
    assert {sweep.nodes(row) for row in sweep.rows()} == {4}


def test_srun_gets_the_ranks_per_node_and_that_they_share_processors(sweep):
    sweep.configure("ranks: [6, 12]\nranks_per_node: 3\n" + RUNS)
    sweep.in_job("run", "mine.yaml")
    sweep.complete(2)
    found = {row["ranks"]: (sweep.nodes(row), row["oversubscribed"]) for row in sweep.rows()}
    assert found["6"][0] == 2 and found["12"] == (4, "yes")


def test_preflight_reports_the_allocation(sweep):
    said = sweep.in_job("preflight")
    assert "4 hosts, 10 processors" in said
    assert "ok       launcher       srun --mpi=pmi2 -n {ranks} (" in said
    assert "ok       ranks          10 ranks on 4 hosts, 2 to 4 on each" in said
    assert "wrong" not in said
    for what in ("processors", "messages", "clocks", "/dev/shm", "communicators", "constructors"):
        assert f" {what} " in said


def test_preflight_finds_a_launcher_that_mpi_does_not_understand(sweep):
    sweep.configure("ranks: 8\nlauncher: srun --mpi=none -n {ranks}\n" + RUNS)
    said = sweep.in_job("preflight", "mine.yaml", code=1)
    assert "each rank was alone" in said and "--mpi=pmi2" in said


def test_a_run_on_several_hosts_goes_on_without_lost_ranks(sweep):
    sweep.configure("ranks: 8\ngroup_size: 2\nitem_ms: 40\nworkload: {kind: uniform, mean_items: 30}\n"
                    "balancers: [none, {spread: {communicator: range}}]\non_rank_loss: recover\n"
                    "faults: {kill: [{rank: 0, at_s: 0.2}, {rank: 5, at_s: 0.4}]}\ntimeout_s: 60\n")
    sweep.in_job("run", "mine.yaml")
    sweep.complete(2)
    assert [row["ranks_lost"] for row in sweep.rows()] == ["2", "2"]
