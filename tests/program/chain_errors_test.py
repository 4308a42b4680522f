# SPDX-License-Identifier: BSD-3-Clause
"""Chains that fail without affecting the others (`chain_errors: end_chain`): walkers in Python, run
by the command and as a program."""

import os
import shutil
import signal

import pytest

from conftest import eventually
from python_test import WALK, Place

pytestmark = pytest.mark.mpi

# Chain 1 fails in item 20 on the last member of its group, unless the variable HEALTHY is set.
FAILING = WALK + '''
import time


class Failing(Walk):
    def __init__(self, chain, options):
        super().__init__(chain, options)
        self.number = chain.number

    def execute(self, item, team):
        time.sleep(0.001)
        fails = self.number == 1 and item.number == 20 and "HEALTHY" not in os.environ
        if fails and team.rank == team.size - 1:
            raise LookupError('no "solution", again')
        super().execute(item, team)
'''
CONFIG = """ranks: 4
group_size: 2
walkers_in_all: 8
item_ms: 1
walker: {kind: failing, terms: 50}
workload: {kind: constant, mean_items: 40}
report_every: 6
chain_errors: end_chain
balancers:
  - none
  - collective: {exchange_interval: 4, communicator: create_group}
  - spread: {communicator: create_group}
"""
ONE = CONFIG.replace("  - none\n", "").replace("  - collective: {exchange_interval: 4, communicator: create_group}\n", "")
REASON = 'LookupError: no "solution", again'


@pytest.fixture
def place(workspace):
    place = Place(workspace)
    place.environment["REGROUP_WALKERS"] = "walkers.py"
    return place


def chains(place, run):
    """Returns the reports of the chains of a run, and its failures."""
    rows = [row for row in place.workspace.rows("chains.csv") if row["run"] == run]
    return [row for row in rows if not row["reason"]], [row for row in rows if row["reason"]]


def last_hashes(place, run):
    return {row["chain"]: row["chain_hash"] for row in chains(place, run)[0]}


def test_a_chain_that_fails_leaves_the_others_as_they_are(place):
    rows = place.sweep(CONFIG, FAILING)
    assert {row["status"] for row in rows} == {"ok"}, rows
    assert {row["chains_failed"] for row in rows} == {"1"}
    assert len({row["chains_hash"] for row in rows}) == 1 and len({row["problem"] for row in rows}) == 1
    place.workspace.run("verify", "results", code=0)
    hashes = [last_hashes(place, row["run"]) for row in rows]
    for row in rows:
        reports, failures = chains(place, row["run"])
        (failure,) = failures
        assert failure["chain"] == "1" and failure["executed_items"] == "20" and failure["quantity"] == ""
        assert failure["reason"].startswith(REASON) and "walkers.py:" in failure["reason"]
        assert [one["executed_items"] for one in reports if one["chain"] == "1"][::2] == ["6", "12", "18"]
        draws = place.workspace.path / "results/draws" / row["run"]
        assert (draws / "chain_1.csv").exists()
    quantities = place.workspace.rows("quantities.csv")
    assert {row["chains"] for row in quantities} == {"7"}

    shutil.rmtree(place.workspace.path / "results")
    (whole,) = place.sweep(ONE + "environment: {HEALTHY: '1'}\n", FAILING)
    assert whole["chains_failed"] == "0"
    right = last_hashes(place, whole["run"])
    for found in hashes:
        assert {chain: one for chain, one in found.items() if chain != "1"} == {
            chain: one for chain, one in right.items() if chain != "1"}
    assert {row["chains"] for row in place.workspace.rows("quantities.csv")} == {"8"}


@pytest.mark.parametrize("events", ["all", "none"])
def test_verify_finds_failures_that_were_changed(place, events):
    place.sweep(ONE + f"events: {events}\n", FAILING)
    place.workspace.run("verify", "results", code=0)
    whole = place.workspace.text("chains.csv")
    last = len(place.workspace.rows("chains.csv")) - 1
    for column, value in [("chain", "0"), ("chain", "9"), ("executed_items", "21"), ("executed_items", "40"),
                          ("quantity", "place"), ("samples", "1"), ("observed_mean", "1"),
                          ("squared_deviations", "1"), ("chain_hash", "0123456789abcdef"), ("reason", "")]:
        place.workspace.change("chains.csv", last, column, value)
        done = place.workspace.run("verify", "results")
        assert done.returncode != 0, (column, value, done.stdout)
        place.workspace.write("results/chains.csv", whole)
    place.workspace.change("chains.csv", 0, "reason", "none")
    assert place.workspace.run("verify", "results").returncode != 0
    place.workspace.write("results/chains.csv", whole)
    place.workspace.change("runs.csv", 0, "chains_failed", "0")
    assert "chains_failed" in place.workspace.run("verify", "results", code=1).stdout


