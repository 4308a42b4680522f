# SPDX-License-Identifier: BSD-3-Clause
"""Results are never lost: damage is reported, omitted rows are reported and kept in a copy, and
nothing is overwritten before all steps that can fail."""

import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess

import pytest

from conftest import eventually, expect_one_line

SOURCE = pathlib.Path(__file__).resolve().parents[2]

CONFIG = "ranks: 8\ngroup_size: 2\nengine: virtual\nitem_ms: [1, 2, 3]\nbalancers: [none]\n"

# Runs until it is ended.
ENDLESS = """ranks: 1
balancers: [none]
repetitions: 1000
launcher: {}
"""


def content(workspace):
    """Returns every file of the results except for logs."""
    directory = workspace.path / "results"
    return {path.name: path.read_bytes() for path in directory.iterdir() if path.is_file()}


def resume(workspace, *arguments):
    return workspace.run("run", "test.yaml", "--out", "results", "--resume", *arguments)


def edit(workspace, file, change):
    path = workspace.path / "results" / file
    path.write_bytes(change(path.read_bytes()))


# ---- configurations ------------------------------------------------------------------------------

BAD_TEXTS = {
    "latin_1_in_a_comment": (b"ranks: 8\nengine: virtual # caf\xe9\nbalancers: [none]\n", 2, "0xE9"),
    "a_second_byte_order_mark": (
        b"\xef\xbb\xbf\xef\xbb\xbfranks: 8\nbalancers: [none]\n", 1, "U+FEFF"),
    "utf_16": ("ranks: 8\nbalancers: [none]\n".encode("utf-16"), 1, "not UTF-8"),
    "escape": (b"ranks: 8\nbalancers: [none] # \x1b[2J\n", 2, "U+001B"),
    "nul": (b"ranks: 8\nbalancers: [no\0ne]\n", 2, "U+0000"),
    "new_line_in_a_name": (b'ranks: 8\nexperiment: "a\\nb"\nbalancers: [none]\n', 2, "U+000A"),
    "escape_in_a_key": (b'ranks: 8\n"\\e[31m": 3\nbalancers: [none]\n', 2, "U+001B"),
    "new_line_in_a_file": (
        b'ranks: 8\nbalancers: [none]\nworkload: {kind: trace, trace_file: "a\\nb"}\n', 3, "U+000A"),
    "new_line_in_a_variable_s_name": (
        b'ranks: 8\nbalancers: [none]\nenvironment: {"A\\nB": 1}\n', 3, "U+000A"),
    "nul_in_the_launcher": (b'ranks: 8\nbalancers: [none]\nlauncher: "a\\0b"\n', 3, "U+0000"),
    "experiment_above": (b"experiment: ../../x\nranks: 8\nbalancers: [none]\n", 1, "'../../x'"),
    "experiment_elsewhere": (b"ranks: 8\nexperiment: /x\nbalancers: [none]\n", 2, "'/x'"),
}


@pytest.mark.parametrize("command", ["plan", "run"])
@pytest.mark.parametrize("bad", BAD_TEXTS.values(), ids=BAD_TEXTS)
def test_text_that_is_not_plain_is_refused_at_its_line(workspace, bad, command):
    workspace.refuses(*bad, command=command)


@pytest.mark.parametrize("name", [b"a\nb.yaml", b"a\x1b[2J.yaml", b"caf\xe9.yaml"])
def test_a_configuration_whose_own_name_is_no_plain_text_is_refused(workspace, name):
    with open(os.path.join(os.fsencode(workspace.path), name), "w") as file:
        file.write(CONFIG)
    done = workspace.run("plan", os.fsdecode(name))
    expect_one_line(done, "another name")


def test_a_launcher_and_variables_may_have_several_lines(workspace):
    launcher = workspace.launcher('echo "value: $A"; exit 1\n')
    workspace.sweep(f"ranks: 2\nbalancers: [none]\nlauncher: |\n  {launcher}\n  -n {{ranks}}\n"
                    'environment: {A: "a\\n\\tb"}\n', code=1)
    assert "value: a" in workspace.rows()[0]["message"]


