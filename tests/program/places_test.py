# SPDX-License-Identifier: BSD-3-Clause
"""Placements of ranks in results, and the separation of rows with different placements."""

import csv
import json
import os
import shutil

import pytest

from conftest import MPIEXEC, only_mpich

pytestmark = pytest.mark.mpi

RUN = "ranks: 4\ngroup_size: 2\nitem_ms: 1\nworkload: {kind: constant, mean_items: 3}\n"
FACTS = {"processor": "a chip", "smt": "off", "governor": "", "kernel": "6.1",
         "clock_source": "tsc", "quota": 0, "load": 0.5}


def node(name, cpus, *ranks):
    """Describes a node with `cpus` processors. `ranks`: one text, unbound, or one per processor."""
    if len(ranks) == 1:
        bindings = [{"ranks": ranks[0], "cpus": f"0-{cpus - 1}" if cpus > 1 else "0"}]
    else:
        bindings = [{"ranks": text, "cpus": str(cpu)} for cpu, text in enumerate(ranks)]
    return {"name": name, "bindings": bindings, "facts": FACTS}


def life(ranks, items=3, walker=0):
    return {"ranks": ranks, "walker": walker, "began": "start", "ended": "stop",
            "items_before": items, "items_after": 0, "executed_min": items, "executed_max": items,
            "formed_s": 0, "busy_until_s": 0.0015, "ended_s": 0.0016}


def outcome(*nodes, lives=(life("0-1"), life("2-3", walker=2)), **others):
    """Returns the outcome that ranks on these nodes write for the command, as JSON."""
    return json.dumps({
        "lives": lives, "figures": {}, "samples": {}, "communicators_alive_max": 0,
        "communicators_left": 0, "waiting": "polite", "library": "none at all", "chains_hash": "",
        "walker_communicators": 0, "walker_communicators_s": 0, "hand_over_bytes": 0,
        "hand_over_s": 0, "reports": [], "enough_items": 0, "failures": [],
        "resumed_items": 0, "lost": [], "cpu_s": 0.5, "clock_error_us": 0, "setup_s": 0,
        "place": {"nodes": nodes, "mpi": "none at all", "variables": {"UCX_TLS": "self"},
                  "job_id": "12", **others}})


class Ranks:
    """A launcher whose ranks report the given placement."""

    def __init__(self, workspace):
        self.path = workspace.path
        self.line = "launcher: " + workspace.launcher(
            f"sleep 0.01; cat {workspace.path}/outcome > $last\n") + "\n"

    def are_on(self, *nodes, **others):
        (self.path / "outcome").write_text(outcome(*nodes, **others))


@pytest.fixture
def ranks(workspace):
    return Ranks(workspace)


def places(workspace):
    return sorted(file.name for file in (workspace.path / "results/places").iterdir())


def verified(workspace):
    done = workspace.run("verify", "results")
    return done.returncode == 0, done.stdout + done.stderr


def test_a_run_stores_where_its_ranks_were(workspace):
    row, other = workspace.sweep(RUN + "balancers: [none, collective]\n")
    assert row["groups_across_nodes"] == "0"
    assert row["began"].startswith("20") and row["began"] <= other["began"]
    assert float(row["load_average_before"]) >= 0
    assert row["placement"] == other["placement"]
    assert places(workspace) == [row["placement"] + ".yaml"]
    text = workspace.text(f"places/{row['placement']}.yaml")
    assert f'kernel: "{os.uname().release}"' in text
    assert 'ranks: "0-3"' in text
    workspace.run("verify", "results", code=0)


def test_only_variables_of_mpi_and_scheduler_are_stored(workspace):
    workspace.environment.update(SLURM_JOB_ID="77", MY_SECRET="hidden", OMPI_MCA_btl_tcp_port="1")
    row, = workspace.sweep(RUN + "balancers: [none]\n")
    text = workspace.text(f"places/{row['placement']}.yaml")
    assert '"SLURM_JOB_ID": "77"' in text and '"OMPI_MCA_btl_tcp_port": "1"' in text
    assert "hidden" not in text and "PATH" not in text.split("variables:")[1].replace("OPAL", "")


