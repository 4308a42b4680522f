# SPDX-License-Identifier: BSD-3-Clause
"""Runs and sweeps that fail: each run has a row with its status, the sweep continues, files stay
intact, and no process is left."""

import contextlib
import os
import resource
import shlex
import shutil
import signal
import subprocess
import time

import pytest

from conftest import BUILD, MPIEXEC, eventually, only_mpich
from places_test import life, node, outcome

# The first run takes 10 s unless it is ended, the second 10 ms.
LONG_AND_SHORT = """ranks: 4
group_size: 2
item_ms: [1000, 1]
workload: {kind: cyclic, multiplier: 10, modulus: 32}
balancers: [none]
"""

# The first run takes 10 s unless it is ended. The second starts no processes, which could be late
# on a busy machine.
LONG_AND_VIRTUAL = """ranks: 4
group_size: 2
engine: [mpi, virtual]
item_ms: 1000
workload: {kind: cyclic, multiplier: 10, modulus: 32}
balancers: [none]
"""

# Six runs of about half a second, launching included.
SIX = """ranks: 4
group_size: 2
item_ms: 20
repetitions: 6
balancers: [none]
"""


def statuses(workspace):
    return [row["status"] for row in workspace.rows()]


def all_ranks_run(workspace, ranks=4):
    """Waits until all ranks have passed their common start; returns whether they have."""
    marks = lambda: list((workspace.path / "results/logs").glob("*.start"))
    return eventually(lambda: marks() and len(workspace.processes("regroup-mpi")) == ranks, 30)


def rows_there(workspace, number):
    def there():
        path = workspace.path / "results/runs.csv"
        return path.exists() and len(workspace.rows()) >= number
    return eventually(there, 30)


VICTIMS = pytest.mark.parametrize("victim", ["rank", "launcher", "keeper"])


def start(workspace, config):
    """Starts a sweep and returns it when all ranks of its first run work."""
    sweep = workspace.start("run", workspace.write("test.yaml", config), "--out", "results")
    assert all_ranks_run(workspace)
    return sweep


def send(workspace, sweep, victim, number):
    ranks = workspace.processes("regroup-mpi")
    keeper = workspace.processes("regroup-keeper")
    launcher = set(workspace.processes()) - {sweep.pid, *ranks, *keeper}
    os.kill({"rank": ranks[-1], "launcher": min(launcher), "keeper": keeper[0]}[victim], number)


@pytest.mark.mpi
@VICTIMS
def test_a_killed_run_is_a_row_and_the_sweep_goes_on(workspace, victim):
    sweep = start(workspace, LONG_AND_SHORT)
    time.sleep(0.5)
    send(workspace, sweep, victim, signal.SIGKILL)
    out, err = sweep.communicate(timeout=30)
    assert sweep.returncode == 1, out + err
    assert statuses(workspace) == ["killed", "ok"]
    row = workspace.rows()[0]
    assert row["makespan_s"] == "" and row["message"] != ""
    assert workspace.nothing_left()
    done = workspace.run("verify", "results", code=0)
    assert "1 of 2 runs verified" in done.stdout
    workspace.run("table", "results", code=0)


@pytest.mark.mpi
def test_a_run_that_takes_too_long_is_ended(workspace):
    workspace.sweep(LONG_AND_VIRTUAL + "timeout_s: 2\n", code=1)
    assert statuses(workspace) == ["timeout", "ok"]
    assert "2 s" in workspace.rows()[0]["message"]
    assert workspace.nothing_left()


@pytest.mark.long
@pytest.mark.mpi
@VICTIMS
def test_a_stopped_process_ends_its_run_at_the_time_limit(workspace, victim):
    sweep = start(workspace, LONG_AND_VIRTUAL + "timeout_s: 5\n")
    send(workspace, sweep, victim, signal.SIGSTOP)
    sweep.communicate(timeout=30)
    assert statuses(workspace) == ["timeout", "ok"]
    assert workspace.nothing_left()


