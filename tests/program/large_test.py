# SPDX-License-Identifier: BSD-3-Clause
"""Results that are too many to read: selection (--where), aggregation (--by), and summaries in
place of long tables."""

import csv
import json
import statistics

import pytest

from conftest import REGROUP, expect_one_line
from report_page import data, make, report

# 3 · 5 · 2 · 4 = 120 settings, with two seeds each.
SWEEP = """engine: virtual
ranks: [8, 16, 32]
group_size: 4
item_ms: [1, 2, 5, 10, 20]
workload: [{kind: uniform, mean_items: 9}, {kind: exponential, mean_items: 9}]
costs: cluster
balancers:
  - none
  - collective: {exchange_interval: [2, 4], communicator: create_group}
  - spread: {communicator: create_group}
seed: [1, 2]
"""


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    """A workspace with the results of SWEEP, which is run once."""
    from conftest import Workspace
    space = Workspace(tmp_path_factory.mktemp("large"))
    make(space, "results", SWEEP)
    return space


def table(space, *words, **options):
    return space.run("table", "results", *words, code=0, **options).stdout


def rows_of(text):
    return list(csv.DictReader(text.splitlines()))


def test_where_chooses_rows_by_parameters_options_and_conditions(swept):
    every = swept.rows()

    def chosen(*conditions):
        words = [word for condition in conditions for word in ("--where", condition)]
        return [row["run"] for row in rows_of(table(swept, *words, "--format", "rows"))]
    assert chosen("ranks=8,32") == [row["run"] for row in every if row["ranks"] != "16"]
    assert chosen("workload=uniform", "item_ms=10.0") == [
        row["run"] for row in every if row["workload"] == "uniform" and row["item_ms"] == "10"]
    assert chosen("balancer=collective") == [row["run"] for row in every if row["balancer"] == "collective"]
    for one in ("exchange_interval=4", "balancer=collective(4)", "balancer=collective(exchange_interval=4)"):
        assert chosen(one) == [row["run"] for row in every if row.get("exchange_interval") == "4"]
    assert chosen("communicator=") == [row["run"] for row in every if row["balancer"] == "none"]
    assert chosen("waited=virtual", "seed=2", "ranks=8") == [
        row["run"] for row in every if row["seed"] == "2" and row["ranks"] == "8"]


@pytest.mark.parametrize("words, told", [
    (["--where", "rank=8"], ["no key 'rank' (did you mean 'ranks'?)", "ranks, item_ms, workload, balancer, seed"]),
    (["--where", "ranks=9"], ["ranks '9'", "there are: 8, 16, 32"]),
    (["--where", "workload=uniform,pareto"], ["workload 'pareto'", "there are: uniform(mean_items=9), exponential(mean_items=9)"]),
    (["--where", "ranks"], ["KEY=VALUE"]), (["--where", "=8"], ["KEY=VALUE"]),
    (["--where", "ranks=8", "--where", "ranks=16"], ["ranks=VALUE,VALUE"]),
    (["--where", "balancer=none", "--where", "exchange_interval=2"], ["--where balancer=none --where exchange_interval=2"]),
    (["--by", "workload,balncer"], ["no key 'balncer' (did you mean 'balancer'?)"]),
    (["--by", "ranks", "--format", "latex"], ["text, markdown, csv, json"])])
def test_what_does_not_occur_is_refused_with_what_there_is(swept, words, told):
    expect_one_line(swept.run("table", "results", *words), *told)


def test_by_gives_median_and_worst_over_everything_else(swept):
    rows = rows_of(table(swept, "--by", "workload,balancer", "--format", "csv", "--where", "ranks=16,32"))
    assert len(rows) == 2 * 4
    every = [row for row in swept.rows() if row["ranks"] != "8"]
    same = ("ranks", "item_ms", "workload", "seed")
    none = {tuple(row[key] for key in same): float(row["makespan_s"]) for row in every if row["balancer"] == "none"}
    for row in rows:
        name, _, interval = row["balancer"].rstrip(")").partition("(")
        mine = [run for run in every if run["workload"] == row["workload"].partition("(")[0] and
                run["balancer"] == name and run.get("exchange_interval", interval) == interval]
        assert int(row["runs_ok"]) == int(row["runs"]) == len(mine) == 2 * 5 * 2
        for column, of in (("of_bound", lambda run: float(run["bound_s"])),
                           ("of_none", lambda run: none[tuple(run[key] for key in same)])):
            ratios = [float(run["makespan_s"]) / of(run) for run in mine]
            assert float(row[column]) == pytest.approx(statistics.median(ratios))
            assert float(row[f"{column}_worst"]) == pytest.approx(max(ratios))
    alone = rows_of(table(swept, "--by", "workload", "--where", "balancer=spread", "--format", "csv"))
    assert all(float(row["of_none"]) < 1 for row in alone), "none is there, though it is not chosen"


