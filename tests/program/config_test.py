# SPDX-License-Identifier: BSD-3-Clause
"""Every user error is found before anything starts: exit code 2, and one line with the position,
the error, and the allowed values."""

import os
import pathlib

import pytest

from conftest import expect_one_line, memory_limit

# Error: (configuration, line, words of the message).
BAD_CONFIGURATIONS = {
    "unknown_key": ("ranks: 4\nrnaks: 3\nbalancers: [none]\n", 2, "unknown key 'rnaks'", "ranks"),
    "wrong_type": ("balancers: [none]\nranks: four\n", 2, "'four'", "integer from 1 to"),
    "real_for_integer": ("balancers: [none]\nranks: 4.5\n", 2, "'4.5'", "integer from 1 to"),
    "below_range": ("ranks: 0\nbalancers: [none]\n", 1, "'0'", "integer from 1 to"),
    "above_range": ("ranks: 4\nbalancers: [none]\ntimeout_s: 1e9\n", 3, "'1e9'", "number from"),
    "negative": ("ranks: 4\nitem_ms: -1\nbalancers: [none]\n", 2, "'-1'", "number from"),
    "not_a_number": ("ranks: 4\nitem_ms: .nan\nbalancers: [none]\n", 2, "'.nan'", "number from"),
    "infinite": ("ranks: 4\nitem_ms: inf\nbalancers: [none]\n", 2, "'inf'", "number from"),
    "one_bad_of_a_list": ("balancers: [none]\nranks:\n  - 4\n  - x\n", 4, "'x'", "integer"),
    "no_value": ("ranks:\nbalancers: [none]\n", 1, "''", "integer from 1 to"),
    "unknown_engine": ("ranks: 4\nengine: vitual\nbalancers: [none]\n", 2, "'vitual'", "virtual"),
    "unknown_walker": ("ranks: 4\nwalker: slep\nbalancers: [none]\n", 2, "'slep'", "sleep"),
    "unknown_waiting": ("ranks: 4\nwaiting: x\nbalancers: [none]\n", 2, "'x'", "polite | direct"),
    "unknown_workload": ("ranks: 4\nworkload: cycle\nbalancers: [none]\n", 2, "'cycle'", "cyclic"),
    "unknown_kind": (
        "ranks: 4\nworkload:\n  kind: cycle\nbalancers: [none]\n", 3, "'cycle'", "cyclic"),
    "no_kind": ("ranks: 4\nworkload: {multiplier: 1}\nbalancers: [none]\n", 2, "no kind", "cyclic"),
    "unknown_workload_option": (
        "ranks: 4\nworkload:\n  kind: cyclic\n  modlus: 3\nbalancers: [none]\n",
        4, "'modlus'", "modulus"),
    "workload_twice": (
        "ranks: 4\nbalancers: [none]\nworkload:\n  - cyclic\n  - cyclic\n", 5, "twice", "once"),
    "unknown_balancer": ("ranks: 4\nbalancers:\n  - none\n  - nine\n", 4, "'nine'", "collective"),
    "unknown_balancer_option": (
        "ranks: 4\nbalancers:\n  - collective:\n      intervall: 3\n", 4, "'intervall'", "exchange_interval"),
    "balancer_option_out_of_range": (
        "ranks: 4\nbalancers:\n  - collective:\n      exchange_interval: 0\n", 4, "'0'", "integer from 1"),
    "unknown_finished": (
        "ranks: 4\nbalancers:\n  - asynchronous: {finished_groups: stop}\n", 3, "'stop'",
        "release | merge"),
    "unknown_communicator": (
        "ranks: 4\nbalancers:\n  - collective: {communicator: comm_spilt}\n", 3, "'comm_spilt'",
        "comm_split"),
    "deadlock_over_comm_split": (
        "ranks: 4\nbalancers:\n  - asynchronous: {communicator: comm_split}\n", 3, "deadlock",
        "create_group | intercomm_merge | multicommunicator"),
    "deadlock_over_comm_create": (
        "ranks: 4\nbalancers:\n  - none\n  - asynchronous:\n      communicator:\n"
        "        - create_group\n        - comm_create\n", 7, "deadlock",
        "create_group | intercomm_merge | multicommunicator"),
    "options_on_none": (
        "ranks: 4\nbalancers:\n  - none: {exchange_interval: 1}\n", 3, "no options", "- none"),
    "empty_options_on_none": ("ranks: 4\nbalancers:\n  - none:\n", 3, "no options", "- none"),
    "balancer_is_a_list": ("ranks: 4\nbalancers:\n  - [none]\n", 3, "a name", "collective"),
    "balancer_with_two_names": (
        "ranks: 4\nbalancers:\n  - collective: {exchange_interval: 1}\n    asynchronous: {}\n", 3, "a name",
        "collective"),
    "balancer_twice": (
        "ranks: 4\nbalancers:\n  - collective: {exchange_interval: [1, 2]}\n  - collective: {exchange_interval: 2}\n",
        4, "twice", "once"),
    "no_balancers": ("ranks: 4\n", 1, "'balancers' is missing", "none | collective"),
    "balancers_no_list": ("ranks: 4\nbalancers: none\n", 2, "must be a non-empty list", "none | collective"),
    "no_balancer_in_the_list": ("ranks: 4\nbalancers: []\n", 2, "non-empty", "none | collective"),
    "balancers_without_value": ("balancers:\nranks: 4\n", 1, "must be a non-empty list", "none | collective"),
    "no_ranks": ("balancers: [none]\n", 1, "'ranks' is missing", "integer from 1 to"),
    "key_twice": ("ranks: 4\nbalancers: [none]\nranks: 8\n", 3, "duplicate key 'ranks'", "once"),
    "empty_list": ("balancers: [none]\nranks: []\n", 2, "empty list", "integer from 1 to"),
    "value_twice": ("balancers: [none]\nranks: [4, 8, 4]\n", 2, "'4' twice", "once"),
    "value_twice_in_other_words": (
        "ranks: 4\nbalancers: [none]\nitem_ms:\n  - 1\n  - 1.0\n", 5, "'1' twice", "once"),
    "nested_list": ("balancers: [none]\nranks: [[4]]\n", 2, "contains a list or a map", "integer from 1 to"),
    "map_for_number": ("balancers: [none]\nranks: {a: 4}\n", 2, "a map", "integer from 1 to"),
    "list_of_repetitions": (
        "ranks: 4\nbalancers: [none]\nrepetitions: [1, 2]\n", 3, "is a list", "one number"),
    "empty_experiment": ("ranks: 4\nexperiment: ''\nbalancers: [none]\n", 2, "text", "give one"),
    "list_in_environment": (
        "ranks: 4\nbalancers: [none]\nenvironment:\n  A: [1]\n", 4, "variable A", "NAME: value"),
    "bad_variable": (
        "ranks: 4\nbalancers: [none]\nenvironment:\n  A=B: 1\n", 4, "'A=B'", "NAME: value"),
    "environment_no_map": (
        "ranks: 4\nbalancers: [none]\nenvironment: 3\n", 3, "must be a map", "NAME: value"),
    "bad_indentation": ("ranks: 4\n  balancers: [none]\n", 2, "not YAML", ""),
    "unclosed_bracket": ("ranks: [4\nbalancers: [none]\n", 2, "not YAML", ""),
    "tabulator": ("ranks: 4\nbalancers:\n\t- none\n", 3, "not YAML", ""),
    "unknown_anchor": ("ranks: *four\nbalancers: [none]\n", 1, "not YAML", ""),
    "only_a_text": ("ranks\n", 1, "must be a map", "balancers"),
    "empty_file": ("", 1, "must be a map", "balancers"),
    "walkers_told_twice": (
        "ranks: 4\nwalkers_per_group: 2\nwalkers_in_all: 9\nbalancers: [none]\n", 3,
        "exclude each other", "give one of them"),
    "too_few_walkers": (
        "ranks: 8\ngroup_size: 2\nwalkers_in_all: 3\nbalancers: [none]\n", 3,
        "3 walkers in all are too few for 4 groups", "8 ranks in groups of 2"),
    "too_many_walkers": (
        "ranks: 8\ngroup_size: 2\nwalkers_per_group: 300000\nbalancers: [none]\n", 3,
        "1200000 walkers for groups of 2 are too many", "1048576"),
    "walkers_that_want_too_much": (
        "ranks: 8\nwants: {kind: fixed, wanted_ranks: 9}\nbalancers: [batch]\n", 2,
        "a walker wants 9 ranks; allowed: at most 8", "8 ranks in groups of 4"),
    "walkers_that_want_nothing": (
        "ranks: 8\nwants: {kind: uniform, least_wanted_ranks: 5, most_wanted_ranks: 4}\nbalancers: [batch]\n",
        2, "least_wanted_ranks 5", "8 ranks in groups of 4"),
    "wants_without_a_file": (
        "ranks: 8\nwants: {kind: trace, wants_file: no.csv}\nbalancers: [batch]\n", 2, "no.csv",
        "8 ranks in groups of 4"),
    "a_sphere_that_is_too_small": (
        "ranks: 8\nwalker: {kind: lennard_jones, atoms: 55, sphere_radius: 1}\nbalancers: [none]\n", 2,
        "55 atoms do not fit into a sphere of radius 1: it must be 2.51", "regroup list walkers"),
    "too_few_atoms": (
        "ranks: 8\nwalker: {kind: lennard_jones, atoms: 1}\nbalancers: [none]\n", 2,
        "atoms", "integer from 2 to 4096"),
    "nodes_that_nobody_asked_for": (
        "ranks: 8\nbalancers: [none]\nlauncher: srun -N {nodes} -n {ranks}\n", 3,
        "uses {nodes}, but ranks_per_node is not set", "from 1 on"),
    "ranks_per_node_of_some_runs": (
        "ranks: 8\nranks_per_node: [0, 4]\nbalancers: [none]\n"
        "launcher: srun --ntasks-per-node={ranks_per_node} -n {ranks}\n", 4,
        "uses {ranks_per_node}, but ranks_per_node is not set", "from 1 on"),
    "a_launcher_that_does_not_hear_of_nodes": (
        "ranks: [2, 8]\nranks_per_node: 4\nbalancers: [none]\nlauncher: srun -n {ranks}\n", 2,
        "ranks_per_node is 4 for 8 ranks, but the launcher does not use it", "{ranks_per_node} or {nodes}"),
    "an_unknown_order": (
        "ranks: 8\nrank_order: spread\nbalancers: [none]\n", 2, "'spread'", "round_robin"),
    "second_document": (
        "ranks: 4\nbalancers: [none]\n---\nranks: 5\n", 4, "second YAML document", "one"),
}


