# SPDX-License-Identifier: BSD-3-Clause
"""The commands in the absence of errors."""

import csv
import json
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess

import pytest

from conftest import BUILD, MPICH, MPIEXEC, expect_one_line, only_mpich

BALANCERS = """balancers:
  - none
  - collective: {exchange_interval: [1, 4], communicator: [comm_split, create_group]}
  - asynchronous: {finished_groups: [release, merge]}
"""
SMALL = "ranks: 8\ngroup_size: 2\nitem_ms: 2\nworkload: {kind: cyclic, multiplier: 4, modulus: 8}\n"
RUNS = 7  # number of runs of BALANCERS

def expect_sound(row):
    assert row["status"] == "ok", row["message"]
    assert 0 <= int(row["communicators_alive_max"]) <= 3
    assert row["clock"] == ("virtual" if row["engine"] == "virtual" else "wall")
    makespan, ideal = float(row["makespan_s"]), float(row["ideal_s"])
    if row["engine"] == "mpi":
        assert 1 <= int(row["cores"]) <= len(os.sched_getaffinity(0))
        assert row["oversubscribed"] == ("yes" if int(row["ranks"]) > os.cpu_count() else "no")
        assert row["waited"] in ("direct", "polite", "wrapper")
        assert float(row["setup_s"]) > 0
        assert makespan >= ideal
    if row["balancer"] == "none":
        assert row["communicator"] == "" and row["regroups_max"] == "0"


def expect_whole(workspace):
    """Checks that the three files of results are consistent."""
    rows = workspace.rows()
    assert len({row["run"] for row in rows}) == len(rows)
    regroups = workspace.rows("regroups.csv")
    for row in rows:
        expect_sound(row)
        own = [line for line in regroups if line["run"] == row["run"]]
        ranks = int(row["ranks"])
        assert sum(int(line["processes"]) for line in own) == ranks
        total = sum(int(line["regroupings"]) * int(line["processes"]) for line in own)
        assert math.isclose(total / ranks, float(row["regroups_avg"]), abs_tol=1e-12)
    assert {row["run"] for row in workspace.rows("events.csv")} == {row["run"] for row in rows}
    assert f"{len(rows)} of {len(rows)} runs verified" in workspace.run("verify", "results", code=0).stdout


def test_list_prints_the_list_that_is_named(workspace):
    assert "exchange_interval" in workspace.run("list", "balancers").stdout
    assert "makespan_s" in workspace.run("list", "runs.csv").stdout
    keys = workspace.run("list", "keys", "--format", "markdown").stdout.splitlines()
    assert keys[:2] == ["| key | default | allowed | meaning |", "|---|---|---|---|"]
    assert "| `waiting` | `auto` | `auto`, `wrapper`, `polite`, `direct` |" in "\n".join(keys)
    expect_one_line(workspace.run("list", "nonsense"), "'nonsense'", "allowed: engines | balancers")


def test_every_list_is_a_table_in_markdown(workspace):
    words = workspace.run("list", "?").stderr.split("allowed: ")[1].split(" | ")
    assert len(words) > 20
    for word in words:
        lines = workspace.run("list", word.strip(), "--format", "markdown").stdout.splitlines()
        assert lines
        for table in "\n".join(lines).split("\n\n"):
            bars = {line.count("|") for line in table.splitlines()}
            assert len(bars) == 1, f"{word}: {table}"


def test_plan_shows_every_run_and_does_nothing(workspace):
    done = workspace.run("plan", workspace.write("test.yaml", SMALL + "repetitions: 2\n" + BALANCERS), code=0)
    assert f"test: {2 * RUNS} runs" in done.stdout
    assert "collective(4), create_group" in done.stdout
    assert "asynchronous(merge)" in done.stdout
    assert os.listdir(workspace.path) == ["test.yaml"]


