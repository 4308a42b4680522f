# SPDX-License-Identifier: BSD-3-Clause
"""Walkers in Python, by the module under the MPI launcher and by the command with --walkers."""

import csv
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

import pytest

from conftest import BUILD, CACHE, MPICH, eventually, expect_one_line

PACKAGE = BUILD / "python"
if not list(PACKAGE.glob("regroup/_engine*.so")):
    pytest.skip("this build has no Python package", allow_module_level=True)
sys.path.insert(0, str(PACKAGE))

import numpy as np  # noqa: E402
import regroup  # noqa: E402
from regroup import _engine, mpi, state  # noqa: E402
from regroup.walker import name_of  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples/python"
PYTHON = re.search(r"^_?Python_EXECUTABLE:\w+=(.+)$", CACHE.read_text(), re.MULTILINE)
PYTHON = PYTHON[1] if PYTHON else "/usr/bin/python3"
pytestmark = pytest.mark.mpi

# A chain whose members compute sums of integers, floats and arrays together.
WALK = '''
import os
import numpy as np
import regroup


class Walk(regroup.Walker):
    """a random walk whose steps are sums over all members"""

    options = {"terms": regroup.integer(100, min=1, max=1000, help="of each sum"),
               "scale": regroup.real(1.0, min=0.0, max=10.0, help="of steps"),
               "mode": regroup.choice("plain", ["plain", "other"], "of nothing")}
    observed = ("place", "size__")

    def __init__(self, chain, options):
        if options.terms == 13:
            raise ValueError("13 terms are none that anybody wants")
        self.place = np.zeros(2)
        self.items = 0

    def execute(self, item, team):
        assert item.number == self.items and isinstance(item.seconds, float)
        terms = self.random(item).standard_normal(self.options.terms)
        step = self.options.scale * team.sum(terms[team.rank::team.size])
        own = np.zeros(2)
        own[item.number % 2] = step if team.rank == 0 else 0.0
        self.place = self.place + team.allreduce(own)
        self.items += 1

    def pack(self):
        return {"place": self.place, "items": self.items}

    def unpack(self, state):
        self.place, self.items = state["place"], state["items"]

    def observe(self):
        return self.place[0], float(self.items)

    def digest(self):
        return int(self.place.view(np.int64).sum())

    def result(self):
        return self.items, self.place.tolist()
'''
RUN = '''
if __name__ == "__main__":
    outcome = regroup.run({"items": [3, 7, 40, 10], "options": {"terms": 50}}, Walk, report_every=5)
    if outcome:
        print("hash", outcome.chains_hash, outcome.results, outcome.quantities["place"].mean,
              [len(draws) for draws in outcome.draws])
'''
CONFIG = """ranks: [1, 3]
group_size: 1
walkers_in_all: 4
item_ms: 0.2
walker: {kind: walk, terms: 50}
workload: {kind: trace, trace_file: items.csv}
report_every: 5
balancers:
  - none
  - collective: {exchange_interval: 4, communicator: create_group}
"""


