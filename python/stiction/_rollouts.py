"""Many variations of a scene at once: domain randomisation, studies, planning."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import time
import traceback
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from html import escape
from itertools import islice
from multiprocessing import connection
from typing import Any, Optional, Union

import numpy as np

from ._errors import BadInput, Error
from ._library import LIBRARY, refused
from ._scene import Scene, SceneLike
from ._simulation import Simulation

_log = logging.getLogger("stiction")
_METHODS = ("fork", "spawn", "threads")
_STOPPED = "not run: stopped on request"


@dataclass(frozen=True)
class Rollout:
    """One variation of a scene, as the function of `Rollouts.run` gets it."""

    simulation: Simulation  #: of the scene with the values, at its start
    index: int  #: from 0
    values: dict[str, Any]  #: what differs from the scene, by key
    random: np.random.Generator  #: its own: the same whatever runs beside it


@dataclass(frozen=True)
class RolloutProgress:
    """Progress of `Rollouts.run`."""

    done: int  #: rollouts that have ended, failed ones included
    failed: int  #: of those
    count: int
    seconds: float  #: s, wall time
    seconds_left: float  #: s, estimated


class RolloutResults(Mapping[str, np.ndarray]):
    """What rollouts returned, by key: arrays with a row for each rollout, NaN where it failed.
    ``variations`` has the values that were set, ``errors`` the text of each failure (None: there
    was none), ``failed`` which failed."""

    def __init__(self, values: dict[str, np.ndarray], rows: Sequence[Optional[Mapping[str, Any]]],
                 errors: Sequence[Optional[str]]) -> None:
        self.variations = values
        self.errors = list(errors)
        self.failed = np.array([error is not None for error in errors], dtype=bool)
        names = dict.fromkeys(name for row in rows if row for name in row)
        self._columns = {name: _column([(row or {}).get(name) for row in rows]) for name in names}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._columns:
            raise KeyError(f"the rollouts returned no {name!r}; there are {', '.join(self)}")
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        failures = [error for error in self.errors if error]
        first = f": {failures[0].strip().splitlines()[-1]}" if failures else ""
        return (f"<RolloutResults of {len(self.errors)} rollouts, {len(failures)} failed{first}; "
                f"{', '.join(self)}>")

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in [*self.variations, *self, "error"])
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(str(column[i]))}</td>" for column in
                             [*self.variations.values(), *self.values()])
            + f"<td>{escape(error or '')}</td></tr>" for i, error in enumerate(self.errors))
        return f"<table><tr>{head}</tr>{rows}</table>"


def _column(items: list[Any]) -> np.ndarray:
    """Items as one array; None: the rollout has none, which is NaN among numbers."""
    there = [np.asarray(item) for item in items if item is not None]
    alike = len({item.shape for item in there}) == 1 and all(item.dtype.kind in "fiub"
                                                             for item in there)
    if not alike:
        column = np.empty(len(items), dtype=object)
        column[:] = items
        return column
    if len(there) == len(items):
        return np.stack(there)
    nothing = np.full(there[0].shape, np.nan)
    return np.stack([nothing if item is None else np.asarray(item, float) for item in items])


def _is_list(value: Any) -> bool:
    return isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, (str, bytes))


def _count(variations: Mapping[str, Any], count: Optional[int]) -> int:
    lengths = {key: len(value) for key, value in variations.items() if _is_list(value)}
    if count is None and not lengths:
        raise BadInput("Rollouts: count is needed, how many variations there shall be: none of "
                       "the variations is a list")
    wanted = count if count is not None else next(iter(lengths.values()))
    for key, length in lengths.items():
        if length != wanted:
            raise BadInput(f"Rollouts: {key!r} has {length} values, and there are {wanted} "
                           "variations")
    return wanted


def _whole(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise BadInput(f"Rollouts: {name} must be a whole number from 1 on, not {value!r}")
    return int(value)


def _random(seed: int, index: int, purpose: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(index, purpose)))


def _draw(variations: Any, count: Optional[int], seed: int) -> list[dict[str, Any]]:
    """The values of each rollout."""
    if isinstance(variations, Mapping):
        def value(of: Any, random: np.random.Generator, index: int) -> Any:
            return of(random) if callable(of) else of[index] if _is_list(of) else of

        drawn = []
        for i in range(_count(variations, count)):
            random = _random(seed, i, 0)
            drawn.append({key: value(of, random, i) for key, of in variations.items()})
        return drawn
    if not _is_list(variations) or not all(isinstance(one, Mapping) for one in variations):
        raise BadInput("Rollouts: variations are a dictionary of keys, each with a list or a "
                       "function of random numbers, or a list of dictionaries")
    if count is not None and count != len(variations):
        raise BadInput(f"Rollouts: there are {len(variations)} variations, not {count}")
    return [dict(one) for one in variations]


def _to_the_end(rollout: Rollout) -> dict[str, Any]:
    for _ in rollout.simulation:
        pass
    report = rollout.simulation.report
    found: dict[str, Any] = {"time": report.time, "steps": report.step,
                             "total_energy": report.total_energy}
    for name, body in report.bodies.items():
        found[f"{name}.centre"], found[f"{name}.velocity"] = body.centre, body.velocity
    return found


class _Task:
    """All that a worker needs; it can be pickled if the function can."""

    def __init__(self, scene: Scene, values: list[dict], seed: int, threads: int,
                 function: Callable[[Rollout], Optional[Mapping[str, Any]]]) -> None:
        self.scene, self.values, self.seed = scene, values, seed
        self.threads, self.function = threads, function

    def answer(self, index: int) -> Optional[Mapping[str, Any]]:
        values = self.values[index]
        with Simulation(Scene(self.scene, set=values), threads=self.threads) as simulation:
            rollout = Rollout(simulation, index, values, _random(self.seed, index, 1))
            found = self.function(rollout)
        if found is not None and not isinstance(found, Mapping):
            raise BadInput("Rollouts: the function must return a dictionary of numbers and "
                           f"arrays, not {found!r}")
        return None if found is None else dict(found)

    def run(self, index: int) -> tuple[Optional[Mapping[str, Any]], Optional[str]]:
        """What one gave, or why it failed."""
        try:
            return self.answer(index), None
        except Error as error:
            return None, f"{type(error).__name__}: {error}"
        except Exception:  # a mistake of the function's ends its rollout alone
            return None, traceback.format_exc()


def _serve(task: _Task, pipe: Any) -> None:
    """A worker process: does what it is told until it is told to go, or whoever tells is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who waits
    parent = multiprocessing.parent_process()
    while parent is None or pipe in connection.wait([pipe, parent.sentinel]):
        index = pipe.recv()
        if index is None:
            return
        _log.disabled = index > 0  # all would say the same of the scene
        row, error = task.run(index)
        try:
            pipe.send((row, error))
        except Exception:  # not everything can be sent
            pipe.send((None, traceback.format_exc()))


