# SPDX-License-Identifier: BSD-3-Clause
"""The project in tests/outside/: built against an install tree in a directory with a space in its
name, and run; then built again with Regroup as a subproject."""

import csv
import functools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess

import numpy
import pytest

from conftest import BUILD, CACHE

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "tests/outside"
pytestmark = pytest.mark.mpi

# Variables that jobs/launch/mpi_job.cpp sets for ranks that share cores.
CROWDED = dict(os.environ, MPIR_CVAR_NOLOCAL="1", UCX_TLS="self,sysv",
               OMPI_MCA_mpi_yield_when_idle="1")
# The chains of own_main.cpp; items.csv contains their numbers of items.
CHAINS = """ranks: [1, 3, 4]
group_size: 2
walkers_in_all: 6
item_ms: 1
walker: {kind: posterior, steps_per_item: 20}
workload: {kind: trace, trace_file: items.csv}
balancers:
  - none
  - collective: {exchange_interval: 16, communicator: range}
  - asynchronous: {communicator: create_group}
  - spread: {communicator: icreate_group}
  - longest_first: {communicator: [comm_split, create_group]}
"""
ITEMS = "items\n90\n50\n150\n60\n200\n80\n"


@functools.cache
def from_cache(name):
    return re.search(rf"^{name}:\w+=(.*)$", CACHE.read_text(), re.MULTILINE)[1]


def run(*words, code=0, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          timeout=300, **{"env": CROWDED, **options})
    assert done.returncode == code, f"{words}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout + done.stderr


def configure(source, build, *options, code=0):
    return run("cmake", "-S", source, "-B", build, "-G", "Ninja", "-D", "CMAKE_BUILD_TYPE=Release",
               "-D", "CMAKE_EXPORT_COMPILE_COMMANDS=ON", *options, code=code)


def compile_all(build, *targets):
    words = ["--target", *targets] if targets else []
    return run("cmake", "--build", build, "-j", "2", *words)


class Outside:
    """The project, and the install tree that it was built against."""

    def __init__(self, place):
        self.place = place
        self.prefix = place / "pre fix"
        self.source = place / "source"
        self.build = place / "build"
        run("cmake", "--install", BUILD, "--prefix", self.prefix)
        shutil.copytree(SOURCES, self.source)
        with open(self.source / "CMakeLists.txt", "a") as lists:
            lists.write("regroup_add_program(extras extras.cpp measurement_kind_example.cpp operation_example.cpp)\n")
        configure(self.source, self.build, *self.options())
        compile_all(self.build)

    def options(self):
        return ["-D", f"CMAKE_PREFIX_PATH={self.prefix}",
                "-D", f"MPI_CXX_COMPILER={from_cache('MPI_CXX_COMPILER')}"]

    def ranks(self, number, program):
        launcher = from_cache("MPI_CXX_COMPILER").replace("mpicxx", "mpiexec")
        extra = [] if "mpich" in launcher else ["--oversubscribe", "--allow-run-as-root"]
        return run(launcher, *extra, "-n", number, self.build / program)

    def sweep(self, program, config, place, results="runs"):
        """Runs a configuration text, verifies the results, and returns the rows."""
        place.mkdir()
        (place / "items.csv").write_text(ITEMS)
        (place / "test.yaml").write_text(config)
        run(self.build / program, "run", "test.yaml", "--out", "results", cwd=place)
        said = run(self.build / program, "verify", "results", cwd=place)
        assert "verified" in said
        return list(csv.DictReader((place / f"results/{results}.csv").read_text().splitlines()))


@pytest.fixture(scope="module")
def outside(tmp_path_factory):
    return Outside(tmp_path_factory.mktemp("out side"))


