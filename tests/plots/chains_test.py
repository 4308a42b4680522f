# SPDX-License-Identifier: BSD-3-Clause
"""plots/chains.py on the reports in data/chains/: three runs of configs/chains.yaml, of which the
last two have the same chains, those of the second repetition."""

import numpy
import pandas
import pytest
from matplotlib.image import imread

from plots_test import HERE, KINDS, complaint, edit, succeed, texts

# The scripts, which plots_test knows where to find.
import chains
import common
import convergence

FIRST, SAME, LAST = "b2f62a418b1e751a", "8426a6fe9cc7203e", "a90d36f0398d135e"


@pytest.fixture
def results(tmp_path):
    """A copy of the sample that a test may spoil."""
    for file in (HERE / "data/chains").glob("*.csv"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path


def reports(results, run):
    rows = common.read(results, "chains.csv", ["run"], chains.NUMBERS)
    return rows[rows.run == run]


def chains_in(rows):
    return [convergence.Chain(own) for _, own in rows.groupby("chain")]


def edit_reports(results, change):
    edit(results, change, "chains.csv")


# ---- what the reports come to --------------------------------------------------------------------

@pytest.mark.parametrize("run", [FIRST, SAME, LAST])
def test_the_last_r_hat_is_that_of_the_run(run, results):
    told = pandas.read_csv(results / "runs.csv").set_index("run").r_hat[run]
    items, values = convergence.r_hat(chains_in(reports(results, run)))
    assert values[-1] == pytest.approx(told, rel=0, abs=1e-9)
    assert items[-1] == reports(results, run)["executed_items"].max()


def test_r_hat_after_so_many_items_is_that_of_the_reports_up_to_there(results):
    rows = reports(results, LAST)
    items, values = convergence.r_hat(chains_in(rows))
    assert list(items) == sorted(set(rows["executed_items"]))
    assert numpy.isnan(values[:2]).all() and numpy.isfinite(values[2:]).all()
    for i in range(2, len(items)):
        _, alone = convergence.r_hat(chains_in(rows[rows["executed_items"] <= items[i]]))
        assert values[i] == pytest.approx(alone[-1], rel=1e-12)


def made(*means, samples=100.0, variance=0.0):
    """Chains that reported these means, every 10 items."""
    return [convergence.Chain(pandas.DataFrame({
        "chain": number, "executed_items": 10 * numpy.arange(1, len(own) + 1), "samples": samples,
        "observed_mean": numpy.array(own, float), "observed_variance": variance, "proposed_moves": 0,
        "accepted_moves": 0}))
        for number, own in enumerate(means)]


def test_r_hat_has_no_meaning_without_two_chains_or_where_nothing_varies():
    for few in (made([1, 2, 3, 4]), made([1, 2, 3, 4], [5, 6]), made([0.1] * 5, [0.3] * 5)):
        assert numpy.isnan(convergence.r_hat(few)[1]).all()


def test_r_hat_is_what_gelman_and_rubin_say_also_far_from_zero():
    # Means 1 and 3 of 200 samples each, both with a variance of 2: √(199/200 + 2/2).
    for aside in (0, 1e7):
        pair = made(*[[aside + mean] * 4 for mean in (1, 3)], variance=2.0)
        assert convergence.r_hat(pair)[1][-1] == pytest.approx(1.995 ** 0.5, rel=1e-12)


def test_of_many_reports_the_last_is_among_the_points():
    items, _ = convergence.r_hat(made(range(5000), range(5000)))
    assert len(items) == convergence.POINTS and items[-1] == 50000


def test_autocorrelation_counts_full_reports_of_the_second_half():
    own = [100, 100, 100, 100, 1, -1, 2, 0]
    curve, = convergence.autocorrelations(made(own, [7]), 10)
    away = numpy.array([1, -1, 2, 0]) - 0.5
    assert curve == pytest.approx([away[:4 - k] @ away[k:] / (away @ away) for k in range(3)])
    assert not list(convergence.autocorrelations(made(own, [5] * 9), 1000))


def test_the_mean_autocorrelation_goes_as_far_as_half_of_the_chains():
    curves = [numpy.array(curve) for curve in ([1, 0.5, 0.2, 0.1], [1, 0.3, 0.4], [1, 0.1])]
    assert convergence.mean_by_lag(curves) == pytest.approx([1, 0.3, 0.3])


# ---- the picture ---------------------------------------------------------------------------------

def test_chains_writes_three_pictures_and_equal_ones_of_equal_results(results):
    printed = succeed("chains", results)
    for kind in KINDS:
        assert str(results / f"chains.{kind}") in printed.splitlines()
    assert imread(results / "chains.png").std() > 0.05
    succeed("chains", results, "-o", results / "again")
    for kind in KINDS:
        assert (results / f"chains.{kind}").read_bytes() == (results / f"again.{kind}").read_bytes()


def test_chains_shows_the_last_run_that_has_reports(results):
    edit_reports(results, lambda rows: rows[rows.run != LAST])
    succeed("chains", results)
    shown = texts(results, "chains")
    assert "8 chains of lennard_jones (atoms 13, temperature 0.3, sphere_radius 0, max_displacement 0.1, " \
        "burn_in_moves 500, moves_per_item 50)" in " ".join(shown)
    assert any(f"repetition 2 · run {SAME}" in text for text in shown)
    assert {"energy in ε", "mean energy in ε", "accepted in %", "R-hat", "autocorrelation",
            "items executed", "lag in items", "chain 0", "chain 7", "1.1, a customary limit"} < set(shown)


def test_chains_shows_the_run_that_was_asked_for_and_what_it_came_to(results):
    succeed("chains", results, "--run", FIRST)
    subtitle = next(text for text in texts(results, "chains") if FIRST in text)
    row = pandas.read_csv(results / "runs.csv").set_index("run").loc[FIRST]
    assert subtitle == (
        f"a report every 4 items · R-hat {row.r_hat:.3f} · {row.effective_samples:.0f} effective "
        f"samples · mean energy −{-row.observed_mean:.3f} ε of the second halves · seed 1 · "
        f"repetition 1 · run {FIRST}")
    assert f"R-hat, {row.r_hat:.3f} at the end" in texts(results, "chains")


def test_chains_names_no_unit_of_what_other_walkers_observe(results):
    runs = pandas.read_csv(results / "runs.csv", dtype=str)
    runs.assign(walker="posterior").to_csv(results / "runs.csv", index=False)
    succeed("chains", results)
    shown = texts(results, "chains")
    assert {"observed value", "mean observed value"} < set(shown)
    assert not any("energy" in text or "ε" in text for text in shown)


def test_chains_says_that_other_runs_have_the_same(results):
    for run in (SAME, LAST):
        succeed("chains", results, "--run", run)
        assert any(text.endswith("the same chains in 1 other run")
                   for text in texts(results, "chains"))


def test_chains_lists_the_runs_that_have_reports(results):
    edit_reports(results, lambda rows: rows[rows.run != SAME])
    lines = succeed("chains", results, "--list").splitlines()
    assert [line.split()[0] for line in lines] == ["run", FIRST, LAST]
    assert not (results / "chains.png").exists()


def test_chains_draws_chains_that_reported_little(results):
    for most, said in ((1, "8 of 8"), (2, "8 of 8"), (3, None)):
        (results / "chains.csv").write_bytes((HERE / "data/chains/chains.csv").read_bytes())
        edit_reports(results, lambda rows: rows[rows["executed_items"].astype(int) <= 4 * most])
        succeed("chains", results)
        shown = texts(results, "chains")
        foot = [text for text in shown if "fewer than three reports" in text]
        assert foot == ([f"Chains with fewer than three reports have no part in R-hat: {said}."]
                        if said else [])
        assert ("it takes two chains with three reports each, and something that varies" in shown) == bool(said)
        assert ("it takes two reports in a second half, and something that varies" in shown) == bool(said)


def test_chains_draws_one_chain(results):
    edit_reports(results, lambda rows: rows[rows.chain == "7"])
    succeed("chains", results)
    shown = texts(results, "chains")
    assert any(text.startswith("1 chain of lennard_jones") for text in shown)
    assert "it takes two chains with three reports each, and something that varies" in shown
    assert "it takes two reports in a second half, and something that varies" not in shown


def test_chains_says_that_no_moves_were_proposed(results):
    edit_reports(results, lambda rows: rows.assign(proposed_moves="0", accepted_moves="0"))
    succeed("chains", results)
    assert "this walker proposes no moves" in texts(results, "chains")


def test_chains_of_many_share_a_colour_and_keep_the_picture_small(results):
    def many(rows):
        return pandas.concat([rows[rows.run == LAST].assign(
            chain=(rows.chain.astype(int) + 8 * i).astype(str)) for i in range(200)])
    edit_reports(results, many)
    succeed("chains", results)
    shown = texts(results, "chains")
    assert any(text.startswith("1,600 chains of") for text in shown)
    assert not any(text.startswith("chain 0") for text in shown)
    assert (results / "chains.svg").stat().st_size < 2_000_000


@pytest.mark.parametrize("column, value, said", [
    ("executed_items", "4", "the reports of a chain have more and more items"),
    ("executed_items", "0", "a report has at least one item and one sample"),
    ("samples", "0", "a report has at least one item and one sample"),
    ("samples", "0.5", "counts are whole numbers from 0"),
    ("chain", "-1", "counts are whole numbers from 0"), ("observed_mean", "", "a number is missing"),
    ("observed_variance", "-1", "no variance is below 0"),
    ("accepted_moves", "9999", "more moves were accepted than proposed")])
def test_chains_names_the_line_of_a_report_that_cannot_be(column, value, said, results):
    def spoil(rows):
        rows.loc[rows[rows.run == LAST].index[1], column] = value
        return rows
    edit_reports(results, spoil)
    lines = (results / "chains.csv").read_text().splitlines()
    line = next(i for i, text in enumerate(lines, 1) if text.startswith(LAST)) + 1
    assert f"chains.csv:{line}: {said}" in complaint("chains", results)


def test_chains_complains_in_one_line(results):
    assert "no finished run is called abc (--list shows them all)" in complaint(
        "chains", results, "--run", "abc")
    edit_reports(results, lambda rows: rows[rows.run != SAME])
    assert f"chains.csv: run {SAME} has no reports (--list shows those that do)" in complaint(
        "chains", results, "--run", SAME)
    edit(results, lambda runs: runs.assign(report_every=""))
    assert "its report_every in runs.csv is nan; allowed: 1 or more" in complaint("chains", results)
    edit_reports(results, lambda rows: rows.head(0))
    assert ("chains.csv: no reports of a finished run; runs report with the key report_every"
            in complaint("chains", results))
    edit_reports(results, lambda rows: rows.drop(columns="observed_variance"))
    assert "chains.csv: column observed_variance is missing" in complaint("chains", results)
    (results / "chains.csv").unlink()
    assert "chains.csv: no such file" in complaint("chains", results)
    assert "Reads RESULTS_DIR/runs.csv and chains.csv" in succeed("chains", "--help")
