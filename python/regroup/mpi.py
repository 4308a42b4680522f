# SPDX-License-Identifier: BSD-3-Clause
"""Lets nobody import an mpi4py that was built with another MPI library than Regroup: each would start
MPI by itself, Open MPI under MPICH's launcher as a world of one rank, and handles of one mean nothing to the
other."""

import importlib.machinery
import re
import sys

from regroup import _engine

NAMES = {"libmpich": "MPICH", "libmpi.so.40": "Open MPI"}


def libraries_in(file):
    """Names of the MPI libraries that a shared object needs, as in "libmpich.so.12": what it was built with,
    also where another library has taken its place in this process."""
    with open(file, "rb") as opened:
        found = re.findall(rb"lib\w*mpi\w*\.so\.[.\d]*", opened.read())
    return sorted({name.decode() for name in found if b"cxx" not in name})


def named(library):
    known = [name for start, name in NAMES.items() if library.startswith(start)]
    return f"{known[0]} ({library})" if known else library


def complaint_about(file):
    """Why mpi4py's shared object cannot be used here; empty if it can."""
    theirs, ours = libraries_in(file), libraries_in(_engine.__file__)
    if set(theirs) & set(ours):
        return ""
    built = " or ".join(map(named, theirs)) or "an unknown MPI library"
    return (f"mpi4py was built with {built}, and Regroup with {_engine.mpi_library()} "
            f"({' or '.join(ours)}): use both with the same MPI library")


class Guard:
    """Finds no module, but refuses mpi4py.MPI if it does not fit."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "mpi4py.MPI":
            spec = importlib.machinery.PathFinder.find_spec(name, path)
            if spec is not None and (wrong := complaint_about(spec.origin)):
                raise ImportError(wrong)
        return None


def check():
    """Called once, when Regroup is imported."""
    loaded = sys.modules.get("mpi4py.MPI")
    if loaded is not None and (wrong := complaint_about(loaded.__file__)):
        raise ImportError(wrong)
    sys.meta_path.insert(0, Guard)


def communicator_of(handle):
    """mpi4py's object for a communicator, which it does not free."""
    import ctypes

    with _engine.KeptErrorHandlers():  # mpi4py sets its own where it is imported
        from mpi4py import MPI
    if hasattr(MPI.Comm, "fromhandle"):
        return MPI.Intracomm.fromhandle(handle)
    comm = MPI.Intracomm()
    size = MPI._sizeof(MPI.Comm)
    number = {4: ctypes.c_uint32, 8: ctypes.c_uint64}[size]
    number.from_address(MPI._addressof(comm)).value = handle
    return comm


def check_communicators():
    """Raises ImportError, before any member communicates, where there is no fitting mpi4py."""
    with _engine.KeptErrorHandlers():
        from mpi4py import MPI  # noqa: F401
