# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps in parts: shards, single runs, merging, and plans for schedulers."""

import contextlib
import csv
import fcntl
import json
import re
import shutil

import pytest

from conftest import MARK, eventually, expect_one_line

VIRTUAL = """engine: virtual
ranks: [4, 8, 16]
group_size: 2
item_ms: 2
workload: {kind: uniform, mean_items: 20}
repetitions: 4
balancers:
  - none
  - collective: {exchange_interval: [1, 4], communicator: comm_split}
"""
RUNS = 36  # number of runs of VIRTUAL
REAL = "experiment: real\nranks: [2, 4]\ngroup_size: 2\nitem_ms: 2\nworkload: {kind: constant, mean_items: 4}\n" \
       "repetitions: 2\nbalancers: [none, collective]\n"


def run(workspace, *arguments, code=0, **options):
    done = workspace.run(*arguments, **options, code=code)
    return done


def refusal(workspace, *arguments):
    """Returns the message of a command that refuses."""
    done = workspace.run(*arguments)
    expect_one_line(done)
    return done.stderr


def rows_in(workspace, directory, file="runs.csv"):
    with open(workspace.path / directory / file, newline="") as table:
        return list(csv.DictReader(table))


def names_in(workspace, directory):
    return [row["run"] for row in rows_in(workspace, directory)]


def plan(workspace, *options):
    return json.loads(run(workspace, "plan", "test.yaml", "--format", "json", *options).stdout)


@pytest.fixture
def virtual(workspace):
    workspace.write("test.yaml", "experiment: all\n" + VIRTUAL)
    return workspace


def do_shards(workspace, number, *options, out="results/all"):
    for i in range(1, number + 1):
        run(workspace, "run", "test.yaml", "--shard", f"{i}/{number}", "--out", out, *options)


@pytest.mark.parametrize("number", [1, 3, RUNS])
def test_shards_do_everything_once_and_merge_brings_it_together(virtual, number):
    do_shards(virtual, number)
    done = run(virtual, "merge", "results/all")
    assert f"{RUNS} runs from {number} director" in done.stdout
    assert "missing" not in done.stdout
    assert f"{RUNS} of {RUNS} runs verified" in run(virtual, "verify", "results/all").stdout
    run(virtual, "run", "test.yaml", "--out", "whole")
    merged, whole = ([{**row, "wall_s": "", "invocation": "", "began": "", "load_average_before": ""}
                      for row in sorted(rows_in(virtual, directory), key=lambda row: row["run"])]
                     for directory in ("results/all", "whole"))
    assert len(merged) == RUNS and merged == whole


def test_merging_again_adds_only_new_rows(virtual):
    run(virtual, "run", "test.yaml", "--shard", "1/2")
    run(virtual, "run", "test.yaml", "--shard", "2/2", "--only", "none")
    first = run(virtual, "merge", "results/all").stdout
    assert re.search(r"\d+ of 36 runs of the configuration are missing", first)
    before = {path.name: path.read_bytes() for path in (virtual.path / "results/all").glob("*.*")}
    run(virtual, "merge", "results/all")
    assert before == {path.name: path.read_bytes()
                      for path in (virtual.path / "results/all").glob("*.*")}
    run(virtual, "run", "test.yaml", "--shard", "2/2", "--resume")
    assert "missing" not in run(virtual, "merge", "results/all").stdout
    assert len(set(names_in(virtual, "results/all"))) == RUNS
    run(virtual, "verify", "results/all")


def test_resume_runs_what_is_missing_after_a_merge(virtual):
    run(virtual, "run", "test.yaml", "--shard", "1/2")
    run(virtual, "merge", "results/all")
    run(virtual, "run", "test.yaml", "--resume")
    assert len(set(names_in(virtual, "results/all"))) == RUNS
    run(virtual, "verify", "results/all")