def quadrature(observations):
    """Returns mean and standard deviation of a and b under the posterior of posterior.hpp."""
    i = numpy.arange(observations)
    x = -3 + 6 * (i + 0.5) / observations
    y = numpy.fmod(i * 0.6180339887498949, 1) < 1 / (1 + numpy.exp(0.5 - x))
    a, b = numpy.meshgrid(numpy.linspace(-2, 1, 301), numpy.linspace(-0.5, 2.5, 301))
    log_p = -(a**2 + b**2) / 8
    for one_x, one_y in zip(x, y):
        log_p -= numpy.logaddexp(0, -(1 if one_y else -1) * (a + b * one_x))
    p = numpy.exp(log_p - log_p.max())
    p /= p.sum()
    means = [(p * axis).sum() for axis in (a, b)]
    return means, [numpy.sqrt((p * (axis - mean)**2).sum()) for axis, mean in zip((a, b), means)]


def test_chains_and_their_mean_are_the_same_whoever_executes_them(outside, tmp_path):
    rows = outside.sweep("posterior", CHAINS, tmp_path / "sweep")
    assert len(rows) == 18 and {row["status"] for row in rows} == {"ok"}
    (found,) = {row["chains_hash"] for row in rows}
    told = [outside.ranks(number, "own_main") for number in (1, 2, 5)]
    for said in told:
        assert f"chains_hash {found}" in said
        assert sorted(said.splitlines())[:6] == sorted(told[0].splitlines())[:6]

    chains = re.findall(r"chain (\d): a (\S+), b (\S+)", told[0])
    assert sorted(int(number) for number, _, _ in chains) == list(range(6))
    steps = [20 * int(items) - 200 for items in ITEMS.split()[1:]]
    means, deviations = quadrature(200)
    for column, mean, deviation in zip((1, 2), means, deviations):
        of_chains = [float(chain[column]) for chain in sorted(chains)]
        # Successive steps are correlated: about fifteen steps equal one independent draw.
        error = deviation / numpy.sqrt(sum(steps) / 15)
        assert abs(numpy.average(of_chains, weights=steps) - mean) < 3 * error
        assert error < deviation / 20


def test_chains_are_the_same_with_the_instructions_of_this_processor(outside, tmp_path):
    flags = ["-O3", "-march=native"]
    macros = run(from_cache("CMAKE_CXX_COMPILER"), *flags, "-dM", "-E", "-x", "c++", "/dev/null")
    if not re.search("__FP_FAST_FMA |__FMA__|__ARM_FEATURE_FMA", macros):
        pytest.skip("this processor has no fused multiply-add")
    configure(outside.source, tmp_path, *outside.options(), "-D", f"CMAKE_CXX_FLAGS={' '.join(flags)}")
    compile_all(tmp_path, "own_main")
    usual, native = (re.findall(r"chains_hash (\w+)", outside.ranks(2, build / "own_main"))
                     for build in (outside.build, tmp_path))
    assert len(usual) == 1 and native == usual


def test_a_pool_gives_the_same_on_however_many_ranks(outside):
    told = [re.findall(r"round (\d): .*integral for 6 is (\S+)", outside.ranks(number, "evaluate"))
            for number in (1, 3)]
    assert told[0] == told[1] == [(str(number), "-0.046569") for number in range(1, 5)]


def test_the_configuration_of_the_documentation_runs(outside, tmp_path):
    program = outside.build / "posterior"
    config = (outside.source / "posterior.yaml").read_text()
    own = "  - longest_first: {exchange_interval: 8, communicator: comm_split}\n"
    rows = outside.sweep("posterior", config + own, tmp_path / "sweep")
    assert {row["balancer"].split("(")[0] for row in rows} == {"none", "spread", "longest_first"}
    assert len({row["chains_hash"] for row in rows}) == 1
    assert len({row["r_hat"] for row in rows}) == 1 and 0.9 < float(rows[0]["r_hat"]) < 2
    assert "longest_first(8)" in run(program, "table", tmp_path / "sweep/results")
    assert "longest_first" in run(program, "advise", outside.source / "posterior.yaml", "--format", "json")
    helped = run(program, "--help")
    assert f"{shlex.quote(str(program))} run mine.yaml" in helped and "regroup run" not in helped
    assert "standard deviation of proposals" in run(program, "list", "walkers")
    assert "longest_first" in run(program, "list", "communicators")
    checked = run(program, "check", "longest_first", "--seconds", "1", "--runs", "100")
    assert "longest_first: no error found" in checked