def test_the_best_balancer_for_a_workload_and_number_of_ranks_takes_one_command(swept):
    words = ("--where", "workload=uniform", "--where", "ranks=32", "--by", "balancer")
    lines = table(swept, *words).split("\n\n")[1].splitlines()
    bounds = [float(line.split()[1]) for line in lines[1:]]
    assert lines[1].startswith("spread") and bounds == sorted(bounds)
    printed = json.loads(table(swept, *words, "--format", "json"))["rows"]
    assert [round(row["of_bound"], 3) for row in printed] == bounds


def commands(text):
    """Returns the commands that a summary names."""
    return [line.split()[2:] for line in text.splitlines() if line.split()[:1] == [str(REGROUP)]]


def test_a_table_of_many_rows_is_a_summary_that_names_the_commands_for_the_rest(swept):
    text = table(swept)
    assert "The whole table has 120 rows" in text and len(text.splitlines()) < 30
    part, whole, programs = commands(text)
    assert 0 < len(table(swept, *part[1:]).splitlines()) < 110 and "The whole table" not in table(swept, *part[1:])
    assert len(table(swept, *whole[1:]).strip().splitlines()) == 120 + 4
    assert len(rows_of(table(swept, *programs[1:]))) == 120
    assert "The whole table" not in table(swept, "--where", "item_ms=1,2,5,10"), "96 rows"


def test_comparisons_are_of_a_part_and_summarised_if_they_are_many(swept):
    done = swept.run("compare", "results", "results", code=0)
    assert "The whole table has 240 rows" in done.stdout and "240 without difference" in done.stdout
    part, _ = commands(done.stdout)
    assert "without difference" in swept.run("compare", *part, code=0).stdout
    few = swept.run("compare", "results", "results", "--where", "ranks=8", "--where", "item_ms=1", code=0).stdout
    assert "16 compared" in few and "The whole table" not in few
    expect_one_line(swept.run("compare", "results", "results", "--where", "ranks=3"), "there are: 8, 16, 32")


def test_the_report_is_about_the_chosen_runs(swept):
    page = report(swept, "results", "--where", "ranks=8", "--where", "workload=uniform")
    said = page.said()
    assert "only results with ranks=8 and workload=uniform" in said and "runs 40, of which 40 ended well" in said
    assert {int(run["ranks"]) for side in data(page) for run in side["runs"]} == {8}
    expect_one_line_of_report(swept, "--where", "ranks=3")


def expect_one_line_of_report(space, *words):
    done = space.run("report", "results", *words, code=2)
    assert done.stderr.count("\n") == 1 and "there are: 8, 16, 32" in done.stderr


def test_the_report_of_many_settings_has_summaries(swept):
    said = report(swept, "results").said()
    assert "The whole table has 120 rows" in said and "regroup table results --where" in said


def test_measurements_are_chosen_too_and_not_combined(workspace):
    rows = [{"operation": operation, "communicator": "range", "group_size": "4", "bytes": str(size),
             "calls_per_sample": "1", "creation": "before", "samples": "30", "ranks": "8", "cores": "2",
             "oversubscribed": "yes", "time_min_s": "1e-5", "time_median_s": "1e-5"}
            for operation in ("bcast", "scan") for size in (1, 8)]
    workspace.write_rows("collectives.csv", rows)
    chosen = rows_of(table(workspace, "--where", "operation=scan", "--where", "bytes=8", "--format", "csv"))
    assert [(row["operation"], row["bytes"]) for row in chosen] == [("scan", "8")]
    expect_one_line(workspace.run("table", "results", "--where", "operation=gather"), "there are: bcast, scan")
    expect_one_line(workspace.run("table", "results", "--by", "operation"), "--by")
