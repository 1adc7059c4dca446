"""Derivatives of a simulation's state by numbers of its scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._errors import BadInput
from ._library import LIBRARY, Calls, Handle, ffi


@dataclass(frozen=True)
class DerivativeReport:
    """What was taken as fixed on the way."""

    steps: int  #: followed
    cut: int  #: of them, were shorter than the scene's, and are as long as they were
    stiffness_changes: int  #: factors of contact stiffness that changed from a step to the next
    anchors_lost: int  #: of friction, where derivatives of what they hold could not be found
    settled: bool  #: bodies were moved apart at the start, by as much as they were
    error: float  #: largest part of velocities' derivatives that a check found missing


class Derivatives:
    """Derivatives of positions and velocities by numbers of the scene, as `Simulation.differentiate`
    returns them. They follow every step. All numbers are SI."""

    def __init__(self, handle: Handle, calls: Calls, numbers: tuple[str, ...],
                 vertex_count: int) -> None:
        self._handle, self._calls, self._count = handle, calls, vertex_count
        self.numbers = numbers  #: their paths in the scene

    def _index(self, number: str) -> int:
        if number not in self.numbers:
            raise BadInput(f"no derivatives by \"{number}\" are followed; those that are: "
                           f"{', '.join(self.numbers)}")
        return self.numbers.index(number)

    def _array(self, number: str, place: int) -> np.ndarray:
        array = np.empty((self._count, 3))
        pointers: list[Any] = [ffi.NULL, ffi.NULL]
        pointers[place] = ffi.cast("double *", ffi.from_buffer(array))
        self._calls.check(LIBRARY.functions.stiction_simulation_derivative(
            self._handle.pointer, self._index(number), *pointers))
        return array

    def positions(self, number: str) -> np.ndarray:
        """Of positions by this number, (vertices, 3), at the end of the last step."""
        return self._array(number, 0)

    def velocities(self, number: str) -> np.ndarray:
        """Of velocities by this number, (vertices, 3), at the end of the last step."""
        return self._array(number, 1)

    @property
    def report(self) -> DerivativeReport:
        """What was taken as fixed so far."""
        report = ffi.new("StictionDerivativeReport *")
        self._calls.check(LIBRARY.functions.stiction_simulation_derivative_report(
            self._handle.pointer, report))
        return DerivativeReport(report.steps, report.cut, report.stiffness_changes,
                                report.anchors_lost, report.settled, report.error)

    def __repr__(self) -> str:
        return f"<Derivatives by {', '.join(self.numbers)}>"
