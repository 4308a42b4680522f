# SPDX-License-Identifier: BSD-3-Clause
"""Walkers with a state: results of their chains, and the cost of transferring states."""

import contextlib
import csv
import json
import os
import shutil
import signal

import pytest

from conftest import eventually

CHAINS = """group_size: 4
walkers_in_all: 4
item_ms: 1
walker: {kind: lennard_jones, atoms: 7, moves_per_item: 20, burn_in_items: 10}
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


def executed_items(workspace, directory, run):
    """Returns the number of items that all groups of the run executed."""
    with (workspace.path / directory / "events.csv").open() as file:
        return sum(int(row["items_left_begin"]) - int(row["items_left_end"]) for row in csv.DictReader(file)
                   if row["run"] == run)


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
        "{kind: lennard_jones, atoms: 7, moves_per_item: 20, burn_in_items: 10}",
        "{kind: trajectory, atoms: 4, temperature: 1, time_step: 0.002, steps_per_item: 10}").replace(
        "kind: trace, trace_file: items.csv", "kind: constant, mean_items: 5000"))
    assert len({row["chains_hash"] for row in rows}) == 1
    # The problem is defined by the executed items, not by the maximum.
    executed = {executed_items(workspace, "results", row["run"]) for row in rows}
    assert len(executed) == 1 and 0 < executed.pop() < 4 * 5000
    assert len({row["problem"] for row in rows}) == 1
    workspace.run("verify", "results", code=0)
    virtual = workspace.sweep(f"engine: virtual\nranks: 8\n{CHAINS}{BALANCERS}".replace(
        "lennard_jones, atoms: 7, moves_per_item: 20, burn_in_items: 10", "nucleation").replace(
        "kind: trace, trace_file: items.csv", "kind: constant, mean_items: 5"), "--overwrite", code=1)
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
    """Kills the command and its ranks at once, like a machine failure, when `files` states exist.
    If only the command were killed, Open MPI's launcher would end the ranks a second later, when
    these short runs have finished.
    """
    sweep = workspace.start("run", workspace.write("test.yaml", config), "--out", "results")
    states = lambda: list((workspace.path / "results/logs").glob("*.states/*.state"))
    assert eventually(states, seconds=30)
    ranks = workspace.processes("regroup-mpi")
    assert eventually(lambda: len(states()) >= files, seconds=30)
    sweep.kill()
    for rank in ranks:
        with contextlib.suppress(ProcessLookupError):  # the launcher has ended it already
            os.kill(rank, signal.SIGKILL)
    sweep.communicate()
    assert workspace.nothing_left(seconds=10)
    return states()[0].parent


@pytest.mark.mpi
@pytest.mark.parametrize("files", [1, 4, 6])
def test_a_run_that_was_killed_goes_on_from_its_states(workspace, files):
    # The longest walker has many items left even if the last walker begins late.
    items = [*[40] * 5, 8000]
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
    assert not states.exists()
    for row, directory in zip(rows, ("results", "elsewhere")):
        assert executed_items(workspace, directory, row["run"]) == sum(items) - int(row["resumed_items"])
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

    assert "--states nowhere: the directory contains no states" in refusal(config, "new", "--states", "nowhere")
    assert "saves states" in refusal(config.replace("save_every: 5", "save_every: 0"), "new",
                                      "--states", str(states))
    assert "atoms=13" in refusal(config.replace("atoms: 13", "atoms: 12"), "new",
                                 "--states", str(states))
    assert "and the workload has 1 for it" in refusal(config.replace("mean_items: 100", "mean_items: 1"), "new",
                                                      "--states", str(states))
    file.write_bytes(file.read_bytes()[:-1])
    assert f"{file.name}: is damaged" in refusal(config, "results", "--resume")
    assert not (workspace.path / "new/runs.csv").exists()
    file.unlink()  # its chain then restarts
    assert workspace.sweep(config, "--resume")[0]["status"] == "ok"
    assert "allowed: 0, or a walker with a state" in refusal(
        config.replace("{kind: lennard_jones, atoms: 13, moves_per_item: 1}", "sleep"), "new")


OBSERVED = """group_size: 2
walkers_in_all: 4
item_ms: 1
report_every: 10
walker: {kind: lennard_jones, atoms: 5, moves_per_item: 20, burn_in_items: 5}
workload: {kind: trace, trace_file: items.csv}
"""


def stan_files(workspace, run, results="results"):
    """Returns {file name: bytes} of the draws of a run."""
    return {path.name: path.read_bytes() for path in (workspace.path / results / "draws" / run).iterdir()}


def draws_in(text):
    rows = list(csv.DictReader(line for line in text.decode().splitlines() if not line.startswith("#")))
    return [{name: float(cell) for name, cell in row.items()} for row in rows]


@pytest.mark.mpi
def test_chains_report_their_observations(workspace):
    workspace.write("items.csv", "items\n40\n95\n0\n60\n")
    rows = workspace.sweep(f"ranks: [1, 2, 8]\n{OBSERVED}{BALANCERS}")
    assert len(rows) == 12
    for column in ("chains_hash", "r_hat", "effective_samples"):
        assert len({row[column] for row in rows}) == 1, column
    assert 0.9 < float(rows[0]["r_hat"]) < 3 and float(rows[0]["effective_samples"]) > 3
    assert {row["worst_quantity"] for row in rows} == {"energy"} and rows[0]["batch_r_hat"] == ""
    reports = [row for row in workspace.rows("chains.csv") if row["run"] == rows[5]["run"]]
    assert [row["quantity"] for row in reports] == ["energy", "accept_stat__"] * 20
    energies = reports[::2]
    assert [int(row["executed_items"]) for row in energies] == [
        *range(10, 41, 10), *range(10, 91, 10), 95, *range(10, 61, 10)]
    assert [int(row["chain"]) for row in energies] == [0] * 4 + [1] * 10 + [3] * 6
    # The first five items of each chain are its warm-up.
    assert [int(row["samples"]) for row in energies] == [
        5, *[10] * 3, 5, *[10] * 8, 5, 5, *[10] * 5]
    assert all(0 < float(row["observed_mean"]) < 1 for row in reports[1::2])

    # All balancers and numbers of ranks give the same draws, byte by byte.
    files = stan_files(workspace, rows[0]["run"])
    assert sorted(files) == ["chain_0.csv", "chain_1.csv", "chain_3.csv"]
    assert all(stan_files(workspace, row["run"]) == files for row in rows)
    draws = draws_in(files["chain_1.csv"])
    assert len(draws) == 90 and list(draws[0]) == ["lp__", "accept_stat__", "energy"]
    first = sum(draw["energy"] for draw in draws[:5]) / 5
    assert float(energies[4]["observed_mean"]) == pytest.approx(first, rel=1e-12)
    quantities = [row for row in workspace.rows("quantities.csv") if row["run"] == rows[0]["run"]]
    assert [row["quantity"] for row in quantities] == ["energy", "accept_stat__"]
    assert float(quantities[0]["r_hat"]) == float(rows[0]["r_hat"])
    assert 0 < float(quantities[0]["mcse"]) < float(quantities[0]["sd"])
    workspace.run("verify", "results", code=0)

    path = next((workspace.path / "results/draws").glob("*/chain_1.csv"))
    whole = path.read_text()
    for wrong in (whole[:-3], whole.rsplit("\n", 2)[0] + "\n", whole.replace("energy", "work"),
                  whole.replace(f"{draws[3]['energy']!r}", f"{draws[3]['energy'] + 1e-9!r}")):
        path.write_text(wrong)
        assert "chain_1.csv" in workspace.run("verify", "results", code=1).stdout
    path.unlink()
    assert "is missing" in workspace.run("verify", "results", code=1).stdout

    without = workspace.sweep(f"ranks: 4\n{OBSERVED}balancers: [none]\n".replace(
        "report_every: 10", "report_every: 0"), "--overwrite")[0]
    assert without["chains_hash"] == rows[0]["chains_hash"] and without["r_hat"] == ""
    assert not list((workspace.path / "results/draws").iterdir())


@pytest.mark.mpi
def test_draws_are_thinned_or_not_kept(workspace):
    workspace.write("items.csv", "items\n100\n95\n0\n60\n")
    config = f"ranks: 2\n{OBSERVED}balancers: [none]\n"
    every = workspace.sweep(config)[0]
    all_draws = draws_in(stan_files(workspace, every["run"])["chain_1.csv"])
    thinned = workspace.sweep(f"thin: 4\n{config}", "--overwrite")[0]
    # Items 8, 12, … of the chain; its first five items are warm-up.
    assert draws_in(stan_files(workspace, thinned["run"])["chain_1.csv"]) == all_draws[2::4]
    without = workspace.sweep(f"keep_draws: false\n{config}", "--overwrite")[0]
    assert not (workspace.path / "results/draws" / without["run"]).exists()
    assert without["chains_hash"] == every["chains_hash"]
    assert without["r_hat"] == "" and float(without["batch_r_hat"]) > 0.9
    assert float(without["batch_effective_samples"]) > 1
    workspace.run("verify", "results", code=0)


@pytest.mark.mpi
def test_a_sweep_says_that_it_does_not_keep_many_draws(workspace):
    config = "ranks: 2\ngroup_size: 1\nitem_ms: 0.001\nreport_every: 1000\nwalker: {kind: lennard_jones, " \
             "atoms: 2, moves_per_item: 1, burn_in_items: 0}\nworkload: {kind: constant, mean_items: 600000}\n" \
             "balancers: [none]\n"
    done = workspace.run("run", workspace.write("test.yaml", config), "--out", "results", code=0)
    assert "draws" in done.stderr and "2400000" in done.stderr and "keep_draws: true" in done.stderr
    assert not (workspace.path / "results/draws").exists()


@pytest.mark.mpi
def test_statistics_go_on_from_states(workspace):
    items = [*[60] * 5, 700]
    workspace.write("items.csv", "\n".join(["items", *map(str, items)]) + "\n")
    config = SAVED.format(4, 5, "kind: trace, trace_file: items.csv", "spread: {communicator: create_group}").replace(
        "moves_per_item: 1", "moves_per_item: 1, burn_in_items: 0") + "report_every: 4\n"
    whole = workspace.sweep(config)[0]
    draws = stan_files(workspace, whole["run"])
    quantities = workspace.text("quantities.csv")
    shutil.rmtree(workspace.path / "results")
    states = kill_at(workspace, 6, config)
    missing = states / "2.state"
    missing.unlink()
    done = workspace.run("run", "test.yaml", "--out", "results", "--resume", code=0)
    assert "chain 2 of 6 begins anew" in done.stderr
    row = workspace.rows("runs.csv")[0]
    assert int(row["resumed_items"]) > 0
    assert stan_files(workspace, row["run"]) == draws
    assert workspace.text("quantities.csv") == quantities
    workspace.run("verify", "results", code=0)


@pytest.mark.mpi
@pytest.mark.parametrize("keys, items, row, changes", [
    ("", 95, 14, [("executed_items", "31"), ("chain", "9"), ("samples", "0"), ("observed_mean", "nan"),
                  ("quantity", "work"), ("squared_deviations", "-1"), ("observed_mean", "-3")]),
    ("keep_draws: false\nuntil_effective_samples: 20\n", 400, 30, [
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
    workspace.change("quantities.csv", 0, "sd", "1")
    assert "quantities.csv" in workspace.run("verify", "results", code=1).stdout


@pytest.mark.long
@pytest.mark.parametrize("keep_draws, column", [("auto", ""), ("false", "batch_")])
def test_a_run_ends_when_its_chains_have_observed_enough(workspace, keep_draws, column):
    workspace.write("items.csv", "items\n3000\n3000\n3000\n1237\n")
    config = f"keep_draws: {keep_draws}\nuntil_r_hat: 1.1\nuntil_effective_samples: 60\n{OBSERVED}"
    rows = workspace.sweep(f"ranks: [1, 4, 8]\n{config}{BALANCERS}")
    assert len(rows) == 12
    r_hat, samples = f"{column}r_hat", f"{column}effective_samples"
    for name in ("chains_hash", r_hat, samples, "enough_items"):
        assert len({row[name] for row in rows}) == 1, name
    assert float(rows[0][r_hat]) <= 1.1 and float(rows[0][samples]) >= 60
    enough = int(rows[0]["enough_items"])
    assert 200 <= enough < 3000 and enough % 10 == 0
    last = [int(row["executed_items"]) for row in workspace.rows("chains.csv")
            if row["run"] == rows[0]["run"]]
    assert max(last) == enough
    # Runs execute more items than count, but not all, unless a chain waits for another one or for a
    # core before it reports. The problem is the same, independent of the surplus items.
    assert len({row["problem"] for row in rows}) == 1
    executed = [executed_items(workspace, "results", row["run"]) for row in rows]
    assert 3 * enough <= min(executed) < 3 * 3000 and max(executed) <= 3 * 3000 + 1237
    workspace.run("verify", "results", code=0)
    workspace.change("runs.csv", 1, "enough_items", str(enough + 10))
    done = workspace.run("verify", "results", code=1)
    assert "enough_items" in done.stdout


@pytest.mark.parametrize("keys, line, said", [
    ("until_r_hat: 1.1", 2, "report_every"),
    ("until_r_hat: 0.99\nreport_every: 5", 2, "is impossible"),
    ("until_r_hat: 1.1\nreport_every: 5", 2, "R-hat compares chains, and there is one"),
    ("until_r_hat: 1.2\nreport_every: 40", 2, "could never end early"),
    ("until_effective_samples: 9\nreport_every: 5\nthin: 100", 2, "could never end early")])
def test_stopping_rules_need_reports_of_chains(workspace, keys, line, said):
    config = f"ranks: {2 if 'there is one' in said else 8}\n{keys}\nwalker: lennard_jones\n" \
             "workload: {kind: constant, mean_items: 500}\nbalancers: [none]\n"
    workspace.refuses(config, line, said, command="plan")


def test_virtual_time_does_not_know_when_chains_have_observed_enough(workspace):
    row = workspace.sweep("engine: virtual\nranks: 8\nuntil_r_hat: 1.1\nreport_every: 5\n"
                          "workload: {kind: constant, mean_items: 500}\n"
                          "walker: lennard_jones\nbalancers: [none]\n", code=1)[0]
    assert row["status"] == "unsupported" and "until_r_hat" in row["message"]


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
    # The latency is some microseconds per regrouping; 100 MB at 24 GB/s take 4 ms.
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


OWN = """ranks: [1, 2, 3]
group_size: 1
walker: {kind: lennard_jones, atoms: 40, moves_per_item: 400}
workload: {kind: trace, trace_file: items.csv}
walkers_in_all: 3
seed: 1
"""


@pytest.mark.mpi
def test_the_ideal_of_walkers_that_compute_is_the_time_of_their_items(workspace):
    """The assumed item time and speed-up have no effect on the ideal and do not separate runs."""
    workspace.write("items.csv", "items\n60\n30\n30\n")
    beliefs = "item_ms: [0.001, 1000]\nspeedup: [{kind: perfect}, {kind: amdahl, serial_fraction: 0.5}]\n"
    rows = workspace.sweep(f"{OWN}{beliefs}balancers: [none]\n")
    assert len(rows) == 12 and len({row["problem"] for row in rows}) == 1
    for row in rows:
        groups = [one for one in workspace.rows("events.csv") if one["run"] == row["run"]]
        busy = sum(float(one["busy_until_s"]) - float(one["begin_s"]) for one in groups)
        assert busy / 3 < float(row["ideal_s"]) * int(row["ranks"]) < 3 * busy
        assert (row["bound_s"] != "") == (row["ranks"] == "1")  # if groups of all sizes exist
    workspace.run("verify", "results", code=0)
    table = list(csv.DictReader(workspace.run("table", "results", "--format", "csv", code=0).stdout.splitlines()))
    assert [(row["ranks"], row["runs_ok"], row["panel"], row["item_ms"]) for row in table] == [
        (ranks, "4", "", "") for ranks in "123"]
    same = workspace.run("compare", "results", "results", "--format", "json").stdout
    assert all(one["a_rows"] == 4 for one in json.loads(same)["files"][0]["compared"])


@pytest.mark.parametrize("key", ["jitter: [0, 0.1]", "true_item_ms: 3", "true_speedup: {kind: perfect}"])
def test_nobody_sets_the_times_of_walkers_that_compute(workspace, key):
    workspace.refuses(f"ranks: 2\n{key}\nwalker: [sleep, lennard_jones]\nbalancers: [none]\n", 2,
                      "lennard_jones takes its own time", command="plan")
    workspace.run("plan", workspace.write("virtual.yaml", "ranks: 2\nengine: virtual\njitter: 0.1\n"
                  "walker: lennard_jones\nbalancers: [none]\n"), code=0)


@pytest.mark.mpi
def test_walkers_that_sleep_take_the_true_time_whatever_is_believed(workspace):
    rows = workspace.sweep("engine: [mpi, virtual]\nranks: 2\ngroup_size: 2\nitem_ms: 1000\ntrue_item_ms: 8\n"
                           "true_speedup: {kind: amdahl, serial_fraction: 0.5}\n"
                           "workload: {kind: constant, mean_items: 5}\nbalancers: [none]\n")
    for row in rows:
        assert float(row["ideal_s"]) == pytest.approx(0.02) and float(row["bound_s"]) == pytest.approx(0.03)
        assert 0.0299 < float(row["makespan_s"]) < 0.5
        assert "true_item_ms=8" in row["settings"]
    workspace.run("verify", "results", code=0)
