#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks dependencies between folders, which must be acyclic. Balancers include no clocks, files
or MPI. Prints each forbidden #include, and fails if there is one."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
ENGINES = ["engines/mpi", "engines/virtual", "engines/explorer", "engines/audit"]
# Folders that each folder may include, besides itself and include/regroup.
MAY_INCLUDE = {"include/regroup": ["sorting"], "kernel": []}
MAY_INCLUDE["balancers"] = MAY_INCLUDE["walkers"] = MAY_INCLUDE["communicators"] = ["kernel"]
MAY_INCLUDE["sorting"] = ["kernel", "communicators"]
MAY_INCLUDE.update({engine: ["kernel"] for engine in ENGINES})
MAY_INCLUDE["engines/mpi"] = ["kernel", "communicators"]
MAY_INCLUDE["pool"] = ["kernel", "communicators", "engines/mpi"]
MAY_INCLUDE["measurements"] = ["kernel", "communicators", "sorting", "engines/mpi"]
MAY_INCLUDE["library"] = [folder for folder in MAY_INCLUDE if folder != "engines/explorer"]
MAY_INCLUDE["driver"] = list(MAY_INCLUDE)
MAY_INCLUDE["python"] = ["kernel", "library"]
NOT_IN_BALANCERS = re.compile(r"(mpi\.h|chrono|ctime|time\.h|fstream|iostream|filesystem|cstdio|thread)$"
                              r"|kernel/(clocks|files|places)/")


def folder_of(path):
    return next((f for f in sorted(MAY_INCLUDE, reverse=True) if f"{path}".startswith(f + "/")), None)


def wrong_includes():
    for folder in MAY_INCLUDE:
        for path in sorted(ROOT.glob(folder + "/**/*.[ch]*")):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if not (found := re.match(r'#include ["<](.+)[">]', line)):
                    continue
                other = folder_of(found[1]) if (ROOT / found[1]).exists() else None
                allowed = [None, folder, "include/regroup", *MAY_INCLUDE[folder]]
                if other not in allowed or folder == "balancers" and NOT_IN_BALANCERS.match(found[1]):
                    yield f"{path.relative_to(ROOT)}:{number}: {folder} may not include {found[1]}"


wrong = list(wrong_includes())
print(*wrong, f"{len(wrong)} wrong includes", sep="\n")
sys.exit(bool(wrong))
