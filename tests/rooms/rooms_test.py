# SPDX-License-Identifier: BSD-3-Clause
"""Dependencies point one way: which room of the house may include what of which other room.

A room is a folder with its sources, without the rooms below it. Whoever needs a new arrow adds it
here, and sees whether it runs up: a room may only be given what stands above it in the list.
"""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_LINES, MOST_FILES = 300, 20

# Headers without MPI, of rooms whose others need it; and what lists are made of.
PLAIN = ["communicators/members.hpp", "communicators/rank_range.hpp", "communicators/strategies.hpp",
         "kernel/options.hpp"]
NUMBERS, FILES, ITEMS = "kernel/numbers", "kernel/files", "kernel/items"
GROUPS, AUDIT, PLACES = "kernel/groups", "kernel/audit", "kernel/places"
DEFINITIONS = "kernel/definitions"
WAITING, RANGE = "communicators/waiting", "communicators/range"
CHAINS, CLOCKS, PUBLIC = "kernel/chains", "kernel/clocks", "include/regroup"
SORTING = "sorting"
LISTS = [*PLAIN, "kernel", CHAINS, GROUPS, ITEMS, "kernel/workloads", "kernel/virtual"]
# What every room of the command may use, beside what is told below.
COMMAND = [*PLAIN, "kernel", GROUPS, PLACES, FILES, NUMBERS, "kernel/measurement", "jobs/catalog"]

# From the lowest floor to the highest.
ALLOWED = {
    WAITING: [],
    RANGE: [WAITING],
    "communicators": [RANGE, WAITING],
    "communicators/constructors": ["communicators", RANGE],
    NUMBERS: [],
    CLOCKS: [],
    FILES: PLAIN,
    ITEMS: [*PLAIN, NUMBERS, FILES],
    GROUPS: [*PLAIN, NUMBERS],
    PLACES: [*PLAIN, FILES, GROUPS],
    DEFINITIONS: [*PLAIN, NUMBERS, FILES, GROUPS],
    "communicators/named": [*PLAIN, "communicators", DEFINITIONS, NUMBERS, FILES],
    SORTING: [*PLAIN, "communicators", RANGE, WAITING, NUMBERS],
    "kernel": [*PLAIN, NUMBERS, FILES, ITEMS, GROUPS, PLACES],
    AUDIT: ["kernel", GROUPS],
    CHAINS: [*PLAIN, NUMBERS, FILES, "kernel"],
    "kernel/workloads": [*PLAIN, NUMBERS, FILES],
    "kernel/measurement": [*PLAIN, "kernel", NUMBERS, GROUPS, "sorting/inputs.hpp", "sorting/options.hpp"],
    "kernel/virtual": [*PLAIN, NUMBERS, FILES, ITEMS, GROUPS, "kernel"],
    "kernel/explorer": ["kernel"],
    "kernel/mpi/stage": ["communicators", RANGE, WAITING, CLOCKS, ITEMS, FILES, GROUPS, PLACES],
    "kernel/mpi/chains": ["communicators", RANGE, WAITING, CHAINS, GROUPS, "kernel", "kernel/mpi/stage"],
    "kernel/mpi": [*PLAIN, "communicators", WAITING, NUMBERS, ITEMS, GROUPS, CHAINS, "kernel",
                   "kernel/mpi/stage", "kernel/mpi/chains"],
    "kernel/mpi/measurement": [*PLAIN, "communicators", RANGE, NUMBERS, ITEMS, GROUPS, CHAINS, "kernel",
                               "kernel/measurement", "kernel/mpi/stage", "kernel/mpi/chains",
                               "kernel/mpi"],
    "kernel/mpi/measurement/creation": [*PLAIN, "communicators", RANGE, NUMBERS, ITEMS, GROUPS, "kernel",
                                        "kernel/measurement", "kernel/mpi/stage", "kernel/mpi",
                                        "kernel/mpi/measurement"],
    "kernel/mpi/sorting": [*PLAIN, "communicators", RANGE, NUMBERS, ITEMS, SORTING, "kernel/measurement",
                           "kernel/mpi/stage", "kernel/mpi/measurement"],
    "balancers": ["kernel/options.hpp", "kernel/balancer.hpp", "kernel/numbers/random.hpp"],
    "walkers": [*PLAIN, CHAINS, NUMBERS, ITEMS],
    "jobs/catalog": [*LISTS, AUDIT, NUMBERS, "kernel/measurement", "balancers", "walkers"],
    "jobs/ranks": [*PLAIN, "communicators", "jobs/catalog", "kernel", CHAINS, FILES, PLACES, "kernel/mpi/stage",
                   "kernel/mpi", "kernel/mpi/measurement"],
    "jobs/words": COMMAND,
    "jobs/configuration": [*COMMAND, *LISTS, DEFINITIONS, "jobs/words"],
    "jobs/launch": [*COMMAND, *LISTS, "jobs/configuration"],
    "jobs/selection": [*COMMAND, "jobs/words", "jobs/configuration", "jobs/launch"],
    "jobs/allocation": [*COMMAND, "jobs/words", "jobs/configuration", "jobs/launch", "jobs/selection"],
    "jobs/records": [*COMMAND, *LISTS, "jobs/words", "jobs/configuration", "jobs/launch"],
    "jobs/results": [*COMMAND, "jobs/words", "jobs/configuration", "jobs/records"],
    "jobs/sweep": [*COMMAND, ITEMS, CHAINS, "kernel/virtual", "jobs/words", "jobs/configuration", "jobs/launch",
                   "jobs/selection", "jobs/allocation", "jobs/records", "jobs/results"],
    "jobs/merge": [*COMMAND, "jobs/words", "jobs/configuration", "jobs/launch", "jobs/selection",
                   "jobs/records", "jobs/results", "jobs/sweep"],
    "jobs/advice": [*COMMAND, *LISTS, "jobs/words", "jobs/configuration", "jobs/sweep"],
    "jobs/summaries": [*COMMAND, *LISTS, "jobs/words", "jobs/configuration", "jobs/records"],
    "jobs/verify": [*COMMAND, AUDIT, CHAINS, ITEMS, "kernel/virtual", "jobs/words", "jobs/configuration",
                    "jobs/launch", "jobs/records", "jobs/results", "jobs/sweep"],
    "jobs/comparison": [*COMMAND, *LISTS, "jobs/words", "jobs/configuration", "jobs/records"],
    "jobs/definitions": [*COMMAND, DEFINITIONS, "jobs/words"],
    "jobs/exploration": [*COMMAND, "kernel/explorer", NUMBERS, "jobs/words", "jobs/configuration"],
    "jobs/trace": [*COMMAND, "kernel", GROUPS, NUMBERS, "jobs/words", "jobs/results"],
    "jobs/manual": [*COMMAND, *LISTS, "communicators/available.hpp", "kernel/measurement", "jobs/words",
                    "jobs/configuration", "jobs/records", "jobs/results", "jobs/summaries", "jobs/sweep"],
    "jobs/commands": [*COMMAND, *LISTS, "jobs/definitions", "jobs/exploration", "jobs/manual", "jobs/words", "jobs/configuration", "jobs/launch",
                      "jobs/selection", "jobs/allocation", "jobs/records", "jobs/results", "jobs/sweep", "jobs/merge", "jobs/advice",
                      "jobs/summaries", "jobs/comparison", "jobs/trace", "jobs/verify"],
    PUBLIC: [SORTING, "communicators", "communicators/named", RANGE, "kernel", CHAINS, NUMBERS, ITEMS,
             "kernel/workloads", "walkers",
             "jobs/catalog", "jobs/commands", "jobs/ranks"],
    "jobs": [],
}
FLOORS = list(ALLOWED)
# What the build makes, for whoever may include its room.
MADE = {"communicators/available.hpp", "communicators/constructors.hpp", "jobs/build_info.hpp",
        "jobs/version.hpp"}


