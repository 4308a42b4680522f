# SPDX-License-Identifier: BSD-3-Clause
"""`regroup groups`: files that define communicators, checked and written."""

import json

import pytest

from conftest import expect_one_line

TWO = """\
communicators:
  - name: A
    members: [h1]
    communicators: [{name: B, members: ['h1:1']}]
  - {name: A, members: [h2]}
  - intercommunicator: JOIN
    first: {name: A, color: 0}
    second: {name: A, color: 1}
"""


def groups(workspace, *words, code=0):
    ran = workspace.run("groups", *words, code=code)
    return ran


def test_check_prints_who_is_in_each_communicator(workspace):
    workspace.write("two.yaml", TWO)
    workspace.write("hosts", "# mine\nh1 slots=2\nh2:3\n")
    told = json.loads(groups(workspace, "check", "two.yaml", "--hosts", "hosts", "--ranks", "4",
                                    "--format", "json").stdout)
    assert [one["ranks"] for one in told["communicators"]] == [[0, 1], [1], [2, 3]]
    assert told["processors"] == ["h1", "h1", "h2", "h2"]
    assert told["intercommunicators"] == [{"name": "JOIN", "first": 0, "second": 2}]


@pytest.mark.parametrize("words, complaint", [
    (["--ranks", "3"], "two.yaml:3: nobody knows who is on 'h1': no processors were named"),
    (["--hosts", "h1:2,h3"], "two.yaml:5: no process is on a processor 'h2'; there are: h1 (2), h3 (1)"),
    (["--hosts", "h1,h2"], "two.yaml:4: no process is on a processor 'h1:1'; there are: h1 (1), h2 (1)"),
    (["--hosts", "h1:2,h2", "--ranks", "9"], "9 ranks do not fit into the 3 slots of h1:2,h2"),
    (["--hosts", "h1:x"], "--hosts: 'h1:x' is not a host"),
    ([], "give --ranks, or --hosts")])
def test_definitions_that_do_not_fit_are_refused_in_one_line(workspace, words, complaint):
    workspace.write("two.yaml", TWO)
    expect_one_line(workspace.run("groups", "check", "two.yaml", *words), complaint)


@pytest.mark.parametrize("words, members", [
    (["--group-size", "3", "--ranks", "8"], [[0, 1, 2], [3, 4, 5], [6, 7]]),
    (["--hosts", "a:2,b,a"], [[0, 1, 3], [2]]),
    (["--hosts", "n[08-09,12]:2"], [[0, 1], [2, 3], [4, 5]]),
    (["--hosts", "n1.east.example/0*2+n1.west.example/1"], [[0, 1], [2]]),
    (["--hosts", "n1 2 n2 1"], [[0, 1], [2]])])
def test_check_reads_the_output_of_make(workspace, words, members):
    workspace.write("made.yaml", groups(workspace, "make", *words).stdout)
    ranks = str(sum(map(len, members)))
    told = json.loads(groups(workspace, "check", "made.yaml", "--ranks", ranks, "--format",
                                    "json").stdout)
    assert [one["ranks"] for one in told["communicators"]] == members


@pytest.mark.parametrize("words, complaint", [
    ([], "give one of --group-size, --hosts and --run"),
    (["--group-size", "2"], "give --ranks, too"),
    (["--group-size", "2", "--ranks", "4", "--name", "8x"], "'8x' is not a valid name"),
    (["--run", "none"], "none/events.csv")])
def test_groups_that_cannot_be_made_are_refused_in_one_line(workspace, words, complaint):
    expect_one_line(workspace.run("groups", "make", *words), complaint)


def test_the_groups_that_a_run_ended_with(workspace):
    rows = {row["balancer"]: row["run"] for row in workspace.sweep(
        "engine: virtual\nranks: 16\nitem_ms: 100\nbalancers: [none, asynchronous]\n")}
    ended = "several runs; select one with --id"
    assert ended in groups(workspace, "make", "--run", "results", code=2).stderr
    none = groups(workspace, "make", "--run", "results", "--id", rows["none"]).stdout
    assert [f"[{i}-{i + 3}]" in none for i in (0, 4, 8, 12)] == [True] * 4
    some = groups(workspace, "make", "--run", "results", "--id", rows["asynchronous"]).stdout
    assert some.count("name: GROUP") < 4


EARLIER = """\
engine: virtual
ranks: 32
workload: {kind: blocks, long_fraction: 0.5}
walkers_in_all: 8
costs: cluster
balancers: [spread]
"""


def ran(workspace, name, text):
    workspace.write(f"{name}.yaml", f"experiment: {name}\n{text}")
    workspace.run("run", f"{name}.yaml", code=0)
    workspace.run("verify", f"results/{name}", code=0)
    return workspace.rows(f"../results/{name}/runs.csv")


def test_a_run_starts_with_the_final_groups_of_another(workspace):
    [earlier] = ran(workspace, "first", EARLIER + "group_size: 4\n")
    workspace.write("ended.yaml", groups(workspace, "make", "--run", "results/first").stdout)
    [later] = ran(workspace, "second", EARLIER + "groups: ended.yaml\n")
    assert "groups" not in earlier and "/" in later["groups"]  # several, with gaps
    assert later["problem"] == earlier["problem"]
    # Values from README.md and docs/named-communicators.md.
    assert [row["regroups_avg"] for row in (earlier, later)] == ["1.75", "2.75"]
    assert [f"{float(row['makespan_s']):.5f}" for row in (earlier, later)] == ["3.55103", "3.54246"]
    # The row suffices to repeat the run.
    lines = [f"  - {{name: A, members: [{one.replace(' ', ', ')}]}}\n"
             for one in later["groups"].split("/")]
    workspace.write("again.yaml", "communicators:\n" + "".join(reversed(lines)))
    [again] = ran(workspace, "second_again", EARLIER + "groups: again.yaml\n")
    assert again["makespan_s"] == later["makespan_s"]