NINE = "[x, x, x, x, x, x, x, x, x]"
NESTED_ALIASES = f"a: &a {NINE}\n" + "".join(
    f"{name}: &{name} [{', '.join(['*' + last] * 9)}]\n"
    for last, name in zip("abcdefgh", "bcdefghi"))

# Configurations beyond the limits: (text, line, words of the message). They must not exhaust
# memory; tests/unit/config_test.cpp tests the reader further.
HOSTILE_CONFIGURATIONS = {
    "nested_aliases": (NESTED_ALIASES, 5, "more than 10000 values"),
    "many_values": ("ranks: [" + "1, " * 10000 + "1]\n", 1, "more than 10000 values"),
    "long_text_in_aliases": (
        "a: &a " + "x" * 400000 + "\nb: *a\nc: *a\n", 3, "more than 1000000 bytes"),
    "deep_blocks": ("- " * 100000, 1, "more than 64 levels"),
    "deep_by_aliases": (
        "a: &a " + "[" * 40 + "]" * 40 + "\nb: " + "[" * 40 + "*a" + "]" * 40 + "\n", 2,
        "more than 64 levels"),
    "no_text": ("ranks: 4\nbalancers: [none]  # \udce4\n", 2, "UTF-8"),
    "too_many_repetitions": (
        "ranks: [4, 8]\nbalancers: [none]\nrepetitions: 1000000\n", 1,
        "2000000 runs: 1000000 repetitions × 2 ranks; allowed: at most 1000000"),
    "too_many_options": (
        "ranks: 4\nbalancers: [none]\nworkload: {kind: cyclic, multiplier: &n ["
        + ", ".join(map(str, range(1, 2001))) + "], modulus: *n}\n", 3,
        "too many combinations; allowed"),
    "too_many_balancers": (
        "ranks: 4\nseed: [1, 2]\nbalancers:\n  - asynchronous: {finished_groups: [release, merge], "
        "listen_ms: [" + ", ".join(map(str, range(1, 3001)))
        + "], communicator: [create_group, range]}\nitem_ms: ["
        + ", ".join(map(str, range(1, 101))) + "]\n", 1,
        "2400000 runs: 2 seed × 100 item_ms × 12000 balancers"),
    "too_many_measurements": (
        "measure: steps\nranks: 4\ngroup_size: 2\nrepetitions: 1000000\nsamples: [1, 2, 3]\n", 1,
        "3000000 measurements: 1000000 repetitions × 3 samples"),
    "too_many_ranks": ("ranks: 1400000\nbalancers: [none]\n", 1, "'1400000'"),
    "too_many_ranks_for_an_engine": (
        "ranks: [4, 100000]\nengine: simgrid\nbalancers: [none]\n", 1,
        "100000 ranks are too many for engine simgrid; allowed: at most 65536"),
    "long_name": (
        f"ranks: 4\nexperiment: {'x' * 201}\nbalancers: [none]\n", 2, "a name of 201 bytes"),
    "long_key": (f"ranks: 4\n{'k' * 900}: 1\nbalancers: [none]\n", 2, "unknown key 'kkkk"),
    "longer_than_virtual_time": (
        "engine: virtual\nranks: 32\nbalancers: [none]\nitem_ms: 1e6\n"
        "workload: {kind: constant, mean_items: 100000}\n", 4,
        "100000 items of a walker, 250 s each, exceed the range of virtual time"),
}