@pytest.mark.mpi
def test_a_stopped_keeper_does_not_keep_ranks_of_a_killed_command(workspace):
    sweep = start(workspace, LONG_AND_SHORT)
    send(workspace, sweep, "keeper", signal.SIGSTOP)
    sweep.kill()
    sweep.communicate(timeout=15)
    assert workspace.nothing_left(seconds=10)


@pytest.mark.long
@pytest.mark.mpi
def test_a_launcher_that_ignores_being_asked_to_end_is_ended(workspace):
    launcher = workspace.script("launcher", "trap '' TERM INT\nwhile :; do sleep 1; done\n")
    workspace.sweep(f"ranks: 4\nbalancers: [none]\ntimeout_s: 0.3\nlauncher: {launcher}\n"
                    "start_timeout_s: 0.3\n", code=75)
    assert statuses(workspace) == []
    launcher = workspace.launcher("trap '' TERM INT\nwhile :; do sleep 1; done\n")
    workspace.sweep(f"ranks: 4\nbalancers: [none]\ntimeout_s: 0.3\nlauncher: {launcher}\n",
                    "--overwrite", code=1)
    assert statuses(workspace) == ["timeout"]
    assert workspace.nothing_left()


@pytest.mark.mpi
def test_processes_that_a_launcher_leaves_behind_are_ended(workspace):
    launcher = workspace.script("launcher", "setsid sleep 300 &\nexit 0\n")
    workspace.sweep(f"ranks: 4\nbalancers: [none]\nlauncher: {launcher}\n", code=75)
    assert statuses(workspace) == []
    assert workspace.nothing_left()


@pytest.mark.mpi
@pytest.mark.parametrize(
    "body, status, word",
    [
        ("exit 0", "failed", "no outcome"),
        ("exit 7", "failed", "exit code 7"),
        ("echo 'all is lost'; exit 1", "failed", "all is lost"),
        ("echo '===='; echo 'regroup: this is why, \"quoted\"' >&2; exit 1", "failed", "this is why"),
        ("kill -9 $$", "killed", "signal 9"),
        ("kill -11 $$", "failed", "signal 11"),
        ("for last; do :; done; echo '{\"lives\": [' > $last; exit 0", "failed", "outcome"),
    ],
)
def test_a_launcher_without_an_outcome_is_a_row_with_the_reason(
        workspace, body, status, word):
    launcher = workspace.launcher(body + "\n")
    workspace.sweep(f"ranks: 4\nbalancers: [none]\nrepetitions: 2\nlauncher: {launcher}\n", code=1)
    assert statuses(workspace) == [status, status]
    assert word in workspace.rows()[0]["message"]


@pytest.mark.mpi
@pytest.mark.parametrize("body, word", [("exit 0", "no outcome"), ("exit 7", "exit code 7"),
                                        ("echo 'no node is left'; exit 1", "no node is left"),
                                        ("kill -9 $$", "signal 9"), ("sleep 60", "within 0.4 s")])
def test_runs_that_never_begin_are_no_rows_and_end_the_sweep(workspace, body, word):
    launcher = workspace.script("launcher", body + "\n")
    config = f"ranks: 4\nbalancers: [none]\nrepetitions: 5\nstart_timeout_s: 0.4\nitem_ms: 1\n"
    done = workspace.run("run", workspace.write("test.yaml", f"{config}launcher: {launcher}\n"),
                         "--out", "results", code=75)
    assert statuses(workspace) == []
    assert done.stdout.count(": never began: ") == 3 and word in done.stdout
    assert "5 runs without a result, 2 of them not started" in done.stdout
    assert "regroup run test.yaml --out results --resume" in done.stdout
    rows = workspace.sweep(config.replace("0.4", "60"), "--resume", "--mixed")
    assert [row["status"] for row in rows] == ["ok"] * 5
    workspace.run("verify", "results", code=0)


