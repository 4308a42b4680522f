# SPDX-License-Identifier: BSD-3-Clause
"""Runs whose chains continue from their final states."""

import csv

import pytest

from conftest import eventually, expect_one_line, options_in

# Some chains end between two reports, and one has no items at first.
CONFIG = """ranks: 4
group_size: 2
walkers_in_all: 4
item_ms: 1
keep_states: true
report_every: 7
walker: {kind: lennard_jones, atoms: 5, moves_per_item: 2, burn_in_items: 10}
workload: {kind: trace, trace_file: items.csv}
balancers: [none, {spread: {communicator: create_group}}]
"""
ITEMS = "items\n40\n91\n0\n25\n"


def extra_items(row):
    return int(dict(options_in(row["settings"])).get("extra_items", 0))


def runs(workspace, directory):
    """Returns the rows of a directory, by extra items and balancer, with results of chains."""
    def rows(file):
        with (workspace.path / directory / file).open() as text:
            return list(csv.DictReader(text))

    found = {}
    for row in rows("runs.csv"):
        draws = [path.read_bytes() for path in sorted((workspace.path / directory / "draws" / row["run"]).iterdir())]
        reports = [[value for name, value in report.items() if name != "run"]
                   for file in ("chains.csv", "quantities.csv") for report in rows(file)
                   if report["run"] == row["run"]]
        figures = [row[name] for name in ("chains_hash", "r_hat", "effective_samples")]
        found[extra_items(row), row["balancer"].partition("(")[0]] = (figures, draws, reports)
    return found


@pytest.mark.mpi
def test_a_run_that_is_extended_twice_is_one_long_run(workspace):
    workspace.write("items.csv", ITEMS)
    workspace.sweep(CONFIG)
    workspace.sweep(CONFIG, "--extend", 20)
    rows = workspace.sweep(CONFIG, "--extend", 13)
    assert [extra_items(row) for row in rows] == [0, 0, 20, 20, 33, 33]
    assert [int(row["resumed_items"]) for row in rows] == [0, 0, 156, 156, 236, 236]
    workspace.run("run", "test.yaml", "--out", "long", "--set", "extra_items=33", code=0)
    extended, long = runs(workspace, "results"), runs(workspace, "long")
    assert extended[33, "none"] == long[33, "none"] and extended[33, "spread"] == long[33, "spread"]
    assert long[33, "none"][0] == long[33, "spread"][0] and long[33, "none"][1] == long[33, "spread"][1]
    assert extended[0, "none"][0] != long[33, "none"][0]

    # Other ranks and another balancer continue from the stored states of the first extension.
    states = workspace.path / "results/logs" / f"{rows[3]['run']}.states"
    workspace.run("run", "test.yaml", "--out", "other", "--set", "ranks=6", "--set", "group_size=3", "--set",
                  "balancers=[asynchronous]", "--set", "extra_items=33", "--states", states, code=0)
    assert runs(workspace, "other")[33, "asynchronous"][:2] == long[33, "none"][:2]

    for directory in ("results", "long", "other"):
        workspace.run("verify", directory, code=0)
    assert "extra_items" in workspace.run("table", "results", code=0).stdout
    workspace.change("runs.csv", 4, "settings", rows[4]["settings"].replace("=33", "=34"))
    workspace.run("verify", "results", code=1)


@pytest.mark.mpi
def test_an_extension_that_was_killed_is_finished(workspace):
    config = CONFIG.replace("moves_per_item: 2", "moves_per_item: 1").replace(
        "kind: trace, trace_file: items.csv", "kind: constant, mean_items: 20") + "save_every: 5\n"
    workspace.sweep(config)
    states = {path.name for path in (workspace.path / "results/logs").iterdir()}
    sweep = workspace.start("run", "test.yaml", "--out", "results", "--extend", 1500)
    begun = lambda: len({path.name for path in (workspace.path / "results/logs").glob("*.states")} - states) == 2
    assert eventually(begun) and eventually(lambda: any((workspace.path / "results/logs").glob("*.task.json")))
    sweep.kill()
    sweep.communicate()
    assert workspace.nothing_left(seconds=10)
    done = len(workspace.rows("runs.csv")) - 2
    assert done < 2
    if done == 1:
        expect_one_line(workspace.run("run", "test.yaml", "--out", "results", "--extend", 1500), "1 of 2 runs")
    rows = workspace.sweep(config, "--extend", 1500, "--resume")
    assert [extra_items(row) for row in rows] == [0, 0, 1500, 1500]
    assert {row["status"] for row in rows} == {"ok"}
    assert len(workspace.sweep(config, "--extend", 1500, "--resume")) == 4
    assert len({row["chains_hash"] for row in rows}) == 2
    workspace.run("verify", "results", code=0)


@pytest.mark.mpi
def test_what_cannot_be_extended_is_refused(workspace):
    workspace.write("items.csv", ITEMS)
    short = CONFIG.replace("balancers: [none, {spread: {communicator: create_group}}]", "balancers: [none]")

    def refusal(config, *words, arguments=(), out="results"):
        name = workspace.write("test.yaml", config)
        expect_one_line(workspace.run("run", name, "--out", out, "--extend", 5, *arguments), "--extend", *words)

    refusal(short, "contains no runs")
    workspace.sweep(short.replace("keep_states: true", "keep_states: false"))
    refusal(short.replace("keep_states: true\n", ""), "set keep_states: true")
    refusal(short, "were not stored", "keep_states: true")
    refusal(CONFIG, "1 of 2 runs have not ended well")
    refusal(short, "--overwrite", arguments=("--overwrite",))
    refusal(short + "engine: virtual\n", "virtual", "extra_items")
    refusal(short.replace("kind: trace, trace_file: items.csv", "kind: constant, mean_items: 300") +
            "until_r_hat: 2\n", "stopping rule")
    asleep = "ranks: 2\ngroup_size: 1\nitem_ms: 1\nworkload: {kind: constant, mean_items: 2}\nbalancers: [none]\n"
    workspace.sweep(asleep, "--overwrite")
    refusal(asleep, "the walker sleep has no state", "extra_items")
    assert len(workspace.rows("runs.csv")) == 1
    expect_one_line(workspace.run("run", workspace.write("bad.yaml", asleep + "keep_states: true\n")), "bad.yaml:6: ",
                    "no state to save")


def test_extra_items_make_a_longer_run_in_virtual_time(workspace):
    config = "engine: virtual\nranks: 4\ngroup_size: 2\nitem_ms: 100\nextra_items: [0, 30]\n" \
             "workload: {kind: constant, mean_items: 10}\nbalancers: [none]\n"
    rows = workspace.sweep(config)
    assert [float(row["makespan_s"]) for row in rows] == pytest.approx([0.5, 2])
    workspace.run("verify", "results", code=0)
