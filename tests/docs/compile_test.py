# SPDX-License-Identifier: BSD-3-Clause
"""The programs in the documentation compile and run; its fragments compile."""

import re
import subprocess

import pytest

from markdown import Page
from scratch import BUILD, ROOT

# Code before and after a fragment, by page and language.
RANGES = """#include <regroup/range.hpp>
#include <regroup/sorting.hpp>
#include <regroup/strategy.hpp>
using namespace regroup;
void fragment(std::vector<double>& data, const Strategy& strategy) {"""
CHAINS = """#include <memory>
#include <regroup/engine.hpp>
#include <vector>
extern std::vector<double> data;
void chains() {"""
FRAGMENTS = {
    ("README.md", "cpp"): (CHAINS, "}"),
    ("your-own-walker.md", "cpp"): ("#include <regroup/walker.hpp>\n#include <span>\n#include <vector>", ""),
    ("named-communicators.md", "c"): ("#include <regroup/mpi.h>\nvoid names(int rank) {", "}"),
    ("named-communicators.md", "cpp"): ("#include <regroup/strategy.hpp>\n"
                                        "extern regroup::Site world;\n"
                                        "extern const regroup::Strategy& strategy;", ""),
    ("range-communicators.md", "cpp"): (RANGES, "}"),
}
# Pages whose blocks are covered by other tests, which include them or find them in the sources.
ELSEWHERE = {
    "extending.md": "tests/explorer/example_test.cpp includes the balancer; docs_test.py finds the strategy in the"
                    " sources",
}
BLOCKS = [(page, block) for page in map(Page, [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))])
          for block in page.blocks
          if block.language in ("c", "cpp") and block.mark != "file"
          and page.path.name not in ELSEWHERE]


def of_build(name):
    found = re.search(rf"^{name}:\w+=(.+)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE)
    return found[1] if found else None


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page, block", BLOCKS, ids=lambda part: getattr(part, "language", part))
def test_what_is_shown_compiles_and_whole_programs_run(page, block, tmp_path):
    compiler = of_build("MPI_CXX_COMPILER")
    if not compiler:
        pytest.skip(f"{BUILD} was built without MPI")
    source = tmp_path / f"shown.{block.language}"
    language = ["-std=c11", "-x", "c"] if block.language == "c" else ["-std=c++20"]
    compile_it = [compiler, *language, "-Wall", "-Wno-unused", "-I", ROOT / "include", source]
    if "int main(" not in block.code:
        before, after = FRAGMENTS[page.path.name, block.language]
        source.write_text(f"{before}\n{block.code}{after}\n")
        run(*compile_it, "-fsyntax-only")
        return
    source.write_text(block.code)
    program = tmp_path / "shown"
    run(*compile_it, "-o", program, BUILD / "sorting/libregroup_sorting.a",
        BUILD / "communicators/range/libregroup_range.a")
    run(compiler.replace("mpicxx", "mpiexec"), "-n", 2, program)
