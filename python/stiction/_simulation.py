"""Simulations: scenes in motion, one step at a time, with their state as numpy arrays."""

from __future__ import annotations

import os
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from html import escape
from types import MappingProxyType
from typing import Any, Optional, Union

import numpy as np

from . import _fields, _force, _motion, _preview, _report, _viewing
from ._control import Hit, Parameters, State, contact_type
from ._derivatives import Derivatives
from ._errors import BadInput, SystemFault
from ._library import LIBRARY, Calls, Handle, ffi, quantity, text, view, within_call
from ._motion import Pose, Vector, three
from ._report import Report
from ._scene import Scene, SceneLike


@dataclass(frozen=True)
class Body:
    """A body of a simulation: which vertices are its own, and its mesh. Corners of tets, triangles
    and skin count within the body."""

    name: str
    vertices: slice  #: ``simulation.positions[body.vertices]`` are those of the body
    rest: np.ndarray  #: (vertices, 3), m
    tets: np.ndarray  #: (tets, 4)
    triangles: np.ndarray  #: (triangles, 3), of shells and cloth
    skin: np.ndarray  #: (faces, 3), what there is to see
    labels: list[str]  #: names
    tet_labels: np.ndarray  #: (tets,) index of the label; −1: none
    triangle_labels: np.ndarray  #: (triangles,)

    def __repr__(self) -> str:
        return (f"<Body {self.name}: {len(self.rest)} vertices, {len(self.tets)} tets, "
                f"{len(self.triangles)} triangles>")


@dataclass(frozen=True)
class Boundary:
    """Vertices that are held or moved."""

    name: str
    vertices: np.ndarray  #: their numbers
    axis: tuple[bool, bool, bool]  #: which coordinates are prescribed
    release: float  #: s, from when on they are free; inf: never


@dataclass(frozen=True)
class Contacts:
    """Contact of each vertex; the arrays follow every step."""

    normal_force: np.ndarray  #: (vertices,), N, sum of magnitudes
    gap: np.ndarray  #: (vertices,), m, the smallest
    slip_speed: np.ndarray  #: (vertices,), m/s, the largest
    state: np.ndarray  #: (vertices,), 0 free, 1 sticking, 2 sliding


@dataclass(frozen=True)
class Findings:
    """Where the judge found something; the arrays follow every step."""

    #: (vertices,), a sum of 1: at an edge or triangle that crosses another body's, 2: its own
    #: body's, 4: an obstacle; 8: inside another body or an obstacle; 16: of an inverted tet
    vertices: np.ndarray
    inverted: np.ndarray  #: (tets,), 1 where one is inverted


