# SPDX-License-Identifier: BSD-3-Clause
"""Walkers with a state: what their chains come to, and what handing states over costs."""

import contextlib
import csv
import os
import shutil
import signal

import pytest

from conftest import eventually

CHAINS = """group_size: 4
walkers_in_all: 4
item_ms: 1
walker: {kind: lennard_jones, atoms: 7, moves_per_item: 20, burn_in_moves: 200}
workload: {kind: trace, trace_file: items.csv}
"""
BALANCERS = """balancers:
  - none
  - collective: {exchange_interval: 4, communicator: range}
  - asynchronous: {finished_groups: release, communicator: create_group}
  - spread: {communicator: create_group}
"""
STATES = """engine: virtual
ranks: 32
costs: cluster
workload: {kind: single, long_group: last}
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
    workspace.run("verify", "results", code=0)


@pytest.mark.long
@pytest.mark.mpi
def test_chains_that_end_by_themselves_end_the_same_on_however_many_ranks(workspace):
    rows = workspace.sweep(f"ranks: [1, 3, 8]\n{CHAINS}{BALANCERS}".replace(
        "{kind: lennard_jones, atoms: 7, moves_per_item: 20, burn_in_moves: 200}",
        "{kind: trajectory, atoms: 4, temperature: 1, time_step: 0.002, steps_per_item: 10}").replace(
        "kind: trace, trace_file: items.csv", "kind: constant, mean_items: 5000"))
    assert len({row["chains_hash"] for row in rows}) == 1
    # What they executed, and not the most that they might have, is what there was to do.
    work = {round(float(row["ideal_s"]) * int(row["ranks"]), 9) for row in rows}
    assert len(work) == 1 and 0 < work.pop() < 4 * 5
    workspace.run("verify", "results", code=0)
    virtual = workspace.sweep(f"engine: virtual\nranks: 8\n{CHAINS}{BALANCERS}".replace(
        "lennard_jones, atoms: 7, moves_per_item: 20, burn_in_moves: 200", "nucleation").replace(
        "kind: trace, trace_file: items.csv", "kind: constant, mean_items: 5"), "--overwrite")
    assert {row["status"] for row in virtual} == {"unsupported"}
    assert "the walker nucleation ends by itself" in virtual[0]["message"]
    advice = workspace.run("advise", "test.yaml", code=2)
    assert "ends by itself" in advice.stderr


SAVED = """ranks: {}
group_size: 2
walkers_in_all: 6
item_ms: 1
save_every: {}
walker: {{kind: lennard_jones, atoms: 13, moves_per_item: 1}}
workload: {{{}}}
balancers: [{}]
"""


def kill_at(workspace, files, config):
    """Kills the command and its ranks at once, as a machine that fails does, when there are so many
    states. The ranks of a command that is killed alone are ended by their launcher: Open MPI's lets
    them work for another second, in which a run as short as these comes to its end.
    """
    sweep = workspace.start("run", workspace.write("test.yaml", config), "--out", "results")
    states = lambda: list((workspace.path / "results/logs").glob("*.states/*.state"))
    assert eventually(states, seconds=30)
    ranks = workspace.processes("regroup-mpi")
    assert eventually(lambda: len(states()) >= files, seconds=30)
    sweep.kill()
    for rank in ranks:
        with contextlib.suppress(ProcessLookupError):  # the launcher was quicker
            os.kill(rank, signal.SIGKILL)
    sweep.communicate()
    assert workspace.nothing_left(seconds=10)
    return states()[0].parent


@pytest.mark.mpi
@pytest.mark.parametrize("files", [1, 4, 6])
def test_a_run_that_was_killed_goes_on_from_its_states(workspace, files):
    # However late the last walker begins, the longest has much left to do.
    items = [*[40] * 5, 700]
    workspace.write("items.csv", "\n".join(["items", *map(str, items)]) + "\n")
    trace = "kind: trace, trace_file: items.csv"
    config = SAVED.format(4, 5, trace, "spread: {communicator: create_group}")
    whole = workspace.sweep(config)[0]
    shutil.rmtree(workspace.path / "results")
    states = kill_at(workspace, files, config)
    other = SAVED.format(3, 5, trace, "asynchronous: {communicator: range}")
    workspace.run("run", workspace.write("other.yaml", other), "--out", "elsewhere",
                         "--states", str(states), code=0)
    rows = [workspace.sweep(config, "--resume")[0],
            dict(zip(*csv.reader((workspace.path / "elsewhere/runs.csv").open())))]
    for row in rows:
        assert row["chains_hash"] == whole["chains_hash"]
        executed = int(row["resumed_items"])
        assert 5 * files <= executed < sum(items)
        assert float(row["ideal_s"]) * int(row["ranks"]) == pytest.approx(
            (sum(items) - executed) / 1e3)
    assert not states.exists()
    for directory in ("results", "elsewhere"):
        workspace.run("verify", directory, code=0)
    workspace.change("runs.csv", 0, "resumed_items", "7")
    workspace.run("verify", "results", code=1)


@pytest.mark.mpi
def test_states_that_do_not_fit_are_refused_before_anything_starts(workspace):
    config = SAVED.format(4, 5, "kind: constant, mean_items: 100", "none")
    states = kill_at(workspace, 2, config)
    file = sorted(states.iterdir())[0]

    def refusal(text, *arguments):
        done = workspace.run("run", workspace.write("test.yaml", text), "--out", *arguments, code=2)
        return done.stderr

    assert "--states nowhere: there are none" in refusal(config, "new", "--states", "nowhere")
    assert "writes states" in refusal(config.replace("save_every: 5", "save_every: 0"), "new",
                                      "--states", str(states))
    assert "atoms=13" in refusal(config.replace("atoms: 13", "atoms: 12"), "new",
                                 "--states", str(states))
    assert "and the workload has 1 for it" in refusal(config.replace("mean_items: 100", "mean_items: 1"), "new",
                                                      "--states", str(states))
    file.write_bytes(file.read_bytes()[:-1])
    assert f"{file.name}: is damaged" in refusal(config, "results", "--resume")
    assert not (workspace.path / "new/runs.csv").exists()
    file.unlink()  # then that chain begins anew
    assert workspace.sweep(config, "--resume")[0]["status"] == "ok"
    assert "allowed: 0, or a walker with a state" in refusal(
        config.replace("{kind: lennard_jones, atoms: 13, moves_per_item: 1}", "sleep"), "new")


OBSERVED = """group_size: 2
walkers_in_all: 4
item_ms: 1
report_every: 10
walker: {kind: lennard_jones, atoms: 5, moves_per_item: 20, burn_in_moves: 100}
workload: {kind: trace, trace_file: items.csv}
"""


@pytest.mark.mpi
def test_chains_report_their_observations(workspace):
    workspace.write("items.csv", "items\n40\n95\n0\n60\n")
    rows = workspace.sweep(f"ranks: [1, 4]\n{OBSERVED}{BALANCERS}")
    assert len(rows) == 8
    for column in ("chains_hash", "r_hat", "effective_samples"):
        assert len({row[column] for row in rows}) == 1, column
    assert 0.9 < float(rows[0]["r_hat"]) < 3 and float(rows[0]["effective_samples"]) > 3
    reports = [row for row in workspace.rows("chains.csv") if row["run"] == rows[5]["run"]]
    assert [int(row["executed_items"]) for row in reports] == [
        *range(10, 41, 10), *range(10, 91, 10), 95, *range(10, 61, 10)]
    assert [int(row["chain"]) for row in reports] == [0] * 4 + [1] * 10 + [3] * 6
    assert [int(row["samples"]) for row in reports] == [200] * 13 + [100] + [200] * 6
    assert all(0 < int(row["accepted_moves"]) < int(row["proposed_moves"]) == int(row["samples"])
               for row in reports)
    workspace.run("verify", "results", code=0)
    without = workspace.sweep(f"ranks: 4\n{OBSERVED}balancers: [none]\n".replace(
        "report_every: 10", "report_every: 0"), "--overwrite")[0]
    assert without["chains_hash"] == rows[0]["chains_hash"] and without["r_hat"] == ""


@pytest.mark.mpi
@pytest.mark.parametrize("keys, items, row, changes", [
    # In the second half of its chain: all of that counts.
    ("", 95, 7, [("executed_items", "31"), ("chain", "9"), ("samples", "0"), ("observed_mean", "nan"),
                 ("accepted_moves", "201"), ("observed_mean", "-3")]),
    ("until_effective_samples: 20\n", 400, 30, [
        ("chain", "-1"), ("chain", "2000000000"), ("executed_items", "9000000000000000000"), ("observed_mean", "-1")])],
    ids=["all items", "until there are enough samples"])
def test_verify_finds_reports_that_were_changed(workspace, keys, items, row, changes):
    workspace.write("items.csv", f"items\n{items}\n{items}\n0\n{items}\n")
    workspace.sweep(f"ranks: 2\n{keys}{OBSERVED}balancers: [none]\n")
    whole = workspace.text("chains.csv")
    for column, value in changes:
        workspace.change("chains.csv", row, column, value)
        done = workspace.run("verify", "results", code=1)
        assert done.stdout.startswith("results/"), (column, done.stdout)
        workspace.write("results/chains.csv", whole)


@pytest.mark.long
def test_a_run_ends_when_its_chains_have_observed_enough(workspace):
    workspace.write("items.csv", "items\n1500\n1500\n1500\n37\n")
    config = f"until_r_hat: 1.1\nuntil_effective_samples: 60\n{OBSERVED}"
    rows = workspace.sweep(f"ranks: [1, 4, 8]\n{config}{BALANCERS}")
    assert len(rows) == 12
    for column in ("chains_hash", "r_hat", "effective_samples", "enough_items"):
        assert len({row[column] for row in rows}) == 1, column
    assert float(rows[0]["r_hat"]) <= 1.1 and float(rows[0]["effective_samples"]) >= 60
    enough = int(rows[0]["enough_items"])
    assert 37 < enough < 1500 and enough % 10 == 0
    last = [int(row["executed_items"]) for row in workspace.rows("chains.csv")
            if row["run"] == rows[0]["run"]]
    assert max(last) == enough and 37 in last
    # What was executed is what there was to do: more than counts, and less than all where no chain
    # waits for another to end before it reports.
    for row in rows:
        executed = round(float(row["ideal_s"]) * int(row["ranks"]) * 1e3)
        assert 3 * enough + 37 <= executed <= 3 * 1500 + 37
        assert executed < 3 * 1500 or row["ranks"] != "8", row["balancer"]
    workspace.run("verify", "results", code=0)
    workspace.change("runs.csv", 1, "enough_items", str(enough + 10))
    done = workspace.run("verify", "results", code=1)
    assert "enough_items" in done.stdout
    short = workspace.sweep(f"ranks: 4\n{config}balancers: [none]\n".replace(
        "kind: trace, trace_file: items.csv", "kind: constant, mean_items: 30"), "--overwrite")[0]
    assert short["enough_items"] == "0" and short["status"] == "ok"


@pytest.mark.parametrize("keys, line, said", [
    ("until_r_hat: 1.1", 2, "report_every"),
    ("until_effective_samples: 9\nreport_every: 5\nsave_every: 5", 2, "give one of them"),
    ("until_r_hat: 0.99\nreport_every: 5", 2, "no chains agree so well"),
    ("until_r_hat: 1.1\nreport_every: 5", 2, "R-hat compares chains, and there is one")])
def test_stopping_rules_need_reports_of_chains(workspace, keys, line, said):
    config = f"ranks: {2 if 'there is one' in said else 8}\n{keys}\nwalker: lennard_jones\nbalancers: [none]\n"
    workspace.refuses(config, line, said, command="plan")


def test_virtual_time_does_not_know_when_chains_have_observed_enough(workspace):
    row = workspace.sweep("engine: virtual\nranks: 8\nuntil_r_hat: 1.1\nreport_every: 5\n"
                          "walker: lennard_jones\nbalancers: [none]\n")[0]
    assert row["status"] == "unsupported" and "observed enough" in row["message"]


def test_a_walker_that_observes_nothing_has_nothing_to_report(workspace):
    workspace.refuses("ranks: 2\nreport_every: 5\nbalancers: [none]\n", 2, "the walker sleep observes nothing")


@pytest.mark.mpi
def test_another_repetition_has_other_chains(workspace):
    rows = workspace.sweep(f"ranks: 4\nrepetitions: 2\n{CHAINS}balancers: [none]\n".replace(
        "kind: trace, trace_file: items.csv", "kind: constant, mean_items: 3"))
    assert len({row["chains_hash"] for row in rows}) == 2


@pytest.mark.mpi
def test_verify_finds_chains_that_differ(workspace):
    rows = chains(workspace, "3")
    workspace.change("runs.csv", 2, "chains_hash", "0123456789abcdef")
    done = workspace.run("verify", "results", code=1)
    assert "runs.csv:4: " in done.stdout and rows[0]["chains_hash"] in done.stdout
    workspace.change("runs.csv", 2, "chains_hash", "")
    assert "chains_hash" in workspace.run("verify", "results").stdout


def test_handing_over_a_state_costs_virtual_time(workspace):
    none, little, much = workspace.sweep(STATES)
    assert [row["chains_hash"] for row in (none, little, much)] == ["", "", ""]
    assert [row["hand_over_bytes"] for row in (none, little, much)] == ["0", "1000", "100000000"]
    # Latency alone is some microseconds for each of a few regroupings; 100 MB at 24 GB/s take 4 ms.
    assert float(none["hand_over_s"]) == 0
    assert 1e-6 < float(little["hand_over_s"]) < 1e-3
    assert float(much["hand_over_s"]) > 4e-3
    assert float(little["makespan_s"]) <= float(much["makespan_s"])
    workspace.run("verify", "results", code=0)


def test_the_plan_names_unusual_walkers(workspace):
    done = workspace.run("plan", workspace.write("test.yaml", STATES))
    words = [line.split(", ", 1)[1] for line in done.stdout.splitlines() if ", #" in line]
    assert "sleep" not in words[0]
    assert "sleep(state_bytes=1000)" in words[1] and "sleep(state_bytes=100000000)" in words[2]