def test_real_ranks_start_in_groups_of_any_sizes(workspace):
    rows = ran(workspace, "real", """\
ranks: 4
item_ms: 1
workload: {kind: constant, mean_items: 20}
groups:
  - communicators:
      - {name: A, members: [0, 2-3]}
      - {name: B, members: [1]}
  - equal
balancers: [none, spread]
""")
    assert [row.get("groups") for row in rows] == ["0 2-3/1"] * 2 + [None] * 2
    assert [row["group_size"] for row in rows] == ["3", "3", "4", "4"]
    starts = [row["group_ranks"] for row in workspace.rows("../results/real/events.csv")
              if row["begin_event"] == "start" and row["run"] == rows[0]["run"]]
    assert sorted(starts) == ["0 2-3", "1"]


def test_groups_are_given_by_rank_as_results_have_them(workspace):
    workspace.write("same.yaml", "communicators:\n  - {name: A, members: [0-4]}\n  - {name: B, members: [5-7]}\n")
    rows = {}
    for name, groups in {"text": "0-4/5-7", "file": "same.yaml", "list": "[0-4/5-7, 0 2-7/1]"}.items():
        rows[name] = ran(workspace, name, f"engine: virtual\nranks: 8\nbalancers: [spread]\ngroups: {groups}\n")
    assert [row["run"] for row in rows["text"]] == [row["run"] for row in rows["file"]]
    assert [row["groups"] for row in rows["list"]] == ["0-4/5-7", "0 2-7/1"]


MISFITS = {
    "ranks: 8\ngroups: 0-3/5-7\n": "c.yaml:4: rank 4 is in no group",
    "ranks: 8\ngroups: [equal, 0-3/3-7]\n": "c.yaml:4: rank 3 is in two groups",
    "ranks: 8\ngroups: 0-3/4-\n": "c.yaml:4: '4-' are not ranks",
    "ranks: 9\ngroups: three.yaml\n": "c.yaml:3: 9 ranks, and the groups of line 4 have 8; allowed: 8",
    "ranks: 8\ngroup_size: 4\ngroups: three.yaml\n":
        "c.yaml:4: group_size has no effect, because line 5",
    "ranks: 8\ngroups: [three.yaml, three.yaml]\n": "c.yaml:4: ",
    "ranks: 8\ngroups: []\n": "c.yaml:4: groups is an empty list",
    "ranks: 8\ngroups: ''\n": "c.yaml:4: groups must not be empty",
    "ranks: 8\ngroups: none.yaml\n": "c.yaml:4: none.yaml: cannot be read",
    "ranks: 8\ngroups: hosts.yaml\n": "c.yaml:4: hosts.yaml:3: the members of walker groups are given by rank",
    "ranks: 8\ngroups: two.yaml\n": "c.yaml:4: two.yaml:3: rank 4 of 6 is in no walker group",
    "ranks: 8\ngroups: {communicators: [{name: A, members: [0-4]}, {name: B, members: [4-7]}]}\n":
        "c.yaml:4: rank 4 is in B, and in A of line 4",
    "ranks: 8\ngroups: gaps.yaml\n":
        "c.yaml:4: asynchronous forms ranges of ranks, and a group at the start is none: 0 2-7"}


@pytest.mark.parametrize("lines, complaint", MISFITS.items())
def test_groups_that_do_not_fit_are_refused_in_one_line(workspace, lines, complaint):
    for name, members in {"three": ["0-2", "3-6", "7"], "hosts": ["0-3", "pd-01"],
                          "two": ["0-3", "5"], "gaps": ["0, 2-7", "1"]}.items():
        workspace.write(f"{name}.yaml", "communicators:\n" + "".join(
            f"  - {{name: A, members: [{one}]}}\n" for one in members))
    workspace.write("c.yaml", "engine: virtual\nbalancers: [asynchronous]\n" + lines)
    expect_one_line(workspace.run("run", "c.yaml"), complaint)


def test_verify_checks_the_groups_of_the_row(workspace):
    ran(workspace, "one", "engine: virtual\nranks: 4\nbalancers: [spread]\n"
        "groups: {communicators: [{name: A, members: [0-2]}, {name: B, members: [3]}]}\n")
    for text in ('groups="0 2-3/1"', 'groups="0 2-4/1"'):
        workspace.change("one/runs.csv", 0, "settings", text)
        checked = workspace.run("verify", "results/one")
        assert checked.returncode in (1, 2)
        assert "results/one/runs.csv:2: " in checked.stdout + checked.stderr


def test_advice_is_about_groups_of_equal_size(workspace):
    workspace.write("c.yaml", "engine: virtual\nranks: 4\nbalancers: [spread]\n"
                    "groups: {communicators: [{name: A, members: [0-3]}]}\n")
    expect_one_line(workspace.run("advise", "c.yaml"), "remove 'groups'")