@pytest.mark.parametrize("command", ["run", "plan"])
@pytest.mark.parametrize("bad", BAD_CONFIGURATIONS.values(), ids=BAD_CONFIGURATIONS)
def test_a_bad_configuration_is_refused_at_its_line(workspace, bad, command):
    workspace.refuses(*bad, command=command)


@pytest.mark.parametrize("name", HOSTILE_CONFIGURATIONS)
def test_a_hostile_configuration_is_refused_within_limits(workspace, name):
    text, line, wrong = HOSTILE_CONFIGURATIONS[name]
    (workspace.path / "bad.yaml").write_bytes(text.encode("utf-8", "surrogateescape"))
    done = workspace.run("plan", "bad.yaml", timeout=20, preexec_fn=memory_limit(400))
    expect_one_line(done, f"bad.yaml:{line}: ", wrong)
    assert len(done.stderr) < 1200


def test_a_configuration_that_is_too_large_is_not_read(workspace):
    workspace.write("bad.yaml", "# " + "x" * 1000000 + "\nranks: 4\nbalancers: [none]\n")
    for path in ("bad.yaml", "/dev/zero"):
        expect_one_line(workspace.run("plan", path), f"{path}: larger than 1 MB")


@pytest.mark.parametrize("option", [
    "workload: {kind: trace, trace_file: /dev/zero}",
    "engine: virtual\ncosts: {kind: measured, costs_file: /dev/zero, steps_file: /dev/zero}"])