@pytest.mark.mpi
@pytest.mark.parametrize("end", ["sleep 300", "kill -STOP $$"])
def test_an_outcome_counts_although_its_ranks_do_not_end(workspace, end):
    launcher = workspace.script("launcher", f'"$@"\n{end}\n')
    config = f"ranks: 1\nbalancers: [none]\nitem_ms: 1\nend_timeout_s: 0.3\nlauncher: {launcher}\n"
    rows = workspace.sweep(config)
    assert [row["status"] for row in rows] == ["ok"]
    assert rows[0]["message"] == "all items were executed, but the processes did not end"
    assert float(rows[0]["wall_s"]) < 30
    assert workspace.nothing_left() and os.listdir(workspace.path / "results/logs") == []
    workspace.run("verify", "results", code=0)


@pytest.mark.mpi
@pytest.mark.parametrize("word, status, code", [("", "ok", 0), ("regroup: all is wrong", "failed", 1)])
def test_an_outcome_counts_although_its_launcher_ends_badly(workspace, word, status, code):
    launcher = workspace.script("launcher", f'"$@"\necho "{word}"\nexit 7\n')
    row, = workspace.sweep("ranks: 1\nbalancers: [none]\nitem_ms: 1\n"
                           f"launcher: {launcher}\n", code=code)
    assert row["status"] == status
    assert row["message"].startswith("all items were executed, but then: exit code 7") == (status == "ok")
    workspace.run("verify", "results", code=0)


@pytest.mark.mpi
def test_an_outcome_that_is_none_does_not_count_although_its_ranks_do_not_end(workspace):
    launcher = workspace.launcher('echo "{}" >"$last"\nsleep 300\n')
    workspace.sweep("ranks: 2\nbalancers: [none]\nend_timeout_s: 0.3\ntimeout_s: 5\n"
                    f"launcher: {launcher}\n", code=1)
    assert statuses(workspace) == ["timeout"]
    assert "its outcome cannot be" in workspace.rows()[0]["message"]


@pytest.mark.mpi
@pytest.mark.parametrize("words, row", [([], True), (["told to end"], False),
                                        (["told to end", "rank 4: Endpoint timeout"], False),
                                        (["rank 4: all is wrong", "told to end"], True)])
@pytest.mark.parametrize("code", [15, 143, 9, 0])
def test_an_exit_code_is_no_signal_unless_a_rank_got_it_first(workspace, words, row, code):
    """MPICH's launcher combines the codes of ranks: 6 and 9 give 15, the number of SIGTERM. It may
    also lose the code of the rank that ended first, so that 9 or 0 remains."""
    said = "".join(f'echo "regroup: {line}" >>"$last.error"\n' for line in words)
    launcher = workspace.launcher(f"{said}exit {code}\n")
    workspace.sweep(f"ranks: 2\nbalancers: [none]\nlauncher: {launcher}\n", code=1 if row else 75)
    assert statuses(workspace) == (["killed" if code == 9 else "failed"] if row else [])


@pytest.mark.mpi
@pytest.mark.parametrize("code, status", [(137, "killed"), (139, "failed"), (7, "failed")])
def test_ranks_told_to_end_after_one_that_failed_leave_a_row(workspace, code, status):
    """Launchers other than that of MPICH send SIGTERM to the remaining ranks."""
    launcher = workspace.launcher(f'echo "regroup: told to end" >>"$last.error"\nexit {code}\n')
    workspace.sweep(f"ranks: 2\nbalancers: [none]\nlauncher: {launcher}\n", code=1)
    assert statuses(workspace) == [status]


@pytest.mark.mpi
@pytest.mark.parametrize("words, row", [(["told to end"], False), (["told to end", "rank 1: gone"], False),
                                        (["rank 1: gone", "told to end"], True), ([], True)])
def test_surviving_ranks_wait_only_briefly_for_terminated_ones(workspace, words, row):
    """Terminated ranks are, for example, those of a cancelled job step that had not started yet."""
    said = "".join(f'echo "regroup: {line}" >>"$last.error"\n' for line in words)
    launcher = workspace.launcher(f"{said}sleep 300\n")
    workspace.sweep("ranks: 2\nbalancers: [none]\nend_timeout_s: 0.3\n"
                    f"timeout_s: {1 if row else 100}\nlauncher: {launcher}\n", code=1 if row else 75)
    assert statuses(workspace) == (["timeout"] if row else [])


