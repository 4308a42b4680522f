# SPDX-License-Identifier: BSD-3-Clause
"""libcsv, which Spack itself does not have."""

try:
    from spack_repo.builtin.build_systems.autotools import AutotoolsPackage  # from Spack 1.0 on
except ImportError:
    pass  # it comes with spack.package
from spack.package import *


class Libcsv(AutotoolsPackage):
    """Reads and writes CSV, in C."""

    homepage = "https://sourceforge.net/projects/libcsv/"
    url = "https://downloads.sourceforge.net/project/libcsv/libcsv/libcsv-3.0.3/libcsv-3.0.3.tar.gz"

    license("LGPL-2.1-or-later")

    version("3.0.3", sha256="d9c0431cb803ceb9896ce74f683e6e5a0954e96ae1d9e4028d6e0f967bebd7e4")

    depends_on("c", type="build")