def test_a_sweep_in_virtual_time_is_whole(workspace):
    rows = workspace.sweep(SMALL + "engine: virtual\njitter: 0.1\nrepetitions: 2\n" + BALANCERS)
    assert len(rows) == 2 * RUNS
    expect_whole(workspace)


@pytest.mark.mpi
def test_a_sweep_on_processes_is_whole_and_leaves_nothing_behind(workspace):
    rows = workspace.sweep(SMALL + BALANCERS)
    assert len(rows) == RUNS
    expect_whole(workspace)
    assert workspace.nothing_left()
    assert os.listdir(workspace.path / "results" / "logs") == []


@pytest.mark.mpi
def test_collective_regroups_on_processes_as_in_virtual_time(workspace):
    rows = workspace.sweep(SMALL + "engine: [mpi, virtual]\nbalancers:\n"
                           "  - collective: {exchange_interval: [1, 4, 9]}\n")
    regroupings = {engine: [[row[c] for c in row if c.startswith("regroups_")] for row in rows
                           if row["engine"] == engine] for engine in ("mpi", "virtual")}
    assert len(regroupings["mpi"]) == 3
    assert regroupings["mpi"] == regroupings["virtual"]


# Ranks and G: one rank, not a multiple of G, one group smaller than G.
@pytest.mark.parametrize("engine", [pytest.param("mpi", marks=pytest.mark.mpi), "virtual"])
@pytest.mark.parametrize("ranks, group_size", [(1, 1), (1, 4), (6, 4), (3, 8)])
def test_unusual_numbers_of_ranks_are_fine(workspace, engine, ranks, group_size):
    workspace.sweep(f"ranks: {ranks}\ngroup_size: {group_size}\nengine: {engine}\nitem_ms: 1\n"
                    "balancers:\n  - none\n  - collective: {exchange_interval: 4}\n"
                    "  - asynchronous: {finished_groups: [release, merge]}\n")
    expect_whole(workspace)


@pytest.mark.mpi
def test_every_way_of_waiting_is_recorded(workspace):
    rows = workspace.sweep("ranks: 4\ngroup_size: 2\nitem_ms: 1\nbalancers: [none]\n"
                           "waiting: [auto, wrapper, polite, direct]\n")
    if not MPICH:
        unsupported = rows.pop(1)
        assert unsupported["status"] == "unsupported" and "MPICH" in unsupported["message"]
    for row in rows:
        expect_sound(row)
    waited = {row["waiting"]: row["waited"] for row in rows}
    assert waited["direct"] == "direct"
    assert waited["polite"] == "polite"
    assert waited.get("wrapper", "wrapper") == "wrapper"
    if MPICH and os.cpu_count() < 4:
        assert waited["auto"] == "wrapper"


CROWDED = f"ranks: {2 * os.cpu_count()}\ngroup_size: 2\nitem_ms: 1\nbalancers: [none]\n"


