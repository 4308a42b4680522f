# SPDX-License-Identifier: BSD-3-Clause
"""Replacements and preparations for the commands of the documentation in tests.

All other commands are executed as they are. Each exception has its reason."""

# Programs that are replaced by a script that does nothing.
STAND_INS = {
    "build-openmpi/regroup": "another build, which tests/run.sh makes and tests",
    "build/against_rbc_micro": "wants RBC, which is not there",
    "build/evaluate": "tests/program/outside_test.py builds and runs it",
    "ctest": "this is one of its tests",
    "git": "clones from the network",
    "jobs/setup.sh": "installs packages",
    "module": "wants Environment Modules",
    "salloc": "wants a cluster with Slurm; the test `cluster` pretends to have one",
    "sbatch": "wants a cluster with Slurm; the test `cluster` pretends to have one",
    "tests/run.sh": "this is one of its tests",
}

# Whole pages whose commands another test executes.
ELSEWHERE = {
    "your-own-walker.md": "tests/program/outside_test.py builds all of it, and runs more",
}

# Words of commands that are replaced: names known only from results, and long computations.
REPLACED = {
    "8a0c9d57f7a3e1b4":
        "$(build/regroup plan configs/mine.yaml --format json |"
        " sed -n 's/.*\"run\": \"\\([0-9a-f]*\\)\".*/\\1/p' | head -n 1)",
    # Pages run concurrently, so two ranks that wait for each other in every move would be slow.
    "walker={kind: lennard_jones, atoms: 4000}":
        "walker={kind: lennard_jones, atoms: 4000, moves_per_item: 10}",
    "--set bytes=8:1M": "--set bytes=8:16",
    "check spread --seconds 1": "check batch --seconds 1",
    "my.yaml --extend 1000": "my.yaml --extend 50",
    "--set ranks=16 --set group_size=8": "--set ranks=4 --set group_size=2",
    # Few ranks and samples may miss a claim by chance; tests/program/reproduce_test.py measures it.
    "reproduce figure1": "reproduce figure2",
    "timeout 60 sh -c 'while :; do :; done'": "sleep 60",
}

# Keys of configurations with values that take less time.
FEW_RANKS = {"ranks": "4", "group_size": "[2, 4]", "samples": "6"}
SHORTER = {
    "chains.yaml": {"ranks": "2", "repetitions": "1", "workload": "{kind: pareto, mean_items: 24}",
                    "balancers": "[none, asynchronous]"},
    "ci.yaml": {"ranks": "2", "group_size": "2", "operation": "[bcast]", "samples": "6"},
    "collectives.yaml": {**FEW_RANKS, "operation": "[bcast, barrier]", "bytes": "8"},
    "copies.yaml": {**FEW_RANKS, "communicator": "[dup, icreate_group]", "attributes": "[0, 1]"},
    "constructors.yaml": {"ranks": "4", "group_size": "2", "samples": "6", "item_ms": "0",
                          "late_ms": "0"},
    "creation.yaml": {**FEW_RANKS, "communicator": "[create_group, comm_split, range]",
                      "pattern": "one_group", "item_ms": "0", "late_ms": "0"},
    "demo.yaml": {"ranks": "8", "item_ms": "1", "repetitions": "1"},
    "faults.yaml": {"ranks": "64", "save_every": "8", "repetitions": "1"},
    "figure2.yaml": {"ranks": "[32, 64]"},
    "items.yaml": {"ranks": "2", "walker": "spin", "samples": "6", "items_per_sample": "2"},
    "mine.yaml": {"ranks": "[4, 6, 8]", "item_ms": "1", "workload": "{kind: exponential, mean_items: 10}"},
    "rbc.yaml": {**FEW_RANKS, "bytes": "[8, 64]", "operation": "[bcast]"},
    "rbc_bcast.yaml": {**FEW_RANKS, "bytes": "[8, 64]"},
    "rbc_creation.yaml": {**FEW_RANKS},
    "replicas.yaml": {"workload": "{kind: constant, mean_items: 1000}"},
    "scale.yaml": {"ranks": "[1024, 32768, 131072]"},
    "sets.yaml": {**FEW_RANKS},
    "short_items.yaml": {"ranks": "4"},
    "simgrid.yaml": {"engine": "virtual", "ranks": "64"},
    "sort.yaml": {"ranks": "[1, 4]", "elements_per_rank": "[1, 16]", "samples": "6",
                  "communicator": "[range, create_group, sample_sort]"},
    "steps.yaml": FEW_RANKS,
    "storm.yaml": {"communicator": "[create_group, range]", "storm_regroupings": "1000"},
    "validation.yaml": {"ranks": "8", "item_ms": "1", "repetitions": "1"},
    "validation_creation.yaml": FEW_RANKS,
    "validation_steps.yaml": FEW_RANKS,
    "weak_scaling.yaml": {"ranks": "[4, 8]", "item_ms": "1", "repetitions": "1"},
    "workloads.yaml": {"ranks": "64"},
    "choices.yaml": {"ranks": "[512, 1024]", "group_size": "[8, 16]", "item_ms": "10", "seed": "1"},
}

# Steps that the reader of a page has done before, and files that the reader has.
TWO_RESULTS = """
build/regroup run configs/figure2.yaml --out results/old
build/regroup run configs/figure2.yaml --out results/new
"""
DEMO = "build/regroup run configs/demo.yaml\n"
GIVEN = {
    "installing.md": "mkdir -p ~/regroup-packages\ntouch ~/regroup-packages/env.sh\n",
    "comparing.md": TWO_RESULTS + "export OLD=/usr NEW=/usr\n",
    "pictures.md": TWO_RESULTS,
    "running.md": TWO_RESULTS,
    # A run that was ended, with saved states of its chains.
    "walkers.md": """
        cat >my.yaml <<'END'
        ranks: 2
        group_size: 1
        item_ms: 5
        walker: {kind: lennard_jones, moves_per_item: 1000, burn_in_items: 0}
        save_every: 10
        keep_states: true
        workload: {kind: constant, mean_items: 200}
        balancers: [none]
        END
        cp my.yaml other.yaml
        build/regroup run my.yaml & sweep=$!
        until ls results/my/logs/*.states/*.state; do sleep 0.05; done
        kill $sweep
        wait $sweep || true
        cp -r results/my/logs/*.states results/my/logs/RUN.states
        """,
}
