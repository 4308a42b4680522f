# SPDX-License-Identifier: BSD-3-Clause
"""Programs with communicators named in a file, with and without regroup/mpi.h."""

import os
import pathlib
import re
import subprocess

import pytest

from conftest import BUILD

LAUNCHER = os.environ.get("REGROUP_LAUNCHER", "mpiexec.mpich -n {ranks}")

PAPER = """\
<comm name="MPI_COMM_RED">
<processor>pd-01</processor>
<processor>pd-02</processor>
<comm name="MPI_COMM_PINK">
<processor>pd-02</processor>
</comm>
</comm>
<comm name="MPI_COMM_RED">
<processor>pd-03</processor>
</comm>
<comm name="MPI_COMM_BLACK">
<processor>pd-04</processor>
</comm>
<intercomm name="MPI_COMM_INTER">
<first color="1">MPI_COMM_RED</first>
<second>MPI_COMM_BLACK</second>
</intercomm>
"""
MEMBERS = ["0 of 4: RED 0/2 sum 1 again 2",
           "1 of 4: RED 1/2 sum 1 PINK 0/1 again 2",
           "2 of 4: RED 0/1 sum 2 INTER with 3 again 1",
           "3 of 4: BLACK 0/1 INTER with 2"]
NOBODY = [f"{rank} of 4:" for rank in range(4)]
# Gives each process its own processor name, as MPI_Get_processor_name returns on a cluster.
ON_ITS_OWN = 'r=${PMI_RANK:-$OMPI_COMM_WORLD_RANK}; REGROUP_PROCESSOR_NAME=pd-0$((r + 1)) exec "$@"'
HALO = pathlib.Path(__file__).resolve().parents[2] / "examples" / "halo"
PROGRAMS = ["listings_named", "listings_named_cxx"]


def launch(program, ranks=4, **environment):
    command = [*LAUNCHER.format(ranks=ranks).split(), "sh", "-c", ON_ITS_OWN, "sh", BUILD / program]
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          timeout=120, env=os.environ | environment)


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_papers_file_gives_its_communicators(program, tmp_path):
    (tmp_path / "paper.xml").write_text(PAPER)
    ran = launch(program, REGROUP_COMMUNICATORS=str(tmp_path / "paper.xml"))
    assert ran.returncode == 0, ran.stderr
    assert sorted(line.rstrip() for line in ran.stdout.splitlines()) == MEMBERS


@pytest.mark.parametrize("program", [*PROGRAMS, "listings_plain", "listings_plain_cxx"])
def test_without_a_file_nobody_is_a_member(program):
    ran = launch(program)
    assert ran.returncode == 0, ran.stderr
    assert sorted(line.rstrip() for line in ran.stdout.splitlines()) == NOBODY


@pytest.mark.parametrize("change, message", [
    (("pd-02</processor>\n</comm>", "pd-03</processor>\n</comm>"),
     "paper.xml:5: rank 2 on pd-03 is not in MPI_COMM_RED, the parent of MPI_COMM_PINK"),
    (("pd-04", "pd-05"), "paper.xml:12: no process is on a processor 'pd-05'"),
    (("pd-04</processor>", "pd-04"), "paper.xml:13: no XML")])
def test_a_wrong_file_is_reported_once_and_nothing_starts(change, message, tmp_path):
    (tmp_path / "paper.xml").write_text(PAPER.replace(*change))
    ran = launch("listings_named", REGROUP_COMMUNICATORS=str(tmp_path / "paper.xml"))
    assert ran.returncode == 2, ran.stderr
    assert [message in line for line in ran.stderr.splitlines()].count(True) == 1
    assert ran.stdout == ""


def halo(file, every):
    """Returns (steps, messages between clusters, weighted sum of the solution)."""
    command = [*LAUNCHER.format(ranks=12).split(), BUILD / "halo", str(every)]
    polite = BUILD / "libpolite_progress.so"
    preload = {"LD_PRELOAD": str(polite)} if polite.exists() else {}
    ran = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120,
                         env=os.environ | preload | {"REGROUP_COMMUNICATORS": str(HALO / file)})
    assert ran.returncode == 0, ran.stderr
    found = re.fullmatch(r"steps (\d+), messages between clusters (\d+), weighted sum (\S+)\n",
                         ran.stdout)
    return int(found[1]), int(found[2]), float(found[3])


def test_two_clusters_that_rarely_exchange_come_to_the_same_solution():
    steps, messages, solution = halo("grid.yaml", 1)
    assert messages == 0
    assert halo("two_clusters.yaml", 1) == (steps, 6 * steps, solution)
    more_steps, fewer_messages, same = halo("two_clusters.yaml", 5)
    assert same == pytest.approx(solution, abs=1e-4)
    exchanges = (more_steps + 4) // 5
    assert fewer_messages == 6 * exchanges
    assert fewer_messages < 6 * steps / 2