def test_provenances_are_kept_and_rows_name_theirs(virtual):
    do_shards(virtual, 3)
    run(virtual, "merge", "results/all")
    text = (virtual.path / "results/all/provenance.yaml").read_text()
    documents = text.split("---\n")[1:]
    assert len(documents) == 3
    for number, document in enumerate(documents, 1):
        assert document.startswith(f"invocation: {number}\n")
        shard = f"shard-{number}-of-3"
        own = (virtual.path / "results/all" / shard / "provenance.yaml").read_text()
        assert own.split("\n", 2)[2] == document.split("\n", 1)[1]
        wrote = [r["run"] for r in rows_in(virtual, "results/all") if r["invocation"] == str(number)]
        assert wrote == names_in(virtual, f"results/all/{shard}")


def failing(workspace, exit_code):
    """Writes a launcher whose ranks began and failed."""
    return workspace.script("launch", MARK + f"echo no; exit {exit_code}\n")


@pytest.mark.mpi
def test_merge_prefers_runs_that_ended_well(workspace):
    workspace.write("test.yaml", REAL)
    run(workspace, "run", "test.yaml", "--out", "good")
    bad = f"launcher: {failing(workspace, 3)}\n"
    workspace.write("bad.yaml", bad + REAL)
    run(workspace, "run", "bad.yaml", "--out", "bad", code=1)
    for order in (["bad", "good"], ["good", "bad"]):
        out = "-".join(order)
        refused = refusal(workspace, "merge", out, *order)
        assert "different configurations" in refused and "--mixed" in refused
        assert not (workspace.path / out).exists()
        run(workspace, "merge", out, *order, "--mixed")
        assert {row["status"] for row in rows_in(workspace, out)} == {"ok"}
        assert not list((workspace.path / out / "logs").glob("*.task.json"))
        run(workspace, "verify", out)
    # Merges into results with failed runs.
    assert len(list((workspace.path / "bad/logs").glob("*.task.json"))) == 8
    run(workspace, "merge", "bad", "good", "--mixed")
    assert {row["status"] for row in rows_in(workspace, "bad")} == {"ok"}
    assert not list((workspace.path / "bad/logs").glob("*.task.json"))
    run(workspace, "verify", "bad")


@pytest.mark.mpi
def test_merge_keeps_the_logs_of_failed_runs(workspace):
    workspace.write("test.yaml", f"launcher: {failing(workspace, 3)}\n" + REAL)
    for i in (1, 2):
        run(workspace, "run", "test.yaml", "--shard", f"{i}/2", "--out", "all", code=1)
    assert "0 of them ok" in run(workspace, "merge", "all").stdout
    for row in rows_in(workspace, "all"):
        assert row["status"] == "failed"
        assert "no" in (workspace.path / "all/logs" / f"{row['run']}.log").read_text()


@pytest.mark.mpi
def test_a_shard_that_was_killed_is_resumed_and_merged(workspace):
    workspace.write("test.yaml", REAL.replace("mean_items: 4", "mean_items: 200"))
    run(workspace, "run", "test.yaml", "--shard", "1/2", "--out", "all")
    process = workspace.start("run", "test.yaml", "--shard", "2/2", "--out", "all")
    csv = workspace.path / "all/shard-2-of-2/runs.csv"
    assert eventually(lambda: csv.exists() and csv.read_text().count("\n") > 1)
    process.kill()
    process.communicate()
    partly = run(workspace, "merge", "all").stdout
    assert "missing" in partly
    run(workspace, "verify", "all")
    assert workspace.nothing_left(10)  # the process that ends the ranks holds the lock
    run(workspace, "run", "test.yaml", "--shard", "2/2", "--out", "all", "--resume")
    assert "8 runs from 2 directories, 8 of them ok\n" == \
        run(workspace, "merge", "all").stdout.removeprefix("all: ")
    run(workspace, "verify", "all")


def test_one_run_adds_its_row(virtual):
    first, second = [task["run"] for task in plan(virtual)["tasks"][:2]]
    for name, names in ((first, [first]), (second, [first, second]), (first, [first, second])):
        run(virtual, "run", "test.yaml", "--one", name, "--out", "results")
        assert [row["run"] for row in virtual.rows()] == names
    run(virtual, "run", "test.yaml", "--one", first.upper(), "--out", "capitals")
    assert [row["run"] for row in rows_in(virtual, "capitals", "runs.csv")] == [first]
    run(virtual, "verify", "results")


