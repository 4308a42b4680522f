# SPDX-License-Identifier: BSD-3-Clause
"""The microbenchmarks run to their end, and only rank 0 writes results."""

import json
import os
import subprocess

import pytest
from conftest import BUILD

LAUNCHER = os.environ.get("REGROUP_LAUNCHER", "mpiexec.mpich -n {ranks}")
FILTERS = {
    "engine": "item_us:0/|look|round",
    "creation": "",
    "named": "members:3",
    "translation": "",
    "collectives": "doubles:(1|64)/",
    "pool": "trivial",
    "walkers": "hand_over|moves:100|fixed_point|values:1/",
}


def report(path, command, *flags):
    done = subprocess.run([*command, "--benchmark_out=found.json", "--benchmark_out_format=json",
                           *flags], cwd=path, text=True, capture_output=True, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((path / "found.json").read_text())
    assert found["benchmarks"], "nothing ran"
    for benchmark in found["benchmarks"]:
        assert not benchmark.get("error_occurred"), benchmark
        # Beside the counters of Google Benchmark, it reports its own in seconds or bytes.
        assert [name for name in benchmark if name.endswith(("_s", "_bytes"))], benchmark
    return found


def launched(topic, ranks):
    return [*LAUNCHER.format(ranks=ranks).split(), str(BUILD / f"{topic}_micro")]


def test_virtual_micro_runs_to_its_end(tmp_path):
    found = report(tmp_path, [BUILD / "virtual_micro"], "--benchmark_min_time=0.001",
                   "--benchmark_filter=ranks:(32|1024)$")
    assert all(benchmark["events_per_second"] > 0 for benchmark in found["benchmarks"])


@pytest.mark.mpi
@pytest.mark.parametrize("topic", FILTERS)
def test_micro_programs_on_mpi_run_to_their_end(tmp_path, topic):
    found = report(tmp_path, launched(topic, 3), f"--benchmark_filter={FILTERS[topic]}")
    assert found["context"]["ranks"] == "3"
    assert found["context"]["waiting"] in ("direct", "polite", "wrapper")
