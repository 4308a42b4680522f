# SPDX-License-Identifier: BSD-3-Clause
"""Regroup for Spack. In the repository, which need not be public:

    spack repo add packaging/spack
    spack dev-build --source-path "$PWD" regroup@0.1.0
"""

try:
    from spack_repo.builtin.build_systems.cmake import CMakePackage  # from Spack 1.0 on
except ImportError:
    pass  # it comes with spack.package
from spack.package import *


class Regroup(CMakePackage):
    """Benchmarks of dynamic load balancing of MCMC walker groups on MPI."""

    license("BSD-3-Clause")

    version("0.1.0")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("mpi@3:")
    depends_on("fmt")
    depends_on("libyaml")
    depends_on("cli11")
    depends_on("nlohmann-json")
    depends_on("libcsv")
    depends_on("random123")
    depends_on("openssl")
    depends_on("utf8cpp")
    depends_on("pugixml")
    depends_on("re2")
    depends_on("hwloc")
    depends_on("otf2")
    depends_on("python", type="run")
    depends_on("py-jinja2", type="run")
    depends_on("py-matplotlib", type="run")
    depends_on("py-pandas", type="run")
    depends_on("py-plotly", type="run")

    conflicts("%gcc@:11", msg="C++20 as GCC 12 has it")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("REGROUP_TESTS", False),
            self.define("MPI_CXX_COMPILER", self.spec["mpi"].mpicxx),
        ]