@pytest.mark.mpi
def test_one_that_never_began_keeps_nobody_else_from_beginning(workspace):
    launcher = workspace.script("launcher", f'''echo x >> {workspace.path}/times
[ $(wc -l < {workspace.path}/times) = 2 ] && exit 7
exec "$@"
''')
    config = f"ranks: 1\nbalancers: [none]\nrepetitions: 3\nitem_ms: 1\nlauncher: {launcher}\n"
    workspace.sweep(config, code=75)
    assert [row["repetition"] for row in workspace.rows()] == ["1", "3"]
    assert sorted(row["repetition"] for row in workspace.sweep(config, "--resume")) == ["1", "2", "3"]


@pytest.mark.mpi
def test_where_many_ranks_never_begin_fewer_are_tried(workspace):
    launcher = workspace.script("launcher", f'''
[ $1 = 1 ] && shift && exec "$@"
echo $1 >> {workspace.path}/tried
exit 7
''')
    config = ("ranks: [4, 8, 2, 1]\ngroup_size: 1\nbalancers: [none]\nrepetitions: 2\nitem_ms: 1\n"
              f"launcher: {launcher} {{ranks}}\n")
    assert [row["ranks"] for row in workspace.sweep(config, code=75)] == ["1", "1"]
    assert (workspace.path / "tried").read_text().split() == ["4", "8", "2", "4", "2"]


@pytest.mark.mpi
@pytest.mark.parametrize("later", [0, 0.05])
def test_a_run_ended_from_outside_is_no_row(workspace, later):
    """The ranks receive SIGTERM, and the command at once, shortly after or not at all."""
    sweep = start(workspace, LONG_AND_VIRTUAL)
    time.sleep(0.5)
    for rank in workspace.processes("regroup-mpi"):
        with contextlib.suppress(ProcessLookupError):  # the launcher has ended it already
            os.kill(rank, signal.SIGTERM)
    time.sleep(later)
    sweep.send_signal(signal.SIGTERM)
    out, err = sweep.communicate(timeout=30)
    assert sweep.returncode == 130, out + err
    assert statuses(workspace) == []
    sweep = workspace.start("run", "test.yaml", "--out", "results", "--resume")
    assert all_ranks_run(workspace)
    time.sleep(0.5)
    os.kill(workspace.processes("regroup-mpi")[-1], signal.SIGTERM)
    out, err = sweep.communicate(timeout=30)
    assert sweep.returncode == 75, out + err
    assert "ended from outside, by a signal\n" in out and "never began" not in out
    assert statuses(workspace) == ["ok"]  # the other one
    assert workspace.nothing_left()


@pytest.mark.mpi
@pytest.mark.parametrize(
    "ranks, items, word",
    [("-5-3", 3, "no ascending"), ("0-2147483647", 3, "no ascending"), ("0-99", 3, "outside"),
     ("0-3", 2, "items"), ("0-1 3", 3, "groups at the start"), (1e300, 3, "type")])
def test_an_impossible_outcome_is_a_failed_row_with_the_reason(workspace, ranks, items, word):
    workspace.write("outcome", outcome(node("n", 1, "0-3"), lives=[life(ranks, items)]))
    launcher = workspace.script(
        "launcher", f"for last; do :; done; cat {workspace.path}/outcome > $last\n")
    workspace.sweep("ranks: 4\nworkload: {kind: constant, mean_items: 3}\nbalancers: [none]\n"
                    f"launcher: {launcher}\n", code=1)
    assert statuses(workspace) == ["failed"]
    message = workspace.rows()[0]["message"]
    assert "outcome cannot be: " in message and word in message


# One rank, started without a launcher, whose output is lost.
SILENT = """ranks: {ranks}
waiting: polite
environment: {{LD_PRELOAD: {preloaded}}}
launcher: {launcher}
balancers: [collective: {{communicator: comm_split}}]
"""


