# SPDX-License-Identifier: BSD-3-Clause
"""plots/chains.py on the reports of real runs with equal chains."""

import numpy
import pandas
import pytest
from scripts import complaint, drawn, edit, succeed

import common
import convergence
import pictures

pytestmark = pytest.mark.mpi


def chains_in(rows):
    rows = rows[(rows.quantity == "energy") & (rows.samples > 0)]
    return [convergence.Chain(own) for _, own in rows.groupby("chain")]


def reports(results):
    """Returns the reports of each run."""
    rows = common.parse(results / "chains.csv", "chains.csv")
    return [rows[rows.run == run] for run in common.read_runs(results).run]


def few(results, keep):
    edit(results / "chains.csv", lambda rows: rows[keep(rows)])


# ---- statistics ----------------------------------------------------------------------------------

def test_the_last_r_hat_is_that_of_the_run(chains):
    for own, told in zip(reports(chains), common.read_runs(chains, "batch_r_hat").batch_r_hat):
        items, values = convergence.r_hat(chains_in(own))
        assert values[-1] == pytest.approx(told, rel=0, abs=1e-9)
        assert items[-1] <= own["executed_items"].max()


def test_r_hat_at_a_number_of_items_is_that_of_the_reports_up_to_there(chains):
    rows = reports(chains)[0]
    items, values = convergence.r_hat(chains_in(rows))
    assert list(items) == sorted(items)
    for item, value in zip(items[:-1], values):
        _, alone = convergence.r_hat(chains_in(rows[rows["executed_items"] <= item]))
        assert value == pytest.approx(alone[-1], rel=1e-12, nan_ok=True)


def made(*means, samples=100.0, deviations=0.0):
    """Returns chains that reported these means, every 10 items."""
    return [convergence.Chain(pandas.DataFrame({
        "chain": number, "executed_items": 10 * numpy.arange(1, len(own) + 1), "samples": samples,
        "observed_mean": numpy.array(own, float), "squared_deviations": deviations}))
        for number, own in enumerate(means)]


def test_r_hat_has_no_meaning_with_one_report_or_where_a_chain_does_not_vary():
    for some in (made([1]), made([1, 2], [5]), made([0.1] * 5, [0.3] * 5), made([1, 2, 3, 4], [5] * 4)):
        assert numpy.isnan(convergence.r_hat(some)[1]).all()


def test_r_hat_compares_halves_also_far_from_zero():
    # Four halves of 200 samples with variance 2; their means 1, 1, 3, 3 have variance 4/3, so R-hat
    # is √(199/200 + 4/3 / 2).
    for aside in (0, 1e7):
        pair = made(*[[aside + mean] * 4 for mean in (1, 3)], deviations=199.0)
        assert convergence.r_hat(pair)[1][-1] == pytest.approx((0.995 + 2 / 3) ** 0.5, rel=1e-12)
        drifting = made(*[[aside + 1, aside + 1, aside + 3, aside + 3]] * 2, deviations=199.0)
        assert convergence.r_hat(drifting)[1][-1] == pytest.approx((0.995 + 2 / 3) ** 0.5, rel=1e-12)


def test_of_many_reports_the_last_is_among_the_points():
    items, _ = convergence.r_hat(made(range(5000), range(5000)))
    assert len(items) == convergence.POINTS and items[-1] == 50000


def test_autocorrelation_counts_full_reports():
    own = [1, -1, 2, 0]
    curve, = convergence.autocorrelations(made(own, [7]), 10)
    away = numpy.array([1, -1, 2, 0]) - 0.5
    assert curve == pytest.approx([away[:4 - k] @ away[k:] / (away @ away) for k in range(3)])
    assert not list(convergence.autocorrelations(made(own, [5] * 9), 1000))


def test_the_mean_autocorrelation_goes_as_far_as_half_of_the_chains():
    curves = [numpy.array(curve) for curve in ([1, 0.5, 0.2, 0.1], [1, 0.3, 0.4], [1, 0.1])]
    assert convergence.mean_by_lag(curves) == pytest.approx([1, 0.3, 0.3])


