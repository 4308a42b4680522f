# SPDX-License-Identifier: BSD-3-Clause
"""Ranks start wherever they can."""

import shutil
import subprocess

import pytest

from conftest import only_mpich

# Ranks of root without its privileges: the directory's permissions hold.
WITHOUT_PRIVILEGES = "setpriv --inh-caps=-all --bounding-set=-all "
SMALL_SEGMENTS = "echo 4096 >/proc/sys/kernel/shmmax; "
LITTLE = "mount -t tmpfs -o size=1M tmpfs /dev/shm; "
READ_ONLY = "mount -t tmpfs -o ro tmpfs /dev/shm; "
NOT_PERMITTED = "mount -t tmpfs -o mode=0 tmpfs /dev/shm; "
FULL = "mount -t tmpfs -o size=64k tmpfs /dev/shm; head -c 61440 /dev/zero >/dev/shm/full; "


def in_namespaces(workspace, setup, program=""):
    """Makes the commands of `workspace` run with mounts and System V segments of their own."""
    begin = ["unshare", "--mount", "--ipc", "sh", "-ec", f'{setup}exec {program}"$@"', "sh"]
    if not shutil.which("unshare") or subprocess.run([*begin, "true"], stderr=-3).returncode:
        pytest.skip("namespaces cannot be made here")
    workspace.begin = begin


@only_mpich
@pytest.mark.mpi
@pytest.mark.parametrize("ranks", [2, 5])
@pytest.mark.parametrize("setup, program", [
    (LITTLE, ""), (READ_ONLY, ""), (NOT_PERMITTED, WITHOUT_PRIVILEGES), (FULL, ""),
    (SMALL_SEGMENTS, ""), (SMALL_SEGMENTS + LITTLE, ""), (SMALL_SEGMENTS + READ_ONLY, ""), (SMALL_SEGMENTS + FULL, ""),
], ids=["little", "read_only", "not_permitted", "full", "no_segments", "little_no_segments",
        "read_only_no_segments", "full_no_segments"])
def test_ranks_start_without_shared_memory(workspace, ranks, setup, program):
    in_namespaces(workspace, setup, program)
    rows = workspace.sweep(f"ranks: {ranks}\nitem_ms: 1\nbalancers: [collective]\n")
    assert [row["status"] for row in rows] == ["ok"]
