# SPDX-License-Identifier: BSD-3-Clause
"""samples.csv: the times from which the figures of measurements are computed."""

import statistics

import pytest

from conftest import expect_one_line
from creation_test import measure

pytestmark = pytest.mark.mpi
SMALL = """measure: creation
ranks: 3
communicator: [create_group, idup, range]
group_size: [2, 3]
samples: 7
item_ms: 0.5
late_ms: 0.5
in_flight: 2
"""
TIMES = {"create_s", "free_s", "late_create_s", "busy_create_s", "bystander_s", "in_flight_s",
         "in_flight_work_s", "in_flight_both_s"}


def samples_of(workspace, run, figure):
    return [row for row in workspace.rows("samples.csv")
            if row["run"] == run and row["time"] == figure]


def test_every_figure_is_made_of_its_samples(workspace):
    rows, _ = measure(workspace, SMALL)
    assert {row["time"] for row in workspace.rows("samples.csv")} == TIMES
    for row in rows:
        for name in ("create", "free"):
            samples = samples_of(workspace, row["run"], f"{name}_s")
            assert [int(sample["sample"]) for sample in samples] == list(range(1, 8))
            values = [float(sample["value_s"]) for sample in samples]
            assert float(row[f"{name}_min_s"]) == min(values)
            assert float(row[f"{name}_median_s"]) == statistics.median(values)
            assert float(row[f"{name}_low_s"]) == sorted(values)[0]
            assert float(row[f"{name}_high_s"]) == sorted(values)[-1]
            began = [float(sample["began_s"]) for sample in samples]
            assert began == sorted(began) and 0 <= began[0] and began[-1] <= float(row["wall_s"])
        late = [float(s["value_s"]) for s in samples_of(workspace, row["run"], "late_create_s")]
        assert float(row["late_create_s"]) == statistics.median(late)
    copies = next(row for row in rows if row["communicator"] == "idup")
    alone, work, both = ([float(s["value_s"]) for s in samples_of(workspace, copies["run"], name)]
                         for name in ("in_flight_s", "in_flight_work_s", "in_flight_both_s"))
    hidden = [(a + w - b) / a for a, w, b in zip(alone, work, both)]
    assert float(copies["hidden_fraction"]) == statistics.median(hidden)
    assert "5 of 5 measurements" in workspace.run("verify", "results", code=0).stdout


@pytest.mark.parametrize("kind, config, times", [
    ("collectives", "operation: bcast\ncommunicator: range\ngroup_size: 3\n",
     {"time_s", "mean_rank_s", "fastest_rank_s"}),
    ("steps", "group_size: 2\n", {"look_for_request_s", "message_s", "tell_members_s", "exchange_loads_s"}),
    ("items", "group_size: 2\nitems_per_sample: 2\nitem_ms: 1\n", {"time_s"}),
    ("sort", "elements_per_rank: 8\ncommunicator: [range, sample_sort]\n", {"time_s", "creation_s"})])
def test_every_kind_has_samples(workspace, kind, config, times):
    rows, _ = measure(workspace, f"measure: {kind}\nranks: 4\nsamples: 6\n{config}", kind=kind)
    samples = workspace.rows("samples.csv")
    assert {row["time"] for row in samples} == times
    workspace.run("verify", "results", code=0)


@pytest.mark.long
def test_of_many_samples_every_so_many_th_is_kept(workspace):
    row, = measure(workspace, "measure: collectives\nranks: 1\nsamples: 1100\noperation: barrier\n"
                   "communicator: range\ngroup_size: 1\n", kind="collectives")[0]
    samples = samples_of(workspace, row["run"], "time_s")
    assert [int(sample["sample"]) for sample in samples] == list(range(1, 1101, 2))
    assert len(samples) == 550
    workspace.run("verify", "results", code=0)


def test_shards_are_merged_with_their_samples(workspace):
    workspace.write("test.yaml", SMALL)
    for shard in ("1/2", "2/2"):
        workspace.run("run", "test.yaml", "--out", "results", "--shard", shard, code=0)
    workspace.run("merge", "results", code=0)
    assert len({row["run"] for row in workspace.rows("samples.csv")}) == 5
    assert "5 of 5 measurements" in workspace.run("verify", "results", code=0).stdout


def test_results_of_another_kind_keep_their_directory(workspace):
    measure(workspace, "measure: steps\nranks: 2\ngroup_size: 1\nsamples: 2\n", kind="steps")
    workspace.write("creation.yaml", SMALL)
    workspace.write("run.yaml", "engine: virtual\nranks: 4\nbalancers: [none]\n")
    for config in ("creation", "run"):
        done = workspace.run("run", f"{config}.yaml", "--out", "results", "--overwrite")
        expect_one_line(done, "results/steps.csv", "another kind", "--out")
    workspace.run("verify", "results", code=0)
