# SPDX-License-Identifier: BSD-3-Clause
"""`regroup compare` on results of virtual runs and on modified copies."""

import json
import shutil

import pytest

RUNS = """engine: virtual
ranks: [8, 16]
workload: {kind: exponential, mean_items: 8}
seed: [1, 2]
balancers: [none, collective: {exchange_interval: 2}]
"""
NOISE = [1.00, 1.013, 0.992, 1.006, 0.987, 1.021, 0.995, 1.009]


def compare(workspace, *arguments, a="results", b="other", code=0):
    done = workspace.run("compare", a, b, *arguments, code=code)
    return done.stdout if code < 2 else done.stderr


def compared(workspace, *arguments, **options):
    """Returns the comparison of the only file."""
    code = options.pop("code", 0)
    done = workspace.run("compare", options.get("a", "results"), options.get("b", "other"), "--format", "json",
                         *arguments, code=code)
    return json.loads(done.stdout)["files"][0]


def copied(workspace, change=lambda row: None, file="runs.csv", name="other"):
    """Copies the results and applies `change` to each row."""
    shutil.copytree(workspace.path / "results", workspace.path / name)
    rows = workspace.rows(file, expanded=False)
    for row in rows:
        change(row)
    workspace.write_rows(file, rows, name)


def measured(workspace, name, factors, width=0.01, **fixed):
    """Writes results of collectives; `factors` has a time factor for each repetition."""
    rows = []
    for operation, times in factors.items():
        for repetition, factor in enumerate(times, 1):
            seconds = 1e-5 * factor
            row = {
                "operation": operation, "communicator": "range",
                "group_size": "4", "bytes": "8", "calls_per_sample": "1", "creation": "before",
                "samples": "30", "ranks": "8", "cores": "2", "oversubscribed": "yes", "repetition": repetition,
                "time_min_s": seconds * 0.9, "time_median_s": seconds,
                "time_low_s": seconds * (1 - width), "time_high_s": seconds * (1 + width)}
            rows.append(row | fixed)
    workspace.write_rows("collectives.csv", rows, name)
    return rows


def slower(factor, times=NOISE):
    return [factor * time for time in reversed(times)]


def verdicts(result):
    return {one["parameters"]["operation"]: one["verdict"] for one in result["compared"]}


def test_an_unchanged_copy_has_no_difference(workspace):
    workspace.sweep(RUNS)
    copied(workspace)
    told = compare(workspace)
    assert "8 compared: 0 worse (slower by more than 5 %), 0 slower, 0 faster, 8 without" in told
    assert "differs" not in told and "without partner" not in told


def test_virtual_time_is_compared_exactly(workspace):
    workspace.sweep(RUNS)
    first = workspace.rows()[0]["run"]

    def change(row):
        if row["run"] == first:
            row["makespan_s"] = repr(float(row["makespan_s"]) * 1.0001)
    copied(workspace, change)
    result = compared(workspace)
    assert [one["method"] for one in result["compared"]] == ["exact"] * 8
    assert sorted(one["verdict"] for one in result["compared"]) == ["no difference"] * 7 + ["slower"]
    assert result["judged"] == 0
    assert "WORSE" in compare(workspace, "--worse", "0.005%", code=1)


def test_a_slowdown_of_ten_percent_is_found_in_repetitions(workspace):
    measured(workspace, "results", {"bcast": NOISE, "scan": NOISE})
    measured(workspace, "other", {"bcast": slower(1.1), "scan": slower(1)})
    result = compared(workspace, code=1)
    assert verdicts(result) == {"bcast": "WORSE", "scan": "no difference"}
    bcast = next(one for one in result["compared"] if one["verdict"] == "WORSE")
    assert bcast["method"] == "repetitions" and bcast["low"] > 1.05 and bcast["low"] < 1.1 < bcast["high"]
    assert result["judged"] == 2
    assert verdicts(compared(workspace, a="other", b="results")) == {
        "bcast": "faster", "scan": "no difference"}


def test_a_slowdown_within_the_limit_is_no_failure(workspace):
    measured(workspace, "results", {"bcast": NOISE})
    measured(workspace, "other", {"bcast": slower(1.1)})
    assert verdicts(compared(workspace, "--worse", "20%")) == {"bcast": "slower"}
    # The ratio is above the limit, but not the whole interval.
    assert verdicts(compared(workspace, "--worse", "9.5%")) == {"bcast": "slower"}


def test_single_rows_are_compared_by_their_intervals(workspace):
    measured(workspace, "results", {"bcast": [1], "scan": [1]})
    measured(workspace, "other", {"bcast": [1.1], "scan": [1.01]})
    assert verdicts(compared(workspace, code=1)) == {"bcast": "WORSE", "scan": "no difference"}
    assert "they do not\ninclude differences between launches" in compare(workspace, code=1)