@pytest.mark.mpi
def test_a_rank_s_message_reaches_the_row_without_the_launcher(workspace):
    launcher = workspace.script("launcher", 'exec "$@" >/dev/null 2>&1\n')
    workspace.sweep(SILENT.format(ranks=2, preloaded="''", launcher=launcher), code=1)
    assert "launched with 1" in workspace.rows()[0]["message"]
    logs = workspace.path / "results/logs"
    assert sorted(file.suffix for file in logs.iterdir()) == [".json", ".log"]
    assert "launched with 1" in next(logs.glob("*.log")).read_text()


@only_mpich
def test_mpi_s_message_reaches_the_row_without_the_launcher(workspace):
    launcher = workspace.script("launcher", 'exec "$@" >/dev/null 2>&1\n')
    workspace.sweep(SILENT.format(ranks=1, preloaded=BUILD / "libno_contexts.so",
                                  launcher=launcher), code=1)
    message = workspace.rows()[0]["message"]
    assert "rank 0" in message and "too many communicators" in message.lower(), message


# Each rank starts with no context ID left; MPI libraries other than MPICH have many more.
NO_CONTEXTS = f"""ranks: 4
group_size: 2
item_ms: 1
waiting: polite
timeout_s: 20
environment: {{LD_PRELOAD: {BUILD}/libno_contexts.so}}
balancers:
"""


@only_mpich
@pytest.mark.parametrize(
    "balancer", [f"collective: {{communicator: {name}}}" for name in ("comm_create", "comm_split")]
    + [f"asynchronous: {{communicator: {name}}}"
       for name in ("create_group", "intercomm_merge", "create_from_group")])
def test_a_run_out_of_contexts_is_a_row_with_the_reason(workspace, balancer):
    workspace.sweep(NO_CONTEXTS + f"  - {balancer}\n", code=1)
    assert statuses(workspace) == ["failed"]
    message = workspace.rows()[0]["message"]
    assert "rank " in message and "too many communicators" in message.lower(), message
    assert workspace.nothing_left()


@only_mpich
def test_a_run_on_range_communicators_needs_no_contexts(workspace):
    workspace.sweep(NO_CONTEXTS + "  - asynchronous: {communicator: [range, icreate_group]}\n")
    assert statuses(workspace) == ["ok", "ok"]


@pytest.mark.mpi
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2,
                                    signal.SIGHUP, signal.SIGXCPU])
def test_an_interrupted_sweep_ends_cleanly_and_resumes(workspace, number):
    sweep = workspace.start("run", workspace.write("test.yaml", SIX), "--out", "results")
    assert rows_there(workspace, 2)
    sweep.send_signal(number)
    out, err = sweep.communicate(timeout=15)
    assert sweep.returncode == 130, out + err
    assert "regroup run test.yaml --out results --resume" in out
    assert workspace.nothing_left()
    before = workspace.text()
    assert before.endswith("\n") and 2 <= len(workspace.rows()) < 6
    assert set(statuses(workspace)) == {"ok"}
    workspace.run("verify", "results", code=0)
    workspace.sweep(SIX, "--resume")
    assert workspace.text().startswith(before)
    assert [row["repetition"] for row in workspace.rows()] == list("123456")
    workspace.run("verify", "results", code=0)


@pytest.mark.mpi
def test_a_run_that_was_suspended_says_so(workspace):
    sweep = workspace.start("run", workspace.write("test.yaml", "ranks: 2\nitem_ms: 10\nbalancers: [none]\n"
                            "workload: {kind: constant, mean_items: 200}\n"), "--out", "results")
    assert all_ranks_run(workspace, 2)
    ranks = workspace.processes("regroup-mpi")
    for number in (signal.SIGSTOP, signal.SIGCONT):
        for rank in ranks:
            os.kill(rank, number)
        time.sleep(0.5)
    assert sweep.wait(timeout=60) == 0
    row = workspace.rows()[0]
    assert row["status"] == "ok" and "stopped for a while" in row["message"]
    assert float(row["makespan_s"]) > 1.4
    workspace.run("verify", "results", code=0)