def sources():
    for top in ("communicators", "kernel", "balancers", "walkers", "sorting", "jobs", "include"):
        yield from (path for path in sorted((ROOT / top).rglob("*"))
                    if path.suffix in (".cpp", ".hpp", ".c"))


def room_of(path):
    return str(pathlib.PurePath(path).parent)


SOURCES = [str(path.relative_to(ROOT)) for path in sources()]


def includes(path):
    return re.findall(r'^#include "([^"]+)"', (ROOT / path).read_text(), re.MULTILINE)


def forbidden(path):
    room = room_of(path)
    allowed = {room, *ALLOWED[room], *MADE}
    return [f"{path} includes {header}" for header in includes(path)
            if header not in allowed and room_of(header) not in allowed]


@pytest.mark.parametrize("room", ALLOWED)
def test_a_room_includes_what_it_may(room):
    assert [wrong for path in SOURCES if room_of(path) == room for wrong in forbidden(path)] == []


@pytest.mark.parametrize("room", ALLOWED)
def test_what_a_room_may_include_stands_on_a_lower_floor(room):
    rooms = [name if name in ALLOWED else room_of(name) for name in ALLOWED[room]
             if name not in PLAIN]
    assert [name for name in rooms if FLOORS.index(name) >= FLOORS.index(room)] == []


def test_plain_headers_include_nothing_but_each_other():
    assert [wrong for header in PLAIN for wrong in includes(header) if wrong not in PLAIN] == []


def test_every_source_is_in_a_room():
    assert sorted({room_of(path) for path in SOURCES} - set(ALLOWED)) == []


def test_a_forbidden_include_is_found(monkeypatch):
    monkeypatch.setitem(globals(), "includes", lambda path: ["jobs/sweep/sweep.hpp"])
    assert forbidden("kernel/balancer.cpp") == [
        "kernel/balancer.cpp includes jobs/sweep/sweep.hpp"]


def test_no_source_is_longer_than_can_be_seen_through():
    long = {path: len((ROOT / path).read_text().splitlines()) for path in SOURCES}
    assert {path: lines for path, lines in long.items() if lines > MOST_LINES} == {}


@pytest.mark.parametrize("room", sorted({*ALLOWED} - {RANGE}))
def test_no_room_is_crowded(room):
    assert len([path for path in SOURCES if room_of(path) == room]) <= MOST_FILES