def test_an_endless_file_is_no_input_of_runs(workspace, option):
    workspace.write("bad.yaml", f"ranks: 4\nbalancers: [none]\n{option}\n")
    expect_one_line(workspace.run("plan", "bad.yaml", timeout=20), "/dev/zero: is not a regular file")


def test_a_configuration_within_the_limits_is_read(workspace):
    lists = "[" * 60 + "]" * 60
    workspace.write("good.yaml", "ranks: &r [4, 8]\nseed: *r\nexperiment: " + "x" * 200 + "\n"
                    "engine: virtual\njitter: &j 0.1\nbalancers: [none]\nrepetitions: 1000\n"
                    f"# {'x' * 900000}\n")
    done = workspace.run("plan", "good.yaml", code=0)
    assert f"{'x' * 200}: 4000 runs" in done.stdout
    workspace.write("deep.yaml", f"ranks: {lists}\nbalancers: [none]\n")
    expect_one_line(workspace.run("plan", "deep.yaml"), "deep.yaml:1: ranks contains")


@pytest.mark.parametrize("launcher", ["/no/such/launcher -n {ranks}", "nosuchlauncher", "/tmp", " "])
def test_a_launcher_that_cannot_be_started_is_refused(workspace, launcher):
    workspace.write("bad.yaml", f"ranks: 4\nbalancers: [none]\nlauncher: '{launcher}'\n")
    expect_one_line(workspace.run("run", "bad.yaml"), "bad.yaml:3: launcher", "PATH")
    assert os.listdir(workspace.path) == ["bad.yaml"]
    workspace.run("plan", "bad.yaml", code=0)  # `plan` is for runs elsewhere, too


