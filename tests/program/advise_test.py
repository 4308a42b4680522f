# SPDX-License-Identifier: BSD-3-Clause
"""The output of `regroup advise`, and its use in configurations."""

import json
import os

import pytest

from conftest import expect_one_line

CYCLIC = """ranks: 32
workload: {kind: cyclic, multiplier: 10, modulus: 32}
balancers: [none]
"""
CONSTANT = "ranks: 32\nworkload: {kind: constant, mean_items: 140}\nbalancers: [none]\n"
CREATION = """communicator,pattern,ranks,group_size,create_median_s,status,schema
create_group,one_group,32,2,0.001,ok,1
create_group,one_group,32,8,0.003,ok,1
comm_split,one_group,32,2,0.004,ok,1
"""
STEPS = """ranks,group_size,look_for_request_s,message_s,tell_members_s,exchange_loads_s,status,schema
32,4,1e-7,1e-6,5e-6,2e-5,ok,1
32,16,1e-7,1e-6,7e-6,1e-5,ok,1
"""


def advise(workspace, config, *arguments):
    done = workspace.run("advise", workspace.write("test.yaml", config), *arguments, code=0)
    return done.stdout


def answer(workspace, config, *arguments):
    return json.loads(advise(workspace, config, "--format", "json", *arguments))


def only_problem(workspace, config, *arguments):
    (problem,) = answer(workspace, config, *arguments)["problems"]
    return problem


def without_balancers(config):
    return "".join(line for line in config.splitlines(True) if not line.startswith("balancers"))


@pytest.mark.parametrize("config", [
    CYCLIC, CONSTANT, CYCLIC + "speedup: {kind: amdahl, serial_fraction: 0.05}\n",
    CYCLIC + "engine: virtual\ncosts: bluegene_p\nitem_ms: 0.01\n"])
def test_the_suggested_lines_run_as_predicted(workspace, config):
    problem = only_problem(workspace, config)
    own = without_balancers(config)
    pasted = own if "engine" in own else own + "engine: virtual\ncosts: cluster\n"
    done = workspace.run("plan", workspace.write("pasted.yaml", pasted + problem["yaml"]), code=0)
    assert "pasted: 1 run" in done.stdout
    size = next(size for size in problem["group_sizes"] if size["ranks"] == problem["group_size"])
    (row,) = workspace.sweep(pasted + problem["yaml"])
    assert float(row["makespan_s"]) == pytest.approx(size["makespan_s"], rel=1e-12)
    assert problem["yaml"] in advise(workspace, config)


def test_a_better_group_size_is_suggested(workspace):
    problem = only_problem(workspace, CYCLIC + "speedup: {kind: amdahl, serial_fraction: 0.05}\n")
    assert problem["group_size"] != problem["configured_group_size"] == 4
    assert f"group_size: {problem['group_size']}\n" in problem["yaml"]
    least = min(size["core_ms_per_item"] for size in problem["group_sizes"])
    chosen = {size["ranks"]: size for size in problem["group_sizes"]}[problem["group_size"]]
    assert chosen["core_ms_per_item"] <= least / 0.99


def test_break_even_is_where_another_choice_wins(workspace):
    problem = only_problem(workspace, CYCLIC)
    shortest = problem["shortest_item_ms"]
    assert 1e-3 < shortest["holds"] < 100
    shorter = only_problem(workspace, CYCLIC + f"item_ms: {shortest['holds'] / 1.05}\n")
    assert shorter["choices"][0]["choice"] != problem["choices"][0]["choice"]
    factor = problem["communicators"]["dearer"]["holds"]
    dearer = f"engine: virtual\ncosts: {{kind: cluster, group_creation_us: {5 * factor * 1.1}}}\n"
    times = {choice["choice"]: choice["makespan_s"]
             for choice in only_problem(workspace, CYCLIC + dearer)["choices"]}
    winner = problem["communicators"]["dearer"]["winner"]
    assert times[winner] < times[problem["communicators"]["choice"]]


def test_every_combination_is_a_problem_and_seeds_are_not(workspace):
    config = ("ranks: [16, 32]\nitem_ms: [10, 100]\nseed: [1, 2, 3]\nengine: [mpi, virtual]\n"
              "workload: {kind: exponential, mean_items: 50}\nbalancers: [none, two_sided]\n")
    problems = answer(workspace, config)["problems"]
    assert {(one["ranks"], one["item_ms"]) for one in problems} == {
        (16, 10), (16, 100), (32, 10), (32, 100)}
    assert {one["streams"] for one in problems} == {3}
    text = advise(workspace, config)
    assert "[4/4]" in text and "medians of 3" in text


def test_costs_are_those_of_the_command_line_first(workspace):
    workspace.write("creation.csv", CREATION)
    workspace.write("steps.csv", STEPS)
    own = CYCLIC + "engine: virtual\ncosts: bluegene_p\n"
    assert answer(workspace, own)["costs"] == "as in the configuration"
    assert only_problem(workspace, own)["costs"]["kind"] == "bluegene_p"
    assert only_problem(workspace, own, "--costs", "free")["costs"]["kind"] == "free"
    files = ("--creation", "creation.csv", "--steps", "steps.csv")
    measured = only_problem(workspace, own, *files)
    assert measured["costs"]["kind"] == "measured"
    assert "intercomm_merge" in measured["not_measured"]
    assert measured["communicators"]["price_s"] == pytest.approx(0.003)