@pytest.mark.parametrize("text", [b"ranks: 8 # caf\xe9\nbalancers: [none]\n",
                                  b"ranks: 8\nengine: virtual\nbalancers: [nine]\n"])
def test_a_refused_configuration_leaves_the_results_unchanged(workspace, text):
    workspace.sweep(CONFIG)
    before = content(workspace)
    (workspace.path / "bad.yaml").write_bytes(text)
    workspace.run("run", "bad.yaml", "--out", "results", "--overwrite", code=2)
    assert content(workspace) == before


# ---- damaged tables ------------------------------------------------------------------------------

def row_of(table, change):
    """Changes the second row of a file."""
    def edit_text(text):
        lines = text.split(b"\n")
        lines[2] = change(lines[2])
        return b"\n".join(lines)
    return table, edit_text


DAMAGES = {
    "open_quote": (*row_of("runs.csv", lambda row: row.replace(b",ok,", b',"ok,')), 3),
    "open_quote_at_the_end": (*row_of("runs.csv", lambda row: row + b',"'), 3),
    "quote_inside": (*row_of("runs.csv", lambda row: row.replace(b",ok,", b',o"k,')), 3),
    "short_row": (*row_of("runs.csv", lambda row: row.rsplit(b",", 1)[0]), 3),
    "long_row": (*row_of("runs.csv", lambda row: row + b",1"), 3),
    "empty_line": (*row_of("runs.csv", lambda row: b"\n" + row), 3),
    "foreign_row": ("runs.csv", lambda text: text + b"," * text.split(b"\n")[0].count(b",") + b"\n", 5),
    "header_twice": ("runs.csv", lambda text: text + text.split(b"\n")[0] + b"\n", 5),
    "row_twice": ("runs.csv", lambda text: text + text.split(b"\n")[3] + b"\n", 5),
    "latin_1": (*row_of("runs.csv", lambda row: row.replace(b",none,", b",n\xe9ne,")), 3),
    "nul": (*row_of("runs.csv", lambda row: row.replace(b",none,", b",n\0ne,")), 3),
    "escape": (*row_of("runs.csv", lambda row: row.replace(b",none,", b",n\x1bne,")), 3),
    "carriage_return": (*row_of("runs.csv", lambda row: row.replace(b",none,", b",no\rne,")), 3),
    "short_event": (*row_of("events.csv", lambda row: row.rsplit(b",", 1)[0]), 3),
    "open_quote_in_events": (*row_of("events.csv", lambda row: b'"' + row), 3),
    "short_regroups": (*row_of("regroups.csv", lambda row: row.rsplit(b",", 1)[0]), 3),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_table_is_named_with_its_line_and_left_as_it_is(workspace, name):
    workspace.sweep(CONFIG)
    file, damage, line = DAMAGES[name]
    edit(workspace, file, damage)
    before = content(workspace)
    for mode in ("--resume", "--retry"):
        done = workspace.run("run", "test.yaml", "--out", "results", mode)
        expect_one_line(done, f"results/{file}:{line}: ")
    assert content(workspace) == before
    if "event" in file and "foreign" not in name:
        expect_one_line(workspace.run("verify", "results"), f"results/{file}:{line}: ")
    if file == "runs.csv" and name not in ("foreign_row", "header_twice", "row_twice"):
        expect_one_line(workspace.run("verify", "results"), f"results/{file}:{line}: ")
        expect_one_line(workspace.run("table", "results"), f"results/{file}:{line}: ")


def test_retry_keeps_the_rows_that_it_does_not_repeat(workspace):
    launcher = workspace.launcher("exit 7\n")
    config = f"ranks: 2\nbalancers: [none]\nlauncher: {launcher}\nitem_ms: [1, 2]\n"
    workspace.sweep(config, code=1)
    workspace.sweep(config, "--retry", "--only", "T 2 ms", code=1)
    assert [row["item_ms"] for row in workspace.rows()] == ["1", "2"]


def test_goes_on_after_its_files_were_not_all_created(workspace):
    workspace.sweep(CONFIG)
    whole = len(workspace.rows())
    edit(workspace, "runs.csv", lambda text: text[:text.index(b"\n") + 1])
    (workspace.path / "results/events.csv").unlink()
    workspace.sweep(CONFIG, "--retry")
    assert len(workspace.rows()) == whole
    assert workspace.run("verify", "results").returncode == 0


def test_a_torn_last_row_is_run_again(workspace):
    workspace.sweep(CONFIG)
    whole = content(workspace)
    edit(workspace, "runs.csv", lambda text: text[:-5])
    for command in ("verify", "table"):
        expect_one_line(workspace.run(command, "results"), "results/runs.csv:4: ")
    edit(workspace, "events.csv", lambda text: text + b"0123456789abcdef,sta")
    assert resume(workspace).returncode == 0
    now = content(workspace)
    for file in ("regroups.csv", "events.csv"):
        assert sorted(now[file].splitlines()) == sorted(whole[file].splitlines()), file
    assert len(workspace.rows()) == 3
    workspace.run("verify", "results", code=0)


def test_results_without_a_file_of_runs_are_results(workspace):
    workspace.sweep(CONFIG)
    whole = content(workspace)
    (workspace.path / "results/runs.csv").unlink()
    expect_one_line(workspace.run("run", "test.yaml", "--out", "results"), "--overwrite")
    expect_one_line(resume(workspace), "results/runs.csv")
    assert content(workspace)["events.csv"] == whole["events.csv"]


def test_resume_changes_no_file_where_nothing_is_missing(workspace):
    workspace.sweep(CONFIG)
    before = content(workspace)
    done = resume(workspace)
    assert done.returncode == 0 and done.stderr == ""
    assert content(workspace) == before


def test_a_launcher_s_message_is_stored_as_plain_text(workspace):
    launcher = workspace.launcher(r"printf 'lost \033[2J caf\351\000\n'; exit 1" + "\n")
    workspace.sweep(f"ranks: 2\nbalancers: [none]\nlauncher: {launcher}\n", code=1)
    message = workspace.rows()[0]["message"]
    assert "lost \ufffd[2J caf\ufffd\ufffd" in message
    workspace.run("table", "results", code=0)


# ---- directories ---------------------------------------------------------------------------------

@pytest.mark.parametrize("place", ["", "file", "file/below", "/dev/null", "/proc/results", "x" * 300])
def test_a_directory_that_cannot_hold_results_is_refused(workspace, place):
    workspace.write("file", "a file")
    expect_one_line(workspace.run("run", workspace.write("test.yaml", CONFIG), "--out", place), place, "--out")
    assert sorted(os.listdir(workspace.path)) == ["file", "test.yaml"]


# ---- the lock ------------------------------------------------------------------------------------

def started(workspace):
    config = ENDLESS.format(workspace.script("endless", "exec sleep 300\n"))
    sweep = workspace.start("run", workspace.write("endless.yaml", config), "--out", "results")
    assert eventually((workspace.path / "results/provenance.yaml").exists, 30)
    return sweep


@pytest.mark.mpi
@pytest.mark.parametrize("mode", [(), ("--resume",), ("--overwrite",)])
def test_a_second_sweep_in_a_directory_is_refused(workspace, mode):
    first = started(workspace)
    before = content(workspace)
    done = workspace.run("run", workspace.write("test.yaml", CONFIG), "--out", "results", *mode)
    expect_one_line(done, "results/lock", f"process {first.pid}", socket.gethostname(), "--out")
    assert content(workspace) == before
    first.send_signal(signal.SIGTERM)
    first.communicate(timeout=30)
    assert not (workspace.path / "results/lock").exists()


@pytest.mark.mpi
def test_the_lock_of_a_sweep_that_was_killed_is_taken_over(workspace):
    first = started(workspace)
    first.kill()
    first.communicate()
    assert (workspace.path / "results/lock").exists()
    workspace.write("test.yaml", CONFIG)
    # The process that ends the ranks holds the lock until they have ended.
    arguments = ("run", "test.yaml", "--out", "results", "--resume", "--mixed")
    assert eventually(lambda: workspace.run(*arguments).returncode == 0)
    assert not (workspace.path / "results/lock").exists()


# ---- provenance ----------------------------------------------------------------------------------

def test_each_invocation_has_its_document_and_each_row_names_its_invocation(workspace):
    workspace.sweep(CONFIG, "--only", "T 2 ms")
    first = workspace.text("provenance.yaml")
    workspace.sweep(CONFIG, "--resume")
    both = workspace.text("provenance.yaml")
    assert both.startswith(first)
    assert [line for line in both.splitlines() if line.startswith("invocation")] == [
        "invocation: 1", "invocation: 2"]
    assert both.count("\n---\n") + both.startswith("---\n") == 2
    assert [(row["item_ms"], row["invocation"]) for row in workspace.rows()] == [
        ("2", "1"), ("1", "2"), ("3", "2")]


CHANGES = {
    "a variable": ("environment: {A: a}\n", "environment: {A: b}\n", "A a", "A b"),
    "a variable less": ("environment: {A: a}\n", "", "A a", "A unset"),
    "the launcher": ("launcher: true 1\n", "launcher: true 2\n", "true 1", "true 2"),
    "the program": ("program: /a/b\n", "program: /a/c\n", "program /a/b", "program /a/c"),
    "a program of one's own": ("", "program: /a/c\n", "program unset", "program /a/c"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_results_are_mixed_only_with_the_option_mixed(workspace, name):
    before, after, old, new = CHANGES[name]
    workspace.sweep(CONFIG + before, "--only", "T 2 ms")
    files = content(workspace)
    workspace.write("test.yaml", CONFIG + after)
    for mode in ("--resume", "--retry"):
        done = workspace.run("run", "test.yaml", "--out", "results", mode)
        expect_one_line(done, old, new, "--mixed")
        assert content(workspace) == files
    workspace.sweep(CONFIG + after, "--resume", "--mixed")
    assert [row["invocation"] for row in workspace.rows()] == ["1", "2", "2"]
    assert resume(workspace).returncode == 0, "nothing is added, so nothing is mixed"


def test_provenance_is_readable_with_any_text_in_it(workspace):
    workspace.environment["UCX_X"] = "\x7f\x85\ufeff\U0001f6b6\n\x1b: - {"
    workspace.environment["MPICH_X"] = os.fsdecode(b"caf\xe9")
    (workspace.path / "test.yaml").write_bytes(b"\xef\xbb\xbf# \xf0\x9f\x9a\xb6 a: b - \"'\n" +
                                               CONFIG.encode())
    only = ("--only", "T 2 ms", "--out", "results")
    workspace.run("run", "test.yaml", *only, code=0)
    assert resume(workspace).returncode == 0
    assert [row["invocation"] for row in workspace.rows()] == ["1", "2", "2"]


def test_tables_keep_results_of_other_circumstances_apart(workspace):
    config = CONFIG.replace("[1, 2, 3]", "1") + "workload: exponential\nrepetitions: 4\n"
    workspace.sweep(config + "environment: {A: a, B: c}\n", "--only", "#1")
    workspace.sweep(config + "environment: {A: a, B: c}\n", "--resume", "--only", "#2")
    table = workspace.run("table", "results").stdout
    assert "environment" not in table and "2/2" in table
    workspace.sweep(config + "environment: {B: c}\n", "--resume", "--mixed")
    table = workspace.run("table", "results").stdout
    rows = [line for line in table.splitlines() if line.endswith("2/2")]
    assert len(rows) == 2, table
    assert "environment A a" in rows[0] and "environment A unset" in rows[1]
    assert "environment B" not in table
    for form in ("csv", "markdown", "latex"):
        assert "environment A unset" in workspace.run("table", "results", "--format", form).stdout


def test_the_table_mentions_the_paper_if_a_row_has_numbers_of_it(workspace):
    for group_size, numbers in ((2, False), (4, True)):
        workspace.sweep(CONFIG.replace("group_size: 2", f"group_size: {group_size}"), "--overwrite")
        table = workspace.run("table", "results").stdout
        assert ("paper" in table) == ("0.00 / 0.00 / 0 / 0" in table) == numbers


@pytest.mark.mpi
def test_summaries_keep_results_of_other_circumstances_apart(workspace):
    config = ("measure: creation\nranks: 2\ncommunicator: range\ngroup_size: 2\nsamples: 2\n"
              "repetitions: 2\n")
    for environment, only in (("{A: a}", ("--only", "#1")), ("{A: b}", ("--resume", "--mixed"))):
        workspace.write("test.yaml", config + f"environment: {environment}\n")
        done = workspace.run("run", "test.yaml", "--out", "results", *only, code=0)
    assert [row["invocation"] for row in workspace.rows("creation.csv")] == ["1", "2"]
    assert "environment A a" in done.stdout and "environment A b" in done.stdout


def test_variables_that_mpi_obeys_are_conditions_too(workspace):
    workspace.sweep(CONFIG, "--only", "T 2 ms")
    workspace.environment["UCX_TLS"] = "self,tcp"
    expect_one_line(resume(workspace), "UCX_TLS unset", "UCX_TLS self,tcp", "--mixed")


def test_results_of_unknown_conditions_are_added_to_only_when_asked_to(workspace):
    workspace.sweep(CONFIG, "--only", "T 2 ms")
    (workspace.path / "results/provenance.yaml").unlink()
    expect_one_line(resume(workspace), "unknown", "--mixed")
    assert resume(workspace, "--mixed").returncode == 0
    assert [row["invocation"] for row in workspace.rows()] == ["1", "2", "2"]


def test_a_damaged_provenance_is_named(workspace):
    workspace.sweep(CONFIG, "--only", "T 2 ms")
    whole = workspace.text("provenance.yaml")
    for text in ("[", whole + whole, whole.replace("invocation: 1", "invocation: x")):
        workspace.write("results/provenance.yaml", text)
        expect_one_line(resume(workspace), "results/provenance.yaml:")
        assert workspace.text("provenance.yaml") == text


# Commit and tree state in a build: (build location, commands before, expected tree state).
TREES = {
    "a clone": (".", "", "clean"),
    "a clone with changes": (".", "touch more", "with uncommitted changes"),
    "an archive": (".", "rm -rf .git", "unknown"),
    "a repository without a commit": (".", "rm -rf .git; git init -q", "unknown"),
    "below another repository": (
        "regroup", "rm -rf .git; mkdir regroup; mv cmake regroup; git init -q; git add .; "
        "git commit -qm x", "unknown"),
    "a submodule": (
        "a/regroup", "mkdir ../b; git clone -q . ../b/inner; mkdir a; git init -q a; "
        "cd a; git -c protocol.file.allow=always submodule --quiet add ../../b/inner regroup; "
        "git commit -qm x", "clean"),
}


@pytest.mark.parametrize("name", TREES)
def test_a_build_knows_its_commit_or_says_unknown(workspace, name):
    place, change, tree = TREES[name]
    author = {f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    workspace.environment.update(author, GIT_CONFIG_GLOBAL="/dev/null",
                                 GIT_CEILING_DIRECTORIES=str(workspace.path))
    root = workspace.path / "root"
    shutil.copytree(SOURCE / "cmake", root / "cmake")
    script = f"set -e; git init -q; git add .; git commit -qm x; {change}"
    subprocess.run(["bash", "-c", script], cwd=root, env=workspace.environment, check=True)
    source = root / place
    subprocess.run(["cmake", "-D", f"SOURCE={source}", "-D", "VERSION=1.2", "-D",
                    f"OUTPUT={workspace.path}/version.hpp", "-P",
                    SOURCE / "cmake/write_version.cmake"], env=workspace.environment, check=True)
    written = (workspace.path / "version.hpp").read_text()
    head = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], cwd=source, text=True,
                          env=workspace.environment, capture_output=True).stdout.strip()
    commit = "unknown" if tree == "unknown" else head
    changes = r"\.changed\.[0-9a-f]{8}" if tree == "with uncommitted changes" else ""
    assert re.search(rf'"1\.2\+{commit}{changes}", "{commit}", "{tree}"', written), written
