"""Fields of states by name: of a simulation, and of the frames of a run."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._library import LIBRARY, ffi, text


@dataclass(frozen=True)
class FieldType:
    """What a field is."""

    name: str
    unit: str
    of_cells: bool  #: of tets, then triangles; otherwise of vertices
    components: int  #: 1, 3, or 6: xx yy zz xy yz zx
    summary: str


def fields() -> dict[str, FieldType]:
    """The fields that every state has, by name: those of `Simulation.field` and `Frame.field`."""
    found, got = {}, ffi.new("StictionField *")
    while LIBRARY.functions.stiction_field_type(len(found), got):
        found[text(got.name)] = FieldType(text(got.name), text(got.unit), got.of_cells,
                                          got.components, text(got.summary))
    return found


def values(get: Callable[[Any], None]) -> tuple[np.ndarray, bool]:
    """A copy of the field that `get` asks the library for, and whether it is one of cells."""
    got = ffi.new("StictionField *")
    get(got)
    count = got.count * got.components
    flat = np.frombuffer(ffi.buffer(got.value, 8 * count)).copy() if count else np.empty(0)
    return (flat.reshape(-1, got.components) if got.components > 1 else flat), got.of_cells


class RunFields:
    """The fields of the frames of a run, whose scene is read when the first is asked for."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._handle: Any = None

    def __reduce__(self) -> tuple:
        return RunFields, (self._folder,)

    def get(self, frame: int, name: str) -> tuple[np.ndarray, bool]:
        functions = LIBRARY.functions
        if self._handle is None:
            self._handle = LIBRARY.make(
                "StictionRecording", lambda slot: functions.stiction_recording_open(
                    LIBRARY.session, os.fsencode(self._folder), slot),
                functions.stiction_recording_free)
        return values(lambda got: LIBRARY.check(functions.stiction_recording_field(
            LIBRARY.session, self._handle.pointer, frame, name.encode(), got)))
