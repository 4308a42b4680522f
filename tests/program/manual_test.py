# SPDX-License-Identifier: BSD-3-Clause
"""What the command tells of itself: what was meant, and keys that are set without an editor."""

import json

import pytest

SMALL = "engine: virtual\nranks: 8  # few\nbalancers: [none, asynchronous]\nseed: 1\n"


@pytest.mark.parametrize("words, meant", [
    (["tabel", "results"], "there is no subcommand 'tabel' (did you mean 'table'?)"),
    (["run", "c.yaml", "--resum"], "there is no option '--resum' (did you mean '--resume'?)"),
    (["run", "c.yaml", "--otu=x"], "there is no option '--otu' (did you mean '--out'?)"),
    (["groups", "chekc"], "there is no subcommand 'chekc' (did you mean 'check'?)"),
    (["verfiy"], "there is no subcommand 'verfiy' (did you mean 'verify'?)"),
    (["list", "balancer"], "there is no list 'balancer' (did you mean 'balancers'?); allowed: engines"),
    (["nonsense"], "there is no subcommand 'nonsense'"),
])
def test_what_was_meant_is_told(workspace, words, meant):
    done = workspace.run(*words)
    assert done.returncode == 2
    assert done.stderr.startswith(f"regroup: {meant}"), done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("text, meant", [
    ("rnaks: 4\n", "c.yaml:1: unknown key 'rnaks' in the configuration (did you mean 'ranks'?); allowed: "),
    ("ranks: 4\nbalancers: [colective]\n",
     "c.yaml:2: unknown balancer 'colective' (did you mean 'collective'?); allowed: none | "),
    ("ranks: 4\nbalancers: [none]\nworkload: {kind: paretto}\n",
     "c.yaml:3: unknown workload 'paretto' (did you mean 'pareto'?); allowed: "),
    ("ranks: 4\nbalancers:\n  - collective: {communicator: comm_spilt}\n",
     "c.yaml:3: unknown communicator 'comm_spilt' (did you mean 'comm_split'?); allowed: "),
    ("ranks: 4\nbalancers:\n  - asynchronous: {finished_groups: realease}\n",
     "c.yaml:3: 'realease' is no value of finished_groups (did you mean 'release'?); allowed: "),
    ("ranks: 4\nengine: virtuel\nbalancers: [none]\n",
     "c.yaml:2: unknown engine 'virtuel' (did you mean 'virtual'?); allowed: "),
    ("measure: creatoin\n", "c.yaml:1: unknown measure 'creatoin' (did you mean 'creation'?); allowed: "),
])
def test_words_of_configurations_too(workspace, text, meant):
    (workspace.path / "c.yaml").write_text(text)
    done = workspace.run("plan", "c.yaml")
    assert done.returncode == 2
    assert done.stderr.startswith(f"regroup: {meant}"), done.stderr


def test_keys_are_set_without_an_editor(workspace):
    (workspace.path / "c.yaml").write_text(SMALL)
    plan = ["plan", "c.yaml", "--format", "json"]
    changes = ["--set", "ranks=[16, 32]", "--set", "balancers=[none]", "--set", "group_size=2"]
    tasks = json.loads(workspace.run(*plan, *changes).stdout)["tasks"]
    assert [task["description"].split(",")[0] for task in tasks] == ["16 ranks", "32 ranks"]
    assert (workspace.path / "c.yaml").read_text() == SMALL, "the file stays as it is"


def test_what_was_set_is_kept_with_the_results(workspace):
    (workspace.path / "c.yaml").write_text(SMALL)
    ran = workspace.run("run", "c.yaml", "--set", "ranks=16", "--out", "results")
    assert ran.returncode == 0, ran.stderr
    rows = workspace.rows()
    assert [row["ranks"] for row in rows] == ["16", "16"]
    assert workspace.run("verify", "results").returncode == 0
    kept = (workspace.path / "results" / "provenance.yaml").read_text()
    assert "ranks: 16" in kept and "ranks: 8" not in kept
    again = workspace.run("run", "c.yaml", "--set", "ranks=16", "--out", "results", "--resume")
    assert again.returncode == 0
    assert len(workspace.rows()) == 2
    more = workspace.run("run", "c.yaml", "--out", "results", "--resume")
    assert more.returncode == 0
    assert len(workspace.rows()) == 4


@pytest.mark.parametrize("change, message", [
    ("ranks", "--set 'ranks': it has no key, or no '='; allowed: KEY=VALUE"),
    ("ranks=[1", "--set 'ranks=[1': '[1' is no value in YAML; allowed: KEY=VALUE"),
    ("rank=9", "c.yaml, --set 'rank=9': unknown key 'rank' in the configuration (did you mean 'ranks'?)"),
    ("ranks=many", "c.yaml, --set 'ranks=many': 'many' is no value of ranks; allowed: "),
])
def test_what_cannot_be_set_is_told(workspace, change, message):
    (workspace.path / "c.yaml").write_text(SMALL)
    done = workspace.run("run", "c.yaml", "--set", change)
    assert done.returncode == 2
    assert done.stderr.startswith(f"regroup: {message}"), done.stderr
    assert not (workspace.path / "results").exists()