def test_a_chain_that_has_failed_stays_failed(place):
    config = ONE.replace("mean_items: 40", "mean_items: 400") + "save_every: 8\nkeep_states: true\n"
    workspace = place.workspace
    workspace.write("walkers.py", FAILING)
    sweep = workspace.start("run", workspace.write("test.yaml", config), "--out", "results")
    failed = lambda: list((workspace.path / "results/logs").glob("*.states/1.failed"))
    assert eventually(failed, seconds=120)
    os.kill(sweep.pid, signal.SIGTERM)
    sweep.communicate()
    assert workspace.nothing_left(seconds=10)
    (row,) = place.sweep(config + "environment: {HEALTHY: '1'}\n", FAILING, "--resume")
    assert row["status"] == "ok" and row["chains_failed"] == "1" and int(row["resumed_items"]) > 20
    workspace.run("verify", "results", code=0)
    (_, row) = place.sweep(config + "environment: {HEALTHY: '1'}\n", FAILING, "--extend", "10")
    assert row["status"] == "ok" and row["chains_failed"] == "1"
    workspace.run("verify", "results", code=0)
    states = str(workspace.path / f"results/logs/{row['run']}.states")
    workspace.write("again.yaml", config + "environment: {HEALTHY: '1'}\nextra_items: 10\n")
    workspace.run("run", "again.yaml", "--out", "again", "--states", states, code=0)
    assert "LookupError" not in (workspace.path / "again/chains.csv").read_text()


def test_a_run_fails_when_all_of_its_chains_do(place):
    (row,) = place.sweep(ONE, FAILING.replace("self.number == 1", "True"), code=1)
    assert row["status"] == "failed"
    assert "all of its chains failed; chain 0, item 20: " + REASON in row["message"]
    assert place.workspace.nothing_left(10)


def test_an_error_ends_the_run_where_nothing_else_is_asked(place):
    (row,) = place.sweep(ONE.replace("chain_errors: end_chain\n", ""), FAILING, code=1)
    assert row["status"] == "failed" and "chain 1, item 20: " + REASON in row["message"]
    assert place.workspace.nothing_left(10)


@pytest.mark.parametrize("ranks", [1, 3])
def test_a_program_gets_the_failures(place, ranks):
    out, _ = place.program(ranks, FAILING + '''
if __name__ == "__main__":
    outcome = regroup.run({"items": [3, 37, 40, 10], "options": {"terms": 50}}, Failing, report_every=5,
                          chain_errors="end_chain")
    if outcome:
        print(outcome.failures)
        print([one and one[0] for one in outcome.results], [len(draws) for draws in outcome.draws])
''')
    failures, results = out.splitlines()
    assert failures.startswith("{1: (20, 'LookupError: no ") and "program.py:" in failures
    assert results == "[3, None, 40, 10] [3, 20, 40, 10]"


@pytest.mark.parametrize("ranks", [1, 2])
def test_an_interruption_ends_the_run(place, ranks):
    _, err = place.program(ranks, FAILING.replace("raise LookupError(", "raise SystemExit(") + f'''
if __name__ == "__main__":
    regroup.run(items=[3, 37], group_size={ranks}, chain_errors="end_chain", walkers=Failing)
''', code=1)
    assert 'no "solution", again' in err


@pytest.mark.parametrize("change, words", [
    (("end_chain", "ignore"), ["chain_errors", "end_run | end_chain"]),
    (("chain_errors: end_chain", "item_timeout_s: 5"), ["item_timeout_s", "chain_errors: end_chain"]),
    (("report_every: 6", "item_timeout_s: 200\nsave_every: 5\non_rank_loss: recover"), ["item_timeout_s is 200 s", "less than timeout_s"]),
    (("{kind: failing, terms: 50}", "replica_exchange"), ["replica_exchange", "allowed: end_run"])])
def test_what_makes_no_sense_is_refused(place, change, words):
    config = ONE.replace(*change)
    place.workspace.write("walkers.py", FAILING)
    done = place.workspace.run("run", place.workspace.write("test.yaml", config), code=2)
    assert "test.yaml:" in done.stderr
    for word in words:
        assert word in done.stderr, done.stderr


def test_a_limit_for_items_is_accepted(place):
    (row,) = place.sweep(ONE + "item_timeout_s: 30\nsave_every: 5\non_rank_loss: recover\n", FAILING)
    assert row["status"] == "ok" and "item_timeout_s=30" in row["settings"]