def test_a_directory_that_lacks_a_file_is_not_merged(virtual):
    do_shards(virtual, 2, out="results")
    (virtual.path / "results/shard-1-of-2/events.csv").unlink()
    assert "shard-1-of-2/events.csv" in refusal(virtual, "merge", "results")
    assert not (virtual.path / "results/runs.csv").exists()


def test_states_of_runs_that_are_in_no_row_come_along(virtual):
    do_shards(virtual, 2, out="results")
    states = "logs/0123456789abcdef.states"
    (virtual.path / "results/shard-2-of-2" / states).mkdir(parents=True)
    (virtual.path / "results/shard-2-of-2" / states / "1.state").write_text("far\n")
    run(virtual, "merge", "results")
    assert (virtual.path / "results" / states / "1.state").read_text() == "far\n"


def test_other_circumstances_are_refused_or_mixed(virtual):
    run(virtual, "run", "test.yaml", "--shard", "1/2")
    virtual.environment["UCX_TLS"] = "tcp"
    run(virtual, "run", "test.yaml", "--shard", "2/2")
    message = refusal(virtual, "merge", "results/all")
    assert "different circumstances" in message and "UCX_TLS" in message
    run(virtual, "merge", "results/all", "--mixed")
    run(virtual, "verify", "results/all")


