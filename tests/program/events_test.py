# SPDX-License-Identifier: BSD-3-Clause
"""The key `events`: which events of groups are stored, and reports of missing events."""

import re
import subprocess

import pytest

from conftest import BUILD, expect_one_line

ROOT = BUILD.parent
TIMELINE = ROOT / "plots/timeline.py"
RUNS = """engine: virtual
ranks: 64
seed: [1, 2]
workload: {kind: exponential, mean_items: 8}
balancers: [none, asynchronous]
"""
LARGE = "engine: virtual\nranks: [16384, 16385]\nbalancers: [none]\n"
TOLD = {"all": {"events.csv", "regroups.csv"}, "summary": {"regroups.csv"}, "none": set()}


def written(workspace):
    """Returns the files beside runs.csv that have rows, and the value of `events` in runs.csv."""
    files = {file for file in ("events.csv", "regroups.csv") if workspace.rows(file)}
    return files, {row["events"] for row in workspace.rows()}


@pytest.mark.parametrize("word", TOLD)
def test_each_detail_of_events_is_written_and_verified(workspace, word):
    workspace.sweep(RUNS + f"events: {word}\n")
    assert written(workspace) == (TOLD[word], {word})
    done = workspace.run("verify", "results")
    assert (done.returncode, done.stdout) == (0, "results: 4 of 4 runs verified\n")


def test_all_other_columns_are_the_same(workspace):
    def facts(word):
        rows = workspace.sweep(RUNS + f"events: {word}\n", "--overwrite")
        return [{name: cell for name, cell in row.items()
                 if name not in ("events", "wall_s")}
                for row in rows]
    assert facts("all") == facts("summary") == facts("none")


def test_larger_runs_have_a_summary_where_nothing_is_asked_for(workspace):
    small, large = workspace.sweep(LARGE)
    assert (small["events"], large["events"]) == ("all", "summary")
    assert {row["run"] for row in workspace.rows("events.csv")} == {small["run"]}
    assert "--set events=all" not in workspace.run("plan", "test.yaml").stdout
    small, large = workspace.sweep(LARGE, "--overwrite", "--set", "events=all")
    assert (small["events"], large["events"]) == ("all", "all")


@pytest.mark.parametrize("value, words", [
    ("some", ["'some' is not a valid value of events", "auto | all | summary | none"]),
    ("[all, none]", ["events is a list", "give one word"]), ("{a: b}", ["events is a map"])])
def test_a_wrong_word_is_refused_at_its_line(workspace, value, words):
    workspace.refuses(RUNS + f"events: {value}\n", 6, *words)


def test_measurements_have_no_events(workspace):
    workspace.refuses("measure: steps\nranks: 4\ngroup_size: 2\nevents: all\n", 4, "unknown key 'events'")


def test_a_resumed_sweep_keeps_old_rows_and_adds_events_to_new_ones(workspace):
    first = workspace.sweep(RUNS + "events: summary\n", "--only", "none")
    rows = workspace.sweep(RUNS + "events: all\n", "--resume")
    assert [row["events"] for row in rows] == ["summary", "summary", "all", "all"]
    assert rows[:2] == first
    workspace.run("verify", "results", code=0)


def test_shards_without_events_are_merged(workspace):
    workspace.write("test.yaml", RUNS + "events: summary\n")
    for shard in ("1/2", "2/2"):
        workspace.run("run", "test.yaml", "--out", "results", "--shard", shard, code=0)
    workspace.run("merge", "results", code=0)
    assert written(workspace) == ({"regroups.csv"}, {"summary"})
    workspace.run("verify", "results", code=0)


def test_readers_of_events_report_that_none_were_written(workspace):
    last = workspace.sweep(RUNS + "events: summary\n")[-1]["run"]
    for words in (["trace", "results"], ["trace", "results", last],
                  ["groups", "make", "--run", "results"],
                  ["groups", "make", "--run", "results", "--id", last]):
        expect_one_line(workspace.run(*words), "events")
    for words in ([], ["--run", last]):
        done = subprocess.run([TIMELINE, "results", *words], cwd=workspace.path, text=True,
                              capture_output=True)
        reason = rf"of run {last} .*'events' is summary.*events=all"
        assert done.returncode == 2 and re.search(reason, done.stderr), done.stderr


def test_readers_of_events_choose_a_run_that_has_them(workspace):
    workspace.sweep(LARGE.replace("[none]", "[asynchronous]"))
    small = workspace.rows()[0]["run"]
    done = workspace.run("trace", "results", "--ranks", "0-7", code=0)
    assert small in done.stdout, done.stderr
    done = subprocess.run([TIMELINE, "results", "-o", "timeline.png"], cwd=workspace.path, text=True,
                          capture_output=True)
    assert done.returncode == 0, done.stderr
    assert (workspace.path / "timeline.png").exists()


def test_verify_finds_a_wrong_figure_without_events(workspace):
    workspace.sweep(RUNS + "events: summary\n")
    workspace.change("runs.csv", 3, "makespan_s", "1")
    done = workspace.run("verify", "results", code=1)
    assert "makespan_s is '1' instead of '" in done.stdout


@pytest.mark.mpi
def test_verify_reports_what_it_cannot_check_of_real_processes(workspace):
    workspace.sweep("ranks: 4\ngroup_size: 1\nitem_ms: 2\nbalancers: [none, asynchronous]\n"
                    "workload: {kind: cyclic, multiplier: 4, modulus: 4}\nevents: none\n")
    done = workspace.run("verify", "results", code=0)
    unchecked, verified = done.stdout.splitlines()
    assert "not checked: " in unchecked and verified == "results: 2 of 2 runs verified"