@pytest.mark.mpi
@only_mpich
def test_a_launcher_may_change_the_working_directory(workspace):
    (workspace.path / "elsewhere").mkdir()
    launcher = workspace.script("launcher", f'cd {workspace.path}/elsewhere || exit 1\nexec {MPIEXEC} -n 2 "$@"\n')
    workspace.write("items.csv", "items\n2\n3\n")
    workspace.sweep("ranks: 2\ngroup_size: 1\nitem_ms: 1\nbalancers: [none]\n"
                    f"workload: {{kind: trace, trace_file: items.csv}}\nlauncher: {launcher}\n")
    assert statuses(workspace) == ["ok"]


@pytest.mark.mpi
def test_ranks_of_another_version_are_told_of(workspace):
    launcher = workspace.script("launcher", 'for last; do :; done\nprintf 0.0.1+old > "$last.start"\n'
                                "exit 0\n")
    workspace.sweep(f"ranks: 2\nbalancers: [none]\nlauncher: {launcher}\n", code=1)
    assert statuses(workspace) == ["failed"]
    assert "another version, 0.0.1+old" in workspace.rows()[0]["message"]


@pytest.mark.mpi
def test_nice_and_the_longest_nap_are_circumstances(workspace):
    config = "ranks: 2\nitem_ms: 1\nbalancers: [none]\nworkload: {kind: constant, mean_items: 2}\n"
    workspace.sweep(config)
    workspace.sweep(config + "repetitions: 2\n", "--resume", code=2, preexec_fn=lambda: os.nice(3))
    workspace.environment["REGROUP_LONGEST_NAP_US"] = "50"
    workspace.sweep(config + "repetitions: 2\n", "--resume", code=2)
    workspace.sweep(config + "repetitions: 2\n", "--resume", "--mixed", preexec_fn=lambda: os.nice(3))
    assert f"nice {os.nice(0) + 3}" in workspace.run("table", "results", code=0).stdout


def test_nothing_executed_is_no_success(workspace):
    workspace.write("test.yaml", "engine: virtual\nranks: 4\nwalker: nucleation\nbalancers: [none]\n")
    done = workspace.run("run", "test.yaml", "--out", "results", code=1)
    assert "1 run in" in done.stdout and "0 ok, 1 unsupported" in done.stdout


def test_an_interrupted_sweep_prints_the_command_to_continue(workspace):
    workspace.write("it's a test.yaml", "ranks: 2048\nengine: virtual\nrepetitions: 500\nbalancers:\n"
                    "  - asynchronous: {finished_groups: merge}\n")
    sweep = workspace.start("run", "it's a test.yaml", "--only", "2048 ranks", "--out", "results",
                            "--mixed")
    assert rows_there(workspace, 1)
    sweep.send_signal(signal.SIGINT)
    out, err = sweep.communicate(timeout=15)
    assert sweep.returncode == 130, out + err
    command = out.splitlines()[-1]
    assert shlex.split(command) == [str(workspace.program), "run", "it's a test.yaml", "--out", "results", "--only",
                                    "2048 ranks", "--mixed", "--resume"]


def close_output():
    os.close(1)


def close_all():
    os.closerange(0, 3)


def leave():
    """Replaces standard output by a pipe without reader."""
    read, write = os.pipe()
    os.close(read)
    os.dup2(write, 1)


def fill():
    os.dup2(os.open("/dev/full", os.O_WRONLY), 1)


def fill_all():
    fill()
    os.dup2(1, 2)


@pytest.mark.parametrize("spoil", [close_output, close_all, leave, fill, fill_all])
@pytest.mark.parametrize("engine", ["virtual", pytest.param("mpi", marks=pytest.mark.mpi)])
def test_runs_are_unharmed_where_the_output_cannot_be_written(workspace, spoil, engine):
    workspace.write("test.yaml", f"ranks: 2\nengine: {engine}\nitem_ms: [1, 2, 3]\n"
                    "workload: {kind: constant, mean_items: 3}\nbalancers: [none]\n")
    done = workspace.run("run", "test.yaml", "--out", "results", preexec_fn=spoil, code=1)
    assert done.stdout == ""
    if spoil not in (close_all, fill_all):
        assert done.stderr.startswith("regroup: ") and "output" in done.stderr
    assert statuses(workspace) == ["ok", "ok", "ok"]
    workspace.run("verify", "results", code=0)