def test_simulated_runs_have_no_placement(workspace):
    row, = workspace.sweep(RUN + "engine: virtual\nbalancers: [none]\n")
    assert (row["placement"], row["began"], row["cores"]) == ("", "", "")
    assert not (workspace.path / "results/places").exists()
    workspace.run("verify", "results", code=0)


@only_mpich
def test_ranks_bound_to_one_core_share_it(workspace):
    if shutil.which("taskset") is None:
        pytest.skip("there is no taskset")
    cpu = min(os.sched_getaffinity(0))
    row, = workspace.sweep(RUN.replace("4", "2", 1) + "balancers: [none]\n"
                           f"launcher: {MPIEXEC} -n {{ranks}} taskset -c {cpu}\n")
    assert (row["cores"], row["oversubscribed"]) == ("1", "yes")
    assert row["waited"] == "polite"
    workspace.run("verify", "results", code=0)


@only_mpich
def test_the_command_counts_the_cores_that_it_may_use_itself(workspace):
    cpu = min(os.sched_getaffinity(0))
    row, = workspace.sweep(RUN.replace("4", "2", 1) + "balancers: [none]\n",
                           preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
    assert (row["cores"], row["oversubscribed"], row["waited"]) == ("1", "yes", "wrapper")


@pytest.mark.parametrize("nodes, cores, oversubscribed, across", [
    ([node("a", 2, "0-2"), node("b", 4, "3")], 6, "yes", 1),
    ([node("a", 2, "0-1"), node("b", 4, "2-3")], 6, "no", 0),
    ([node("a", 4, "0", "1", "2", "3")], 4, "no", 0),
    ([node("a", 4, "0", "1-2", "3")], 3, "yes", 0),
    ([node("a", 2, "0 2"), node("b", 2, "1 3")], 4, "no", 2)])
def test_each_node_has_its_own_ranks_and_cores(workspace, ranks, nodes, cores, oversubscribed,
                                               across):
    ranks.are_on(*nodes)
    row, = workspace.sweep(RUN + "balancers: [none]\n" + ranks.line)
    assert row["status"] == "ok", row["message"]
    assert (row["cores"], row["oversubscribed"]) == (str(cores), oversubscribed)
    assert row["groups_across_nodes"] == str(across)
    assert workspace.text(f"places/{row['placement']}.yaml").count("- name: ") == len(nodes)
    workspace.run("verify", "results", code=0)


@pytest.mark.parametrize("nodes, word", [
    ([node("a", 2, "0-2")], "every rank once"), ([node("a", 20000, "0-3")], "no host has")])
def test_an_impossible_placement_is_a_failed_row(workspace, ranks, nodes, word):
    ranks.are_on(*nodes)
    row, = workspace.sweep(RUN + "balancers: [none]\n" + ranks.line, code=1)
    assert row["status"] == "failed"
    assert "outcome cannot be: " in row["message"] and word in row["message"]


HERE = [node("a", 2, "0-1"), node("b", 2, "2-3")]
THERE = [node("c", 2, "0-1"), node("d", 2, "2-3")]


def resumed_elsewhere(workspace, ranks, *arguments):
    """Runs one repetition, and resumes with further repetitions on other nodes."""
    ranks.are_on(*HERE)
    workspace.sweep(RUN + "repetitions: 1\nbalancers: [none]\n" + ranks.line)
    ranks.are_on(*THERE)
    config = RUN + "repetitions: 3\nbalancers: [none]\n" + ranks.line
    return workspace.run("run", workspace.write("test.yaml", config), "--out", "results",
                         "--resume", *arguments)


def test_resuming_at_another_place_warns_once(workspace, ranks):
    done = resumed_elsewhere(workspace, ranks)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr.count("another place") == 1
    assert [name for name in places(workspace) if name in done.stderr] == places(workspace)
    rows = workspace.rows()
    assert rows[0]["placement"] != rows[1]["placement"] == rows[2]["placement"]
    workspace.run("verify", "results", code=0)


def test_resuming_at_the_same_place_does_not_warn(workspace, ranks):
    ranks.are_on(*HERE)
    workspace.sweep(RUN + "balancers: [none]\n" + ranks.line)
    ranks.are_on(*HERE, job_id="13", variables={"SLURM_JOB_ID": "13"})
    config = RUN + "repetitions: 2\nbalancers: [none]\n" + ranks.line
    done = workspace.run("run", workspace.write("test.yaml", config), "--out", "results",
                         "--resume", code=0)
    assert done.stderr == "", done.stderr
    assert len(places(workspace)) == 1


def test_the_table_keeps_places_apart_and_names_none_where_there_is_one(workspace, ranks):
    resumed_elsewhere(workspace, ranks)
    done = workspace.run("table", "results", "--format", "csv", code=0)
    lines = list(csv.DictReader(done.stdout.splitlines()))
    assert len({line["placement"] for line in lines}) == 2
    assert sorted((line["runs_ok"], line["runs"]) for line in lines) == [("1", "1"), ("2", "2")]
    text = workspace.run("table", "results").stdout
    for row in workspace.rows():
        assert row["placement"] in text
    ranks.are_on(*HERE)
    workspace.sweep(RUN + "balancers: [none]\n" + ranks.line, "--overwrite")
    assert "placement" not in workspace.run("table", "results").stdout


def test_the_summary_of_measurements_keeps_places_apart(workspace, ranks):
    config = "measure: steps\nranks: 4\ngroup_size: 2\nsamples: 3\nrepetitions: {}\n" + ranks.line
    figures = {name: 1e-5 for name in ("look_for_request_s", "message_s", "tell_members_s", "exchange_loads_s")}
    for repetitions, nodes, words in ((1, HERE, []), (2, THERE, ["--resume"])):
        samples = {name: [{"number": i + 1, "began_s": 0.001 * i, "value_s": time} for i in range(3)]
                   for name, time in figures.items()}
        told = json.loads(outcome(*nodes)) | {"lives": [], "figures": figures, "samples": samples}
        (workspace.path / "outcome").write_text(json.dumps(told))
        workspace.run("run", workspace.write("test.yaml", config.format(repetitions)),
                             "--out", "results", *words, code=0)
    text = workspace.run("table", "results").stdout
    assert text.count("4 ranks on 4 cores") == 2
    for row in workspace.rows("steps.csv"):
        assert f"placement {row['placement']}" in text
    workspace.run("verify", "results", code=0)


@pytest.mark.parametrize("column, value", [
    ("placement", "0123456789abcdef"), ("placement", "x"), ("began", ""), ("load_average_before", "-1"), ("load_average_before", "nan"),
    ("oversubscribed", "yes!"), ("cores", "1")])
def test_verify_finds_wrong_facts_of_a_row(workspace, ranks, column, value):
    ranks.are_on(*HERE)
    workspace.sweep(RUN + "balancers: [none]\n" + ranks.line)
    workspace.run("verify", "results", code=0)
    workspace.change("runs.csv", 0, column, value)
    well, text = verified(workspace)
    assert not well, text


def test_verify_finds_a_place_that_was_changed_or_is_gone(workspace, ranks):
    ranks.are_on(*HERE)
    row, = workspace.sweep(RUN + "balancers: [none]\n" + ranks.line)
    file = workspace.path / "results/places" / (row["placement"] + ".yaml")
    text = file.read_text()
    file.write_text(text.replace("tsc", "hpet", 1))
    assert not verified(workspace)[0]
    file.unlink()
    well, told = verified(workspace)
    assert not well and "is missing" in told
    file.write_text(text)
    workspace.run("verify", "results", code=0)


@pytest.mark.parametrize("error_us, well", [(0, False), (50, False), (200, True)])
def test_verify_allows_for_the_error_of_clocks(workspace, ranks, error_us,
                                                                       well):
    told = json.loads(outcome(*HERE)) | {"clock_error_us": error_us}
    for life_told in told["lives"]:  # should be three items of 0.5 ms
        life_told.update(busy_until_s=0.0012, ended_s=0.0013)
    (workspace.path / "outcome").write_text(json.dumps(told))
    workspace.sweep(RUN + "balancers: [none]\n" + ranks.line)
    found, text = verified(workspace)
    assert found == well, text
    assert well or "which take 0.0015" in text or "which take 0.00149" in text, text
