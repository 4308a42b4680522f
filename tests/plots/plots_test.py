# SPDX-License-Identifier: BSD-3-Clause
"""The plots as their users run them: whole commands on the small sweep in data/, which has 16 and
32 ranks, four variants, two repetitions, two runs that did not finish, and no column `variant`,
since it is older than this; beside it measurements of creation, of collectives and of items."""

import json
import os
import re
import runpy
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from xml.etree import ElementTree

import pandas
import pytest
from matplotlib.image import imread

HERE = Path(__file__).parent
PLOTS = HERE.parents[1] / "plots"
sys.path.insert(0, str(PLOTS))
import common  # noqa: E402, F401  what takes the scripts a second to import
SCRIPTS = ["figure2", "table1", "timeline"]  # that read runs.csv; scale wants another sweep
SVG = "{http://www.w3.org/2000/svg}"
KINDS = ("png", "svg", "pdf")
EVERY_SCRIPT = [*SCRIPTS, "figure1", "rbc", "speedup"]
COLLECTIVE, LAST_ASYNCHRONOUS = "3831137036529b26", "3d2560c5dc74b91e"


def run(script, *arguments):
    """Runs a script in a fork of this process, which has imported what scripts import."""
    command = [PLOTS / f"{script}.py", *arguments]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        child = os.fork()
        if child == 0:
            os._exit(execute([str(word) for word in command], out.fileno(), err.fileno()))
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(command, code, out.read(), err.read())


def execute(command, out, err):
    """What the interpreter does with a script, to its exit code."""
    code = 1
    try:
        with (open(out, "w", closefd=False) as sys.stdout,
              open(err, "w", closefd=False) as sys.stderr):
            sys.argv = command
            try:
                runpy.run_path(command[0], run_name="__main__")
                code = 0
            except SystemExit as end:
                code = end.code or 0
            except BaseException:
                traceback.print_exc()
    finally:
        return code


def succeed(script, *arguments):
    process = run(script, *arguments)
    assert process.returncode == 0, process.stderr
    assert process.stderr == ""
    return process.stdout


def complaint(script, *arguments):
    """The one line on standard error of a script that ends with 2."""
    process = run(script, *arguments)
    assert process.returncode == 2, process.stderr
    assert process.stdout == ""
    assert process.stderr.count("\n") == 1, process.stderr
    return process.stderr


