# SPDX-License-Identifier: BSD-3-Clause
"""regroup.Pool: groups of processes that execute the tasks of a sampler."""

import atexit
import pickle
import traceback
import weakref

from regroup import _engine
from regroup.running import ConfigurationError, initialise

class TaskError(RuntimeError):
    """A task of a pool raised an exception. `task`: its number; the message has the traceback."""

    def __init__(self, message, task=None):
        super().__init__(message)
        self.task = task


def described(error):
    """Formats an exception and its traceback, for rank 0."""
    frames = traceback.format_exception(type(error), error, error.__traceback__)
    return "".join([*traceback.format_exception_only(type(error), error), *frames]).rstrip()


class Tasks:
    """The function that the tasks of a pool call on this rank."""

    function = None

    def execute(self, pickled_function, task):
        """Executes a task, on all members of its group. `pickled_function`: None if unchanged."""
        if pickled_function is not None:
            self.function = pickle.loads(pickled_function)
        return pickle.dumps(self.function(pickle.loads(task)))


def pickled(value, what):
    try:
        return pickle.dumps(value)
    except Exception as error:
        raise TypeError(f"{what} cannot be sent to other ranks: {error}") from None


class Pool:
    """Executes tasks on groups of processes. All processes create the pool collectively. Rank 0
    calls map(); the others call wait(), which returns when rank 0 closes the pool or leaves `with`:

        with regroup.Pool() as pool:
            if not pool.is_master():
                pool.wait()
                sys.exit(0)
            sampler = emcee.EnsembleSampler(walkers, dimensions, log_prob, pool=pool)

    group_size: size of the smallest groups; waiting: as in docs/configuration.md."""

    def __init__(self, group_size=1, waiting="auto"):
        initialise()
        try:
            self._pool = _engine.Pool(group_size, waiting, Tasks().execute)
        except ValueError as error:
            raise ConfigurationError(str(error)) from None
        self._shared = None
        atexit.register(_end, weakref.ref(self))

    def is_master(self):
        """Returns whether this is rank 0, which runs the sampler."""
        return self._pool.is_master()

    @property
    def size(self):
        """The number of ranks of the pool, including rank 0, which also executes tasks."""
        return self._pool.size

    def wait(self):
        """Executes tasks until rank 0 closes the pool. Called on the other ranks."""
        self._pool.serve()

    def map(self, function, tasks, costs=None):
        """Returns function(task) for all tasks, in their order. All members of a group call it, see
        regroup.team(); the result of the first member is returned. `costs`: expected durations, in
        any unit; by default those of the previous round. If a task raises an exception, raises
        TaskError after all other tasks; the pool remains usable."""
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
        """Statistics of the last map(): tasks, wide (on merged groups), seconds, expected_s."""
        return self._pool.last_round()

    def close(self):
        """Ends wait() on the other ranks. Called on rank 0."""
        self._pool.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.is_master():
            self.close()


def _end(pool):
    """Frees the pool at exit, before MPI is finalized."""
    if pool() is not None:
        pool()._pool = None
