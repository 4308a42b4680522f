# SPDX-License-Identifier: BSD-3-Clause
"""`regroup reproduce`: the claims of the paper in virtual time, and of Figure 1 by measurement."""

import pytest

from conftest import expect_one_line

CLAIMS = ["MPI_Comm_create costs the same for all", "Algorithm 1 is cheaper for small groups",
          "… and more expensive for large ones", "Algorithm 1 grows with (log g)^2",
          "A direct method saves a factor log g"]
FEW = ["--set", "ranks=8", "--set", "samples=6", "--set", "repetitions=1"]


@pytest.mark.parametrize("what, words, missing", [
    ([], ["Table 1", "Figure 2"], "Figure 1"), (["table1"], ["Table 1"], "Figure 2"),
    (["figure2"], ["Figure 2"], "Table 1")])
def test_parts_of_it_are_picked(workspace, what, words, missing):
    done = workspace.run("reproduce", *what, code=0)
    assert "MISSED" not in done.stdout
    assert "in virtual time" in done.stdout and missing not in done.stdout
    assert all(word in done.stdout for word in words)


@pytest.mark.parametrize("words, said", [
    (["figure3"], ["figure3"]), (["table1", "results"], ["a directory", "only for figure1"]),
    (["--set", "ranks=4"], ["--set", "only for figure1"]),
    (["figure1", "results"], ["results/creation.csv", "cannot be read"]),
    (["figure1", "results", "--out", "x"], ["--out", "cannot be combined with a directory"]),
    (["figure1", "--set", "ranks=x"], ["figure1, --set 'ranks=x'", "'x' is not a valid value of ranks"]),
    (["figure1", "--set", "strategies=x"], ["unknown key 'strategies'"])])
def test_a_mistake_is_told_in_one_line(workspace, words, said):
    expect_one_line(workspace.run("reproduce", *words), *said)


@pytest.mark.mpi
def test_figure1_is_measured_once_and_judged_claim_by_claim(workspace):
    done = workspace.run("reproduce", "figure1", *FEW)
    told = done.stdout
    assert "12 measurements in" in told, told + done.stderr
    for claim in CLAIMS:
        assert sum(line.strip().startswith(claim) for line in told.splitlines()) == 1, told
    assert "on 8 ranks on " in told and "wall clock" in told
    # Measured values vary, but the exit code must agree with the verdicts.
    assert done.returncode == (1 if "MISSED" in told else 0)
    workspace.run("verify", "results/figure1", code=0)
    again = workspace.run("reproduce", "figure1", *FEW)
    assert "0 of 12 measurements to do" in again.stdout
    given = workspace.run("reproduce", "figure1", "results/figure1")
    assert given.returncode == done.returncode
    assert told[told.index("Noncollective"):] == given.stdout


@pytest.mark.mpi
def test_figure1_cannot_be_judged_by_few_samples_or_of_something_else(workspace):
    workspace.write("test.yaml", "measure: creation\nranks: 2\ncommunicator: [comm_create, intercomm_merge]\n"
                    "group_size: 2\nsamples: 2\n")
    workspace.run("run", "test.yaml", "--out", "results")
    expect_one_line(workspace.run("reproduce", "figure1", "results"), "results/creation.csv",
                    "too few samples of intercomm_merge at 2")
    workspace.run("run", "test.yaml", "--out", "other", "--set", "communicator=range")
    expect_one_line(workspace.run("reproduce", "figure1", "other"), "other/creation.csv",
                    "no measurements of Figure 1")
