"""Forces from outside: Python functions of positions, velocities and time, and plain loads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from ._library import LIBRARY, Calls, Handle, ffi, refused


@dataclass(frozen=True)
class Point:
    """The state at which a force is evaluated. The arrays belong to the library, are read-only,
    and are valid during the call."""

    time: float  #: s
    positions: np.ndarray  #: (vertices, 3), m
    velocities: np.ndarray  #: (vertices, 3), m/s
    masses: np.ndarray  #: (vertices,), kg


@dataclass(frozen=True)
class Force:
    """A force from outside, as given to `Scene.add_force`."""

    function: Callable[[Point, np.ndarray], Any]
    summary: str
    blocks: Optional[Callable[[Point, float, float], Any]]
    energy: Optional[Callable[[Point], float]]
    pairs: Optional[np.ndarray]


def _array(pointer: Any, *shape: int) -> np.ndarray:
    size = 8 * int(np.prod(shape))
    return np.frombuffer(ffi.buffer(pointer, size)).reshape(shape)


def _point(at: Any) -> Point:
    count = at.vertex_count
    arrays = [_array(at.position, count, 3), _array(at.velocity, count, 3), _array(at.mass, count)]
    for array in arrays:
        array.flags.writeable = False
    return Point(at.time, *arrays)


def _fill(force: Force, described: Any, calls: Calls) -> None:
    def add(_: Any, at: Any, values: Any) -> bool:
        return not refused(force.function(_point(at), _array(values, at.vertex_count, 3)))

    def add_blocks(_: Any, at: Any, by_position: float, by_velocity: float, blocks: Any) -> None:
        answer = force.blocks(_point(at), by_position, by_velocity)  # type: ignore[misc]
        if answer is None:
            return
        row, column, block = answer
        rows = np.ascontiguousarray(row, dtype=np.int32)
        columns = np.ascontiguousarray(column, dtype=np.int32)
        values = np.ascontiguousarray(block, dtype=float).reshape(len(rows), 9)
        LIBRARY.functions.stiction_blocks_add(
            blocks, len(rows), ffi.from_buffer("int[]", rows), ffi.from_buffer("int[]", columns),
            ffi.from_buffer("double[]", values))

    def energy(_: Any, at: Any) -> float:
        return float(force.energy(_point(at)))  # type: ignore[misc]

    described.add = calls.wrap("bool(void *, const StictionPoint *, double *)", add, False)
    if force.blocks:
        described.add_blocks = calls.wrap(
            "void(void *, const StictionPoint *, double, double, StictionBlocks *)", add_blocks)
    if force.energy:
        described.energy = calls.wrap("double(void *, const StictionPoint *)", energy, float("nan"))


def add(scene: Handle, forces: Mapping[str, Force], calls: Calls) -> None:
    for name, force in forces.items():
        described = ffi.new("StictionForce *")
        words = [ffi.new("char[]", name.encode()), ffi.new("char[]", force.summary.encode())]
        described.name, described.summary = words
        if force.pairs is not None:
            pairs = np.ascontiguousarray(force.pairs, dtype=np.int32).reshape(-1, 2)
            described.pair_count = len(pairs)
            words.append(ffi.from_buffer("int[]", pairs))
            described.pair = words[-1]
        _fill(force, described, calls)
        calls.keep(described, *words)
        LIBRARY.check(LIBRARY.functions.stiction_scene_add_force(scene.pointer, described))


def load(values: np.ndarray) -> Force:
    """A force that is what an array says, whatever the state."""

    def function(_: Point, total: np.ndarray) -> None:
        total += values

    return Force(function, "A load that is set from outside.", lambda *_: None, None, None)