@only_mpich
@pytest.mark.parametrize("name", ["a path", "a:path", "a;path, 'with' \"everything\" $ORIGIN & %s"])
def test_the_wrapper_is_in_place_whatever_the_path(workspace, name):
    place = workspace.path / name
    (place / "wrapped").mkdir(parents=True)
    for program in ("regroup", "regroup-mpi", "wrapped/regroup-mpi"):
        shutil.copy(BUILD / program, place / program)
    workspace.write("test.yaml", CROWDED)
    done = subprocess.run([place / "regroup", "run", "test.yaml", "--out", f"{name}/results"],
                          cwd=workspace.path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr == "", done.stdout + done.stderr
    rows = list(csv.DictReader((place / "results/runs.csv").read_text().splitlines()))
    assert [row["waited"] for row in rows] == ["wrapper"]


@only_mpich
def test_a_missing_wrapper_is_reported(workspace):
    launcher = workspace.script(
        "launcher", f'exec {MPIEXEC} -n "$1" {BUILD}/regroup-mpi "$3" "$4"\n')
    workspace.write("test.yaml", CROWDED + "waiting: [auto, wrapper]\nrepetitions: 2\n"
                    f"launcher: {launcher} {{ranks}}\n")
    done = workspace.run("run", "test.yaml", "--out", "results", code=1)
    assert done.stderr.startswith("regroup: processes outnumber cores"), done.stderr
    assert done.stderr.count("\n") == 1
    rows = sorted(workspace.rows(), key=lambda row: row["waiting"])
    assert [(row["waiting"], row["status"], row["waited"]) for row in rows] == [
        ("auto", "ok", "polite")] * 2 + [("wrapper", "failed", "")] * 2
    assert "'waiting: wrapper' was asked for" in rows[2]["message"]


@only_mpich
def test_the_wrapper_can_be_had_with_every_launcher(workspace):
    launcher = workspace.script("launcher", f'exec {MPIEXEC} -n "$@"\n')
    rows = workspace.sweep("ranks: 2\ngroup_size: 1\nitem_ms: 1\nbalancers: [none]\n"
                           f"launcher: {launcher} {{ranks}}\nwaiting: wrapper\n")
    assert [row["waited"] for row in rows] == ["wrapper"]


@only_mpich
@pytest.mark.parametrize("waiting, program", [("direct", ""), ("wrapper", "wrapped")])
def test_the_program_of_the_ranks_may_stand_where_only_they_see_it(workspace, waiting, program):
    launcher = workspace.script("container", f'''echo "$2" >{workspace.path}/asked
exec {MPIEXEC} -n "$1" "{BUILD}/${{2#/in it/}}" "$3" "$4"\n''')
    rows = workspace.sweep("ranks: 2\ngroup_size: 1\nitem_ms: 1\nbalancers: [none]\n"
                           f"launcher: {launcher} {{ranks}}\nwaiting: {waiting}\n"
                           "program: /in it/regroup-mpi\n")
    assert [(row["status"], row["waited"]) for row in rows] == [("ok", waiting)]
    asked = pathlib.Path((workspace.path / "asked").read_text().strip())
    assert asked == pathlib.Path("/in it", program, "regroup-mpi")
    assert "program: \"/in it/regroup-mpi\"\n" in workspace.text("provenance.yaml")


@pytest.mark.mpi
def test_variables_of_the_environment_reach_the_processes(workspace):
    launcher = workspace.launcher('echo "value: $OF_THE_TEST"; exit 1\n')
    workspace.sweep(f"ranks: 2\nbalancers: [none]\nlauncher: {launcher}\n"
                    "environment: {OF_THE_TEST: 'a b'}\n", code=1)
    assert "value: a b" in workspace.rows()[0]["message"]


def test_equal_runs_in_virtual_time_have_equal_results(workspace):
    config = SMALL + "engine: virtual\nseed: [1, 2]\nrepetitions: 2\n" + BALANCERS

    def without_wall(text):
        table = list(csv.reader(text.splitlines()))
        wall = table[0].index("wall_s")
        return [row[:wall] + row[wall + 1:] for row in table]

    workspace.sweep(config)
    first = {file: workspace.text(file) for file in ("runs.csv", "events.csv", "regroups.csv")}
    workspace.sweep(config, "--overwrite")
    assert without_wall(workspace.text()) == without_wall(first["runs.csv"])
    assert workspace.text("events.csv") == first["events.csv"]
    assert workspace.text("regroups.csv") == first["regroups.csv"]


def test_the_paper_s_table_comes_out_in_every_format(workspace):
    workspace.sweep("ranks: 64\nengine: virtual\nbalancers:\n  - none\n"
                    "  - collective: {exchange_interval: [1, 64, 128]}\n")
    assert [row["regroups_avg"] for row in table(workspace)] == ["0", "5.375", "3.75", "2.625"]
    assert "5.38 / 2.12 / 2 / 8" in workspace.run("table", "results").stdout
    assert "\\begin{tabular}" in workspace.run("table", "results", "--format", "latex").stdout
    assert "|---" in workspace.run("table", "results", "--format", "markdown").stdout


def table(workspace):
    """Returns the rows of `regroup table`."""
    done = workspace.run("table", "results", "--format", "csv", code=0)
    return list(csv.DictReader(done.stdout.splitlines()))


def ended(line):
    return f"{line['runs_ok']}/{line['runs']}"


THREE = "balancers:\n  - none\n  - collective\n  - asynchronous: {finished_groups: merge}\n"


def test_short_times_have_digits_everywhere(workspace):
    config = workspace.write("test.yaml", "engine: virtual\n" + SMALL.replace("item_ms: 2", "item_ms: 0.001") + BALANCERS)
    progress = workspace.run("run", config, "--out", "results", code=0).stdout
    assert len(re.findall(r"#1: [1-9]\d*\.?\d* µs, \d\.\d{3} × ideal", progress)) == RUNS
    for text in (workspace.run("table", "results", code=0).stdout, workspace.run("plan", config, code=0).stdout):
        assert len(re.findall(r" 0\.0000\d?[1-9]\d\d? ", text)) == RUNS
        assert not re.search(r"\b0\.0+[ -]", text)
    longer = workspace.write("longer.yaml", "engine: virtual\n" + SMALL.replace("item_ms: 2", "item_ms: 20") + BALANCERS)
    workspace.run("run", longer, "--out", "longer", code=0)
    assert len(re.findall(r"^\w+ +0\.0000[45]\d+ ", workspace.run("compare", "longer", "results").stdout, re.M)) == RUNS


@pytest.mark.parametrize("axis", ["seed: [1, 2, 3, 4, 5]", "repetitions: 5"])
def test_the_table_has_no_median_of_different_problems(workspace, axis):
    rows = workspace.sweep(f"ranks: 32\nengine: virtual\nworkload: exponential\n{axis}\n{THREE}")
    assert len({row["problem"] for row in rows}) == 5
    shown = table(workspace)
    assert [ended(line) for line in shown] == ["5/5"] * 3
    for line in shown:
        ratios = [float(row["makespan_s"]) / float(row["ideal_s"]) for row in rows
                  if row["balancer"] == line["balancer"]]
        assert [float(line[column]) for column in ("of_ideal", "of_ideal_min", "of_ideal_max")] == [
            pytest.approx(ratio) for ratio in (statistics.median(ratios), min(ratios), max(ratios))]
        assert line["makespan_s"] == line["makespan_min_s"] == line["makespan_max_s"] == ""
        assert line["problems"] == "5"
        assert line["seeds"] == ("5" if "seed" in axis else "1")
    said = workspace.run("table", "results").stdout
    assert "have different problems" in said and "makespan_s" not in said


def test_the_table_puts_seeds_of_one_problem_together_and_counts_them(workspace):
    rows = workspace.sweep("ranks: 32\nengine: virtual\njitter: 0.1\nseed: [1, 2, 3]\n" + THREE)
    assert len({row["problem"] for row in rows}) == 1
    for line in table(workspace):
        times = [float(row["makespan_s"]) for row in rows if row["balancer"] == line["balancer"]]
        assert float(line["makespan_s"]) == statistics.median(times)
        assert (float(line["makespan_min_s"]), float(line["makespan_max_s"])) == (min(times), max(times))
        assert (line["seeds"], line["problems"]) == ("3", "1")
        assert line["of_ideal_min"] == line["of_ideal_max"]
    said = workspace.run("table", "results").stdout
    assert "have different problems" not in said


def test_the_table_counts_exact_runs_once(workspace):
    config = "ranks: 32\nengine: virtual\nrepetitions: 3\n" + THREE
    workspace.sweep(config)
    assert [ended(line) for line in table(workspace)] == ["1/1", "1/1", "3/3"]
    assert "one run represents all" in workspace.run("table", "results").stdout
    workspace.sweep(config + "jitter: 0.1\n", "--overwrite")
    assert [ended(line) for line in table(workspace)] == ["3/3"] * 3
    assert "one run represents all" not in workspace.run("table", "results").stdout


def test_the_table_has_a_row_for_each_value_of_an_option(workspace):
    workspace.sweep("ranks: 8\nengine: virtual\nbalancers: [none]\n"
                    "workload: [{kind: constant, mean_items: 10}, {kind: constant, mean_items: 20}]\n"
                    "speedup: [perfect, {kind: amdahl, serial_fraction: 0.5}]\n"
                    "costs: [free, {kind: cluster, look_for_request_us: 7}]\n")
    shown = table(workspace)
    assert len(shown) == len({tuple(line.values()) for line in shown}) == 8
    text = workspace.run("table", "results").stdout
    for words in ("constant(mean_items=10)", "amdahl(serial_fraction=0.5)",
                  "cluster(look_for_request_us=7)"):
        assert words in text


@pytest.mark.parametrize("column, value", [("cores", "64"), ("waited", "direct")])
def test_the_table_keeps_runs_under_other_conditions_apart(workspace, column, value):
    workspace.sweep("ranks: 8\nengine: virtual\njitter: 0.1\nrepetitions: 4\nbalancers: [none]\n")
    workspace.change("runs.csv", 1, column, value)
    workspace.change("runs.csv", 3, column, value)
    shown = table(workspace)
    assert [ended(line) for line in shown] == ["2/2", "2/2"]
    assert shown[0][column] != shown[1][column] == value
    assert column in workspace.run("table", "results").stdout


def test_the_table_counts_runs_that_failed_where_they_belong(workspace):
    workspace.sweep("ranks: 8\nengine: virtual\njitter: 0.1\nrepetitions: 3\nbalancers: [none]\n")
    workspace.change("runs.csv", 0, "status", "failed")
    assert [ended(line) for line in table(workspace)] == ["2/3"]


def test_the_table_compares_virtual_time_with_the_same_problems_on_real_processes(workspace):
    workspace.sweep("ranks: 8\nengine: virtual\nworkload: exponential\nseed: [1, 2, 3]\n"
                    "experiment: both\nbalancers: [none]\n")
    rows = workspace.rows(expanded=False)
    # Adds rows as if from real processes: 1 % and 3 % faster; another problem, twice as slow.
    path = workspace.path / "results" / "runs.csv"
    with open(path, "a", newline="") as target:
        writer = csv.DictWriter(target, list(rows[0]), lineterminator="\n")
        for i, (row, factor, problem) in enumerate(
                [(rows[0], 1 / 1.01, ""), (rows[1], 1 / 1.03, ""), (rows[2], 2, "of nobody")]):
            writer.writerow(dict(row, run=f"{i:016}", engine="mpi", costs="", clock="wall",
                                 waited="direct", cores=2, oversubscribed="no",
                                 makespan_s=float(row["makespan_s"]) * factor,
                                 problem=problem or row["problem"]))
    errors = [line[f"model_error_{end}"] for line in table(workspace) for end in ("min", "max")]
    assert [round(float(error), 4) for error in errors[:2]] == [0.02, 0.02] and errors[2:] == ["", ""]
    assert " +2.0 % " in workspace.run("table", "results").stdout


def test_repetitions_and_seeds_share_a_panel_and_nothing_else_does(workspace):
    config = "ranks: 8\nengine: virtual\njitter: 0.1\nrepetitions: 2\nseed: [1, 2]\n" + THREE
    workspace.sweep(config)
    assert len({line["panel"] for line in table(workspace)}) == 1
    workspace.sweep(config + "speedup: [perfect, {kind: amdahl, serial_fraction: [0.1, 0.2]}]\n",
                    "--overwrite")
    assert len({line["panel"] for line in table(workspace)}) == 3


def test_results_stand_under_the_experiment_s_name_where_none_is_given(workspace):
    workspace.write("test.yaml",
                    "experiment: mine\nranks: 8\nengine: virtual\nbalancers: [none]\n")
    workspace.run("run", "test.yaml", code=0)
    assert (workspace.path / "results/mine/runs.csv").exists()


def test_provenance_names_the_origin_of_the_results(workspace):
    config = "ranks: 8   # a remark\nengine: virtual\nbalancers: [none]\n"
    workspace.sweep(config)
    text = workspace.text("provenance.yaml")
    for key in ("version", "commit", "tree", "compiler", "mpi", "launcher", "host", "system",
                "processor", "cores", "date", "command", "configuration_hash"):
        assert f"\n{key}: " in "\n" + text
    assert "a remark" in text


CONFIG = "ranks: 8\nengine: virtual\nitem_ms: [1, 2, 3]\nbalancers: [none]\n"


def test_results_are_never_overwritten_unasked(workspace):
    workspace.sweep(CONFIG)
    before = {file: workspace.text(file) for file in os.listdir(workspace.path / "results")
              if "." in file}
    expect_one_line(workspace.run("run", "test.yaml", "--out", "results"), "--overwrite", "--resume")
    for file, text in before.items():
        assert workspace.text(file) == text
    assert len(workspace.sweep(CONFIG.replace("3]", "3, 4]"), "--overwrite")) == 4


def test_only_selects_runs_and_resume_does_the_rest(workspace):
    rows = workspace.sweep(CONFIG, "--only", "T 2 ms")
    assert [row["item_ms"] for row in rows] == ["2"]
    before = workspace.text()
    rows = workspace.sweep(CONFIG, "--resume")
    assert [row["item_ms"] for row in rows] == ["2", "1", "3"]
    assert workspace.text().startswith(before)
    expect_whole(workspace)


def test_only_takes_a_number_at_its_end_as_a_whole(workspace):
    config = "ranks: 8\nengine: virtual\njitter: 0.1\nrepetitions: 12\nbalancers: [none]\n"
    rows = workspace.sweep(config, "--only", "#1")
    assert [row["repetition"] for row in rows] == ["1"]
    rows = workspace.sweep(config, "--only", "none, #12", "--resume")
    assert [row["repetition"] for row in rows] == ["1", "12"]
    assert len(workspace.sweep(config, "--only", "#", "--resume")) == 12


@pytest.mark.parametrize("start, expected", [
    ("ranks: 8\nbalancers: [none]\n", "run test"),
    ("experiment: my own\nranks: 8\nbalancers: [none]\n", "run my own"),
    ('measure: "creation"  # a remark\nranks: 8\ngroup_size: 2\ncommunicator: comm_split\n',
     "creation test"),
    ("{ranks: 8, group_size: 2, measure: 'steps'}\n", "steps test"),
])
def test_a_brief_plan_prints_the_kind_and_the_name(workspace, start, expected):
    done = workspace.run("plan", "--brief", workspace.write("test.yaml", start), code=0)
    assert done.stdout == expected + "\n"


def test_resume_repeats_runs_whose_input_file_changed(workspace):
    config = ("ranks: 8\nengine: virtual\nbalancers: [none]\n"
              "workload: {kind: trace, trace_file: items.csv}\n")
    workspace.write("items.csv", "items\n1\n2\n")
    first = workspace.sweep(config)
    assert len(workspace.sweep(config, "--resume")) == 1
    workspace.write("items.csv", "items\n1\n9\n")
    rows = workspace.sweep(config, "--resume")
    assert rows[:1] == first and len(rows) == 2
    assert rows[0]["makespan_s"] != rows[1]["makespan_s"]


@pytest.mark.parametrize("line, words", [
    ("re", "reproduce report"),
    ("run --re", "--resume --retry"),
    ("run config", ""),
    ("groups make --h", "--help --hosts"),
    ("run --only groups ch", ""),
])
def test_bash_completes_subcommands_and_options(line, words):
    script = """source "$1"; COMP_WORDS=("$2" $3); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _regroup "$2"; echo "${COMPREPLY[*]}" """
    file = pathlib.Path(__file__).parents[2] / "driver/cli/completion.bash"
    done = subprocess.run(["bash", "-c", script, "bash", file, BUILD / "regroup", line],
                          capture_output=True, text=True, check=True)
    assert done.stdout.strip() == words, done.stderr


COMPUTING = """experiment: x
ranks: 2
group_size: 1
walker: [{kind: lennard_jones, atoms: 100}, sleep]
workload: {kind: constant, mean_items: 1000}
balancers: [none]
timeout_s: 1000
"""


def limits(workspace, *arguments):
    plan = json.loads(workspace.run("plan", workspace.write("test.yaml", COMPUTING), "--format", "json", *arguments,
                                    code=0).stdout)
    return [task["makespan_s"] for task in plan["tasks"]], plan["all"]["time_limit_s"]


def test_nobody_knows_how_long_walkers_compute_unless_somebody_says_or_measures(workspace):
    told, limit = limits(workspace)
    assert told == [None, 100] and limit > 1000 + 1.5 * 100
    told, limit = limits(workspace, "--set", "item_ms=2")
    assert told == [2, 2]
    told, limit = limits(workspace, "--probe")
    assert 1e-3 < told[0] < 50 and told[1] == 100 and limit < 600
    said = workspace.run("plan", "test.yaml", "--format", "slurm", code=0)
    assert "--probe" in said.stderr and said.stdout.startswith("--nodes=")


def test_help_is_in_groups_and_each_subcommand_begins_with_an_example(workspace):
    text = workspace.run("--help", code=0).stdout
    groups = ["Prepare:", "Run:", "Evaluate:", "Check:"]
    assert [line for line in text.splitlines() if line in groups] == groups
    names = re.findall(r"^  (\w+)  ", text.partition("Prepare:")[2], re.MULTILINE)
    assert {"list", "plan", "run", "table", "report", "verify"} < set(names)
    for name in names:
        _, example, usage, *_ = [line for line in workspace.run(name, "--help", code=0).stdout.splitlines() if line]
        assert example.startswith(f"  {workspace.program} {name} ") and usage.startswith("Usage:")


def test_hints_and_messages_name_the_program_as_it_was_called(workspace):
    own = workspace.path / "posterior"
    own.symlink_to(workspace.program)
    workspace.write("some.yaml", "engine: virtual\n" + SMALL + BALANCERS)
    done = subprocess.run(["./posterior", "run", "some.yaml", "--only", "nothing"], cwd=workspace.path,
                          capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.startswith("posterior: --only")
    assert "'./posterior plan some.yaml'" in done.stderr
    text = subprocess.run(["./posterior", "plan", "--help"], cwd=workspace.path, capture_output=True, text=True).stdout
    assert "  ./posterior plan mine.yaml\n" in text and "configs/" not in text


def test_quiet_runs_print_only_what_went_wrong(workspace):
    workspace.write("well.yaml", "engine: virtual\n" + SMALL + BALANCERS)
    done = workspace.run("run", "well.yaml", "--quiet", "--out", "results", code=0)
    assert (done.stdout, done.stderr) == ("", "") and len(workspace.rows()) == RUNS
    launcher = workspace.launcher("echo 'regroup: no luck' >&2; exit 1\n")
    workspace.write("ill.yaml", f"launcher: {launcher}\n" + SMALL + "balancers: [none]\n")
    done = workspace.run("run", "ill.yaml", "--quiet", "--out", "ill", code=1)
    assert "failed: " in done.stdout and "1 did not end well" in done.stdout
