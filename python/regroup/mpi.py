# SPDX-License-Identifier: BSD-3-Clause
"""Prevents the import of an mpi4py that was built with another MPI library than Regroup. Both
would initialize MPI, Open MPI under MPICH's launcher as a world of one rank, and handles of one
library are invalid in the other."""

import importlib.machinery
import re
import sys

from regroup import _engine

NAMES = {"libmpich": "MPICH", "libmpi.so.40": "Open MPI"}


def libraries_in(file):
    """Returns the names of the MPI libraries that a shared object was linked with, such as
    "libmpich.so.12", even if another library replaces them in this process."""
    with open(file, "rb") as opened:
        found = re.findall(rb"lib\w*mpi\w*\.so\.[.\d]*", opened.read())
    return sorted({name.decode() for name in found if b"cxx" not in name})


def named(library):
    known = [name for start, name in NAMES.items() if library.startswith(start)]
    return f"{known[0]} ({library})" if known else library


def complaint_about(file):
    """Returns why the shared object of mpi4py cannot be used here; empty if it can."""
    theirs, ours = libraries_in(file), libraries_in(_engine.__file__)
    if set(theirs) & set(ours):
        return ""
    built = " or ".join(map(named, theirs)) or "an unknown MPI library"
    return (f"mpi4py was built with {built}, and Regroup with {_engine.mpi_library()} "
            f"({' or '.join(ours)}): use both with the same MPI library")


class Guard:
    """An import hook that finds no module, but rejects an incompatible mpi4py.MPI."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "mpi4py.MPI":
            spec = importlib.machinery.PathFinder.find_spec(name, path)
            if spec is not None and (wrong := complaint_about(spec.origin)):
                raise ImportError(wrong)
        return None


def check():
    """Installs the guard, when Regroup is imported. Raises ImportError."""
    loaded = sys.modules.get("mpi4py.MPI")
    if loaded is not None and (wrong := complaint_about(loaded.__file__)):
        raise ImportError(wrong)
    sys.meta_path.insert(0, Guard)


def communicator_of(handle):
    """Returns an mpi4py object for a communicator; the object does not free it."""
    import ctypes

    with _engine.KeptErrorHandlers():  # the import of mpi4py replaces them
        from mpi4py import MPI
    if hasattr(MPI.Comm, "fromhandle"):
        return MPI.Intracomm.fromhandle(handle)
    comm = MPI.Intracomm()
    size = MPI._sizeof(MPI.Comm)
    number = {4: ctypes.c_uint32, 8: ctypes.c_uint64}[size]
    number.from_address(MPI._addressof(comm)).value = handle
    return comm


def check_communicators():
    """Raises ImportError if there is no compatible mpi4py, before any member communicates."""
    with _engine.KeptErrorHandlers():
        from mpi4py import MPI  # noqa: F401