def test_the_launcher_of_another_library_is_noticed_and_its_own_is_printed(outside):
    """Otherwise, each rank would be alone and execute all chains."""
    own = from_cache("MPI_CXX_COMPILER").replace("mpicxx", "mpiexec")
    other = "OMPI_COMM_WORLD_SIZE" if "mpich" in own else "PMI_SIZE"
    said = run(outside.build / "own_main", code=1, env=dict(CROWDED, **{other: "3"}))
    assert own in said and other in said, said
    assert own in configure(outside.source, outside.build, *outside.options())


def test_a_mistake_in_its_configuration_is_refused(outside, tmp_path):
    (tmp_path / "test.yaml").write_text("ranks: 2\nbalancers: [none]\n"
                                        "walker: {kind: posterior, width: 0}\n")
    said = run(outside.build / "posterior", "plan", "test.yaml", cwd=tmp_path, code=2)
    assert "test.yaml:3" in said and "'0' is not a valid value of width" in said and "1e-06 to 100" in said
    (tmp_path / "test.yaml").write_text("ranks: 2\nengine: simgrid\nbalancers: [none]\n")
    said = run(outside.build / "posterior", "run", "test.yaml", cwd=tmp_path, code=2)
    assert "not those of posterior; allowed here: mpi, virtual" in said


def test_a_workload_a_strategy_and_a_measurement_of_its_own_are_known_everywhere(outside, tmp_path):
    rows = outside.sweep("extras", "ranks: 4\ngroup_size: 1\nitem_ms: 1\nengine: [mpi, virtual]\n"
                         "workload: {kind: rising, more: 5}\n"
                         "balancers: [asynchronous: {communicator: members_only}]\n",
                         tmp_path / "runs")
    assert [(row["status"], row["communicator"]) for row in rows] == [("ok", "members_only")] * 2
    assert {row["workload"] for row in rows} == {"rising(more=5)"}
    rows = outside.sweep("extras", "measure: creation\nranks: 3\ngroup_size: 2\nsamples: 5\n"
                         "communicator: [members_only, range]\n", tmp_path / "creation",
                         "creation")
    assert [(row["status"], row["communicator"]) for row in rows] == [
        ("ok", "members_only"), ("ok", "range")]
    rows = outside.sweep("extras", "measure: barrier\nranks: 3\ngroup_size: [2, 3]\nsamples: 6\n"
                         "communicator: [members_only, range]\n", tmp_path / "barrier", "barrier")
    assert sorted(row["barrier_ranks"] for row in rows) == ["2", "2", "3", "3"]
    assert all(float(row["barrier_median_s"]) > 0 for row in rows)
    assert "members_only" in run(outside.build / "extras", "table", tmp_path / "barrier/results")
    assert "the members alone" in run(outside.build / "extras", "list", "strategies")
    rows = outside.sweep("extras", "measure: collectives\nranks: 3\ngroup_size: 3\nsamples: 6\nbytes: [8, 30]\n"
                         "operation: [bcast, flat_bcast]\ncommunicator: [members_only, range]\n",
                         tmp_path / "collectives", "collectives")
    assert sorted((row["status"], row["operation"]) for row in rows) == [
        ("ok", "bcast")] * 4 + [("ok", "flat_bcast")] * 4
    assert "the root sends to each member" in run(outside.build / "extras", "list", "words")


EDGE = """ranks: 4
group_size: 2
walkers_in_all: 4
workload: {kind: constant, mean_items: 400}
report_every: 100
balancers: [none, asynchronous: {communicator: range}]
walker: {kind: edge, density: DENSITY}
"""