class Place:
    """A directory in which commands and programs run."""

    def __init__(self, workspace):
        self.workspace = workspace
        self.environment = workspace.environment
        self.environment.update(PYTHONPATH=str(PACKAGE), PYTHONDONTWRITEBYTECODE="1",
                                MPIR_CVAR_NOLOCAL="1", UCX_TLS="self,sysv",
                                OMPI_MCA_mpi_yield_when_idle="1")

    def program(self, ranks, text, code=0, timeout=120):
        """Runs a Python program on `ranks` ranks and returns its standard output and error."""
        self.workspace.write("program.py", text)
        launcher = self.launcher(ranks) if ranks else []
        process = subprocess.Popen([*launcher, PYTHON, "program.py"], cwd=self.workspace.path,
                                   env=self.environment, text=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        try:
            out, err = process.communicate(timeout=timeout)
        finally:
            process.kill()
        assert (process.returncode == 0) == (code == 0), out + err
        assert self.workspace.nothing_left(10)
        return out, err

    @staticmethod
    def launcher(ranks):
        compiler = re.search(r"^MPI_CXX_COMPILER:\w+=(.*)$", CACHE.read_text(), re.MULTILINE)[1]
        extra = [] if MPICH else ["--oversubscribe", "--allow-run-as-root"]
        return [compiler.replace("mpicxx", "mpiexec"), *extra, "-n", str(ranks)]

    def refuses(self, text, *words):
        """Checks that the command refuses a file of walkers and writes nothing."""
        self.workspace.write("walkers.py", text)
        self.workspace.write("test.yaml", "ranks: 1\nbalancers: [none]\n")
        expect_one_line(self.workspace.run("run", "test.yaml", "--walkers", "walkers.py"), *words)
        assert sorted(os.listdir(self.workspace.path)) == ["test.yaml", "walkers.py"]

    def sweep(self, config=CONFIG, walkers=WALK, *more, **options):
        self.workspace.write("walkers.py", walkers)
        self.workspace.write("items.csv", "items\n3\n7\n40\n10\n")
        return self.workspace.sweep(config, "--walkers", "walkers.py", *more, **options)


@pytest.fixture
def place(workspace):
    return Place(workspace)


# ---- the module alone


def test_states_come_back_as_they_were_and_equal_ones_have_equal_bytes():
    for value in [b"", b"abc", 3, -2**70, 0.1, float("inf"), None, True, "ä", np.arange(6).reshape(2, 3),
                  np.array([], dtype=np.float32), np.float64(0.5), np.arange(3, dtype=">i2"), (), [1, (2, b"x")],
                  {"a": np.ones(2), 5: {"b": ()}}]:
        packed = state.packed(value)
        back = state.unpacked(packed)
        assert type(back) is type(value) and state.packed(back) == packed
        np.testing.assert_equal(back, value)
    shared = np.ones(3)
    assert state.packed((shared, shared)) == state.packed((shared, shared.copy()))
    state.unpacked(state.packed(shared))[0] = 5  # the array is writable
    for wrong in (object(), np.array([object()]), {1, 2}):
        with pytest.raises(TypeError, match="allowed: bytes, NumPy arrays"):
            state.packed(wrong)


def test_random_numbers_belong_to_chain_and_item():
    def draw(number, item, before=0, stream=7):
        walker = regroup.Walker(_engine.Chain(number, stream), None)
        for other in range(before):
            walker.random(regroup.Item(other, 0.0)).random(5)
        return tuple(walker.random(item and regroup.Item(item, 0.0)).standard_normal(3))

    assert draw(1, 4) == draw(1, 4, before=9)
    assert len({draw(1, 4), draw(1, 5), draw(2, 4), draw(1, 4, stream=8), draw(1, None)}) == 5
    key, counter = np.array([7, 1], dtype=np.uint64), np.array([0, 0, 0, 4], dtype=np.uint64)
    plain = np.random.Generator(np.random.Philox(key=key, counter=counter))
    assert draw(1, 4) == tuple(plain.standard_normal(3))


def test_a_team_of_one_computes_as_a_large_one():
    team = regroup.Team()
    assert (team.rank, team.size) == (0, 1)
    assert team.allreduce(5) == 5 and team.allreduce(2.5, op="max") == 2.5
    assert team.allreduce(True) == 1
    numbers = team.allreduce(np.arange(4, dtype=np.int32).reshape(2, 2))
    assert numbers.dtype == np.int64 and numbers.tolist() == [[0, 1], [2, 3]]
    assert team.allreduce(np.array([1e-30, -0.5])).tolist() == [0.0, -0.5]  # multiples of 2^-60
    ends = np.array([-np.inf, -1e308, -0.0, 5e-324, np.inf])
    assert team.allreduce(ends, op="min").tolist() == ends.tolist()
    assert team.sum([0.1] * 10 + [1e15, -1e15]) == pytest.approx(1.0, abs=1e-15)
    assert team.sum(np.arange(5)) == 10 and team.sum(2.0) == 2.0 and team.sum([]) == 0
    assert team.bcast(b"x") == b"x"


@pytest.mark.parametrize("call, error, said", [
    (lambda team: team.allreduce(1e30), ValueError, "1e+30"),
    (lambda team: team.sum([1.0, float("nan")]), ValueError, "nan"),
    (lambda team: team.allreduce(float("nan"), op="min"), ValueError, "nan"),
    (lambda team: team.allreduce(2**70), ValueError, "more than 64 bits"),
    (lambda team: team.allreduce(1, op="mean"), ValueError, "'mean'; allowed: sum, min, max"),
    (lambda team: team.allreduce(np.ones(2, dtype=complex)), TypeError, "complex128; allowed"),
    (lambda team: team.allreduce("text"), TypeError, "allowed"),
    (lambda team: team.bcast(b"", root=1), ValueError, "root 1; allowed: 0 to 0")])
def test_operations_refuse_what_they_cannot_do_exactly(call, error, said):
    with pytest.raises(error, match=re.escape(said)):
        call(regroup.Team())


def test_exact_functions_are_right_to_the_last_digits():
    x = np.array([5e-324, 1e-300, 0.3, 1.0, 7.5, 1e300])
    np.testing.assert_allclose(regroup.exact_log(x), np.log(x), rtol=1e-13)
    x = np.array([-690.0, -1.5, 0.0, 3.25, 690.0, 709.7])
    np.testing.assert_allclose(regroup.exact_exp(x), np.exp(x), rtol=1e-12)
    assert regroup.exact_log(0) == -np.inf and np.isnan(regroup.exact_log(-1))
    assert regroup.exact_exp(-800) == 0 and regroup.exact_exp(np.inf) == np.inf


@pytest.mark.parametrize("written, name", [("Walk", "walk"), ("GaussianMixture", "gaussian_mixture"),
                                           ("HMCSampler", "hmc_sampler"), ("Ising2D", "ising2_d")])
def test_a_class_has_its_name_in_the_style_of_configurations(written, name):
    assert name_of(type(written, (), {})) == name


# ---- under MPI's launcher


def test_chains_are_the_same_on_every_number_of_ranks(place):
    # 0: without a launcher
    said = [place.program(ranks, WALK + RUN)[0] for ranks in (0, 1, 2, 4)]
    assert len(set(said)) == 1 and re.match(r"hash [0-9a-f]{16} \[\(3, \[", said[0]), said
    assert said[0].rstrip().endswith("[3, 7, 40, 10]")


def test_members_combine_and_broadcast_what_all_have(place):
    check = WALK + '''
class Check(Walk):
    def execute(self, item, team):
        rank, size = team.rank, team.size
        ranks = np.arange(size)
        assert team.allreduce(rank) == ranks.sum() and team.allreduce(rank, op="max") == size - 1
        assert team.allreduce(-1.5 * rank, op="min") == -1.5 * (size - 1)
        own = np.full((2, 3), 0.1) * rank
        assert np.array_equal(team.allreduce(own), team.bcast(team.allreduce(own), root=size - 1))
        assert abs(team.allreduce(own) - 0.1 * ranks.sum()).max() < 1e-14
        assert team.sum(np.ones(rank)) == ranks.sum()
        for root in ranks:
            got = team.bcast({"from": rank, "data": np.arange(rank)}, root=int(root))
            assert got["from"] == root and len(got["data"]) == root
        assert team.bcast(b"first" if rank == 0 else None) == b"first"
        self.sizes = getattr(self, "sizes", set()) | {size}
    def result(self):
        return sorted(self.sizes)

outcome = regroup.run(walkers=Check, items=[60, 2, 2], group_size=1, item_ms=0.1)
if outcome: print(outcome.results)
'''
    assert "[1" in place.program(3, check)[0]
    sizes = place.program(3, check.replace("group_size=1", "group_size=3").replace(", 2, 2]", "]"))[0]
    assert "[[3]]" in sizes


def test_walkers_join_and_leave_teams_and_end_by_themselves(place):
    out, _ = place.program(3, WALK + '''
log = []
class Teams(Walk):
    def joined(self, team):
        self.members = team.allreduce(1)
    def leaving(self, team):
        assert self.members == team.size
        log.append(team.size)
    def execute(self, item, team):
        assert self.members == team.size
        super().execute(item, team)
    def done(self):
        return self.items == 25
    def warming_up(self):
        return self.items <= 5

outcome = regroup.run(walkers=Teams, items=[7, 3, 10**9], item_ms=0.1, report_every=5,
                      balancer={"collective": {"exchange_interval": 4}})
if outcome: print([result[0] for result in outcome.results], [len(draws) for draws in outcome.draws])
assert log and log[0] == 1, log
''')
    assert out == "[7, 3, 25] [2, 0, 20]\n"


def test_a_function_makes_walkers_and_balancers_have_options(place):
    out, _ = place.program(2, WALK + '''
from types import SimpleNamespace
def make(chain):
    return Walk(chain, SimpleNamespace(terms=10 + chain.number, scale=1.0, mode="plain"))
outcome = regroup.run(walkers=make, items=np.array([2, 30]), quantities=["place", "size__"], report_every=1,
                      balancer={"collective": {"exchange_interval": 4}}, communicator="comm_split", seed=5)
if outcome: print(outcome.results[1][0], outcome.regroupings > 0, outcome.makespan_s > 0)
''')
    assert out == "30 True True\n"


@pytest.mark.parametrize("ranks", [1, 3])
def test_an_exception_names_chain_and_item_and_leaves_no_rank(place, ranks):
    text = WALK + RUN.replace("Walk,", "Fails,") .replace('if __name__', '''
class Fails(Walk):
    def execute(self, item, team):
        super().execute(item, team)
        if self.chain.number == 2 and item.number == 6:
            self.options.terms // 0

if __name__''')
    out, err = place.program(ranks, text, code=1)
    assert "hash" not in out
    assert re.search(r"chain 2, item 6: ZeroDivisionError: integer division or modulo by zero "
                     r"\(.*program\.py:\d+\)", err), err
    assert "Traceback" in err and "self.options.terms // 0" in err
    assert ranks > 1 or "regroup.running.WalkerError" in err


def test_a_rank_that_ends_by_an_exception_of_its_own_ends_all(place):
    _, err = place.program(3, WALK + '''
from regroup import running, _engine
running.initialise()
if _engine.rank() == 1:
    raise KeyError("nobody")
regroup.run(walkers=Walk, items=[100, 100, 100])
''', code=1)
    assert "KeyError: 'nobody'" in err


@pytest.mark.parametrize("call, said", [
    ("items=[5], wakers=Walk", "no argument 'wakers' (did you mean"),
    ("walkers=Walk", "items"),
    ("walkers=Walk, items=[5, 5], report_evry=5", "'report_evry' (did you mean 'report_every'?)"),
    ("walkers=Walk, items=[5, 5], group_size='many'", "'group_size'"),
    ("walkers=Walk, items=[5, 5], balancer='spred'", "spred"),
    ("walkers=Walk, items=[5, 5], options={'term': 5}", "'term' (did you mean 'terms'?)"),
    ("walkers=Walk, items=[5, 5], options={'scale': 11}", "scale"),
    ("walkers=3, items=[5, 5]", "allowed: a class derived from regroup.Walker"),
    ("walkers=regroup.Walker, items=[5, 5]", "has no method execute(self, item, team)"),
    ("walkers=Walk, items=[5] * (2 + _engine.rank())", "not the same on all ranks"),
])
def test_a_configuration_that_cannot_be_run_is_one_message(place, call, said):
    for ranks in (0, 2) if "rank()" not in call else (2,):
        _, err = place.program(ranks, WALK + f"from regroup import _engine, running\n"
                               f"running.initialise()\nregroup.run({call})\n", code=2)
        lines = [line for line in err.splitlines() if line.startswith("regroup: ")]
        assert len(lines) == 1 and said in lines[0], err
        assert "Traceback" not in err and "MPI_Abort" not in err, err


def test_a_launcher_of_another_library_is_reported(place):
    other = "mpiexec.openmpi" if MPICH else "mpiexec.mpich"
    if not shutil.which(other):
        pytest.skip(f"there is no {other}")
    place.launcher = lambda ranks: [other, *["--allow-run-as-root", "--oversubscribe"][:2 * MPICH], "-n", str(ranks)]
    _, err = place.program(2, WALK + RUN, code=2)
    assert err.count("regroup: each of 2 ranks runs alone: the launcher is that of") == 1, err


def test_nothing_but_a_walker_is_made(place):
    _, err = place.program(1, "import regroup\nregroup.run(walkers=lambda chain: 3, items=[5])\n",
                           code=1)
    assert "allowed: an object of a class derived from regroup.Walker" in err


def test_a_team_cannot_be_used_when_its_call_is_over(place):
    _, err = place.program(1, WALK + '''
class Keeps(Walk):
    def execute(self, item, team):
        self.team = team
    def digest(self):
        return self.team.allreduce(1)
regroup.run(walkers=Keeps, items=[5])
''', code=1)
    assert "a team is used after the call that got it" in err


# ---- mpi4py


def built_with_our_library():
    found = list(pathlib.Path("/usr/lib/python3/dist-packages/mpi4py").glob("MPI.*.so"))
    if not found:
        pytest.skip("there is no mpi4py of Debian")
    return not mpi.complaint_about(str(found[0]))


COMMUNICATES = WALK + '''
class Communicates(Walk):
    def joined(self, team):
        self.comm = team.communicator()
    def execute(self, item, team):
        assert (self.comm.Get_rank(), self.comm.Get_size()) == (team.rank, team.size)
        total = np.zeros(1)
        self.comm.Allreduce(np.array([team.rank + 1.0]), total)
        assert total[0] == team.size * (team.size + 1) / 2
        assert self.comm.allgather(team.rank) == list(range(team.size))
        super().execute(item, team)
'''


@pytest.mark.parametrize("first", ["", "from mpi4py import MPI\n"], ids=["ours", "mpi4py"])
def test_mpi4py_gets_the_communicator_of_the_team(place, first):
    if not built_with_our_library():
        pytest.skip("Debian's mpi4py was built with another MPI library")
    out, _ = place.program(4, first + COMMUNICATES + '''
outcome = regroup.run(walkers=Communicates, items=[10, 7, 3, 40], balancer={"collective": {"exchange_interval": 4}})
if outcome: print("regrouped", outcome.regroupings > 0)
''')
    assert out == "regrouped True\n"


def test_the_command_runs_walkers_that_use_mpi4py(place):
    if not built_with_our_library():
        pytest.skip("Debian's mpi4py was built with another MPI library")
    rows = place.sweep(CONFIG.replace("walk,", "communicates,"), "from mpi4py import MPI\n" + COMMUNICATES)
    assert {row["status"] for row in rows} == {"ok"}
    assert {row["walker_communicators"] != "0" for row in rows} == {True}


@pytest.mark.parametrize("order", ["import regroup\nfrom mpi4py import MPI\n",
                                   "from mpi4py import MPI\nimport regroup\n"])
def test_an_mpi4py_of_another_library_is_refused_by_name(place, order):
    if built_with_our_library():
        pytest.skip("Debian's mpi4py was built with our MPI library")
    _, err = place.program(0, order, code=1)
    assert re.search(r"ImportError: mpi4py was built with Open MPI \(libmpi\.so\.40\), and Regroup "
                     r"with MPICH \S+ \(libmpich\.so\.12\)", err), err


def test_a_walker_that_wants_such_an_mpi4py_fails_with_both_names(place):
    if built_with_our_library():
        pytest.skip("Debian's mpi4py was built with our MPI library")
    (row,) = place.sweep("ranks: 2\nwalker: communicates\nitem_ms: 1\n"
                         "workload: {kind: constant, mean_items: 3}\nbalancers: [none]\n",
                         COMMUNICATES, code=1)
    assert row["status"] == "failed" and "Open MPI" in row["message"] and "MPICH" in row["message"]


# ---- the command


def test_the_command_runs_verifies_and_tabulates_them(place):
    rows = place.sweep()
    assert len(rows) == 4 and {row["status"] for row in rows} == {"ok"}, rows
    assert len({row["chains_hash"] for row in rows}) == 1 and len({row["r_hat"] for row in rows}) == 1
    assert rows[0]["walker"] == "walk" and rows[0]["terms"] == "50" and rows[0]["scale"] == "1"
    assert {row["waited"] for row in rows if row["oversubscribed"] == "true"} <= {
        "wrapper" if MPICH else "polite"}
    moved = [row for row in rows if row["ranks"] == "3" and row["balancer"] == "collective"]
    assert float(moved[0]["regroups_avg"]) > 0 and int(moved[0]["hand_over_bytes"]) > 0

    run = place.workspace.run
    assert "verified" in run("verify", "results", "--walkers", "walkers.py", code=0).stdout
    assert "create_group" in run("table", "results", "--walkers=walkers.py", code=0).stdout
    place.environment["REGROUP_WALKERS"] = "walkers.py"
    assert "create_group" in run("table", "results", code=0).stdout
    quantities = place.workspace.rows("quantities.csv")
    assert {row["quantity"] for row in quantities} == {"place", "size__"}

    place.workspace.write("walkers.py", WALK.replace("3.0", "2.0") + "# changed\n")
    changed = run("run", "test.yaml", "--out", "results", "--resume", "--mixed")
    assert "4 of 4 runs to do" in changed.stdout, changed.stdout + changed.stderr


def test_a_program_and_the_command_make_the_same_chains(place):
    rows = place.sweep(CONFIG.replace("ranks: [1, 3]", "ranks: 2"))
    out, _ = place.program(3, WALK + RUN)
    # The first repetition of seed 1.
    assert f"hash {rows[0]['chains_hash']} " in out


def test_plan_list_and_advise_know_them(place):
    place.workspace.write("walkers.py", WALK)
    place.workspace.write("items.csv", "items\n3\n7\n40\n10\n")
    place.workspace.write("test.yaml", CONFIG)
    run = place.workspace.run
    assert "walk" in run("plan", "test.yaml", "--walkers", "walkers.py", code=0).stdout
    listed = run("list", "walkers", "--walkers", "walkers.py", code=0).stdout
    assert "a random walk whose steps are sums over all members" in listed
    assert re.search(r"^    terms +of each sum\n +integer from 1 to 1000, default 100$", listed, re.MULTILINE)
    assert "plain | other" in listed
    assert "observes place\n" in listed and "diagnostics of the sampler: size__\n" in listed
    assert "spread" in run("advise", "test.yaml", "--walkers", "walkers.py", code=0).stdout
    items = run("run", place.workspace.write("items.yaml", """measure: items
ranks: 2
group_size: [1, 2]
walker: walk
samples: 6
items_per_sample: 2
"""), "--walkers", "walkers.py", code=0)
    assert "walk" in items.stdout


@pytest.mark.parametrize("changes, line, words", [
    ({"terms: 50": "term: 50"}, 5, ["'term'", "did you mean 'terms'?"]),
    ({"terms: 50": "terms: 0"}, 5, ["terms", "integer from 1 to 1000"]),
    ({"terms: 50": "terms: many"}, 5, ["terms", "integer from 1 to 1000"]),
    ({"terms: 50": "mode: strange"}, 5, ["plain | other"]),
    ({"kind: walk, terms: 50": "kind: wlak"}, 5, ["'wlak'", "did you mean 'walk'?"]),
    ({"terms: 50": "terms: 13"}, 5, ["ValueError: 13 terms are none that anybody wants",
                                     "walkers.py:17"]),
    ({"report_every": "program: /bin/true\nreport_every"}, 7, ["program", "Python"]),
])
def test_wrong_options_are_refused_at_their_line(place, changes, line, words):
    text = CONFIG
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    place.workspace.write("walkers.py", WALK)
    place.workspace.write("items.csv", "items\n4\n4\n4\n4\n")
    place.workspace.write("test.yaml", text)
    done = place.workspace.run("run", "test.yaml", "--walkers", "walkers.py")
    expect_one_line(done, f"test.yaml:{line}: ", *words)
    assert not (place.workspace.path / "results").exists()


@pytest.mark.parametrize("change, words", [
    (("def pack(self):", "def pack(self:"), ["walkers.py:", "SyntaxError"]),
    (("import os\n", "import nowhere\n"), ["walkers.py:2: ModuleNotFoundError: No module named 'nowhere'"]),
    (("(regroup.Walker)", ""), ["walkers.py: no class is derived from regroup.Walker"]),
    (("def execute(self, item", "def exekute(self, item"),
     ["the class Walk has no method execute(self, item, team)"]),
    (("def pack(", "def park("), ["the class Walk has no method pack(self)"]),
    (("def observe(", "def obverse("), ["no method observe(self) for the quantities in 'observed'"]),
    (('observed = ("place", "size__")', 'observed = "place"'), ["'observed'; allowed: names"]),
    (('observed = ("place", "size__")', ""), ["no names of quantities in 'observed'"]),
    (("regroup.integer(100, min=1, max=1000, help=\"of each sum\")", "100"),
     ["the option 'terms', which is 100; allowed: regroup.integer(), real(), choice(), file()"]),
    (("regroup.integer(100,", "regroup.integer('many',"), ["walkers.py:10: TypeError: the default 'many'"]),
    (("regroup.integer(100,", "regroup.integer(5000,"), ["walk", "invalid default", "1 to 1000"]),
    (('"mode":', '"kind":'), ["an option 'kind'", "another name"]),
    (("class Walk(", "class Sleep("), ["walker 'sleep'", "another name"]),
    (("class Walk(", "os._exit(3)\nclass Walk("), ["walkers.py", "ended"]),
    (("class Walk(", "regroup.run(walkers=3)\nclass Walk("), ['if __name__ == "__main__":']),
])
def test_a_wrong_file_is_one_message_before_anything_starts(place, change, words):
    assert change[0] in WALK
    place.refuses(WALK.replace(*change), *words)


def test_a_file_that_does_not_exist_is_named(place):
    place.workspace.write("test.yaml", "ranks: 1\nbalancers: [none]\n")
    expect_one_line(place.workspace.run("plan", "test.yaml", "--walkers", "none.py"), "none.py",
                    "there is no such file")


def test_what_a_file_prints_disturbs_nobody(place):
    rows = place.sweep(CONFIG, WALK.replace("class Walk(", "print('noise')\nclass Walk(", 1))
    assert {row["status"] for row in rows} == {"ok"}


@pytest.mark.parametrize("where", ["execute", "__init__", "unpack", "observe"])
def test_an_exception_is_a_failed_row_and_a_traceback_in_the_log(place, where):
    broken = WALK + f'''
import time

class Slow(Walk):
    def execute(self, item, team):
        time.sleep(0.003)
        super().execute(item, team)


class Broken(Slow):
    def {where}(self, *arguments):
        if "RANK_OF_A_RUN" in os.environ and getattr(self, "items", 9) > 5:
            raise LookupError("in two\\nlines")
        return super().{where}(*arguments)
'''
    config = CONFIG.replace("[1, 3]", "3").replace("  - none\n", "").replace("walk,", "broken,")
    config += "environment: {RANK_OF_A_RUN: '1'}\n"
    if where == "unpack":
        broken = broken.replace('> 5:', '> -1:')
    (row,) = place.sweep(config, broken, code=1)
    assert row["status"] == "failed"
    chain = r"chain \d, item \d+: " if where in ("execute", "observe") else ""
    assert re.search(chain + r"LookupError: in two lines \(.*walkers\.py:\d+\)", row["message"]), row["message"]
    (log,) = (place.workspace.path / "results/logs").glob("*.log")
    assert "Traceback" in log.read_text() and 'raise LookupError("in two' in log.read_text()
    assert place.workspace.nothing_left(10)


def test_a_run_goes_on_from_saved_states(place):
    stops = WALK.replace("self.items += 1", '''self.items += 1
        if self.items == 31 and not os.path.exists(os.environ["GO_ON"]):
            raise RuntimeError("stopped")''')
    mark = place.workspace.path / "go_on"
    config = (CONFIG.replace("[1, 3]", "2").replace("  - none\n", "")
              + f"save_every: 10\nenvironment: {{GO_ON: {mark}}}\n")
    (row,) = place.sweep(config, stops, code=1)
    assert row["status"] == "failed" and "chain 2, item 30: RuntimeError: stopped" in row["message"]
    mark.touch()
    (row,) = place.sweep(config, stops, "--retry")
    assert row["status"] == "ok" and int(row["resumed_items"]) >= 30
    place.workspace.run("verify", "results", "--walkers", "walkers.py", code=0)
    place.workspace.run("run", "test.yaml", "--out", "whole", "--walkers", "walkers.py", code=0)
    text = (place.workspace.path / "whole/runs.csv").read_text()
    assert row["chains_hash"] in text


def test_a_program_goes_on_from_saved_states(place):
    text = WALK + '''
if __name__ == "__main__":
    for items, saving in (([3, 8], {}), ([2, 5], SAVING), ([3, 8], SAVING), ([3, 8], SAVING)):
        outcome = regroup.run(walkers=Walk, items=items, **saving)
        if outcome:
            print("hash", outcome.chains_hash, outcome.results)
'''.replace("SAVING", '{"save_every": 2, "states": "states"}')
    whole, part, rest, again = place.program(2, text)[0].splitlines()
    assert whole == rest == again != part
    _, err = place.program(2, text.replace(', "states": "states"', ""), code=1)
    assert "save_every and states" in err


def test_an_interrupt_ends_python_too(place):
    place.workspace.write("walkers.py", WALK)
    place.workspace.write("test.yaml", """ranks: 2
walker: walk
item_ms: 1
workload: {kind: constant, mean_items: 100000000}
timeout_s: 100
balancers: [none]
""")
    process = place.workspace.start("run", "test.yaml", "--walkers", "walkers.py")
    log = place.workspace.path / "results/test/logs"
    assert eventually(lambda: list(log.glob("*.start")) or len(place.workspace.processes("python3")) > 2, 60)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "--walkers walkers.py" in out, out + err
    assert place.workspace.nothing_left(10)


def test_an_installation_has_the_package(place):
    prefix = place.workspace.path / "pre fix"
    done = subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    place.workspace.write("walkers.py", WALK)
    place.workspace.write("test.yaml", """ranks: 2
walker: walk
item_ms: 1
workload: {kind: constant, mean_items: 5}
balancers: [none]
""")
    del place.environment["PYTHONPATH"]
    done = subprocess.run([prefix / "bin/regroup", "run", "test.yaml", "--walkers", "walkers.py"],
                          cwd=place.workspace.path, env=place.environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    place.environment["PYTHONPATH"] = str(*prefix.glob("lib*/regroup/python"))
    assert "hash" in place.program(2, WALK + RUN)[0]


def test_the_example_agrees_with_the_same_walker_in_cpp_and_is_balanced(place):
    # The data differ, so the means agree only within the width of the posteriors.
    config = """ranks: 2
walkers_in_all: 4
group_size: 1
item_ms: 1
walker: {kind: KIND, data: 1000, steps: 5, width: 0.08}
workload: {kind: trace, trace_file: items.csv}
report_every: 50
balancers: [none, collective: {exchange_interval: 20, communicator: create_group}]
"""
    place.workspace.write("items.csv", "items\n300\n1200\n300\n300\n")
    found = {}
    for kind, program in [("gaussian_mixture", BUILD / "regroup"), ("cpp_mixture", BUILD / "python_rivals")]:
        place.workspace.write("mixture.yaml", config.replace("KIND", kind))
        done = subprocess.run(
            [program, "run", "mixture.yaml", "--out", kind,
             *(["--walkers", EXAMPLES / "gaussians.py"] if kind != "cpp_mixture" else [])],
            cwd=place.workspace.path, env=place.environment, capture_output=True, text=True, timeout=200)
        assert done.returncode == 0, done.stdout + done.stderr
        with open(place.workspace.path / kind / "runs.csv") as file:
            rows = list(csv.DictReader(file))
        assert [row["status"] for row in rows] == ["ok", "ok"]
        assert rows[0]["chains_hash"] == rows[1]["chains_hash"]
        assert float(rows[0]["regroups_avg"]) == 0 < float(rows[1]["regroups_avg"])
        with open(place.workspace.path / kind / "quantities.csv") as file:
            found[kind] = {row["quantity"]: row for row in csv.DictReader(file)}
    for quantity, truth in [("low", -1.0), ("high", 1.5)]:
        for kind in found:
            row = found[kind][quantity]
            # Standard deviation of the posterior of 1000 observations, plus Monte Carlo error.
            error = float(row["sd"]) + float(row["mcse"])
            assert abs(float(row["mean"]) - truth) < 4 * error < 0.8, (kind, row)


def test_the_example_runs_under_the_launcher(place):
    text = (EXAMPLES / "gaussians.py").read_text()
    out, _ = place.program(2, text.replace("[300, 100, 50, 50]", "[60, 20, 20]"))
    assert re.search(r"^low: -?\d+\.\d+ ± ", out, re.MULTILINE) and "chains" in out