@pytest.mark.parametrize("program", ["regroup-mpi", "bin/regroup-mpi", "./regroup-mpi", "''", "[/a]"])
def test_a_program_without_its_whole_path_is_refused(workspace, program):
    workspace.write("bad.yaml", f"ranks: 4\nbalancers: [none]\nprogram: {program}\n")
    expect_one_line(workspace.run("plan", "bad.yaml"), "bad.yaml:3: program")


GOOD = "ranks: 8\nengine: virtual\nbalancers: [none]\n"


@pytest.mark.parametrize("arguments, word", [
    ((), "subcommand"), (("bogus",), "bogus"), (("--bogus",), ""), (("run",), "config"),
    (("plan",), "config"), (("run", "good.yaml", "--bogus"), "--bogus"),
    (("run", "good.yaml", "more.yaml"), "more.yaml"),
    (("run", "good.yaml", "--only", "nothing of it"), "nothing of it"),
    (("run", "good.yaml", "--resume", "--overwrite"), "--overwrite"),
    (("run", "good.yaml", "--retry", "--overwrite"), "--overwrite"),
    (("run", "missing.yaml"), "missing.yaml: cannot be read"), (("run", "."), "cannot be read"),
    (("table",), "directory"), (("table", "missing"), "missing"),
    (("table", "results", "--format", "html"), "latex"),
    (("verify",), "directory"), (("verify", "missing"), "missing")])
def test_a_bad_command_line_is_refused(workspace, arguments, word):
    workspace.write("good.yaml", GOOD)
    expect_one_line(workspace.run(*arguments), word)
    assert os.listdir(workspace.path) == ["good.yaml"]


CONFIGS = [path for path in sorted((pathlib.Path(__file__).resolve().parents[2] / "configs").glob("*.yaml"))
           if path.stem != "validation"]  # it reads results of measurements


@pytest.mark.parametrize("config", CONFIGS, ids=lambda path: path.stem)
def test_the_configurations_of_the_project_can_be_planned(workspace, config):
    workspace.run("plan", "--brief", config, code=0)


SWEEP = "ranks: 16\nengine: virtual\nbalancers: [none, collective: {exchange_interval: 4}]\n"