def test_proposals_of_density_0_are_rejected_and_large_log_densities_change_nothing(outside, tmp_path):
    rows = outside.sweep("extras", EDGE.replace("DENSITY", "usual"), tmp_path / "runs")
    assert [row["status"] for row in rows] == ["ok"] * 2
    assert len({row["chains_hash"] for row in rows}) == 1
    with open(tmp_path / "runs/results/chains.csv") as file:
        reports = list(csv.DictReader(file))
    accepted = [report for report in reports if report["quantity"] == "accept_stat__"]
    assert sum(int(report["samples"]) for report in accepted) == 4 * 400 * 2
    share = numpy.mean([float(report["observed_mean"]) for report in accepted])
    assert 0.25 < share < 0.34  # 0.295 by integration


@pytest.mark.parametrize("density, said", [
    ("nan", "is nan"), ("inf", "is inf"), ("huge", "is -1e+30"), ("huge_sum", "is -4e+18 + -4e+18")])
def test_a_log_density_that_is_none_fails_the_run_with_chain_item_and_value(
        outside, tmp_path, density, said):
    (tmp_path / "test.yaml").write_text(EDGE.replace("DENSITY", density))
    run(outside.build / "extras", "run", "test.yaml", "--out", "results", cwd=tmp_path, code=1)
    with open(tmp_path / "results/runs.csv") as file:
        rows = list(csv.DictReader(file))
    assert [row["status"] for row in rows] == ["failed"] * 2
    for row in rows:
        assert "chain 2, item 3: " in row["message"] and said in row["message"]


def test_range_communicators_need_nothing_else(outside):
    assert "0 wrong sums on 5 ranks" in outside.ranks(5, "range_only")
    for program in ("range_only", "sorted"):
        needed = run("ldd", outside.build / program)
        assert not re.search(r"lib(fmt|yaml|csv|crypto)", needed)


@pytest.mark.parametrize("ranks", [1, 2, 5])
def test_elements_of_all_ranks_are_sorted(outside, ranks):
    share = 500 * (ranks - 1)
    assert f"0 in wrong order of {share} on rank 0 of {ranks}" in outside.ranks(ranks, "sorted")


def test_the_installed_command_works(outside, tmp_path):
    (tmp_path / "test.yaml").write_text("ranks: 3\ngroup_size: 1\nitem_ms: 1\n"
                                        "balancers: [asynchronous]\nwaiting: [auto, polite]\n")
    regroup = outside.prefix / "bin/regroup"
    assert "2 runs" in run(regroup, "run", "test.yaml", "--out", "results", cwd=tmp_path)
    assert "2 of 2 runs verified" in run(regroup, "verify", "results", cwd=tmp_path)