def _death(code: Optional[int]) -> str:
    if code is not None and code < 0:
        return f"the worker process was killed by {signal.Signals(-code).name}"
    return f"the worker process ended with exit code {code}"


class _Worker:
    """A process, and the rollout that it is busy with."""

    def __init__(self, context: Any, task: _Task) -> None:
        self.pipe, far = context.Pipe()
        self.index = -1
        self.process = context.Process(target=_serve, args=(task, far), daemon=True)
        with warnings.catch_warnings():  # that there are threads: they are idle
            warnings.simplefilter("ignore", DeprecationWarning)
            self.process.start()
        far.close()

    def begin(self, index: Optional[int]) -> None:
        self.index = -1 if index is None else index
        try:
            self.pipe.send(index)
        except OSError:
            pass  # it is dead, which whoever waits for it will see

    def end(self) -> tuple[Optional[Mapping[str, Any]], Optional[str]]:
        """What it answered; a text with no answer: it died."""
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            self.process.join()
            return None, _death(self.process.exitcode)

    def stop(self) -> None:
        self.process.terminate()
        self.process.join()
        self.pipe.close()


Ended = tuple[int, Optional[Mapping[str, Any]], Optional[str]]


def _in_processes(task: _Task, workers: int, method: str) -> Generator[Ended, None, None]:
    context = multiprocessing.get_context(method)
    count, begun = len(task.values), 0
    crew: list[_Worker] = []
    try:
        while begun < min(workers, count):
            crew.append(_Worker(context, task))
            crew[-1].begin(begun)
            begun += 1
        while crew:
            ready = connection.wait([worker.pipe for worker in crew])
            for worker in [one for one in crew if one.pipe in ready]:
                index, (row, error) = worker.index, worker.end()
                if not worker.process.is_alive():
                    crew.remove(worker)
                    worker.stop()
                    if begun < count:
                        worker = _Worker(context, task)
                        crew.append(worker)
                if worker in crew and begun < count:
                    worker.begin(begun)
                    begun += 1
                elif worker in crew:
                    crew.remove(worker)
                    worker.stop()
                yield index, row, error
    finally:
        for worker in crew:
            worker.stop()


def _in_threads(task: _Task, workers: int) -> Generator[Ended, None, None]:
    """No more are begun than run at once: whoever stops looking leaves out all others."""
    def run(index: int) -> Ended:
        return index, *task.run(index)

    with ThreadPoolExecutor(workers) as pool:
        waiting = iter(range(len(task.values)))
        open_ones: set[Future] = {pool.submit(run, index) for index in islice(waiting, workers)}
        while open_ones:
            done, open_ones = wait(open_ones, return_when=FIRST_COMPLETED)
            for ended in sorted((one.result() for one in done), key=lambda one: one[0]):
                yield ended
                open_ones |= {pool.submit(run, index) for index in islice(waiting, 1)}


