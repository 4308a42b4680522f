# SPDX-License-Identifier: BSD-3-Clause
"""What `regroup advise` answers, and that its answer can be used."""

import json
import os

import pytest

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
    done = workspace.run("advise", workspace.write("test.yaml", config), *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def answer(workspace, config, *arguments):
    return json.loads(advise(workspace, config, "--format", "json", *arguments))


def only_problem(workspace, config, *arguments):
    (problem,) = answer(workspace, config, *arguments)["problems"]
    return problem


def without_balancers(config):
    return "".join(line for line in config.splitlines(True) if not line.startswith("balancers"))


def test_on_the_papers_workload_none_takes_twice_the_bound(workspace):
    problem = only_problem(workspace, CYCLIC)
    times = {choice["choice"]: choice for choice in problem["choices"]}
    assert times["none"]["of_bound"] == pytest.approx(2)
    best = problem["choices"][0]
    assert best["balancer"]["kind"] in ("spread", "asynchronous") and best["of_bound"] < 1.02
    assert problem["saves"]["none"]["part"] == pytest.approx(0.5, abs=0.01)
    assert problem["saves"]["none"]["core_hours"] == pytest.approx(
        problem["saves"]["none"]["seconds"] * 32 / 3600)
    assert best["makespan_s"] == min(choice["makespan_s"] for choice in problem["choices"])


def test_on_equal_walkers_none_is_best(workspace):
    text = advise(workspace, CONSTANT)
    assert "best choice      none: 3.50 s, 1.00 × bound" in text
    assert text.endswith("balancers:\n  - none\n")


def test_the_answer_is_a_few_lines(workspace):
    text = advise(workspace, CYCLIC)
    assert len(text.splitlines()) < 25
    for words in ("best choice", "saves", "against none", "against the runner-up", "core-hours",
                  "break-even", "items may be as short as", "ranks per group"):
        assert words in text, words


@pytest.mark.parametrize("config", [
    CYCLIC, CONSTANT, CYCLIC + "speedup: {kind: amdahl, serial_fraction: 0.05}\n",
    CYCLIC + "engine: virtual\ncosts: bluegene_p\nitem_ms: 0.01\n"])
def test_what_is_to_be_pasted_is_accepted_and_comes_out_as_it_said(workspace, config):
    problem = only_problem(workspace, config)
    own = without_balancers(config)
    pasted = own if "engine" in own else own + "engine: virtual\ncosts: cluster\n"
    workspace.write("pasted.yaml", pasted + problem["yaml"])
    done = workspace.run("plan", "pasted.yaml")
    assert done.returncode == 0, done.stderr
    assert "pasted: 1 runs" in done.stdout
    size = next(size for size in problem["group_sizes"] if size["ranks"] == problem["group_size"])
    (row,) = workspace.sweep(pasted + problem["yaml"])
    assert float(row["makespan_s"]) == pytest.approx(size["makespan_s"], rel=1e-12)
    assert problem["yaml"] in advise(workspace, config)


def test_another_group_size_is_said_where_it_saves(workspace):
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
    assert answer(workspace, own)["costs"] == "as the configuration says"
    assert only_problem(workspace, own)["costs"]["kind"] == "bluegene_p"
    assert only_problem(workspace, own, "--costs", "free")["costs"]["kind"] == "free"
    files = ("--creation", "creation.csv", "--steps", "steps.csv")
    measured = only_problem(workspace, own, *files)
    assert measured["costs"]["kind"] == "measured"
    assert "intercomm_merge" in measured["not_measured"]
    assert measured["communicators"]["price_s"] == pytest.approx(0.003)


def test_what_was_measured_last_is_found(workspace):
    assert "regroup run configs/creation.yaml" in answer(workspace, CYCLIC)["hint"]
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
    assert "run configs/steps.yaml" in hint and "regroup creation" not in hint


def expect_mistake(workspace, config, arguments, *words):
    done = workspace.run("advise", workspace.write("test.yaml", config), *arguments)
    assert done.returncode == 2
    assert done.stdout == "" and len(done.stderr.splitlines()) == 1
    for word in words:
        assert word in done.stderr


def test_mistakes_are_told_before_anything_starts(workspace):
    workspace.write("creation.csv", CREATION)
    workspace.write("bad.csv", "ranks,schema\n1,1\n")
    expect_mistake(workspace, "ranks: 0\nbalancers: [none]\n", [], "test.yaml:1:", "ranks")
    expect_mistake(workspace, "measure: steps\nranks: 4\ngroup_size: 2\n", [], "test.yaml",
                   "measurements of steps")
    expect_mistake(workspace, CYCLIC, ["--costs", "measured"], "measured", "cluster")
    expect_mistake(workspace, CYCLIC, ["--creation", "creation.csv"], "belong together")
    expect_mistake(workspace, CYCLIC, ["--creation", "creation.csv", "--steps", "none.csv"],
                   "none.csv", "cannot be read")
    expect_mistake(workspace, CYCLIC, ["--creation", "creation.csv", "--steps", "bad.csv"],
                   "bad.csv:1:", "no column")
    workspace.write("steps.csv", STEPS)
    for creation in ("none.csv", "bad.csv"):
        expect_mistake(workspace, CYCLIC, ["--creation", creation, "--steps", "steps.csv"], creation)
    many = f"ranks: {list(range(1, 1002))}\nbalancers: [none]\n"
    expect_mistake(workspace, many, [], "1001 combinations", "allowed: 1000")


def test_a_trace_has_no_other_group_sizes(workspace):
    workspace.write("trace.csv", "items\n" + "10\n200\n" * 4)
    config = "ranks: 32\nworkload: {kind: trace, trace_file: trace.csv}\nbalancers: [none]\n"
    problem = only_problem(workspace, config)
    assert [size["ranks"] for size in problem["group_sizes"]] == [4]
    assert "there is no other to compare" in advise(workspace, config)


def test_nothing_to_do_is_no_reason_to_fail(workspace):
    config = "ranks: 4\nworkload: {kind: constant, mean_items: 0}\nbalancers: [none]\n"
    done = workspace.run("advise", workspace.write("test.yaml", config))
    assert done.returncode in (0, 2), done.stderr
    assert only_problem(workspace, "ranks: 1\nbalancers: [none]\n")["choices"]