def test_an_installed_command_needs_no_source_tree_and_may_be_moved(outside, tmp_path):
    prefix = tmp_path / "moved else where"
    for folder in ("bin", "share"):
        shutil.copytree(outside.prefix / folder, prefix / folder)
    work = tmp_path / "work"
    work.mkdir()
    (work / "test.yaml").write_text("ranks: 3\ngroup_size: 1\nitem_ms: 1\nbalancers: [none]\n"
                                    "waiting: [auto, polite]\n")
    # In a private mount namespace that hides the source and build trees.
    hidden = [str(path) for path in (ROOT, BUILD) if path.resolve() not in tmp_path.resolve().parents]
    script = '''work=$1 regroup=$2; shift 2
        for path; do [ ! -e "$path" ] || mount -t tmpfs none "$path" || exit 77; done
        for path; do [ ! -e "$path/CMakeLists.txt" ] && [ ! -e "$path/regroup" ] || exit 78; done
        cd "$work" && "$regroup" run test.yaml --out results && "$regroup" verify results'''
    done = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh", work,
         prefix / "bin/regroup", *hidden], env=CROWDED, capture_output=True, text=True, timeout=120)
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip(f"no mount namespaces here: {done.stderr}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 of 2 runs verified" in done.stdout


def test_configurations_examples_and_templates_are_installed(outside):
    share = outside.prefix / "share/regroup"
    assert (share / "configs/demo.yaml").exists()
    assert (share / "examples/balancer/helpers.cpp").exists()
    for template in ("slurm.sh", "slurm_array.sh"):
        assert os.access(share / "jobs" / template, os.X_OK)
    said = run(share / "plots/figure2.py", "--help", cwd="/", env=dict(os.environ,
                                                                      PYTHONDONTWRITEBYTECODE="1"))
    assert "usage" in said
    assert not list(share.rglob("__pycache__"))
    assert (outside.prefix / "share/bash-completion/completions/regroup").exists()
    (module,) = (outside.prefix / "share/modulefiles/regroup").iterdir()
    assert module.name == from_cache("CMAKE_PROJECT_VERSION") and "@" not in module.read_text()


def test_users_inherit_the_standard_and_no_flag_of_ours(outside):
    for command in json.loads((outside.build / "compile_commands.json").read_text()):
        words = command["command"].split()
        assert "-std=gnu++20" in words or "-std=c++20" in words, command
        assert not [word for word in words if re.match("-W|-include", word)], command


def syntax(outside, text, file):
    file.write_text(text)
    return subprocess.run(
        [from_cache("MPI_CXX_COMPILER"), "-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
         "-fsyntax-only", "-I", outside.prefix / "include", file], capture_output=True, text=True)


def test_each_public_header_stands_alone(outside, tmp_path):
    public = sorted((outside.prefix / "include/regroup").glob("*.hpp"))
    assert {path.stem for path in public} >= {"walker", "balancer", "workload", "strategy",
                                              "program", "engine", "range", "sorting", "version"}
    for header in public:
        done = syntax(outside, f"#include <regroup/{header.name}>\nint main() {{}}\n",
                      tmp_path / "one.cpp")
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("header", [
    "kernel/run.hpp", "regroup/kernel/run.hpp", "driver/execute/sweep.hpp",
    "engines/mpi/process.hpp"])
def test_no_private_header_can_be_included(outside, tmp_path, header):
    assert (ROOT / header.removeprefix("regroup/")).exists()
    done = syntax(outside, f"#include <{header}>\n", tmp_path / "one.cpp")
    assert done.returncode != 0 and "No such file" in done.stderr


def test_public_headers_include_no_library_but_mpi(outside):
    included = set()
    for header in (outside.prefix / "include").rglob("*.hpp"):
        text = header.read_text()
        included |= set(re.findall(r'^#include ["<](.+)[">]', text, re.MULTILINE))
    assert {name for name in included if re.search("[./]", name)
            and not name.startswith("regroup/")} == {"mpi.h"}


@pytest.mark.parametrize("call, options, said", [
    ("find_package(Regroup 0.99 REQUIRED)", [], "0.99"),
    ("find_package(Regroup REQUIRED COMPONENTS sorting)", [],
     "no component 'sorting'; allowed: range, or none"),
    ("find_package(Regroup REQUIRED)", ["-D", "MPI_CXX_COMPILER=/usr/bin/c++"],
     "MPI_CXX_COMPILER is /usr/bin/c++; allowed: the same")])
def test_a_package_that_does_not_fit_is_refused(outside, tmp_path, call, options, said):
    (tmp_path / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.25)\nproject(wrong LANGUAGES CXX)\n{call}\n")
    told = configure(tmp_path, tmp_path / "build", *outside.options(), *options, code=1)
    assert said in re.sub(r"\s+", " ", told), told


def test_the_component_range_asks_for_mpi_alone(outside, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(range LANGUAGES CXX)\n"
        "find_package(Regroup REQUIRED COMPONENTS range)\n"
        "if(TARGET fmt::fmt OR TARGET Regroup::regroup)\n  message(FATAL_ERROR more)\nendif()\n"
        f"add_executable(range_only {SOURCES}/range_only.cpp)\n"
        "target_link_libraries(range_only PRIVATE Regroup::range)\n")
    # The name of the MPI compiler works like its path.
    compiler = pathlib.Path(from_cache("MPI_CXX_COMPILER")).name
    configure(tmp_path, tmp_path / "build", *outside.options(),
              "-D", f"MPI_CXX_COMPILER={compiler}")
    compile_all(tmp_path / "build")


def test_regroup_can_be_a_part_of_another_project(outside, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(around LANGUAGES CXX)\n"
        "include(FetchContent)\n"
        f"FetchContent_Declare(Regroup SOURCE_DIR \"{ROOT}\" OVERRIDE_FIND_PACKAGE)\n"
        f"add_subdirectory({SOURCES} outside)\n")
    build = tmp_path / "build tree"
    configure(tmp_path, build, *outside.options()[2:], "-D", "CMAKE_BUILD_TYPE=Debug")
    # Building the whole library would take minutes; regroup is linked with the same targets.
    compile_all(build, "posterior_rows", "range_only")
    assert "0 wrong sums on 3 ranks" in outside.ranks(3, build / "outside/range_only")
    targets = run("cmake", "--build", build, "--target", "help")
    assert "posterior-mpi: phony" in targets and "own_main: phony" in targets
    assert "unit_tests: phony" not in targets and "regroup: phony" not in targets
    for command in json.loads((build / "compile_commands.json").read_text()):
        if "tests/outside" in command["file"]:
            assert not re.search(f" -W| -include|-I{ROOT} ", command["command"]), command


def test_processor_groups_of_global_arrays_are_one_more_row(outside, tmp_path):
    compiler = from_cache("MPI_CXX_COMPILER")
    library = "openmpi" if "openmpi" in compiler else "mpich"
    missing = [name for name in ("ga", "armci", "scalapack")
               if not list(pathlib.Path("/usr/lib").glob(f"**/lib{name}-{library}.*"))]
    if missing:
        pytest.skip(f"of {library} there is no {' and no '.join(missing)}: "
                    "examples/global_arrays/CMakeLists.txt names the packages")
    configure(ROOT / "examples/global_arrays", tmp_path / "build", *outside.options(),
              "-D", f"GA_MPI={library}")
    compile_all(tmp_path / "build")
    run(tmp_path / "build/regroup-ga", "run", ROOT / "examples/global_arrays/creation.yaml",
        "--set", "ranks=4", "--set", "group_size=[2, 4]", "--set", "samples=2",
        "--out", tmp_path / "results")
    with open(tmp_path / "results/creation.csv") as file:
        rows = list(csv.DictReader(file))
    made = [row for row in rows if row["communicator"] == "ga_pgroup_create"]
    assert len(made) == 4 and {row["status"] for row in rows} == {"ok"}
    assert all(float(row["create_median_s"]) > 0 for row in made)
    assert {row["communicators_alive_after"] for row in made} == {"0"}


def test_range_communicators_can_be_built_alone(tmp_path, outside):
    configure(ROOT, tmp_path / "build", *outside.options()[2:], "-D", "REGROUP_RANGE_ONLY=ON",
              "-D", "CMAKE_BUILD_TYPE=Debug")
    compile_all(tmp_path / "build")
    run("cmake", "--install", tmp_path / "build", "--prefix", tmp_path / "prefix")
    public = tmp_path / "prefix/include/regroup"
    assert sorted(path.name for path in public.glob("*.hpp")) == [
        "range.hpp", "rank_range.hpp", "version.hpp", "waiter.hpp"]
    packages = next((tmp_path / "prefix").rglob("regroup-range.pc")).parent
    flags = run("pkg-config", "--cflags", "--libs", "regroup-range",
                env=dict(os.environ, PKG_CONFIG_PATH=str(packages))).split()
    run(from_cache("MPI_CXX_COMPILER"), SOURCES / "range_only.cpp", *flags, "-o", tmp_path / "range_only")
    assert "0 wrong sums on 3 ranks" in outside.ranks(3, tmp_path / "range_only")