class Rollouts:
    """Many variations of a scene, run at once: domain randomisation over friction, materials,
    positions, or whatever a scene says.

    ``Rollouts(scene, {"friction[0].dynamic": lambda random: random.uniform(0.3, 0.6)}, count=100)``
    draws a value for each; ``{"materials.rubber.young": [1e5, 2e5, 4e5]}`` lists them, and so does
    a list of dictionaries. Keys are those of `Scene.set`. ``run(function)`` calls the function for
    each with a `Rollout` and collects what it returns. Values and random numbers depend on the seed
    and the number of the rollout alone, and so do the results, to the bit.

    A rollout that fails, or whose worker process dies, leaves its error and ends no other.

    Parameters
    ----------
    scene
        A `Scene`, the path of a scene file, or a dictionary.
    variations
        By key a list of values, a function of a ``numpy.random.Generator``, or one value for all;
        or a list of dictionaries of values, one for each rollout.
    workers
        How many run at once; default: all processors.
    count
        How many variations; needed when none of them is a list.
    seed
        Of the random numbers.
    method
        "fork": processes that begin with all that this one has, functions included; "spawn":
        fresh processes, which get the function by pickling it; "threads": of this process, without
        copies, but one that crashes ends all.
    threads
        Of each simulation.
    """

    def __init__(self, scene: SceneLike,
                 variations: Union[Mapping[str, Any], Sequence[Mapping[str, Any]]],
                 workers: Optional[int] = None, *, count: Optional[int] = None, seed: int = 0,
                 method: str = "fork", threads: int = 1) -> None:
        if method not in _METHODS:
            raise BadInput(f"Rollouts: there is no method {method!r}; there are "
                           f"{', '.join(_METHODS)}")
        if LIBRARY.process_count > 1:
            raise BadInput("Rollouts: under mpiexec all processes work on one simulation; start "
                           "the program without it")
        available = len(os.sched_getaffinity(0))
        self.workers = available if workers is None else _whole("workers", workers)
        self.threads = _whole("threads", threads)
        self.method = method
        self.scene = scene if isinstance(scene, Scene) else Scene(scene)
        self._seed = seed
        self.variations = _draw(variations, None if count is None else _whole("count", count), seed)
        for values in self.variations[:1]:
            Scene(self.scene, set=values)  # which tells of a key that there is none of

    def __len__(self) -> int:
        return len(self.variations)

    def simulation(self, index: int) -> Simulation:
        """The simulation of one variation, to look at it here."""
        if not 0 <= index < len(self):
            raise BadInput(f"Rollouts: there are 0 to {len(self) - 1}, not {index}")
        return Simulation(Scene(self.scene, set=self.variations[index]))

    def run(self, function: Optional[Callable[[Rollout], Optional[Mapping[str, Any]]]] = None, *,
            progress: Optional[Callable[[RolloutProgress], Any]] = None) -> RolloutResults:
        """Runs all and returns what the function returned, as arrays.

        Parameters
        ----------
        function
            ``function(rollout)`` drives ``rollout.simulation`` and returns a dictionary of numbers
            and arrays. Without one, scenes run to their end, and the result has the time, the
            number of steps, the energy and each body's centre and velocity.
        progress
            Called with a `RolloutProgress` after each. Returning False leaves out those that have
            not begun.
        """
        count, begun = len(self), time.monotonic()
        rows: list[Optional[Mapping[str, Any]]] = [None] * count
        errors: list[Optional[str]] = [_STOPPED] * count
        task = _Task(self.scene, self.variations, self._seed, self.threads,
                     function or _to_the_end)
        at_once = min(self.workers, count)
        begin = _in_threads(task, at_once) if self.method == "threads" else \
            _in_processes(task, at_once, self.method)
        done = failed = 0
        with closing(begin) as ended:
            for index, row, error in ended:
                rows[index], errors[index] = row, error
                done, failed = done + 1, failed + (error is not None)
                spent = time.monotonic() - begun
                now = RolloutProgress(done, failed, count, spent, spent / done * (count - done))
                if progress is not None and refused(progress(now)):
                    break
        return RolloutResults(self._listed(), rows, errors)

    def _listed(self) -> dict[str, np.ndarray]:
        names = dict.fromkeys(name for values in self.variations for name in values)
        return {name: _column([values.get(name) for values in self.variations]) for name in names}

    def __repr__(self) -> str:
        return f"<Rollouts: {len(self)} variations, {self.workers} at once>"