def test_the_latest_measurements_are_used(workspace):
    assert "measure: creation" in answer(workspace, CYCLIC)["hint"]
    for name, age in (("old", 1000), ("new", 2000)):
        (workspace.path / "results" / name).mkdir(parents=True)
        for file, text in (("creation.csv", CREATION), ("steps.csv", STEPS)):
            workspace.write(f"results/{name}/{file}", text)
            os.utime(workspace.path / "results" / name / file, (age, age))
    found = answer(workspace, CYCLIC)
    assert found["costs"] == "measured, results/new/creation.csv and results/new/steps.csv"
    assert found["hint"] == ""
    os.remove(workspace.path / "results/old/steps.csv")
    os.remove(workspace.path / "results/new/steps.csv")
    hint = answer(workspace, CYCLIC)["hint"]
    assert "measure: steps" in hint and "measure: creation" not in hint


MANY = f"ranks: {list(range(1, 1002))}\nbalancers: [none]\n"


@pytest.mark.parametrize("config, arguments, words", [
    ("ranks: 0\nbalancers: [none]\n", "", ["test.yaml:1:", "ranks"]),
    ("measure: steps\nranks: 4\ngroup_size: 2\n", "", ["test.yaml", "measurements of steps"]),
    (CYCLIC, "--costs measured", ["measured", "cluster"]),
    (CYCLIC, "--creation creation.csv", ["must be given together"]),
    (CYCLIC, "--creation creation.csv --steps none.csv", ["none.csv", "cannot be read"]),
    (CYCLIC, "--creation creation.csv --steps bad.csv", ["bad.csv:1:", "no column"]),
    (CYCLIC, "--creation none.csv --steps steps.csv", ["none.csv"]),
    (CYCLIC, "--creation bad.csv --steps steps.csv", ["bad.csv"]),
    (MANY, "", ["1001 combinations", "allowed: 1000"])])
def test_mistakes_are_reported_in_one_line(workspace, config, arguments, words):
    for file, text in (("creation", CREATION), ("steps", STEPS), ("bad", "ranks,schema\n1,1\n")):
        workspace.write(f"{file}.csv", text)
    expect_one_line(workspace.run("advise", workspace.write("test.yaml", config), *arguments.split()), *words)


def test_a_trace_has_no_other_group_sizes(workspace):
    workspace.write("trace.csv", "items\n" + "10\n200\n" * 4)
    config = "ranks: 32\nworkload: {kind: trace, trace_file: trace.csv}\nbalancers: [none]\n"
    problem = only_problem(workspace, config)
    assert [size["ranks"] for size in problem["group_sizes"]] == [4]
    assert "no other number is possible" in advise(workspace, config)


def test_nothing_to_do_is_no_reason_to_fail(workspace):
    config = "ranks: 4\nworkload: {kind: constant, mean_items: 0}\nbalancers: [none]\n"
    done = workspace.run("advise", workspace.write("test.yaml", config))
    assert done.returncode in (0, 2), done.stderr
    assert only_problem(workspace, "ranks: 1\nbalancers: [none]\n")["choices"]


SMALL = "ranks: 2\ngroup_size: 1\nworkload: {kind: single, mean_items: 100}\nbalancers: [none]\n"


def test_probe_measures_the_items_of_the_walker(workspace):
    text = advise(workspace, SMALL + "walker: {kind: lennard_jones, atoms: 13}\n", "--probe", "1s")
    measured = workspace.path / "results/test-probe/items.csv"
    assert measured.is_file()
    # The printed lines contain the measured values, and the file that they name is valid.
    item_ms, speedup = text.strip().splitlines()[-2:]
    assert 0.001 < float(item_ms.removeprefix("item_ms: ")) < 100
    assert "2 ranks" in text and "assumed" not in text
    again = advise(workspace, SMALL + f"{item_ms}\n{speedup}\n")
    (best,) = [line for line in text.splitlines() if "best choice" in line]
    assert best in again.splitlines()


def test_advice_says_what_it_assumes_of_items(workspace):
    assert "from item_ms and speedup" in advise(workspace, SMALL + "walker: {kind: lennard_jones, atoms: 13}\n")
    assert "from item_ms and speedup" not in advise(workspace, SMALL)


@pytest.mark.parametrize("config, arguments, complaint", [
    (SMALL, ["--probe", "1s"], "measures walkers that compute"),
    (SMALL + "walker: {kind: lennard_jones, atoms: [13, 20]}\n", ["--probe", "1s"], "measures one walker"),
    (SMALL + "walker: lennard_jones\n", ["--probe", "1s", "--format", "json"], "cannot be combined with --format json"),
    (SMALL + "walker: lennard_jones\n", ["--probe", "ten"], "--probe")])
def test_a_probe_that_is_not_possible_is_refused_in_one_line(workspace, config, arguments, complaint):
    expect_one_line(workspace.run("advise", workspace.write("test.yaml", config), *arguments), complaint)