@contextlib.contextmanager
def held(directory):
    """Holds the lock of a directory, like a sweep."""
    with open(directory / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write("process 1 on elsewhere")
        lock.flush()
        yield


def test_a_directory_that_a_sweep_holds_is_neither_merged_nor_added_to(virtual):
    do_shards(virtual, 2, out="results")
    name = plan(virtual)["tasks"][0]["run"]
    with held(virtual.path / "results/shard-2-of-2"):
        assert "process 1 on elsewhere" in refusal(virtual, "merge", "out", "results/shard-2-of-2")
        partly = run(virtual, "merge", "results")  # merge finds the directory itself
        assert "shard-2-of-2: skipped" in partly.stderr and "missing" in partly.stdout
    with held(virtual.path / "results"):
        assert "process 1 on elsewhere" in refusal(virtual, "merge", "results")
        assert "process 1 on elsewhere" in \
            refusal(virtual, "run", "test.yaml", "--one", name, "--out", "results")
    run(virtual, "merge", "results")


def test_merging_foreign_directories_is_refused(virtual):
    run(virtual, "run", "test.yaml", "--out", "runs")
    virtual.write("other.yaml", VIRTUAL.replace("item_ms: 2", "item_ms: 3"))
    run(virtual, "run", "other.yaml", "--out", "other")
    shutil.copytree(virtual.path / "runs", virtual.path / "creation")
    (virtual.path / "creation/runs.csv").rename(virtual.path / "creation/creation.csv")
    shutil.copytree(virtual.path / "runs", virtual.path / "columns")
    header, rest = (virtual.path / "runs/runs.csv").read_text().split("\n", 1)
    (virtual.path / "columns/runs.csv").write_text(header.replace("wall_s", "wall") + "\n" + rest)
    shutil.copytree(virtual.path / "runs", virtual.path / "nameless")
    (virtual.path / "nameless/provenance.yaml").unlink()
    (virtual.path / "empty").mkdir()
    for directory, reason in {
            "missing": "missing: ", "empty": "empty: ", "test.yaml": "test.yaml: ",
            "other": "different configurations", "creation": "creation",
            "columns": "columns/runs.csv:1: ", "nameless": "nameless/", "runs/": "runs/: "}.items():
        assert reason in refusal(virtual, "merge", "out", "runs", directory)
        assert not (virtual.path / "out").exists()


def test_there_must_be_something_to_merge(virtual):
    assert "nothing to merge" in refusal(virtual, "merge", "results")
    run(virtual, "run", "test.yaml", "--out", "results")
    assert "nothing to merge" in refusal(virtual, "merge", "results")
    run(virtual, "merge", "--help")


@pytest.mark.parametrize("arguments, reason", [
    (["--shard", "4/3"], "there are only 3"), (["--shard", ""], "empty"),
    (["--shard", "1/37"], "36 runs cannot be divided into 37 shards; allowed: at most 36"),
    (["--one", "zz"], "'zz': not a hash, which has sixteen"), (["--one", ""], "empty"),
    (["--one", "0000000000000000"], "no run has this hash"),
    (["--one", "0000000000000000", "--shard", "1/2"], "--shard")])
def test_parts_that_do_not_exist_are_refused(virtual, arguments, reason):
    expect_one_line(virtual.run("run", "test.yaml", *arguments), reason)
    assert not (virtual.path / "results").exists()


def seconds_of(limit):
    hours, minutes, seconds = map(int, limit.split(":"))
    return 3600 * hours + 60 * minutes + seconds


def test_a_plan_for_slurm_has_nodes_and_time(workspace):
    workspace.write("test.yaml", REAL.replace("[2, 4]", "[2, 70]"))
    line = run(workspace, "plan", "test.yaml", "--format", "slurm", "--ranks-per-node", 32).stdout
    found = re.fullmatch(r"--nodes=3 --ntasks-per-node=32 --time=([\d:]+)\n", line)
    assert found and seconds_of(found[1]) >= 120
    assert seconds_of(found[1]) == plan(workspace)["all"]["time_limit_s"]
    first = run(workspace, "plan", "test.yaml", "--format", "slurm", "--ranks-per-node", 32,
                "--shard", "1/2").stdout
    assert first.startswith("--nodes=1 --ntasks-per-node=2 ")
    all_of_them = run(workspace, "plan", "test.yaml", "--format", "slurm", "--ranks-per-node", 32,
                      "--shards", 2).stdout
    assert all_of_them.startswith("--array=1-2 --nodes=3 --ntasks-per-node=32 ")


def test_a_plan_as_json_names_every_run_and_shard(virtual):
    told = plan(virtual, "--shards", "3", "--ranks-per-node", "4")
    assert len(told["tasks"]) == told["all"]["tasks"] == RUNS
    names = [task["run"] for task in told["tasks"]]
    assert sorted(name for shard in told["shards"] for name in shard["runs"]) == sorted(names)
    for shard in told["shards"]:
        part = plan(virtual, "--shard", shard["shard"])
        assert [task["run"] for task in part["tasks"]] == shard["runs"]
    run(virtual, "run", "test.yaml", "--out", "results")
    assert [row["run"] for row in virtual.rows()] == names
    for wrong in (["--shards", "0"], ["--shards", "37"], ["--format", "yaml"],
                  ["--ranks-per-node", "0"], ["--shards", "2", "--shard", "1/2"]):
        refusal(virtual, "plan", "test.yaml", *wrong)


@pytest.mark.mpi
def test_a_plan_uses_measured_launch_times(workspace):
    slow = workspace.script("launch", 'sleep 1\nexec mpiexec.mpich -n "$@"\n')
    workspace.write("test.yaml", f"launcher: {slow} {{ranks}}\n" +
                    REAL.replace("repetitions: 2\n", "repetitions: 1\n"))
    before = plan(workspace)
    assert before["launching"] == "usual"
    if workspace.run("run", "test.yaml", "--shard", "1/2").returncode != 0:
        pytest.skip("needs MPICH's launcher")
    after = plan(workspace)
    assert after["launching"] == "measured"
    # The measurement with 2 ranks is also used for 4.
    assert {task["processes"] for task in after["tasks"]} == {2, 4}
    for was, now in zip(before["tasks"], after["tasks"]):
        assert was["wall_s"] < 1 < now["wall_s"]


def test_jobs_change_no_result_and_one_job_measures_memory(workspace):
    workspace.write("test.yaml", VIRTUAL)
    rows = {}
    for directory, options in {"all": [], "one": ["--jobs", "1"], "three": ["--jobs", "3"]}.items():
        run(workspace, "run", "test.yaml", "--out", directory, *options)
        rows[directory] = rows_in(workspace, directory)
    assert all(float(row["memory_mb"]) > 0 for row in rows["one"])
    assert all(not row["memory_mb"] for row in rows["all"] + rows["three"])
    same = [[{key: row[key] for key in row if key not in ("wall_s", "memory_mb")} for row in every] for every in rows.values()]
    assert same[0] == same[1] == same[2]
    assert "--jobs" in refusal(workspace, "run", "test.yaml", "--overwrite", "--jobs", "0")