@pytest.mark.parametrize("spoil", [close_output, leave, fill])
@pytest.mark.parametrize("arguments", [["list"], ["--help"], ["--version"], ["plan", "test.yaml"]])
def test_a_failing_standard_output_ends_the_command_with_1(workspace, spoil, arguments):
    workspace.write("test.yaml", MANY)
    done = workspace.run(*arguments, preexec_fn=spoil, code=1)
    assert done.stderr.startswith("regroup: ") and done.stderr.count("\n") == 1, done.stderr


@pytest.mark.mpi
def test_children_of_a_launcher_end_on_a_broken_pipe(workspace):
    launcher = workspace.script("launcher", "( yes; echo \"ended by $?\" >&2 ) | head -1\nexit 1\n")
    workspace.sweep(f"ranks: 4\nbalancers: [none]\nlauncher: {launcher}\n", code=75)
    log = next((workspace.path / "results/logs").glob("*.log")).read_text()
    assert "ended by 141" in log  # by SIGPIPE


@pytest.mark.mpi
def test_retry_repeats_failed_runs(workspace):
    config = "ranks: 4\ngroup_size: 2\nengine: [virtual, mpi]\nitem_ms: 100\nbalancers: [none]\n"
    workspace.sweep(config + "timeout_s: 0.3\n", code=1)
    assert statuses(workspace) == ["ok", "timeout"]
    first = workspace.text().splitlines()[1]
    workspace.sweep(config + "timeout_s: 30\n", "--resume")
    assert statuses(workspace) == ["ok", "timeout"]
    workspace.sweep(config + "timeout_s: 30\n", "--retry")
    assert statuses(workspace) == ["ok", "ok"]
    assert workspace.text().splitlines()[1] == first


# About 7 kB of events for each run.
MANY = """ranks: 128
group_size: 2
engine: virtual
jitter: 0.1
repetitions: 40
balancers: [collective: {exchange_interval: 4}]
"""


def expect_full(workspace, done):
    assert done.returncode == 1, done.stdout + done.stderr
    assert "cannot be written: " in done.stderr and done.stderr.count("\n") == 1, done.stderr
    number = len(workspace.rows())
    assert 0 < number < 40
    assert workspace.text().endswith("\n") and workspace.text("events.csv").endswith("\n")
    done = workspace.run("verify", "results", code=0)
    assert f"{number} of {number}" in done.stdout


def test_a_limit_on_file_size_leaves_whole_files(workspace):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

    done = workspace.run("run", workspace.write("test.yaml", MANY), "--out", "results", preexec_fn=limit)
    expect_full(workspace, done)
    workspace.sweep(MANY, "--resume")
    assert len(workspace.rows()) == 40


def test_a_full_disk_leaves_whole_files(workspace):
    disk = workspace.path / "results"
    disk.mkdir()
    mount = shutil.which("mount")
    command = [mount, "-t", "tmpfs", "-o", "size=100k", "tmpfs", str(disk)]
    done = subprocess.run(command, capture_output=True, text=True) if mount else None
    if done is None or done.returncode != 0:
        pytest.skip("no file system can be mounted here: "
                    + (done.stderr.strip() if done else "there is no mount"))
    try:
        workspace.write("test.yaml", MANY)
        expect_full(workspace, workspace.run("run", "test.yaml", "--out", "results"))
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_an_unwritable_directory_is_refused_before_anything_runs(workspace):
    workspace.write("results", "a file stands where the directory should be")
    done = workspace.run("run", workspace.write("test.yaml", MANY), "--out", "results")
    assert done.returncode != 0
    assert "results" in done.stderr and "[1/40]" not in done.stdout