@pytest.fixture
def results(tmp_path):
    """A copy of the sample that a test may spoil."""
    for file in (HERE / "data").glob("*.csv"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path


def edit(results, change, name="runs.csv"):
    frame = pandas.read_csv(results / name, dtype=str, keep_default_na=False)
    change(frame).to_csv(results / name, index=False)


def texts(results, script):
    """The texts of the picture; those of several lines as one."""
    tree = ElementTree.parse(results / f"{script}.svg")
    groups = [node for node in tree.iter(f"{SVG}g") if node.findall(f"{SVG}text")]
    return [" ".join("".join(line.itertext()).strip() for line in group.findall(f"{SVG}text"))
            for group in groups]


# ---- groups that a file defines ------------------------------------------------------------------

GROUPS = {"ranks": 4, "processors": [], "communicators": [
    {"name": "RED", "color": 0, "parent": -1, "ranks": [0, 1]},
    {"name": "PINK", "color": 0, "parent": 0, "ranks": [1]},
    {"name": "ODD", "color": 0, "parent": -1, "ranks": [3, 0]}],
    "intercommunicators": [{"name": "BRIDGE", "first": 0, "second": 2}]}


def test_groups_are_drawn_with_their_names_and_ranks(tmp_path):
    (tmp_path / "groups.json").write_text(json.dumps(GROUPS))
    succeed("groups", tmp_path / "groups.json", "--columns", "2")
    said = texts(tmp_path, "groups")
    for word in ("RED", "PINK", "ODD", "BRIDGE", "0", "1", "2", "3"):
        assert word in said


def test_groups_of_some_names_alone(tmp_path):
    (tmp_path / "groups.json").write_text(json.dumps(GROUPS | {"intercommunicators": []}))
    succeed("groups", tmp_path / "groups.json", "--names", "RED")
    assert "PINK" not in texts(tmp_path, "groups")
    assert "no communicator BLUE; there are RED, PINK, ODD" in complaint(
        "groups", tmp_path / "groups.json", "--names", "BLUE")


def test_no_groups_are_told_in_one_line(tmp_path):
    assert "no such file" in complaint("groups", tmp_path / "none.json")
    (tmp_path / "groups.json").write_text("[]")
    assert "not what 'regroup groups check" in complaint("groups", tmp_path / "groups.json")
    (tmp_path / "groups.json").write_text(json.dumps(GROUPS | {"ranks": 100_000}))
    assert "at most 1024" in complaint("groups", tmp_path / "groups.json")


# ---- what every script does ----------------------------------------------------------------------

@pytest.mark.parametrize("script", EVERY_SCRIPT)
def test_writes_three_pictures_beside_the_results(script, results):
    printed = succeed(script, results)
    for kind in KINDS:
        assert str(results / f"{script}.{kind}") in printed.splitlines()
    image = imread(results / f"{script}.png")
    assert image.shape[0] > 300 and image.shape[1] > 500
    assert image.std() > 0.05
    assert len(texts(results, script)) > 10


@pytest.mark.parametrize("script", EVERY_SCRIPT)
@pytest.mark.parametrize("file", ["picture", "picture.png", "picture.svg", "picture.pdf"])
def test_output_names_one_picture_or_all(script, file, results):
    succeed(script, results, "-o", results / file)
    expected = {file} if "." in file else {f"{file}.{kind}" for kind in KINDS}
    assert {path.name for path in results.glob("picture*")} == expected


@pytest.mark.parametrize("script", EVERY_SCRIPT)
def test_equal_results_make_equal_pictures(script, results):
    succeed(script, results, "-o", results / "one")
    succeed(script, results, "-o", results / "two")
    for kind in KINDS:
        assert (results / f"one.{kind}").read_bytes() == (results / f"two.{kind}").read_bytes()


@pytest.mark.parametrize("script", EVERY_SCRIPT)
def test_links_in_results_are_not_followed(script, results):
    (results / "victim").write_text("as it was")
    (results / f"{script}.png").symlink_to("victim")
    succeed(script, results)
    assert (results / "victim").read_text() == "as it was"
    assert imread(results / f"{script}.png").std() > 0


DAMAGES = {
    "open quote": (lambda text: text[:-30] + '"' + text[-30:], "not a CSV file"),
    "short row": (lambda text: text + "1,2\n", "fields instead of"),
    "long row": (lambda text: text[:-1] + ",1\n", "fields instead of"),
    "torn row": (lambda text: text[:-1], "no end of line"),
    "no UTF-8": (lambda text: text[:-1] + "\udce9\n", "not a CSV file"),
    "column twice": (lambda text: re.sub("(?m)^(.*?),(.*)$", r"\1,\1,\2", text), "stands twice"),
    "nothing": (lambda text: "", "not a CSV file"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_results_are_named(results, damage):
    change, word = DAMAGES[damage]
    text = (results / "runs.csv").read_text()
    (results / "runs.csv").write_bytes(change(text).encode("utf-8", "surrogateescape"))
    assert "runs.csv" in (said := complaint("figure2", results)) and word in said


def two_invocations(results, name, first, second):
    """Every second row of a table is one of another invocation, with another environment."""
    invocations = [1 + i // 2 % 2 for i in range(len(pandas.read_csv(results / name)))]
    edit(results, lambda frame: frame.assign(invocation=invocations), name)
    (results / "provenance.yaml").write_text("".join(
        f'---\ninvocation: {i}\nversion: "1"\ncompiler: "c"\nlauncher: "mpiexec"\n'
        f'environment: {environment}\ninherited: {{}}\nprocessor: "p"\n'
        for i, environment in ((1, first), (2, second))))


@pytest.mark.parametrize("script, name", [("figure2", "runs.csv"), ("figure1", "creation.csv")])
def test_invocations_with_another_environment_are_not_put_together(script, name, results):
    two_invocations(results, name, '{"A": "a"}', '{"A": "b"}')
    succeed(script, results)
    said = " ".join(texts(results, script))
    assert "environment A a" in said and "environment A b" in said
    two_invocations(results, name, '{"A": "a"}', '{"A": "a"}')
    succeed(script, results)
    assert "environment" not in " ".join(texts(results, script))


@pytest.mark.parametrize("script, name", [("figure2", "runs.csv"), ("figure1", "creation.csv")])
def test_a_provenance_that_is_no_file_is_not_read(script, name, results):
    two_invocations(results, name, "{}", "{}")
    (results / "provenance.yaml").unlink()
    # Instead of /dev/zero, which takes all memory where it is read.
    (results / "provenance.yaml").symlink_to("/dev/null")
    assert "provenance.yaml: not a file" in complaint(script, results)


@pytest.mark.parametrize("script", SCRIPTS)
def test_columns_may_come_in_any_order_and_with_others(script, results):
    edit(results, lambda runs: runs[sorted(runs.columns)].assign(flavour="sweet"))
    succeed(script, results)


@pytest.mark.parametrize("script", SCRIPTS)
def test_help_teaches(script):
    assert "Reads RESULTS_DIR/runs.csv" in succeed(script, "--help")


@pytest.mark.parametrize("script", SCRIPTS)
class TestEveryScriptComplainsInOneLineAbout:
    def test_a_missing_directory(self, script, tmp_path):
        assert "nowhere: no such directory" in complaint(script, tmp_path / "nowhere")

    def test_a_missing_file(self, script, tmp_path):
        assert "runs.csv: no such file" in complaint(script, tmp_path)

    def test_an_empty_file(self, script, results):
        (results / "runs.csv").write_text("")
        assert "runs.csv: not a CSV file" in complaint(script, results)

    def test_a_file_that_is_not_text(self, script, results):
        (results / "runs.csv").write_bytes(bytes(range(256)))
        assert "runs.csv: " in complaint(script, results)

    def test_a_missing_column(self, script, results):
        edit(results, lambda runs: runs.drop(columns="balancer"))
        assert "runs.csv: column balancer is missing" in complaint(script, results)

    def test_a_word_where_a_number_belongs(self, script, results):
        edit(results, lambda runs: runs.assign(ranks="many"))
        assert 'runs.csv: column ranks: "many" is not a number' in complaint(script, results)

    def test_an_empty_cell_in_a_finished_run(self, script, results):
        edit(results, lambda runs: runs.assign(ranks=""))
        assert "runs.csv: column ranks is empty in the finished run" in complaint(script, results)

    def test_a_sweep_in_which_no_run_finished(self, script, results):
        edit(results, lambda runs: runs.assign(status="killed"))
        assert "no run with status ok (looked at 16 rows)" in complaint(script, results)

    def test_an_output_that_cannot_be_written(self, script, results):
        process = run(script, results, "-o", results / "no" / "f")
        assert process.returncode == 2
        assert "there is no such directory; -o writes it elsewhere" in process.stderr
        assert process.stderr.count("\n") == 1

    def test_a_wrong_command_line(self, script, results):
        said = complaint(script, results, "--colour")
        assert "unrecognized arguments: --colour (see --help)" in said


def test_a_run_that_was_repeated_counts_once(results):
    edit(results, lambda runs: pandas.concat([runs, runs[runs.status != "ok"].assign(
        status="ok", makespan_s="5.5", regroups_avg="1", regroups_stdev="1", regroups_min="1",
        regroups_max="1")]))
    assert "did not finish" not in succeed("table1", results)


# ---- figure2 -------------------------------------------------------------------------------------

def test_figure2_names_its_lines_and_the_runs_that_are_missing(results):
    succeed("figure2", results)
    shown = texts(results, "figure2")
    for text in ("none", "collective(16)", "asynchronous(release)", "asynchronous(merge)", "ideal",
                 "2 of 16 runs did not finish (1 failed, 1 timeout) and are left out.",
                 "wall clock · T = 100 ms · G = 4 · cyclic workload · 16–32 ranks on 2 cores "
                 "(oversubscribed) · 2 repetitions: median, fastest and slowest"):
        assert text in shown


def test_figure2_names_communicators_only_where_they_differ(results):
    edit(results, lambda runs: runs.assign(
        communicator=runs.communicator.mask(runs.balancer == "collective", "comm_split")))
    succeed("figure2", results)
    shown = texts(results, "figure2")
    assert "collective(16), comm_split" in shown
    assert "asynchronous(release), create_group" in shown
    assert "none" in shown


def test_figure2_shows_a_single_rank_count_with_values(results):
    edit(results, lambda runs: runs[(runs.ranks == "32") & (runs.repetition == "1")])
    succeed("figure2", results)
    shown = texts(results, "figure2")
    for text in ("ideal 3.50 s", "7.05 s", "2.01 × ideal", "3.57 s", "1.02 × ideal"):
        assert text in shown


def with_bounds(runs):
    """With perfect speed-up, where the bound is the ideal, and with another, where it is 1.2 times
    as long."""
    ideal, makespan = pandas.to_numeric(runs.ideal_s), pandas.to_numeric(runs.makespan_s)
    runs = runs.assign(speedup="perfect", bound_s=runs.ideal_s, of_bound=makespan / ideal)
    return other_runs(runs, speedup="amdahl", bound_s=1.2 * ideal, of_bound=makespan / ideal / 1.2)


def test_figure2_shows_the_bound_where_the_speedup_is_not_perfect(results):
    edit(results, lambda runs: with_bounds(runs[runs.ranks == "32"]))
    succeed("figure2", results)
    shown = texts(results, "figure2")
    for text in ("perfect speed-up", "ideal 3.50 s", "1.02 × ideal",
                 "amdahl speed-up", "bound 4.20 s", "0.85 × bound"):
        assert text in shown
    assert sum("speed-up" in text for text in shown) == 2


def test_timeline_shows_the_bound_where_the_speedup_is_not_perfect(results):
    edit(results, lambda runs: with_bounds(runs).assign(run=lambda both: both.run.str[::-1]))
    succeed("timeline", results)
    assert any(text.startswith("bound ") for text in texts(results, "timeline"))


@pytest.mark.parametrize("ranks", [["16", "32"], ["32"]])
def test_figure2_has_a_panel_for_each_setting(results, ranks):
    edit(results, lambda runs: pandas.concat([runs, runs.assign(
        run=runs.run.str[::-1], item_ms="50")])[lambda both: both.ranks.isin(ranks)])
    succeed("figure2", results)
    assert {"T = 50 ms", "T = 100 ms"} < set(texts(results, "figure2"))


def other_runs(runs, **columns):
    """The same runs once more, as other ones: with other cells in `columns`."""
    return pandas.concat([runs, runs.assign(run=runs.run.str[::-1], **columns)])


@pytest.mark.parametrize("columns, titles", [
    ({"cores": "4"}, {"2 cores", "4 cores"}),
    ({"groups": "0-2/3"}, {"groups 4", "groups 0-2/3"}),
    ({"mpi_library": "Open MPI 4.1.4"}, {"MPICH Version: 4.0.2, ch4:ucx", "Open MPI 4.1.4"}),
    ({"regroup_version": "0.2.0"}, {"version 0.1.0", "version 0.2.0"}),
    ({"waiting": "polite"}, {"waiting wrapper", "waiting polite"}),
    ({"modulus": "16"}, {"modulus 16", "modulus 32"}),
    ({"new_option": "5"}, {"new_option 5", "new_option 4"}),
    ({"inputs_hash": "0123"}, {"inputs_hash 0123", "inputs_hash 4"}),
    ({"placement": "0123456789abcdef"}, {"placement 0123456789abcdef", "placement 4"}),
])
def test_figure2_never_puts_together_what_differs_in_more_than_repetition_and_seed(
        columns, titles, results):
    name = next(iter(columns))
    edit(results, lambda runs: other_runs(runs if name in runs else runs.assign(**{name: "4"}),
                                          **columns))
    succeed("figure2", results)
    assert titles < set(texts(results, "figure2"))


def test_figure2_has_one_panel_where_conditions_follow_from_the_ranks(results):
    edit(results, lambda runs: runs.assign(
        waited=runs.ranks.map({"16": "direct", "32": "wrapper"}), cores=runs.ranks))
    succeed("figure2", results)
    shown = texts(results, "figure2")
    assert shown.count("ideal") == 1 and not any("waiting" in text for text in shown)


NODES = {"16": "2", "32": "4"}  # of so many ranks, eight on each


def test_figure2_has_one_panel_where_places_follow_from_the_ranks_and_names_the_nodes(results):
    edit(results, lambda runs: runs.assign(
        nodes=runs.ranks.map(NODES), ranks_per_node_min="8", ranks_per_node_max="8",
        placement=runs.ranks, groups_across_nodes=runs.index.astype(str),
        began=runs.index.astype(str), job_id=runs.index.astype(str),
        load_average_before=runs.index.astype(str)))
    succeed("figure2", results)
    shown = texts(results, "figure2")
    assert shown.count("ideal") == 1 and not any("placement" in text for text in shown)
    assert any("16–32 ranks on 2 cores of 2–4 nodes (8 ranks on each) (oversubscribed)" in text
               for text in shown)


def test_figure2_names_no_nodes_where_there_is_one(results):
    edit(results, lambda runs: runs.assign(
        nodes="1", ranks_per_node_min=runs.ranks, ranks_per_node_max=runs.ranks,
        placement=runs.ranks))
    succeed("figure2", results)
    assert not any("node" in text for text in texts(results, "figure2"))


def with_problems(runs):
    """Two seeds that draw different items: the second has half of the items and half of the ideal,
    and takes twice the ideal whatever the balancer."""
    first = runs.assign(workload="exponential", problem="a")
    second = other_runs(first, seed="2", problem="b").tail(len(first))
    ideal = pandas.to_numeric(second.ideal_s) / 2
    ended = second.makespan_s != ""
    return pandas.concat([first, second.assign(
        ideal_s=ideal.astype(str),
        makespan_s=(2 * ideal).astype(str).where(ended, ""))])


def test_figure2_shows_different_problems_as_ratios_to_their_own_ideals(results):
    edit(results, with_problems)
    succeed("figure2", results)
    shown = texts(results, "figure2")
    assert "execution time / ideal of each problem" in shown
    assert "execution time in s" not in shown
    assert any(text.endswith("2 repetitions · 2 seeds · 2 problems: median, fastest and slowest")
               for text in shown)


def test_figure2_takes_the_median_of_the_ratios_of_problems(results):
    edit(results, lambda runs: with_problems(runs[runs.ranks == "32"]))
    succeed("figure2", results)
    shown = texts(results, "figure2")
    # asynchronous(release): 3.57 / 3.5 = 1.02 and 2; never 2.66 s, half way between the times.
    assert "1.51 × ideal" in shown
    assert not [text for text in shown if text.endswith(" s")]


def test_figure2_takes_results_without_problems_apart_by_their_ideals(results):
    edit(results, lambda runs: with_problems(runs).drop(columns="problem"))
    succeed("figure2", results)
    assert "execution time / ideal of each problem" in texts(results, "figure2")


def test_table1_counts_seeds_and_problems(results):
    edit(results, with_problems)
    assert "2 seeds · 2 problems" in succeed("table1", results)


def test_figure2_pools_seeds_of_the_same_problem_and_counts_them(results):
    edit(results, lambda runs: other_runs(runs.assign(problem="a"), seed="2"))
    succeed("figure2", results)
    shown = texts(results, "figure2")
    assert "execution time in s" in shown and shown.count("ideal") == 1
    assert any(" · 2 seeds" in text for text in shown)


@pytest.mark.parametrize("ranks", [["16", "32"], ["32"]])
def test_figure2_says_that_runs_had_nothing_to_do(results, ranks):
    edit(results, lambda runs: runs[runs.ranks.isin(ranks)].assign(ideal_s="0", makespan_s="0"))
    assert "there is nothing to draw: no run has items" in complaint("figure2", results)


def test_figure2_draws_runs_of_which_some_had_nothing_to_do(results):
    edit(results, lambda runs: runs.assign(ideal_s=runs.ideal_s.mask(runs.ranks == "16", "0"),
                                           makespan_s=runs.makespan_s.mask(runs.ranks == "16", "0")))
    succeed("figure2", results)


# ---- variants and strategies that plots have never heard of --------------------------------------

FRACTIONS = {"release": "0.1", "merge": "0.9"}
STEALING = {"stealing(0.1)", "stealing(0.9)"}
TOLD = {"each": {"1", "2"}, "some": {"1"}, "older": set()}  # repetitions that tell their variants


@pytest.fixture(params=TOLD)
def stealing(results, request):
    """The sample with a balancer `stealing` and its option `fraction` in place of asynchronous:
    with 0.1 it takes 4 s and regroups once, with 0.9 6 s and three times."""
    def change(runs):
        thieves = runs.balancer == "asynchronous"
        fraction = runs.finished_groups.map(FRACTIONS).fillna("")
        runs = runs.assign(balancer=runs.balancer.mask(thieves, "stealing"), finished_groups="",
                           listen_ms="")
        for column, values in {"makespan_s": ("4", "6"), "regroups_avg": ("1", "3")}.items():
            for value, option in zip(values, FRACTIONS.values()):
                runs[column] = runs[column].mask(fraction == option, value)
        runs.insert(list(runs.columns).index("communicator"), "fraction", fraction)
        options = (runs.exchange_interval + fraction).map("({}), create_group".format)
        variant = runs.balancer + options.where(runs.communicator != "", "")
        known = runs.repetition.isin(TOLD[request.param])
        return runs.assign(variant=variant.where(known, "")) if known.any() else runs
    edit(results, change)
    return results


def colours(results):
    runs, _ = common.read_runs(results, ["makespan_s"])
    return {label: colour for label, colour, _ in common.variants(runs)}


def has_colours(results, script, shades):
    picture = (results / f"{script}.svg").read_text()
    return all(f"stroke: {shade.lower()}" in picture for shade in shades)


def test_figure2_draws_variants_of_an_unknown_balancer_apart(stealing):
    succeed("figure2", stealing)
    names = {"none", "collective(16)", *STEALING}
    shown = texts(stealing, "figure2")
    assert names < set(shown) and shown.count("ideal") == 1
    assert has_colours(stealing, "figure2", colours(stealing).values())
    assert len(set(colours(stealing).values())) == 4
    edit(stealing, lambda runs: runs[runs.ranks == "32"])
    succeed("figure2", stealing)
    assert {"4.00 s", "6.00 s"} < set(texts(stealing, "figure2"))


def test_table1_counts_variants_of_an_unknown_balancer_apart(stealing):
    printed = succeed("table1", stealing)
    assert table_row(printed, "stealing(0.1)")[0] == "1.00"
    assert table_row(printed, "stealing(0.9)")[0] == "3.00"
    assert table_row(printed, "stealing(0.9)")[4:] == ["–"] * 4


def test_timeline_names_the_variant_of_an_unknown_balancer(stealing):
    assert STEALING < set(succeed("timeline", stealing, "--list").split())
    succeed("timeline", stealing)
    assert "Timeline of stealing(0.9)" in texts(stealing, "timeline")


def test_scale_draws_variants_of_an_unknown_balancer_apart(stealing):
    edit(stealing, in_virtual_time)
    succeed("scale", stealing)
    assert STEALING < set(texts(stealing, "scale"))
    assert has_colours(stealing, "scale", [colours(stealing)[name] for name in STEALING])


def test_options_that_a_variant_does_not_tell_have_panels_of_their_own(results):
    edit(results, lambda runs: runs.assign(
        variant=runs.balancer, finished_groups=runs.finished_groups.map(FRACTIONS).fillna("")))
    succeed("figure2", results)
    assert {"finished_groups 0.1", "finished_groups 0.9"} < set(texts(results, "figure2"))


def with_variants(names):
    """Makes a sweep with one run of each of these variants."""
    return lambda runs: pandas.concat([runs.head(1)] * len(names)).assign(
        run=names, variant=names, balancer=[name.split("(")[0] for name in names],
        communicator="create_group")


def test_variants_come_as_in_the_results_but_those_of_one_balancer_by_size(results):
    edit(results, with_variants(["z", "a(10)", "a(9)", "a(9, x=0.5)", "a(9, x=1e-06)"]))
    assert list(colours(results)) == ["z", "a(9)", "a(9, x=1e-06)", "a(9, x=0.5)", "a(10)"]


def test_no_two_variants_have_the_same_colour(results):
    names = [f"balancer{i}({j})" for i in range(30) for j in range(30)]
    edit(results, with_variants(names))
    assert len(set(colours(results).values())) == len(names)


def test_balancers_that_form_no_communicator_are_shades_of_grey(results):
    edit(results, lambda runs: runs.assign(
        communicator="", variant=runs.balancer + "(" + runs.exchange_interval + runs.finished_groups + ")"))
    shades = colours(results).values()
    assert len(set(shades)) == 4
    assert all(shade[1:3] == shade[3:5] == shade[5:7] for shade in shades)


def test_strategies_that_plots_have_never_heard_of_have_colours_of_their_own(results):
    for file, column in (("creation.csv", "communicator"), ("collectives.csv", "communicator")):
        edit(results, lambda rows: rows.assign(
            **{column: rows[column].replace("range", "teleport")}), file)
    for script in ("figure1", "rbc"):
        succeed(script, results)
        assert "teleport" in " ".join(texts(results, script))
    assert has_colours(results, "figure1", common.PALETTE[:4])
    assert len(set(common.colours(range(100)).values())) == 100


# ---- scale ---------------------------------------------------------------------------------------

def in_virtual_time(runs):
    """The finished runs of the sample as those of a sweep that tells its memory."""
    return runs[runs.status == "ok"].assign(engine="virtual", clock="virtual", memory_mb="7")


def test_scale_draws_pictures_of_sweeps_that_tell_their_memory(results):
    edit(results, in_virtual_time)
    printed = succeed("scale", results)
    assert str(results / "scale.png") in printed
    shown = texts(results, "scale")
    assert {"makespan / ideal", "peak memory in MB", "collective(16)"} < set(shown)
    assert shown.count("peak memory in MB") == 1


def test_scale_has_a_row_for_each_setting(results):
    edit(results, lambda runs: other_runs(in_virtual_time(runs), item_ms="50"))
    succeed("scale", results)
    shown = texts(results, "scale")
    assert {"T = 50 ms", "T = 100 ms"} < set(shown)
    assert shown.count("peak memory in MB") == 2


def test_scale_complains_in_one_line(results):
    assert "runs.csv: column memory_mb is missing" in complaint("scale", results)
    edit(results, lambda runs: in_virtual_time(runs).assign(clock="wall"))
    assert "runs.csv: no run with clock virtual" in complaint("scale", results)
    edit(results, lambda runs: in_virtual_time(runs).assign(memory_mb=""))
    said = complaint("scale", results)
    assert "runs.csv: column memory_mb is empty" in said and "65,536 ranks" in said
    edit(results, lambda runs: in_virtual_time(runs).assign(ideal_s="0"))
    assert "runs.csv: no run has any items" in complaint("scale", results)


# ---- table1 --------------------------------------------------------------------------------------

def table_row(printed, label):
    return next(line.split()[1:] for line in printed.splitlines() if line.split()[:1] == [label])


def test_table1_shows_the_papers_numbers_beside_ours(results):
    printed = succeed("table1", results)
    assert table_row(printed, "none") == ["0.00", "0.00", "0", "0"] * 2
    assert table_row(printed, "collective(16)") == ["5.38", "2.12", "2", "8"] * 2
    assert table_row(printed, "asynchronous(release)") == ["4.38", "2.12", "1", "7"] + ["–"] * 4
    assert table_row(printed, "asynchronous(merge)")[4:] == ["14.38", "3.54", "5", "26"]
    assert "2 of 16 runs did not finish" in printed


def test_table1_takes_the_median_of_means_and_the_extremes_of_extremes(results):
    def repeat(runs):
        last = runs[runs.run == LAST_ASYNCHRONOUS]
        more = last.assign(run=LAST_ASYNCHRONOUS + "-more", repetition="3", regroups_avg="6.38",
                           regroups_stdev="4.118", regroups_min="0", regroups_max="9")
        return pandas.concat([runs, more])
    edit(results, repeat)
    row = table_row(succeed("table1", results), "asynchronous(merge)")
    assert row[:4] == ["4.38", "2.12", "0", "9"]


def test_table1_compares_only_what_the_paper_measured(results):
    edit(results, lambda runs: runs.assign(group_size="8"))
    assert table_row(succeed("table1", results), "none") == ["0.00", "0.00", "0", "0"] + ["–"] * 4


def test_table1_shows_the_ranks_that_were_asked_for(results):
    assert "16 ranks" in succeed("table1", results, "--ranks", "16")
    assert "no finished run with 8 ranks (there are: 16, 32)" in complaint(
        "table1", results, "--ranks", "8")


# ---- timeline ------------------------------------------------------------------------------------

def test_timeline_shows_the_last_run_that_forms_communicators(results):
    edit(results, lambda runs: runs.sort_values("balancer", key=lambda name: name == "none",
                                                kind="stable"))
    succeed("timeline", results)
    shown = texts(results, "timeline")
    assert "Timeline of asynchronous(merge)" in shown
    assert any(LAST_ASYNCHRONOUS in text for text in shown)
    assert {"ideal 3.50 s", "makespan 3.57 s", "walker 28, 280 items"} < set(shown)


def test_timeline_shows_the_last_run_where_none_forms_communicators(results):
    edit(results, lambda runs: runs[(runs.balancer == "none") & (runs.ranks == "16")])
    succeed("timeline", results)
    assert "Timeline of none" in texts(results, "timeline")


def test_timeline_shows_the_run_that_was_asked_for(results):
    succeed("timeline", results, "--run", COLLECTIVE)
    assert "Timeline of collective(16)" in texts(results, "timeline")


def test_timeline_lists_the_finished_runs(results):
    lines = succeed("timeline", results, "--list").splitlines()
    assert len(lines) == 1 + 14
    assert lines[-1].split() == [LAST_ASYNCHRONOUS, "32", "4", "100", "cyclic", "1", "2", "3.570",
                                 "asynchronous(merge)"]
    assert not (results / "timeline.png").exists()


def test_timeline_shows_a_part_of_the_ranks(results):
    succeed("timeline", results, "--ranks", "8", "15")
    shown = texts(results, "timeline")
    assert "walker 12, 120 items" in shown
    assert "walker 20, 200 items" not in shown


# The even and the odd ranks; the latter have no walker, until one is handed over to them.
DIVIDED = [("start", 0, "0-7", "0", 90, 1, "regroup", 1, 60),
           ("regroup", 1.2, "0 2 4-5", "0", 60, 2.4, "regroup", 2.4, 30),
           ("regroup", 1.2, "1 3 6-7", "", 0, 1.2, "regroup", 2.4, 0),
           ("regroup", 2.6, "0 2 4-5", "", 0, 2.6, "stop", 2.6, 0),
           ("regroup", 2.6, "1 3 6-7", "0", 30, 3.5, "stop", 3.5, 0)]


def divide(results):
    columns = ["begin_event", "begin_s", "group_ranks", "walker_id", "items_left_begin", "busy_until_s",
               "end_event", "end_s", "items_left_end"]
    rows = pandas.DataFrame(DIVIDED, columns=columns).assign(
        run=LAST_ASYNCHRONOUS, executed_items_min=0, executed_items_max=0)
    edit(results, lambda events: pandas.concat([events.head(0), rows]), "events.csv")


def areas(results, colour):
    """The corners of the rectangles of that colour, each in points: left, top, right, bottom."""
    image = ElementTree.parse(results / "timeline.svg")
    shapes = [path for path in image.iter("{http://www.w3.org/2000/svg}path")
              if f"fill: {colour}" in path.get("style", "").lower() and "clip-path" in path.attrib]
    found = []
    for path in shapes:
        xs, ys = zip(*[map(float, pair) for pair in re.findall(r"[ML] ([\d.]+) ([\d.]+)", path.get("d"))])
        found.append((min(xs), min(ys), max(xs), max(ys)))
    return sorted(found)


def test_timeline_draws_a_rectangle_for_each_range_of_a_group(results):
    divide(results)
    succeed("timeline", results)
    working = areas(results, "#77aadd")
    rank = (working[0][3] - working[0][1]) / 8
    top = working[0][1]
    places = [(round((y0 - top) / rank, 2), round((y1 - top) / rank, 2)) for _, y0, _, y1 in working]
    assert places == [(0, 8), (0, 1), (2, 3), (4, 6), (1, 2), (3, 4), (6, 8)]


def test_timeline_shows_a_group_without_a_walker_as_idle(results):
    divide(results)
    succeed("timeline", results)
    working = areas(results, "#77aadd")
    assert len(working) == 1 + 3 + 3
    for other in ("#ee8866", "#eedd88"):
        assert not areas(results, other), "a colour of its own"
    shown = texts(results, "timeline")
    assert "walker 0, 60 items" in shown and "idle" in shown
    assert "working" in shown, "there is one walker only"
    assert not [text for text in shown if "walker -1" in text]


def test_timeline_of_many_groups_has_no_numbers(results):
    groups = 2048
    edit(results, lambda events: pandas.concat([events.head(0), pandas.DataFrame({
        "run": LAST_ASYNCHRONOUS, "begin_event": "start", "begin_s": 0,
        "group_ranks": [f"{lo}-{lo + 3}" for lo in range(0, 4 * groups, 4)],
        "walker_id": range(0, 4 * groups, 4), "items_left_begin": 9,
        "busy_until_s": 2, "end_event": "stop", "end_s": 3, "items_left_end": 0, "executed_items_min": 9,
        "executed_items_max": 9})]), "events.csv")
    succeed("timeline", results)
    assert not [text for text in texts(results, "timeline") if text.startswith("walker")]
    assert (results / "timeline.svg").stat().st_size < 2_000_000


def test_timeline_complains_about_unknown_runs_ranks_and_missing_events(results):
    assert "no finished run is called abc (--list shows them all)" in complaint(
        "timeline", results, "--run", "abc")
    assert "no ranks 40 to 50 in this run, whose ranks are 0 to 31" in complaint(
        "timeline", results, "--ranks", "40", "50")
    edit(results, lambda events: events[events.run != COLLECTIVE], "events.csv")
    assert f"events.csv: no rows of run {COLLECTIVE}" in complaint(
        "timeline", results, "--run", COLLECTIVE)
    edit(results, lambda events: events.assign(busy_until_s=""), "events.csv")
    said = complaint("timeline", results)
    assert f"events.csv: column busy_until_s is empty in a row of run {LAST_ASYNCHRONOUS}" in said
    for column, value in (("group_ranks", "8-11,17"), ("group_ranks", ""), ("group_ranks", "8-"), ("walker_id", "x")):
        (results / "events.csv").write_bytes((HERE / "data/events.csv").read_bytes())
        edit(results, lambda events: events.assign(**{column: value}), "events.csv")
        assert f"or no walker, in run {LAST_ASYNCHRONOUS}" in complaint("timeline", results)
    edit(results, lambda events: events.drop(columns="group_ranks"), "events.csv")
    assert "events.csv: column group_ranks is missing" in complaint("timeline", results)
    (results / "events.csv").unlink()
    assert "events.csv: no such file" in complaint("timeline", results)


# ---- figure1 -------------------------------------------------------------------------------------

def test_figure1_names_its_lines(results):
    succeed("figure1", results)
    shown = texts(results, "figure1")
    assert {"comm_create", "comm_split", "create_group", "intercomm_merge", "range", "dup",
            "split_type_shared", "2", "16", "group size in ranks", "time to create in µs"} < set(shown)
    assert not any("not finish" in text for text in shown)
    assert any(text.startswith("16 ranks on 2 cores (oversubscribed) · MPICH") for text in shown)


def test_figure1_has_a_panel_for_each_number_of_ranks(results):
    edit(results, lambda rows: pandas.concat([rows, rows.assign(
        run=rows.run.str[::-1], ranks="32")]), "creation.csv")
    succeed("figure1", results)
    assert {"16 ranks", "32 ranks"} < set(texts(results, "figure1"))


@pytest.mark.parametrize("columns, titles", [
    ({"cores": "4"}, {"2 cores", "4 cores"}), ({"regroup_version": "0.2.0"}, {"version 0.2.0"}),
    ({"waited": "direct"}, {"direct waiting", "wrapper waiting"}),
    ({"samples": "99"}, {"samples 99"}),
])
def test_figure1_never_puts_together_what_differs_in_more_than_repetition_and_seed(
        columns, titles, results):
    edit(results, lambda rows: other_runs(rows, **columns), "creation.csv")
    succeed("figure1", results)
    assert titles < set(texts(results, "figure1"))


def test_figure1_pools_repetitions_and_counts_them(results):
    edit(results, lambda rows: other_runs(rows, repetition="2"), "creation.csv")
    succeed("figure1", results)
    shown = texts(results, "figure1")
    assert any(" · 2 repetitions · " in text for text in shown)
    assert shown.count("group size in ranks") == 1


@pytest.mark.parametrize("script, file", [("figure1", "creation.csv"), ("rbc", "creation.csv"),
                                          ("rbc", "collectives.csv")])
def test_medians_of_too_few_samples_have_no_band_and_the_foot_says_so(script, file, results):
    ends = ["create_low_s", "create_high_s"] if file == "creation.csv" else ["time_low_s",
                                                                             "time_high_s"]
    edit(results, lambda rows: rows.assign(**{end: "" for end in ends}), file)
    succeed(script, results)
    foot = [text for text in texts(results, script) if "too few samples" in text]
    assert foot and "medians have no interval" in foot[0]


def test_figure1_counts_what_was_lost_but_not_what_is_unsupported(results):
    edit(results, lambda rows: rows.assign(
        status=rows.status.mask(rows.communicator == "dup", "unsupported").mask(
            rows.communicator == "range", "timeout")), "creation.csv")
    succeed("figure1", results)
    shown = texts(results, "figure1")
    assert "dup" not in shown and "range" not in shown
    assert any("did not finish" in text and "unsupported" not in text for text in shown)


def test_figure1_complains_in_one_line(results):
    edit(results, lambda rows: rows[rows.pattern != "one_group"], "creation.csv")
    assert "creation.csv: no row with pattern one_group and status ok (looked at 18 rows)" in \
        complaint("figure1", results)
    edit(results, lambda rows: rows.drop(columns="caller"), "creation.csv")
    assert "creation.csv: column caller is missing" in complaint("figure1", results)
    (results / "creation.csv").unlink()
    assert "creation.csv: no such file" in complaint("figure1", results)


# ---- rbc -----------------------------------------------------------------------------------------

COLLECTIVE_PANELS = {"Scan", "Communicator and broadcast", "Broadcast", "Reduce", "Gather"}
CREATION_PANELS = {"Two halves", "Overlapping groups"}


def test_rbc_has_a_panel_for_each_figure_and_a_line_for_each_variant(results):
    succeed("rbc", results)
    shown = texts(results, "rbc")
    assert COLLECTIVE_PANELS | CREATION_PANELS < set(shown)
    assert {"range", "create_group", "range, alternating", "create_group, cascaded",
            "range, × 1", "create_group, × 50"} < set(shown)
    assert shown.count("range") == 1
    assert any(text.startswith("4–16 ranks on 2 cores (oversubscribed) · MPICH") for text in shown)
    assert not any("No data" in text or "not finish" in text for text in shown)


def test_rbc_names_the_panels_that_have_no_data_and_the_lost_measurements(results):
    (results / "creation.csv").unlink()
    edit(results, lambda rows: rows.assign(
        status=rows.status.mask(rows.operation == "scan", "timeout")), "collectives.csv")
    succeed("rbc", results)
    shown = texts(results, "rbc")
    assert not CREATION_PANELS & set(shown)
    assert ("6 of 36 runs did not finish (6 timeout) and are left out. No data for: "
            "Scan, Two halves, Overlapping groups.") in shown


def test_rbc_reads_several_directories(results):
    other = results / "other"
    other.mkdir()
    (results / "creation.csv").rename(other / "creation.csv")
    succeed("rbc", results, other)
    assert COLLECTIVE_PANELS | CREATION_PANELS < set(texts(results, "rbc"))


def test_rbc_has_a_panel_for_each_number_of_ranks(results):
    edit(results, lambda rows: pandas.concat([rows, rows.assign(
        run=rows.run.str[::-1], ranks="32")]), "collectives.csv")
    succeed("rbc", results)
    assert {"Scan 16 ranks", "Scan 32 ranks"} < set(texts(results, "rbc"))


def test_rbc_complains_in_one_line(results, tmp_path):
    assert "nowhere: no such directory" in complaint("rbc", tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    assert "empty: neither creation.csv nor collectives.csv" in complaint("rbc", tmp_path / "empty")
    edit(results, lambda rows: rows.assign(create_median_s=""), "creation.csv")
    assert "creation.csv: column create_median_s is empty in the finished run" in complaint(
        "rbc", results)
    edit(results, lambda rows: rows.drop(columns="pattern"), "creation.csv")
    assert "creation.csv: column pattern is missing" in complaint("rbc", results)
    (results / "creation.csv").unlink()
    edit(results, lambda rows: rows.assign(status="killed"), "collectives.csv")
    assert "no finished measurement that belongs to a panel (looked at 36 rows)" in complaint(
        "rbc", results)


# ---- speedup -------------------------------------------------------------------------------------

def items(times, **columns):
    """Makes rows of these group sizes and seconds in place of the sample's."""
    def change(rows):
        first = rows[rows.walker == "spin"].head(1)
        return pandas.concat([first.assign(
            run=f"{size:016}", group_size=str(size), time_min_s=str(0.9 * time), time_median_s=str(time),
            time_low_s=str(0.95 * time), time_high_s=str(1.1 * time), **columns)
            for size, time in times.items()])
    return change


def serial(results):
    return [text for text in texts(results, "speedup") if text.startswith("Amdahl,")]


def test_speedup_has_a_panel_for_each_walker_and_names_its_lines(results):
    succeed("speedup", results)
    shown = texts(results, "speedup")
    assert {"lennard_jones walker, atoms 200", "lennard_jones walker, atoms 2000", "spin walker",
            "time of an item in µs", "group size in ranks"} < set(shown)
    for text in ("measured", "ideal", "measured, members share cores", "Amdahl's law",
                 "fastest sample", "more members than 2 cores"):
        assert shown.count(text) == 1
    assert len(serial(results)) == 3
    assert any(text.startswith("8 ranks on 2 cores (oversubscribed) · MPICH") for text in shown)


def test_speedup_takes_a_file_as_well_as_its_folder(results):
    (results / "items.csv").rename(results / "mine.csv")
    succeed("speedup", results / "mine.csv")
    assert "spin walker" in texts(results, "speedup")
    assert "items.csv: no such file" in complaint("speedup", results)


@pytest.mark.parametrize("fraction", [0, 0.25, 1])
def test_speedup_finds_the_serial_fraction_of_amdahls_law(results, fraction):
    edit(results, items({n: 0.1 * (fraction + (1 - fraction) / n) for n in (1, 2, 4, 8)},
                        cores="8"), "items.csv")
    succeed("speedup", results)
    assert serial(results) == [f"Amdahl, {100 * fraction:.1f} % serial"]
    assert not any("more members" in text for text in texts(results, "speedup"))


def test_speedup_never_takes_a_serial_fraction_beyond_0_or_1(results):
    for times, fraction in (({1: 1, 2: 0.3, 4: 0.1}, "0.0"), ({1: 1, 2: 2, 4: 3}, "100.0")):
        edit(results, items(times, cores="8"), "items.csv")
        succeed("speedup", results)
        assert serial(results) == [f"Amdahl, {fraction} % serial"]


def test_speedup_fits_only_groups_whose_members_have_cores_and_marks_the_others(results):
    edit(results, items({1: 1, 2: 0.5, 4: 3, 8: 9}), "items.csv")
    succeed("speedup", results)
    assert serial(results) == ["Amdahl, 0.0 % serial"]
    assert "more members than 2 cores" in texts(results, "speedup")


def test_speedup_draws_a_single_size(results):
    edit(results, items({4: 1}), "items.csv")
    succeed("speedup", results)
    assert serial(results) == [] and "measured" in texts(results, "speedup")


def test_speedup_tells_the_time_of_walkers_that_take_several(results):
    edit(results, lambda rows: pandas.concat([rows, rows[rows.walker == "spin"].assign(
        run=lambda rows: rows.run.str[::-1], item_ms="5")]), "items.csv")
    succeed("speedup", results)
    assert {"spin(2 ms) walker", "spin(5 ms) walker", "lennard_jones walker, atoms 200"} < set(
        texts(results, "speedup"))


def test_speedup_complains_in_one_line(results):
    edit(results, lambda rows: rows.assign(time_median_s="0"), "items.csv")
    assert "items.csv: column time_median_s: all must be above 0" in complaint("speedup", results)
    edit(results, lambda rows: rows.assign(status="killed"), "items.csv")
    assert "no row with status ok (looked at 12 rows)" in complaint("speedup", results)
    edit(results, lambda rows: rows.drop(columns="walker"), "items.csv")
    assert "items.csv: column walker is missing" in complaint("speedup", results)
