"""Motion from outside: Python functions that say where a boundary or an obstacle is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Optional, Union

import numpy as np

from ._errors import BadInput
from ._library import LIBRARY, Calls, Handle, ffi

Vector = Union[Sequence[float], np.ndarray]

_SPAN = 1e-5  # s, over which velocities are found; rounding and curvature both err by some 1e-10


@dataclass
class Pose:
    """A rigid pose: ``x = pivot + translation + R (X - pivot)`` for a point X at rest,
    with the rotation R about the vector ``rotation`` by its length. Missing velocities are
    computed by differences over time.

    Parameters
    ----------
    translation
        m.
    rotation
        rad, a vector along the axis.
    pivot
        m, in the rest position.
    velocity
        m/s, of the pivot.
    spin
        rad/s, a vector along the axis.
    """

    translation: Vector = (0.0, 0.0, 0.0)
    rotation: Vector = (0.0, 0.0, 0.0)
    pivot: Vector = (0.0, 0.0, 0.0)
    velocity: Optional[Vector] = None
    spin: Optional[Vector] = None


PoseAt = Callable[[float], Union[Pose, Vector, None]]
TargetsAt = Callable[[float, np.ndarray], Any]


@dataclass(frozen=True)
class Motion:
    """A function of time, and whether it speaks of a rigid pose or of each vertex."""

    at: Callable[..., Any]
    vertices: bool
    since: float = float("-inf")
    before: Optional["Motion"] = None  # until then: contact measures slip from the last step's start

    def __post_init__(self) -> None:
        if not callable(self.at):
            raise BadInput(f"a motion is a function of time, not {self.at!r}")

    def after(self, before: Optional["Motion"], since: float) -> "Motion":
        """This one from a time (s) on, and another one before."""
        fits = before is not None and before.vertices == self.vertices
        return replace(self, since=since, before=replace(before, before=None) if fits else None)

    def function(self, time: float) -> Callable[..., Any]:
        """The function that moves the thing at a time (s)."""
        return self.before.at if self.before and time < self.since else self.at


def three(value: Any, what: str) -> list[float]:
    """Three numbers, for C, which reads as many whatever it gets."""
    try:
        numbers = [float(part) for part in value]
    except (TypeError, ValueError):
        numbers = []
    if len(numbers) != 3:
        raise BadInput(f"{what}: three numbers are needed, not {value!r}")
    return numbers


def _matrix(rotation: Vector) -> np.ndarray:
    vector = np.asarray(rotation, dtype=float)
    angle = float(np.linalg.norm(vector))
    if angle == 0:
        return np.eye(3)
    x, y, z = vector / angle
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross)


def _spin(before: Vector, after: Vector, span: float) -> np.ndarray:
    """Between two rotations that are close to each other: sin θ ≈ θ to within rounding."""
    turned = _matrix(after) @ _matrix(before).T
    return np.array([turned[2, 1] - turned[1, 2], turned[0, 2] - turned[2, 0],
                     turned[1, 0] - turned[0, 1]]) / (2 * span)


def _span(time: float) -> tuple[float, float]:
    return max(0.0, time - _SPAN), time + _SPAN


def pose_at(function: PoseAt, time: float) -> Pose:
    """The pose with its velocities."""

    def ask(moment: float) -> Pose:
        answer = function(moment)
        return answer if isinstance(answer, Pose) else Pose() if answer is None else Pose(answer)

    pose = ask(time)
    if pose.velocity is not None and pose.spin is not None:
        return pose
    start, end = _span(time)
    before, after = ask(start), ask(end)
    change = np.subtract(after.translation, before.translation) / (end - start)
    return Pose(pose.translation, pose.rotation, pose.pivot,
                change if pose.velocity is None else pose.velocity,
                _spin(before.rotation, after.rotation, end - start)
                if pose.spin is None else pose.spin)


def targets_at(function: TargetsAt, time: float, rest: np.ndarray) -> tuple[Any, Any]:
    """Positions and velocities of vertices."""
    answer = function(time, rest)
    if isinstance(answer, tuple) and len(answer) == 2:
        return answer[0], answer[1]
    start, end = _span(time)
    change = np.subtract(function(end, rest), function(start, rest))
    return answer, change / (end - start)


class Driver:
    """Lets functions move the boundaries and obstacles of a scene, or of a simulation. They are
    looked up by name, so that they may be exchanged between steps. The library asks for the same
    times over and over while it computes a step: each is answered once, until `forget` is called
    before the next."""

    def __init__(self, scene: Handle, motions: Mapping[str, Motion], calls: Calls) -> None:
        self._known: dict[tuple[str, float], Any] = {}
        self._motions, self._calls = motions, calls
        for name in motions:
            self.drive("scene", scene, name)

    def drive(self, kind: str, handle: Handle, name: str) -> None:
        """Lets the motion of this name move a scene's, or a simulation's, thing."""
        vertices = self._motions[name].vertices
        answer = _answer_vertices if vertices else _answer_pose
        wrapped = self._calls.wrap("StictionTargetsAt" if vertices else "StictionPoseAt",
                                   answer(name, self._motions, self._known), False)
        call = getattr(LIBRARY.functions,
                       f"stiction_{kind}_drive{'_vertices' if vertices else ''}")
        LIBRARY.check(call(handle.pointer, name.encode(), wrapped, ffi.NULL))

    def forget(self) -> None:
        self._known.clear()


def _answer_pose(name: str, motions: Mapping[str, Motion],
                 known: dict[tuple[str, float], Any]) -> Callable[..., bool]:
    def answer(_: Any, time: float, pose: Any) -> bool:
        if (name, time) not in known:
            known[name, time] = c_pose(pose_at(motions[name].function(time), time))
        pose[0] = known[name, time][0]
        return True

    return answer


def c_pose(pose: Pose) -> Any:
    """A StictionPose; velocities that are not given are zero."""
    made = ffi.new("StictionPose *")
    for key, value in vars(pose).items():
        if value is not None:
            setattr(made, key, three(value, key))
    return made


def _answer_vertices(name: str, motions: Mapping[str, Motion],
                     known: dict[tuple[str, float], Any]) -> Callable[..., bool]:
    def answer(_: Any, time: float, count: int, position: Any, velocity: Any) -> bool:
        places, speeds = (np.frombuffer(ffi.buffer(pointer, 24 * count)).reshape(count, 3)
                          for pointer in (position, velocity))
        if (name, time) not in known:
            known[name, time] = targets_at(motions[name].function(time), time, places.copy())
        places[:], speeds[:] = known[name, time]
        return True

    return answer
