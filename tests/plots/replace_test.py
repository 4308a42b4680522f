# SPDX-License-Identifier: BSD-3-Clause
"""Pictures that take the place of others, or leave them."""

import errno
import os
import subprocess

import pytest

from plots_test import PLOTS, complaint, succeed
from plots_test import results  # noqa: F401  a fixture

import common
from figures import replace


def test_a_file_that_cannot_be_written_leaves_the_one_before(tmp_path):
    (tmp_path / "picture.png").write_text("good")

    def fill(path):
        path.write_text("half")
        raise OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(common.InputError, match="cannot write .*/picture.png: the disk is full; -o writes"):
        replace.replace(tmp_path / "picture.png", fill)
    assert [path.name for path in tmp_path.iterdir()] == ["picture.png"]
    assert (tmp_path / "picture.png").read_text() == "good"


def test_what_is_no_file_is_written_as_it_is(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    replace.replace(tmp_path / "pipe", lambda path: path.write_text("picture"))
    assert os.read(reader, 99) == b"picture" and (tmp_path / "pipe").is_fifo()
    os.close(reader)


def test_a_link_that_is_asked_for_is_followed(results):  # noqa: F811
    (results / "x.svg").symlink_to("elsewhere.svg")
    succeed("figure2", results, "-o", results / "x.svg")
    assert (results / "x.svg").is_symlink() and "<svg" in (results / "elsewhere.svg").read_text()


def test_other_kinds_of_pictures_are_refused(results):  # noqa: F811
    for name in ("x.eps", "x.PNG", "x.jpeg"):
        assert f'-o: "{name}" ends in none of .png, .svg, .pdf' in complaint("figure2", results, "-o", name)
    succeed("figure2", results, "-o", results / "version-1.2")
    assert (results / "version-1.2.pdf").is_file()


def test_matplotlib_does_not_talk_of_its_caches(results, tmp_path):  # noqa: F811
    (tmp_path / "file").write_text("")
    done = subprocess.run(["/usr/bin/python3", PLOTS / "figure2.py", results], text=True, capture_output=True,
                          env=os.environ | {"MPLCONFIGDIR": str(tmp_path / "file/within")})
    assert (done.returncode, done.stderr) == (0, "")
