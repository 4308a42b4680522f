# SPDX-License-Identifier: BSD-3-Clause
"""Traces of runs are read back, with the tools of the viewers if these are installed."""

import json

import pytest

from conftest import expect_one_line

RUNS = """engine: virtual
ranks: 16
group_size: 4
walkers_in_all: 6
workload: {kind: cyclic, multiplier: 10, modulus: 32}
costs: cluster
balancers: [none, asynchronous]
"""


@pytest.fixture
def results(workspace):
    workspace.sweep(RUNS)
    return workspace


def events_of(workspace, run):
    return [row for row in workspace.rows("events.csv") if row["run"] == run]


def spans_of(trace, rank):
    spans = [one for one in trace["traceEvents"] if one["ph"] == "X" and one["tid"] == rank]
    return [(one["name"], one["ts"], one["dur"], one["args"]) for one in spans]


def test_the_trace_is_that_of_the_last_run_that_formed_groups(results):
    done = results.run("trace", "results", code=0)
    forming = [row["run"] for row in results.rows() if row["communicator"]]
    assert done.stdout == f"results/{forming[-1]}.trace.json\n"
    trace = json.loads((results.path / done.stdout.strip()).read_text())
    assert trace["otherData"]["balancer"].startswith("asynchronous")
    assert trace["otherData"]["clock"] == "virtual"


def test_every_rank_does_one_thing_after_the_other(results):
    row = [row for row in results.rows() if row["communicator"]][-1]
    name = results.run("trace", "results", row["run"], "-o", "t.json").stdout.strip()
    trace = json.loads((results.path / name).read_text())
    makespan_us = float(row["makespan_s"]) * 1e6
    worked = 0
    for rank in range(16):
        spans = spans_of(trace, rank)
        assert spans[0][1] == pytest.approx(0, abs=makespan_us / 100)
        for (_, begin, duration, _), (_, then, _, _) in zip(spans, spans[1:]):
            assert then == pytest.approx(begin + duration, abs=0.01)
        assert spans[-1][1] + spans[-1][2] >= makespan_us - 0.01
        worked += sum(duration for name, _, duration, _ in spans if name.startswith("walker "))
        assert {name for name, *_ in spans} <= {f"walker {4 * i}" for i in range(6)} | {"idle", "forming"}
    items = sum(int(one["items_left_begin"]) - int(one["items_left_end"]) for one in events_of(results, row["run"])
                if one["walker_id"])
    assert worked == pytest.approx(items * float(row["item_ms"]) * 1e3, rel=1e-3), "perfect speed-up"
    regrouped = [one for one in trace["traceEvents"] if one["ph"] == "i"]
    rows = [one for one in events_of(results, row["run"]) if one["begin_event"] == "regroup"]
    assert len(regrouped) == len(rows) > 0
    assert {one["args"]["group"] for one in regrouped} == {one["group_ranks"] for one in rows}
    assert any(name == "forming" for name, *_ in spans_of(trace, 0)), "creation costs time here"


def test_a_part_of_the_ranks_is_enough(results):
    results.run("trace", "results", "--ranks", "3-5", "-o", "t.json")
    trace = json.loads((results.path / "t.json").read_text())
    assert {one["tid"] for one in trace["traceEvents"] if "tid" in one} == {3, 4, 5}


@pytest.mark.parametrize("words, message", [
    (["results", "nope"], "results/runs.csv: there is no run 'nope'"),
    (["results", "--ranks", "3-16"], "'3-16' are not ranks of this run; allowed: FIRST-LAST, 0 to 15"),
    (["nowhere"], "nowhere/runs.csv: no such file"),
])
def test_a_trace_of_nothing_is_refused(results, words, message):
    expect_one_line(results.run("trace", *words), message)
