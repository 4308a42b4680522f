# SPDX-License-Identifier: BSD-3-Clause
"""A few of the kills of kills.py, which does hundreds."""

import os
import pathlib
import subprocess
import sys

import pytest

from conftest import BUILD

KILLS = pathlib.Path(__file__).with_name("kills.py")


@pytest.mark.mpi
def test_nothing_is_lost_doubled_or_left_whatever_is_killed(tmp_path):
    environment = dict(os.environ, REGROUP_BUILD=str(BUILD), TMPDIR=str(tmp_path))
    done = subprocess.run([sys.executable, KILLS, "12", "--seed", "1"], env=environment, text=True,
                          capture_output=True, timeout=550)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no row lost or doubled" in done.stdout
