# SPDX-License-Identifier: BSD-3-Clause
"""Files that are written whole, or not at all."""

import contextlib
import errno
import os

from figures.command import InputError

REASONS = {errno.ENOSPC: "the disk is full", errno.EDQUOT: "the quota is used up",
           errno.EACCES: "permission denied", errno.EPERM: "permission denied",
           errno.EROFS: "the file system can only be read", errno.ENOENT: "there is no such directory",
           errno.ENOTDIR: "what stands for its directory is a file", errno.EISDIR: "it is a directory",
           errno.ENAMETOOLONG: "its name is too long"}


def replace(path, write):
    """Has `write` make a file beside `path`, which then takes its place; that of a link, where `path`
    is one. What is no file, as /dev/stdout, is written as it is."""
    special = path.exists() and not path.is_file() and not path.is_dir()
    beside = path if special else path.with_name(f".{path.name}.{os.getpid()}")
    try:
        write(beside)
        if not special:
            os.replace(beside, path)
    except OSError as error:
        reason = REASONS.get(error.errno) or error.strerror or str(error)
        raise InputError(f"cannot write {path}: {reason}; -o writes it elsewhere") from None
    finally:
        if not special:
            with contextlib.suppress(OSError):
                beside.unlink()
