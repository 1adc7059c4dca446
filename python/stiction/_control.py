"""What a simulation hands out for control: saved states, parameters, places on surfaces."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np

from ._library import LIBRARY, Handle, ffi, text

Number = Union[float, np.ndarray]


class State:
    """A saved state of a simulation, as returned by `Simulation.save`: everything needed to
    continue with the same bits. It can be pickled and sent to other processes, which restore it
    into a simulation of the same scene."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle

    @property
    def time(self) -> float:
        """Simulated time, s."""
        return LIBRARY.functions.stiction_state_time(self._handle.pointer)

    def __bytes__(self) -> bytes:
        data, size = ffi.new("const void **"), ffi.new("size_t *")
        LIBRARY.check(LIBRARY.functions.stiction_state_bytes(
            LIBRARY.session, self._handle.pointer, data, size))
        return bytes(ffi.buffer(data[0], size[0])) if data[0] else b""

    @classmethod
    def from_bytes(cls, data: bytes) -> "State":
        """The state that ``bytes(state)`` was made from."""
        functions = LIBRARY.functions
        return cls(LIBRARY.make("StictionState", lambda slot: functions.stiction_state_from_bytes(
            LIBRARY.session, data, len(data), slot), functions.stiction_state_free))

    def write(self, path: Union[str, os.PathLike]) -> None:
        """Writes it to a file in the format of a run's checkpoint.h5."""
        LIBRARY.check(LIBRARY.functions.stiction_state_write(
            LIBRARY.session, self._handle.pointer, os.fsencode(path)))

    @classmethod
    def read(cls, path: Union[str, os.PathLike]) -> "State":
        """Reads one that was written, or the checkpoint.h5 of a run of the same scene."""
        functions = LIBRARY.functions
        return cls(LIBRARY.make("StictionState", lambda slot: functions.stiction_state_read(
            LIBRARY.session, os.fsencode(path), slot), functions.stiction_state_free))

    def __reduce__(self) -> tuple:
        return State.from_bytes, (bytes(self),)

    def __repr__(self) -> str:
        return f"<State at t = {self.time:.6g} s>"


@dataclass(frozen=True)
class Hit:
    """A point on a surface."""

    body: Optional[str]  #: None: it is an obstacle's
    obstacle: Optional[str]  #: None: it is a body's
    triangle: int  #: of the body's skin; −1: an obstacle's
    weights: np.ndarray  #: of the triangle's corners
    point: np.ndarray  #: m
    normal: np.ndarray  #: outward
    distance: float  #: m, from the point, or along the ray


class Parameters(Mapping[str, Number]):
    """Numbers that can be changed between steps, by attribute or by name:
    ``simulation.parameters.gravity = [0, 0, -1.62]``,
    ``simulation.parameters.materials.rubber.young = 2e6``,
    ``simulation.parameters["friction.block|floor.dynamic"] = 0.3``. Changes apply from the next
    step, for this simulation. A value that follows a curve over time in the scene is constant
    once set.
    """

    def __init__(self, handle: Any, prefix: str = "") -> None:
        object.__setattr__(self, "_get_handle", handle)
        object.__setattr__(self, "_prefix", prefix)

    def _all(self) -> Iterator[Any]:
        pointer, functions = self._get_handle().pointer, LIBRARY.functions
        for index in range(functions.stiction_simulation_parameter_count(pointer)):
            one = ffi.new("StictionParameter *")
            LIBRARY.check(functions.stiction_simulation_parameter(pointer, index, one))
            if text(one.name).startswith(self._prefix):
                yield one

    def _names(self) -> dict[str, int]:
        """Of all below, without the prefix, and how many numbers they have."""
        return {text(one.name)[len(self._prefix):]: one.count for one in self._all()}

    def __getitem__(self, name: str) -> Any:
        names = self._names()
        if name not in names and any(other.startswith(f"{name}.") for other in names):
            return Parameters(self._get_handle, f"{self._prefix}{name}.")
        count = names.get(name, 1)
        value = ffi.new("double[]", count)
        LIBRARY.check(LIBRARY.functions.stiction_simulation_get(
            self._get_handle().pointer, f"{self._prefix}{name}".encode(), count, value))
        return value[0] if count == 1 else np.array(list(value))

    def __setitem__(self, name: str, value: Any) -> None:
        numbers = [float(part) for part in np.atleast_1d(np.asarray(value, dtype=float))]
        LIBRARY.check(LIBRARY.functions.stiction_simulation_set(
            self._get_handle().pointer, f"{self._prefix}{name}".encode(), len(numbers), numbers))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        names = self._names()
        if name not in names and not any(other.startswith(f"{name}.") for other in names):
            raise AttributeError(f"there is no parameter '{self._prefix}{name}'; known: "
                                 f"{', '.join(sorted(set(n.split('.')[0] for n in names)))}")
        return self[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __dir__(self) -> list[str]:
        return sorted({name.split(".")[0] for name in self._names()})

    def __repr__(self) -> str:
        rows = [f"{text(one.name)[len(self._prefix):]} = {list(one.value)[:one.count]} "
                f"{text(one.unit)}".rstrip() for one in self._all()]
        return "\n".join(rows) or "<no parameters>"


def contact_type() -> np.dtype:
    """A StictionContact as a row of a structured array."""
    kinds = {"int": "<i4", "double": "<f8"}
    names, formats, offsets = [], [], []
    for name, field in ffi.typeof("StictionContact").fields:
        item = field.type.item.cname if field.type.kind == "array" else field.type.cname
        shape = (field.type.length,) if field.type.kind == "array" else ()
        names.append(name)
        formats.append((kinds[item], shape))
        offsets.append(field.offset)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets,
                     "itemsize": ffi.sizeof("StictionContact")})
