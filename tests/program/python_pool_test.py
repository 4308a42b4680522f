# SPDX-License-Identifier: BSD-3-Clause
"""regroup.Pool: tasks of samplers in Python, on groups of processes."""

import re

import pytest

from python_test import EXAMPLES, place  # noqa: F401

pytestmark = pytest.mark.mpi

PROGRAM = '''
import sys
import numpy as np
import regroup
{functions}
if __name__ == "__main__":
    with regroup.Pool({settings}) as pool:
        if not pool.is_master():
            pool.wait()
            sys.exit(0)
        use(pool)
'''


def program(functions, settings=""):
    return PROGRAM.format(functions=functions, settings=settings)


def test_results_come_in_the_order_of_the_tasks(place):  # noqa: F811
    squares = '''
def square(task):
    team = regroup.team()
    return team.sum(np.full(len(range(team.rank, task, team.size)), task)), team.size

def use(pool):
    for number in (20, 20, 1, 0):
        found = pool.map(square, range(number))
        assert [one for one, _ in found] == [task * task for task in range(number)], found
    assert pool.map(abs, iter([-1, 2]), costs=[3, 1]) == [1, 2]
    print("sizes", {size for _, size in pool.map(square, range(30))}, pool.last_round["tasks"], pool.size)
'''
    assert "sizes {2} 30 4" in place.program(4, program(squares, "group_size=2"))[0]
    assert "sizes {1} 30 3" in place.program(3, program(squares))[0]
    assert "sizes {1} 30 1" in place.program(1, program(squares))[0]


def test_a_task_that_raises_is_named_and_the_pool_goes_on(place):  # noqa: F811
    out, _ = place.program(3, program('''
def wanted(task):
    team = regroup.team()
    if task == 5 and team.rank == team.size - 1:
        raise ValueError("nobody wants 5")
    return team.sum(task)

def use(pool):
    for tasks in (range(8), [5]):
        try:
            pool.map(wanted, tasks)
            print("not reached")
        except regroup.TaskError as error:
            print("task", error.task, str(error).splitlines()[0])
            assert "in wanted" in str(error)
    assert pool.map(len, ["four"]) == [4]
    for function, tasks in (lambda task: task, [1]), (len, [lambda: 0]):
        try:
            pool.map(function, tasks)
        except TypeError as error:
            print("refused:", error)
    try:
        regroup.team()
    except RuntimeError as error:
        print("outside:", error)
'''))
    assert "task 5 task 5: ValueError: nobody wants 5" in out
    assert "task 0 task 0: ValueError: nobody wants 5" in out
    assert out.count("refused: ") == 2 and "outside of a task" in out and "not reached" not in out


def test_each_pool_calls_its_own_function(place):  # noqa: F811
    out, _ = place.program(2, """
import sys
import regroup
if __name__ == "__main__":
    pools = [regroup.Pool(), regroup.Pool()]
    if not pools[0].is_master():
        for pool in pools:
            pool.wait()
        sys.exit(0)
    first, second = pools
    print(first.map(abs, [-1, 2, -3]))
    first.close()
    print(second.map(str, [1, 2, 3]), second.map(abs, [-4]))
""")
    assert out.split("\n")[:2] == ["[1, 2, 3]", "['1', '2', '3'] [4]"]


def test_a_function_that_other_ranks_lack_is_never_replaced_by_another(place):  # noqa: F811
    out, _ = place.program(3, program("""
import os
import time
if "0" in (os.environ.get("PMI_RANK"), os.environ.get("OMPI_COMM_WORLD_RANK")):
    def lacking(task):
        time.sleep(0.02)  # so that other ranks get tasks, too
        return -task

def use(pool):
    assert pool.map(abs, range(12)) == list(range(12))
    for _ in range(2):
        try:
            print("not reached", pool.map(lacking, range(12)))
        except regroup.TaskError as error:
            print("failed", str(error).splitlines()[0])
    assert pool.map(abs, range(12)) == list(range(12))
"""))
    assert out.count("failed") == 2 and "lacking" in out and "not reached" not in out


def test_an_error_of_the_sampler_ends_all_ranks(place):  # noqa: F811
    _, err = place.program(3, program("def use(pool):\n    raise KeyError('sampler')"), code=1)
    assert err.count("KeyError: 'sampler'") == 1


def test_a_rank_that_does_not_wait_is_told_to(place):  # noqa: F811
    _, err = place.program(2, "import regroup\nregroup.Pool().map(len, [])\n", code=1)
    assert "Pool.wait()" in err


def test_wrong_arguments_are_refused(place):  # noqa: F811
    _, err = place.program(2, program("", "group_size=3"), code=1)
    assert "allowed: 1 to 2" in err
    _, err = place.program(2, program("def use(pool):\n    pool.map(abs, [1, 2], costs=[1])"), code=1)
    assert "1 costs were given for 2 tasks" in err


def test_emcee_gives_the_same_with_and_without_a_pool(place):  # noqa: F811
    text = (EXAMPLES / "ensemble_sampler.py").read_text().replace("10_000", "2_000")
    alone = (text.replace("regroup.team()", "regroup.Team()").replace(", pool=pool", "")
             .replace("with regroup.Pool() as pool:", "if True:")
             .replace("if not pool.is_master():", "if False:"))
    found = [re.findall(r"(slope|offset): (\S+) ± (\S+)", place.program(ranks, one)[0])
             for ranks, one in ((0, alone), (1, text), (3, text))]
    assert len(found[0]) == 2 and found[1] == found[0] and found[2] == found[0]
