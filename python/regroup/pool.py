# SPDX-License-Identifier: BSD-3-Clause
"""regroup.Pool: groups of processes that execute the tasks of a sampler."""

import atexit
import pickle
import traceback
import weakref

from regroup import _engine
from regroup.running import ConfigurationError, initialise

class TaskError(RuntimeError):
    """A task of a pool raised an exception: `task` is its number; the message ends with the traceback."""

    def __init__(self, message, task=None):
        super().__init__(message)
        self.task = task


def described(error):
    """The text of an exception and its traceback, for rank 0."""
    frames = traceback.format_exception(type(error), error, error.__traceback__)
    return "".join([*traceback.format_exception_only(type(error), error), *frames]).rstrip()


class Tasks:
    """The function that the tasks of a pool call on this rank."""

    function = None

    def execute(self, pickled_function, task):
        """Called for each task, on all members of its group; `pickled_function`: None if it is as before."""
        if pickled_function is not None:
            self.function = pickle.loads(pickled_function)
        return pickle.dumps(self.function(pickle.loads(task)))


def pickled(value, what):
    try:
        return pickle.dumps(value)
    except Exception as error:
        raise TypeError(f"{what} cannot be sent to other ranks: {error}") from None


class Pool:
    """Executes tasks on groups of processes; all processes create it together. Rank 0 calls map(), the
    others wait() until it closes the pool, which leaving `with` also does:

        with regroup.Pool() as pool:
            if not pool.is_master():
                pool.wait()
                sys.exit(0)
            sampler = emcee.EnsembleSampler(walkers, dimensions, log_prob, pool=pool)

    group_size: ranks of the smallest groups; waiting: as in docs/configuration.md."""

    def __init__(self, group_size=1, waiting="auto"):
        initialise()
        try:
            self._pool = _engine.Pool(group_size, waiting, Tasks().execute)
        except ValueError as error:
            raise ConfigurationError(str(error)) from None
        self._shared = None
        atexit.register(_end, weakref.ref(self))

    def is_master(self):
        """Whether this is rank 0, which runs the sampler."""
        return self._pool.is_master()

    @property
    def size(self):
        """Ranks of the pool; rank 0 executes tasks, too."""
        return self._pool.size

    def wait(self):
        """On the other ranks: executes tasks until rank 0 closes the pool."""
        self._pool.serve()

    def map(self, function, tasks, costs=None):
        """The results of function(task) for all tasks, in their order. The function is called on all
        members of a group, regroup.team(), and the result of the first member counts. `costs`: how long
        each task takes, in any unit; otherwise as long as in the round before. Raises TaskError when the
        other tasks have been executed; the pool can be used further."""
        if not self.is_master():
            raise RuntimeError("Pool.map() is called on another rank than 0; allowed there: Pool.wait()")
        shared = pickled(function, "the function of Pool.map()")
        tasks = [pickled(task, f"task {number}") for number, task in enumerate(tasks)]
        if shared != self._shared:
            self._pool.share(shared)
            self._shared = shared
        costs = [] if costs is None else [float(cost) for cost in costs]
        results = self._pool.map(tasks, costs)
        return [pickle.loads(result) for result in results]

    @property
    def last_round(self):
        """Figures of the last map(): tasks, wide (tasks of several groups together), seconds, expected_s."""
        return self._pool.last_round()

    def close(self):
        """On rank 0: lets the other ranks leave wait()."""
        self._pool.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.is_master():
            self.close()


def _end(pool):
    """Before MPI ends."""
    if pool() is not None:
        pool()._pool = None