@pytest.mark.parametrize(
    "file, row, column, value, word",
    [
        ("runs.csv", 1, "makespan_s", "abc", "runs.csv:3: 'abc'"),
        ("runs.csv", 1, "ranks", "0", "runs.csv:3: '0'"),
        ("runs.csv", 1, "ranks", "-4", "runs.csv:3: '-4'"),
        ("runs.csv", 1, "ranks", "99999999999", "runs.csv:3: '99999999999'"),
        ("runs.csv", 1, "group_size", "0", "runs.csv:3: '0'"),
        ("runs.csv", 1, "workload", "cyclic(multiplier=x)", "runs.csv:3: "),
        ("runs.csv", 1, "balancer", "collective(exchange_interval=)", "runs.csv:3: "),
        ("runs.csv", 1, "balancer", "foo", "runs.csv:3: 'foo'"),
        ("runs.csv", 1, "engine", "foo", "runs.csv:3: 'foo'"),
        ("runs.csv", 1, "communicator", "foo", "runs.csv:3: 'foo'"),
        ("runs.csv", 1, "status", "foo", "runs.csv:3: 'foo'"),
        ("runs.csv", -1, "status", "foo", "runs.csv:1: there is no column 'status'"),
        ("events.csv", 1, "group_ranks", "x", "events.csv:3: unknown group_ranks 'x'"),
        ("events.csv", 1, "group_ranks", "", "events.csv:3: unknown group_ranks ''"),
        ("events.csv", 1, "group_ranks", "4-4294967303", "events.csv:3: unknown group_ranks '4-4294967303'"),
        ("events.csv", 1, "walker_id", "x", "events.csv:3: 'x'"),
        ("events.csv", 1, "begin_event", "foo", "events.csv:3: unknown begin_event 'foo'"),
        ("events.csv", -1, "end_event", "foo", "events.csv:1: there is no column 'end_event'"),
    ],
)
def test_damaged_results_are_refused_at_their_line(workspace, file, row, column, value, word):
    workspace.sweep(SWEEP)
    workspace.change(file, row, column, value)
    commands = ["verify"] if file == "events.csv" else ["verify", "table"]
    for command in commands:
        expect_one_line(workspace.run(command, "results"), word)


def test_results_without_a_run_are_refused(workspace):
    workspace.sweep(SWEEP)
    workspace.write("results/runs.csv", workspace.text().split("\n")[0] + "\n")
    for command in ("verify", "table"):
        expect_one_line(workspace.run(command, "results"), "there are no ")


def test_missing_events_are_refused(workspace):
    workspace.sweep(SWEEP)
    (workspace.path / "results/events.csv").unlink()
    expect_one_line(workspace.run("verify", "results"), "events.csv: cannot be read")


def test_results_with_other_columns_are_not_added_to(workspace):
    workspace.sweep(SWEEP)
    workspace.change("runs.csv", -1, "message", "remark")
    before = workspace.text()
    expect_one_line(workspace.run("run", "test.yaml", "--out", "results", "--resume"), "runs.csv:1:")
    assert workspace.text() == before


@pytest.mark.parametrize("arguments", [
    ("run", "good.yaml", "--only", "a\nb\x1b[31m"), ("plan", "no\n\x1b[31m.yaml"), ("bogus\n\x1b[31m",),
    ("table", "x" * 5000), ("verify", "\x9b31m"), ("plan", "good.yaml", "--\x07")])
def test_a_message_is_one_line_of_plain_text_whatever_it_quotes(workspace, arguments):
    workspace.write("good.yaml", GOOD)
    done = workspace.run(*arguments, code=2)
    assert done.stderr.startswith("regroup: ") and done.stderr.count("\n") == 1
    assert done.stderr[:-1].isprintable() and len(done.stderr) < 2500


def test_an_endless_cell_is_quoted_in_part(workspace):
    workspace.sweep(SWEEP)
    workspace.change("runs.csv", 1, "ranks", "9" * 100_000)
    done = workspace.run("table", "results")
    expect_one_line(done, "runs.csv:3: '999")
    assert len(done.stderr) < 2500