def test_rows_without_intervals_and_repetitions_are_not_judged(workspace):
    for name, factor in (("results", 1), ("other", 3)):
        measured(workspace, name, {"bcast": [factor]}, time_low_s="", time_high_s="")
    assert verdicts(compared(workspace, code=2)) == {"bcast": "not judged"}
    assert "no time was judged" in compare(workspace, code=2)


def test_many_comparisons_are_corrected_for(workspace):
    # In a single comparison, complete separation of 4 and 4 samples has a probability of 2.9 %.
    names = ["bcast", "reduce", "allreduce", "scan", "exscan", "gather"]
    four = NOISE[:4]
    measured(workspace, "results", {name: four for name in names})
    measured(workspace, "other", {name: slower(1.2 if name == "bcast" else 1, four) for name in names})
    assert set(verdicts(compared(workspace, code=2)).values()) == {"not judged"}
    measured(workspace, "other", {"bcast": slower(1.2, four)})
    assert verdicts(compared(workspace, code=1)) == {"bcast": "WORSE"}


def test_intervals_are_corrected_as_verdicts_are(workspace):
    names = ["bcast", "reduce", "allreduce", "scan", "exscan", "gather"]
    # In a single comparison it would be slower: 1 is outside its 95 % interval.
    almost = [0.998, 1.003, 1.0115, 1.018, 1.025, 1.03, 1.04, 1.05]
    measured(workspace, "results", {name: NOISE for name in names})
    measured(workspace, "other", {name: almost if name == "bcast" else slower(1) for name in names})
    result = compared(workspace)
    assert result["confidence"] > 0.99 and set(verdicts(result).values()) == {"no difference"}
    assert all(one["low"] <= 1 <= one["high"] for one in result["compared"])
    measured(workspace, "other", {"bcast": almost})
    alone = compared(workspace)["compared"][0]
    assert alone["verdict"] == "slower" and alone["low"] > 1


def test_runs_of_drawn_problems_are_compared_problem_by_problem(workspace):
    workspace.sweep("engine: virtual\nranks: 8\nworkload: {kind: exponential, mean_items: 8}\n"
                    "seed: [1, 2, 3, 4, 5, 6, 7, 8]\nbalancers: [none]\n")
    copied(workspace, lambda row: row.update(engine="mpi", clock="wall", waited="polite", costs=""),
           name="a")
    copied(workspace, lambda row: row.update(
        engine="mpi", clock="wall", waited="polite", costs="",
        makespan_s=repr(1.1 * float(row["makespan_s"]))), name="b")
    result = compared(workspace, a="a", b="b", code=1)
    assert [one["method"] for one in result["compared"]] == ["problems"]
    assert result["compared"][0]["ratio"] == pytest.approx(1.1)


def test_differing_parameters_are_reported(workspace):
    workspace.sweep(RUNS)
    copied(workspace, lambda row: row.update(group_size="2"))
    told = compare(workspace)
    assert "differs: group_size: A 4, B 2" in told

    shutil.rmtree(workspace.path / "other")
    copied(workspace, lambda row: row.update(ranks={"8": "8", "16": "32"}[row["ranks"]]))
    told = compare(workspace)
    assert "4 compared" in told
    assert "4 rows of A without partner, not compared" in told
    assert "4 rows of B without partner, not compared" in told
    assert "differs" not in told


def test_seeds_of_virtual_time_are_not_ignored(workspace):
    workspace.sweep(RUNS.replace("[1, 2]", "1"))
    copied(workspace, lambda row: row.update(seed="7"))
    assert "nothing was compared" in compare(workspace, code=2)


def test_failed_rows_are_reported_and_not_compared(workspace):
    measured(workspace, "results", {"bcast": NOISE, "scan": NOISE})
    rows = measured(workspace, "other", {"bcast": NOISE, "scan": NOISE})
    for row in rows[:8]:
        row.update(status="failed", message="exit code 7", time_median_s="", time_low_s="",
                   time_high_s="", time_min_s="", cores="", waited="")
    workspace.write_rows("collectives.csv", rows, "other")
    told = compare(workspace)
    assert "1 compared" in told
    assert "8 rows of B that did not end well, not compared" in told
    assert "exit code 7" in told and "8 rows of A without partner, not compared" in told


@pytest.mark.parametrize("worse", ["5", "-1%", "many%", "nan%", "%"])
def test_a_limit_is_a_percentage(workspace, worse):
    workspace.sweep(RUNS)
    copied(workspace)
    assert "with the percent sign, as in 5%" in compare(workspace, f"--worse={worse}", code=2)


def test_bad_results_are_refused(workspace):
    workspace.sweep(RUNS)
    assert "no file of results in common" in compare(workspace, b="missing", code=2)
    copied(workspace, lambda row: row.update(makespan_s="soon"))
    assert "other/runs.csv:2: 'soon'" in compare(workspace, code=2)