class Forces(Mapping[str, np.ndarray]):
    """Forces on vertices by name, N, (vertices, 3), as applied at the end of the last step. The
    arrays follow every step; they are read only."""

    def __init__(self, handle: Handle, calls: Calls, names: list[str], vertex_count: int) -> None:
        self._handle, self._calls, self._count = handle, calls, vertex_count
        self._names = names
        self._arrays: dict[Optional[str], np.ndarray] = {}

    def _array(self, name: Optional[str]) -> np.ndarray:
        if name not in self._arrays:
            slot = ffi.new("const double **")
            self._calls.check(LIBRARY.functions.stiction_simulation_forces(
                self._handle.pointer, name.encode() if name else ffi.NULL, slot))
            self._arrays[name] = view(self._handle, slot[0], self._count, 3)
        return self._arrays[name]

    @property
    def total(self) -> np.ndarray:
        """The sum of all."""
        return self._array(None)

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._names:
            raise KeyError(f"no force '{name}' acts; those that do: {', '.join(self._names)}")
        return self._array(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<Forces {', '.join(self)}>"


class Simulation:
    """A running simulation of a scene.

    ``step()`` takes one step and returns its `Report`; ``for report in simulation:`` takes all
    remaining steps. ``step(dt)`` advances by exactly that time, also beyond the scene's end.
    ``save()`` and ``restore(state)`` save and restore states, ``reset()`` goes back to the start;
    ``parameters``, ``move`` and ``set_motion`` change the simulation between steps. ``positions``
    and ``velocities`` are the state itself, not copies: after every step they hold the new state,
    and the next step starts from whatever you write into them. Ctrl-C raises KeyboardInterrupt
    after the current step, and you can continue from there. Threads may share a simulation or
    have their own: steps of different simulations run at once, give each ``threads=1`` then.
    Functions that the library calls (motions, forces) may read a simulation but not step or change
    one; that raises `BadInput`. Forked processes go on with what there was; under ``mpiexec`` they
    cannot use the library. A pickled simulation contains its scene, state and motions; parameters
    start from the scene's values.

    Parameters
    ----------
    scene
        A `Scene`, the path of a scene file, or a dictionary.
    threads
        Number of threads; default: all processors, or the scene's ``solver.threads``. Results
        do not depend on it.
    """

    def __init__(self, scene: SceneLike, *, threads: Optional[int] = None) -> None:
        self.scene = scene if isinstance(scene, Scene) else Scene(scene)
        self._lock = threading.RLock()
        self._closed = False
        self._calls = Calls()
        self._opened = self.scene._open(threads)
        self._motions = dict(self.scene._motions)
        self._made: Optional[Handle] = None
        self._loads = {name: np.zeros((self.vertex_count, 3)) for name in self.scene._loads}
        self._picture: Optional[_viewing.Picture] = None
        self._moved: set[str] = set()  # things that `move` has taken over

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, kind: Any, reason: Any, _: Any) -> None:
        if kind is not None and self._made is not None:
            self.end_recording(f"{kind.__name__}: {reason}")
        self.close()

    def close(self) -> None:
        """Frees the simulation, as a ``with`` block does at its end. Arrays still in use stay
        valid."""
        with self._alone():
            self._closed, self._made = True, None
            for name in ("_positions", "_velocities", "forces", "contacts", "stress"):
                self.__dict__.pop(name, None)

    def __reduce__(self) -> tuple:
        loads = {name: values.copy() for name, values in self._loads.items()}
        motions = {name: motion for name, motion in self._motions.items()
                   if self.scene._motions.get(name) is not motion}
        return _revive, (self.scene, bytes(self.save()), motions, loads)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """While this thread uses the simulation, no other does. Within a function that the library
        called nobody may wait for other threads, which wait for the library."""
        if not self._lock.acquire(blocking=not within_call()):
            raise BadInput("another thread is using this simulation, and a function that the "
                           "library called cannot wait for it")
        try:
            yield
        finally:
            self._lock.release()

    # The simulation proper is made when it is first needed: until then, motions may be set.
    @property
    def _handle(self) -> Handle:
        with self._alone():
            if self._made is None:
                if self._closed:
                    raise BadInput("the simulation has been closed")
                self._made = self._make()
                self._written = self._fingerprint()
            return self._made

    def _make(self) -> Handle:
        functions = LIBRARY.functions
        loads = {name: _force.load(values) for name, values in self._loads.items()}
        self._driver = _motion.Driver(self._opened, self._motions, self._calls)
        _force.add(self._opened, {**self.scene._forces, **loads}, self._calls)
        slot = ffi.new("StictionSimulation **")
        self._calls.check(functions.stiction_simulation_create(
            LIBRARY.session, self._opened.pointer, slot))
        return Handle(slot[0], functions.stiction_simulation_free, (self._opened, self._calls))

    def step(self, duration: Optional[float] = None) -> Report:
        """Takes one step, smaller than the scene's if that is needed to solve it or to end on a
        frame. With a duration (s) it advances by exactly that, in steps no larger than the
        scene's, beyond the scene's end too. Raises `NotSolved` if no step can be solved, and
        `BadInput` if the arrays hold an impossible state or the scene is at its end; the state
        is then the last good one.
        """
        functions = LIBRARY.functions
        if duration is None:
            return self._advance("step", functions.stiction_simulation_step)
        return self._advance("step", functions.stiction_simulation_advance, float(duration))

    def advance_to(self, time: float) -> Report:
        """Advances to a time (s), exactly; see `step`."""
        return self._advance("advance_to", LIBRARY.functions.stiction_simulation_advance_to,
                             float(time))

    def _advance(self, name: str, call: Callable[..., int], *arguments: Any) -> Report:
        """The report is that of this call, whatever other threads do with the simulation."""
        self._refuse_within_call(name)
        with self._alone():
            self._change(name, call, *arguments)
            if self._picture:
                self._picture.follow(self, last=self.finished)
            return self.report

    def record(self, folder: Union[str, os.PathLike], *, frame_rate: Union[float, str, None] = None,
               overwrite: bool = False, resume: bool = False) -> "Simulation":
        """Writes what a run writes into a folder, while your loop drives the simulation: a row of
        history for every step, frames, checkpoints, summary. `view`, `plot`, `export`, `history`
        and `frames` work on it, during the loop too. Going back (`restore`, `reset`, an earlier
        time) cuts off what came after. It ends with `end_recording`, or with the simulation;
        an exception that leaves a ``with`` block is the reason in the summary.

        Parameters
        ----------
        folder
            Made when missing. One that holds a run is left alone unless `overwrite` or `resume` is
            set.
        frame_rate
            1/s; default: the scene's. Frames are those of the first step at or after each time.
        overwrite
            Replace an existing run.
        resume
            Go back to the last checkpoint in the folder and continue the recording from there.
            Motions set by `move` are restored; functions and parameters are for you to set.
        """
        options = ffi.new("StictionRecordOptions *")
        place = ffi.new("char[]", os.fsencode(folder))
        options.folder, options.overwrite, options.resume = place, overwrite, resume
        options.frame_rate = 0 if frame_rate is None else quantity(frame_rate, "Hz")
        self._change("record", LIBRARY.functions.stiction_simulation_record, options,
                     overwrites=resume)
        return self

    def end_recording(self, reason: Optional[str] = None) -> None:
        """Ends what `record` began, with a frame of the last state. With a reason, the summary says
        that the loop was interrupted."""
        self._change("end_recording", LIBRARY.functions.stiction_simulation_record_end,
                     ffi.NULL if reason is None else reason.replace("\0", "").encode())

    def show(self, rate: float = 5) -> None:
        """Shows the simulation in a notebook; the picture follows its steps, at most `rate` times a
        second. (`view_live` shows a recording, in three dimensions.)"""
        if not rate > 0:
            raise BadInput(f"show: the rate is a number above 0, not {rate!r}")
        self._picture = _viewing.Picture(self, rate)

    def save(self) -> State:
        """Returns the current state, for `restore`."""
        functions = LIBRARY.functions
        slot = ffi.new("StictionState **")
        self._change("save", functions.stiction_simulation_save, slot)
        return State(Handle(slot[0], functions.stiction_state_free))

    def restore(self, state: State) -> None:
        """Returns to a saved state, of this simulation or of another one of the same scene; it
        continues with the same bits as from the original. Parameters and functions are
        not part of a state."""
        if not isinstance(state, State):
            raise BadInput(f"restore: a State is needed, as save() returns, not {state!r}")
        self._change("restore", LIBRARY.functions.stiction_simulation_restore,
                     state._handle.pointer, overwrites=True)

    def reset(self) -> None:
        """Returns to the initial state."""
        self._change("reset", LIBRARY.functions.stiction_simulation_reset, overwrites=True)

    def _change(self, name: str, call: Callable[..., int], *arguments: Any,
                overwrites: bool = False) -> None:
        """A call that goes on from what was written into the arrays, or makes it void."""
        self._refuse_within_call(name)
        with self._alone():
            handle = self._handle
            self._driver.forget()
            if self._written != self._fingerprint() and not overwrites:
                self.state_changed()
            try:
                self._calls.check(call(handle.pointer, *arguments))
            finally:
                self._written = self._fingerprint()

    @staticmethod
    def _refuse_within_call(name: str) -> None:
        if within_call():
            raise BadInput(f"{name}: called from a function that the library called, while the "
                           "step that it answers is under way; call it after that step")

    def __iter__(self) -> Iterator[Report]:
        while not self.finished:
            yield self.step()

    def state_changed(self) -> None:
        """Takes over what was written into the arrays. ``step()`` does this by itself, except under
        MPI, where every process must call it. A rigid body follows the last four of its vertices:
        write all of its vertices consistently, or the change is refused.
        """
        self._refuse_within_call("state_changed")
        with self._alone():
            try:
                self._calls.check(
                    LIBRARY.functions.stiction_simulation_state_changed(self._handle.pointer))
            finally:
                self._written = self._fingerprint()

    def _fingerprint(self) -> int:
        """Changes when the arrays do; takes far less time than a step."""
        if LIBRARY.process_count > 1:
            return 0
        return zlib.crc32(self.velocities.data, zlib.crc32(self.positions.data))

    @property
    def report(self) -> Report:
        """Report of the last step, or of the initial state."""
        with self._alone():
            found = LIBRARY.functions.stiction_simulation_report(self._handle.pointer)
            if not found:
                raise SystemFault("the library has been closed, since Python is ending")
            return _report.from_c(found)

    @property
    def time(self) -> float:
        """Simulated time, s."""
        return LIBRARY.functions.stiction_simulation_time(self._handle.pointer)

    @time.setter
    def time(self, value: float) -> None:
        self._change("time", LIBRARY.functions.stiction_simulation_set_time, float(value))

    @property
    def parameters(self) -> Parameters:
        """Numbers that can be changed between steps: gravity, materials, friction, loads, joints …
        """
        return Parameters(lambda: self._handle)

    @property
    def duration(self) -> float:
        """Time at which the scene ends, s."""
        return LIBRARY.functions.stiction_scene_duration(self._opened.pointer)

    @property
    def finished(self) -> bool:
        """Whether the scene's end is reached."""
        return LIBRARY.functions.stiction_simulation_finished(self._handle.pointer)

    @property
    def on_frame(self) -> bool:
        """Whether this is a time at which a run would write a frame."""
        return LIBRARY.functions.stiction_simulation_on_frame(self._handle.pointer)

    @property
    def verdict(self) -> str:
        """What the judge has checked and found so far, as text, and the smallest gap measured
        by contact."""
        return text(LIBRARY.functions.stiction_simulation_verdict(self._handle.pointer))

    @property
    def vertex_count(self) -> int:
        """Vertices of all bodies."""
        return LIBRARY.functions.stiction_scene_vertex_count(self._opened.pointer)

    @cached_property
    def _positions(self) -> np.ndarray:
        return self._state(LIBRARY.functions.stiction_simulation_positions)

    @cached_property
    def _velocities(self) -> np.ndarray:
        return self._state(LIBRARY.functions.stiction_simulation_velocities)

    def _state(self, get: Callable[[Any], Any]) -> np.ndarray:
        pointer = get(self._handle.pointer)
        count = self.vertex_count if pointer else 0  # other processes than the first have none
        return view(self._handle, pointer, count, 3, writeable=True)

    @property
    def positions(self) -> np.ndarray:
        """Positions of all vertices, (vertices, 3), m: the state itself."""
        return self._positions

    @positions.setter
    def positions(self, value: Any) -> None:
        self._positions[...] = value

    @property
    def velocities(self) -> np.ndarray:
        """Velocities of all vertices, (vertices, 3), m/s: the state itself."""
        return self._velocities

    @velocities.setter
    def velocities(self, value: Any) -> None:
        self._velocities[...] = value

    @cached_property
    def forces(self) -> Forces:
        """Forces on vertices by name, N: ``simulation.forces["contact"]``, and their sum,
        ``simulation.forces.total``."""
        return Forces(self._handle, self._calls, list(self.report.energies), self.vertex_count)

    @property
    def loads(self) -> Mapping[str, np.ndarray]:
        """Arrays to write forces into, N, (vertices, 3), by the names given to `Scene.add_load`."""
        return MappingProxyType(self._loads)

    @cached_property
    def contacts(self) -> Optional[Contacts]:
        """Contact of each vertex; None if nothing can touch."""
        fields = ffi.new("StictionContactFields *")
        self._calls.check(LIBRARY.functions.stiction_simulation_contact_fields(
            self._handle.pointer, fields))
        if not fields.state:
            return None
        names = ("normal_force", "gap", "slip_speed", "state")
        return Contacts(*(view(self._handle, getattr(fields, name), self.vertex_count)
                          for name in names))

    @property
    def findings(self) -> Optional[Findings]:
        """Findings of the judge in this state; None if it was not checked."""
        got = ffi.new("StictionFindings *")
        self._calls.check(LIBRARY.functions.stiction_simulation_findings(
            self._handle.pointer, got))
        if not got.vertex:
            return None
        tets = sum(len(body.tets) for body in self.bodies.values())
        return Findings(view(self._handle, got.vertex, self.vertex_count),
                        view(self._handle, got.inverted, tets))

    @cached_property
    def stress(self) -> np.ndarray:
        """Cauchy stress of all tets, (tets, 6): xx yy zz xy yz zx, Pa; follows every step."""
        slot = ffi.new("const double **")
        self._calls.check(LIBRARY.functions.stiction_simulation_stress(self._handle.pointer, slot))
        return view(self._handle, slot[0], sum(len(body.tets) for body in self.bodies.values()), 6)

    def field(self, name: str) -> np.ndarray:
        """A field of this state, of vertices or of cells: all tets, then all triangles. The result
        is (n,), (n, 3), or (n, 6): xx yy zz xy yz zx. With several processes the first has it.

        Parameters
        ----------
        name
            "displacement", "contact_pressure", "contact_shear", "nodal_stress", "strain" …;
            `fields` lists all, with units.
        """
        return _fields.values(lambda got: self._calls.check(
            LIBRARY.functions.stiction_simulation_field(self._handle.pointer, name.encode(),
                                                        got)))[0]

    @cached_property
    def bodies(self) -> dict[str, Body]:
        """Bodies by name, in the scene's order."""
        return {body.name: body for body in map(self._body, self._count("body"))}

    @cached_property
    def boundaries(self) -> dict[str, Boundary]:
        """Boundaries by name, in the scene's order."""
        return {one.name: one for one in map(self._boundary, self._count("boundary"))}

    def _count(self, thing: str) -> range:
        functions = LIBRARY.functions
        return range(getattr(functions, f"stiction_scene_{thing}_count")(self._opened.pointer))

    def _body(self, index: int) -> Body:
        got = ffi.new("StictionBody *")
        LIBRARY.check(LIBRARY.functions.stiction_scene_body(self._opened.pointer, index, got))

        def array(pointer: Any, *shape: int) -> np.ndarray:
            return view(self._opened, pointer, *shape)

        return Body(text(got.name), slice(got.first_vertex, got.first_vertex + got.vertex_count),
                    array(got.rest, got.vertex_count, 3), array(got.tet, got.tet_count, 4),
                    array(got.triangle, got.triangle_count, 3), array(got.skin, got.skin_count, 3),
                    [text(got.label[i]) for i in range(got.label_count)],
                    array(got.tet_label, got.tet_count),
                    array(got.triangle_label, got.triangle_count))

    def _boundary(self, index: int) -> Boundary:
        got = ffi.new("StictionBoundary *")
        LIBRARY.check(LIBRARY.functions.stiction_scene_boundary(self._opened.pointer, index, got))
        return Boundary(text(got.name), view(self._opened, got.vertex, got.vertex_count),
                        (got.axis[0], got.axis[1], got.axis[2]), got.release)

    def set_motion(self, name: str, function: Callable[..., Any], *,
                   vertices: bool = False) -> None:
        """Lets a function move a boundary or an obstacle from the next step on; see
        `Scene.set_motion`. It should start from the current pose.
        """
        with self._alone():
            before = self._motions.get(name)
            motion = _motion.Motion(function, vertices)
            if self._made is not None:
                motion = motion.after(before, self.time)
            self._motions[name] = motion
            same = before is not None and before.vertices == vertices and name not in self._moved
            if self._made is None or same:
                return
            try:
                self._driver.drive("simulation", self._made, name)
            except BadInput:
                del self._motions[name]
                raise
            self._moved.discard(name)

    def move(self, name: str, velocity: Vector = (0, 0, 0), *, spin: Vector = (0, 0, 0),
             pivot: Vector = (0, 0, 0)) -> None:
        """Moves a boundary or an obstacle from where it is, with a velocity (m/s) and a spin
        (rad/s) about a point given at rest (m), until changed."""
        pose = _motion.c_pose(Pose(pivot=pivot, velocity=velocity, spin=spin))
        self._change("move", LIBRARY.functions.stiction_simulation_move, name.encode(), pose)
        self._moved.add(name)

    def move_to(self, name: str, pose: Any, duration: float) -> None:
        """Moves a boundary or an obstacle from where it is to a pose, or a translation (m), within
        a duration (s), at constant velocity, and stops there."""
        goal = pose if isinstance(pose, Pose) else Pose(pose)
        self._change("move_to", LIBRARY.functions.stiction_simulation_move_to, name.encode(),
                     _motion.c_pose(goal), float(duration))
        self._moved.add(name)

    def pose(self, name: str) -> Pose:
        """Where a boundary or an obstacle is now, with the pivot at the origin."""
        got = ffi.new("StictionPose *")
        self._change("pose", LIBRARY.functions.stiction_simulation_pose, name.encode(), got)
        return Pose(*(np.array(list(getattr(got, key))) for key in
                      ("translation", "rotation", "pivot", "velocity", "spin")))

    @property
    def contact_points(self) -> np.ndarray:
        """All contacts as a structured array, one row for each point and surface or pair of edges:
        pair, body, other_body and obstacle (their numbers; −1: none), state (1 sticking, 2
        sliding), vertex_count and vertex of the feature that touches and other_vertex_count and
        other_vertex of the other's, point (m), normal, gap (m), normal_force (N), friction and
        force (N, on the body; the other gets the opposite) and slip (m/s)."""
        rows, count = ffi.new("const StictionContact **"), ffi.new("int *")
        self._calls.check(LIBRARY.functions.stiction_simulation_contacts(
            self._handle.pointer, rows, count))
        kind = contact_type()
        if not count[0]:
            return np.empty(0, dtype=kind)
        return np.frombuffer(ffi.buffer(rows[0], kind.itemsize * count[0]), dtype=kind).copy()

    def nearest(self, point: Vector, *, of: Optional[str] = None,
                reach: float = float("inf")) -> Optional[Hit]:
        """The point nearest to a given point (m) on the surfaces of all bodies and obstacles,
        or of one; None if there is none within reach."""
        return self._hit("nearest", of, three(point, "point"), float(reach))

    def ray(self, origin: Vector, direction: Vector, *, of: Optional[str] = None,
            reach: float = float("inf")) -> Optional[Hit]:
        """The first hit of a ray from a point (m); None if it hits nothing."""
        return self._hit("ray", of, three(origin, "origin"), three(direction, "direction"),
                         float(reach))

    def _hit(self, question: str, name: Optional[str], *arguments: Any) -> Optional[Hit]:
        got = ffi.new("StictionHit *")
        ask = getattr(LIBRARY.functions, f"stiction_simulation_{question}")
        self._calls.check(ask(self._handle.pointer, str(name).encode() if name else ffi.NULL,
                              *arguments, got))
        if got.body < 0 and got.obstacle < 0:
            return None
        return Hit(list(self.bodies)[got.body] if got.body >= 0 else None,
                   self._obstacle(got.obstacle) if got.obstacle >= 0 else None, got.triangle,
                   *(np.array(list(getattr(got, key))) for key in ("weight", "point", "normal")),
                   got.distance)

    def _obstacle(self, index: int) -> str:
        got = ffi.new("StictionObstacle *")
        LIBRARY.check(LIBRARY.functions.stiction_scene_obstacle(self._opened.pointer, index, got))
        return text(got.name)

    def differentiate(self, *numbers: str) -> Derivatives:
        """From the start of the scene on, before its first step, every step also finds the
        derivatives of positions and velocities by these numbers of the scene, such as
        ``"friction[0].dynamic"``, ``"materials.rubber.young"`` or ``"bodies.cube.velocity[2]"``.
        Each must be written in the scene. Ends earlier ones; without numbers, only that."""
        paths = [ffi.new("char[]", number.encode()) for number in numbers]
        self._change("differentiate", LIBRARY.functions.stiction_simulation_differentiate,
                     ffi.new("char *[]", paths), len(paths))
        return Derivatives(self._handle, self._calls, numbers, self.vertex_count)

    def take_over(self, other: "Simulation") -> None:
        """Continues from another simulation's state, to add or remove bodies: make a simulation of
        the changed scene and let it take over. Taken over are the time, positions and velocities
        of all bodies with the same name and mesh, what their contacts remember (friction holds
        on), and where `move` has sent boundaries and obstacles of the same name. Other bodies are
        where their scene puts them. Raises `BadInput` where they overlap; nothing has changed
        then."""
        if not isinstance(other, Simulation):
            raise BadInput(f"take_over: a Simulation is needed, not {other!r}")
        other._change("take_over", lambda _: 0)  # what was written into its arrays counts
        self._change("take_over", LIBRARY.functions.stiction_simulation_take_over,
                     other._handle.pointer, overwrites=True)
        self._moved |= other._moved

    def check_force(self, name: str, distance: float) -> tuple[float, float]:
        """Compares a force with its derivatives at the current state, randomly displaced by about
        ``distance`` (m): the relative errors of its blocks and of its energy's gradient (NaN: it
        has no energy). 1e-6 and below is correct, 1e-2 is a mistake. """
        errors = ffi.new("double[2]")
        self._calls.check(LIBRARY.functions.stiction_simulation_check_force(
            self._handle.pointer, name.encode(), distance, errors, errors + 1))
        return errors[0], errors[1]

    def __repr__(self) -> str:
        if self._closed:
            return "<Simulation, closed>"
        return (f"<Simulation t = {self.time:.6g} of {self.duration:.6g} s, "
                f"{len(self.bodies)} bodies, {self.vertex_count} vertices>")

    def _repr_html_(self) -> str:
        places = [] if self._closed else self.positions
        picture = _preview.svg((places[body.vertices], body.skin)
                               for body in self.bodies.values()) if len(places) else ""
        return f"<p>{escape(repr(self))}</p>{picture}"


def _revive(scene: Scene, state: bytes, motions: dict, loads: dict) -> Simulation:
    simulation = Simulation(scene)
    simulation._motions.update(motions)
    for name, values in loads.items():
        simulation._loads[name][:] = values
    simulation.restore(State.from_bytes(state))
    return simulation