# ---- the picture ---------------------------------------------------------------------------------

def test_chains_shows_the_longest_run_or_the_one_that_is_asked_for(chains):
    runs = common.read_runs(chains)
    assert [line.split()[0] for line in succeed("chains", chains, "--list").splitlines()] == ["run", *runs.run]
    for row, asked in ((runs.loc[runs.makespan_s.idxmax()], []), (runs.iloc[0], ["--run", runs.run.iloc[0]])):
        shown = drawn("chains", chains, *asked)
        subtitle = next(text for text in shown if row.run in text)
        found = f"batch R-hat {row.batch_r_hat:.3f}"
        assert found in subtitle and subtitle.endswith("the same chains in 1 other run")
        assert f"batch R-hat, {row.batch_r_hat:.3f} at the end" in shown
        assert {"energy in ε", "mean energy in ε", "accepted in %", "batch R-hat", "autocorrelation", "items executed",
                "lag in items", "chain 0", "chain 3", "1.01, a customary limit"} < set(shown)
        assert any(text.startswith("4 chains of lennard_jones(") for text in shown)


def test_chains_shows_the_quantity_that_is_asked_for(chains):
    shown = drawn("chains", chains, "--quantity", "accept_stat__")
    assert "mean accept_stat__" in shown and "Batch R-hat of accept_stat__ so far" in shown
    assert "allowed: energy | accept_stat__" in complaint("chains", chains, "--quantity", "work")


def test_chains_draws_chains_that_reported_little_or_alone(chains):
    few(chains, lambda rows: rows.executed_items.astype(int) <= 8)
    assert "it takes two reports of each chain, and something that varies" in drawn("chains", chains)
    few(chains, lambda rows: rows.chain == "3")
    assert any(text.startswith("1 chain of lennard_jones") for text in drawn("chains", chains))
    few(chains, lambda rows: rows.executed_items.astype(int) <= 4)
    assert "the end of its warm-up" in complaint("chains", chains)


def test_chains_notes_that_no_acceptance_was_observed(chains):
    few(chains, lambda rows: rows.quantity == "energy")
    assert "this walker does not observe accept_stat__" in drawn("chains", chains)


def test_chains_shows_no_chain_that_failed(chains):
    rows = common.parse(chains / "chains.csv", "chains.csv")
    run, chain = rows.run.iloc[0], rows.chain.iloc[0]
    assert set(convergence.without_failed(rows).run + rows.reason) == set(rows.run)
    failure = f"{run},{chain},21,,0,0,0,,no solution\n"
    path = chains / "chains.csv"
    path.write_text(path.read_text() + failure)
    shown = drawn("chains", chains, "--run", run)
    assert any(text.startswith("3 chains of") for text in shown), shown
    path.write_text(path.read_text().splitlines(keepends=True)[0] + failure)
    assert "chains" not in [script for script, _ in pictures.of_results(chains)]


def test_many_chains_share_a_colour_and_keep_the_picture_small(chains):
    edit(chains / "chains.csv", lambda rows: pandas.concat([rows.assign(
        chain=(rows.chain.astype(int) + 4 * i).astype(str)) for i in range(400)]))
    shown = drawn("chains", chains)
    assert any(text.startswith("1,600 chains of") for text in shown) and "chain 0" not in shown
    assert (chains / "chains.svg").stat().st_size < 2_000_000


def test_chains_reports_errors_in_one_line(chains):
    first, last = common.read_runs(chains).run
    assert "no finished run is called abc" in complaint("chains", chains, "--run", "abc")
    few(chains, lambda rows: rows.run != first)
    assert f"run {first} has no reports (--list" in complaint("chains", chains, "--run", first)
    assert "chains" in [script for script, _ in pictures.of_results(chains)]
    few(chains, lambda rows: rows.run != last)
    assert "chains" not in [script for script, _ in pictures.of_results(chains)]
    assert "no reports of a finished run" in complaint("chains", chains)
    (chains / "chains.csv").unlink()
    assert "chains.csv: no such file" in complaint("chains", chains)
