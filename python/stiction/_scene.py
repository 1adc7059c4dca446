"""Scenes: what is simulated. They say what a scene file says, with the same words and units."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np

from . import _build, _force, _mesh, _motion, _preview, _schema, _set
from ._errors import BadInput
from ._library import LIBRARY, Handle

Quantity = Union[float, str]  # SI, or with a unit: "5 cm"

_SCHEMA = _schema.load()
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*')


def _plain(text: str) -> str:
    """JSON without its comments, all else in its place."""
    return _TOKEN.sub(lambda hit: " " * len(hit[0]) if hit[0].startswith("//") else hit[0], text)


def _given(value: Mapping[str, Any]) -> dict[str, Any]:
    """Without what was left out."""
    return {key: item for key, item in value.items() if item is not None}


def _described(thing: str):
    """Adds the keys of a thing in the schema to a method's docstring."""

    def decorate(function):
        listed = _schema.describe(_schema.keys(_SCHEMA, thing))
        lead = (function.__doc__ or "").rstrip()
        indented = "\n".join(f"        {line}".rstrip() for line in listed.splitlines())
        function.__doc__ = f"{lead}\n\n        Keys\n        ----\n{indented}\n        "
        return function

    return decorate


class Scene:
    """A scene: bodies, materials, boundaries, contact, time span.

    ``Scene("drop.json")`` reads a scene file, ``Scene({...})`` takes a dictionary with the same
    keys, and ``Scene()`` starts an empty one to add to. Quantities are numbers in SI units or
    strings with a unit, ``"600 kPa"``. The scene is checked when it is used or when you call ``check()``; every mistake raises `BadInput`
    with the library's message.

    ``scene["time"]["step"] = "1 ms"`` changes a value.

    Parameters
    ----------
    source : optional
        Path of a scene file, or a dictionary.
    folder : optional
        What paths in the scene are relative to; the file's folder, or the current one.
    set : optional
        Values to change, by key: ``Scene("drop.json", set={"time.step": "1 ms"})``; see `set`.
    """

    def __init__(self, source: Union["SceneLike", None] = None, *,
                 folder: Union[str, os.PathLike, None] = None,
                 set: Union[Mapping[str, Any], None] = None) -> None:
        self.data: dict[str, Any] = {}
        self.folder = "."
        self._path: Union[str, None] = None
        self._text = ""
        self._read: dict[str, Any] = {}
        self._motions: dict[str, _motion.Motion] = {}
        self._forces: dict[str, _force.Force] = {}
        self._loads: list[str] = []
        if isinstance(source, Scene):
            self._copy(source)
        elif isinstance(source, Mapping):
            self.data = _build.own(source)
        elif source is not None:
            self._load(os.fspath(source))
        if folder is not None:
            self.folder = os.fspath(folder)
        for key, value in (set or {}).items():
            self.set(key, value)

    def _copy(self, other: "Scene") -> None:
        self.data, self.folder = _build.own(other.data), other.folder
        self._path, self._text, self._read = other._path, other._text, other._read
        self._motions, self._forces = dict(other._motions), dict(other._forces)
        self._loads = list(other._loads)

    def _load(self, path: str) -> None:
        self._path, self.folder = path, os.path.dirname(path) or "."
        try:
            self._text = Path(path).read_text(encoding="utf-8")
            self.data = json.loads(_plain(self._text))
        except (OSError, ValueError):
            LIBRARY.load_scene(path).close()  # which tells what is wrong, and where
            raise
        self._read = _build.own(self.data)

    @property
    def text(self) -> str:
        """The scene as JSON: as it was read, including comments, unless it has been changed."""
        if self._path and not self._changed:
            return self._text
        return _build.to_json(self.data)

    @property
    def _changed(self) -> bool:
        return not _build.same(self.data, self._read)

    def _open(self, threads: Optional[int] = None) -> Handle:
        """The library's own form of the scene, checked, to be worked on by some threads."""
        opened = self._open_text()
        if threads is not None:
            LIBRARY.set_threads(opened, threads)
        return opened

    def _open_text(self) -> Handle:
        """A file that was not changed since is read by the library itself, so that messages tell
        its lines."""
        beside = self._path is not None and self.folder == (os.path.dirname(self._path) or ".")
        if self._path and beside and not self._changed:
            return LIBRARY.load_scene(self._path)
        return _build.scene(self.data, self.folder)

    def check(self) -> "Scene":
        """Raises `BadInput` if anything in the scene is wrong; returns the scene itself."""
        self._open().close()
        return self

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Writes a scene file for ``stiction run``. Paths in it are not changed. Bodies given as
        arrays are written into the file itself."""
        Path(path).write_text(self.text, encoding="utf-8")

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.data[key] = value

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def set(self, key: str, value: Any) -> "Scene":
        """Changes one value, as ``stiction run --set KEY=VALUE`` does: ``scene.set(
        "materials.rubber.young", "2 MPa")``, ``scene.set("friction[0].dynamic", 0.3)``. The
        last key may be new; names of bodies, materials and so on must exist.
        """
        _set.put(self.data, key, value)
        return self

    def _add(self, section: str, name: str, value: Mapping[str, Any],
             more: Mapping[str, Any]) -> "Scene":
        self.data.setdefault(section, {})[name] = _given({**value, **more})
        return self

    def _append(self, section: str, value: Mapping[str, Any]) -> "Scene":
        self.data.setdefault(section, []).append(_given(value))
        return self

    def _set(self, section: str, value: Mapping[str, Any]) -> "Scene":
        self.data.setdefault(section, {}).update(_given(value))
        return self

    @_described("material")
    def add_material(self, name: str, law: Union[Mapping[str, Any], str, None] = None,
                     **keys: Any) -> "Scene":
        """Adds a material: ``scene.add_material("rubber", young="1 MPa", poisson=0.45)``, or with a
        law, ``scene.add_material("silk", materials.membrane(young="100 N/m", …))``.
        """
        value = {"law": law} if isinstance(law, str) else law or {}
        return self._add("materials", name, value, keys)

    @_described("body")
    def add_body(self, name: str, shape: Union[Mapping[str, Any], None] = None, *,
                 material: Union[str, None] = None, vertices: Any = None, tets: Any = None,
                 triangles: Any = None, labels: Union[Mapping[str, Any], None] = None,
                 tet_labels: Union[Sequence[str], None] = None,
                 triangle_labels: Union[Sequence[str], None] = None, **keys: Any) -> "Scene":
        """Adds a body: ``scene.add_body("ball", shapes.sphere(radius="5 cm"), material="rubber")``,
        or one from arrays, ``scene.add_body("ball", vertices=points, tets=corners)``.

        Parameters
        ----------
        vertices
            (n, 3), m; copied.
        tets, triangles
            (m, 4) and (m, 3): whole numbers of vertices.
        labels
            Groups of vertices by name, for regions: ``{"tip": [4, 7]}``.
        tet_labels, triangle_labels
            A label for each element, for ``materials``; "" for none.
        """
        if vertices is not None:
            keys["mesh"] = _mesh.arrays(vertices, tets, triangles, labels, tet_labels,
                                        triangle_labels)
        return self._add("bodies", name, {"shape": shape, "material": material}, keys)

    @_described("boundary")
    def add_boundary(self, name: str, *, body: Any = None, region: Any = None,
                     **keys: Any) -> "Scene":
        """Adds vertices that are held or moved: ``scene.add_boundary("wall", body="bar",
        region={"label": "x-"})``.
        """
        return self._add("boundaries", name, {"body": body, "region": region}, keys)

    @_described("obstacle")
    def add_obstacle(self, name: str, shape: Union[Mapping[str, Any], None] = None, *,
                     vertices: Any = None, triangles: Any = None, **keys: Any) -> "Scene":
        """Adds a rigid obstacle that bodies touch: ``scene.add_obstacle("floor",
        obstacles.half_space())``, or a surface from arrays.

        Parameters
        ----------
        vertices
            (n, 3), m; copied.
        triangles
            (m, 3) vertex numbers, counter-clockwise seen from outside.
        """
        if vertices is not None:
            keys["mesh"] = _mesh.arrays(vertices, None, triangles, None, None, None)
        return self._add("obstacles", name, {"shape": shape}, keys)

    @_described("volume")
    def add_volume(self, name: str, model: Union[Mapping[str, Any], str, None] = None,
                   **keys: Any) -> "Scene":
        """Adds a closed volume filled with gas or liquid: ``scene.add_volume("air",
        volumes.ideal_gas(body="ball", overpressure="80 kPa"))``.
        """
        value = {"model": model} if isinstance(model, str) else model or {}
        return self._add("volumes", name, value, keys)

    @_described("bearing")
    def add_bearing(self, name: str, **keys: Any) -> "Scene":
        """Adds a rim that can only turn about an axis."""
        return self._add("bearings", name, {}, keys)

    @_described("joint")
    def add_joint(self, name: str, type: str, start: Mapping[str, Any],
                  end: Union[Mapping[str, Any], None] = None, **keys: Any) -> "Scene":
        """Adds a spring, tie or motor between a part of a body and another one, or the world:
        ``scene.add_joint("pin", "hinge", {"body": "arm", "region": {"label": "x-"}}, axis="y")``.
        The ends are the scene's keys from and to.
        """
        return self._add("joints", name, {"type": type, "from": start, "to": end}, keys)

    @_described("probe")
    def add_probe(self, name: str, *, region: Any, body: Any = None,
                  to: Union[Mapping[str, Any], None] = None) -> "Scene":
        """Adds a point that is tracked in reports and in the history: ``scene.add_probe("tip",
        body="bar", region={"label": "x+"})``; with ``to``, a distance.
        """
        return self._add("probes", name, {"body": body, "region": region, "to": to}, {})

    @_described("friction")
    def add_friction(self, between: Union[str, Sequence[str]], dynamic: float,
                     **keys: Any) -> "Scene":
        """Adds friction between two materials: ``scene.add_friction(["rubber", "steel"], 0.5)``."""
        return self._append("friction", {"between": between, "dynamic": dynamic, **keys})

    @_described("acceleration")
    def add_acceleration(self, **keys: Any) -> "Scene":
        """Adds a uniform acceleration in addition to gravity."""
        return self._append("accelerations", keys)

    @_described("force")
    def use_force(self, type: str, **keys: Any) -> "Scene":
        """Adds an optional force: ``scene.use_force("drag",
        body="flag", wind_x="8 m/s")``. `add_force` is for functions of your own.
        """
        return self._append("forces", {"type": type, **keys})

    @_described("time")
    def set_time(self, duration: Union[Quantity, None] = None, step: Union[Quantity, None] = None,
                 **keys: Any) -> "Scene":
        """Sets the duration, the step and the frame rate."""
        return self._set("time", {"duration": duration, "step": step, **keys})

    def set_integrator(self, name: str) -> "Scene":
        """Sets the time integrator:"""
        self.data["integrator"] = name
        return self

    @_described("contact")
    def set_contact(self, **keys: Any) -> "Scene":
        """Sets which objects touch, and how."""
        return self._set("contact", keys)

    @_described("solver")
    def set_solver(self, **keys: Any) -> "Scene":
        """Sets how each step is solved."""
        return self._set("solver", keys)

    @_described("output")
    def set_output(self, **keys: Any) -> "Scene":
        """Sets what is written besides positions and velocities."""
        return self._set("output", keys)

    def set_motion(self, name: str, function: Callable[..., Any], *,
                   vertices: bool = False) -> "Scene":
        """Lets a function of time move a boundary or an obstacle, instead of the scene's motion.

        The function may be called for any time near the present, several times and not in order
        (a failed step is retried with a smaller one); while a step is computed its result must
        depend on time alone. `Simulation.set_motion` replaces it between steps.

        Parameters
        ----------
        name
            Name of the boundary or the obstacle.
        function
            ``function(time)`` returns a `Pose`, or a translation (three numbers, m), or None for
            the rest position. With ``vertices=True``, for boundaries only: ``function(time, rest)``
            gets the rest positions, (vertices, 3), and returns positions, or positions and
            velocities. Missing velocities are computed by differences.
        """
        self._motions[name] = _motion.Motion(function, vertices)
        return self

    def add_force(self, name: str, function: Callable[..., Any], *, summary: str = "",
                  blocks: Union[Callable[..., Any], None] = None,
                  energy: Union[Callable[..., float], None] = None,
                  pairs: Any = None) -> "Scene":
        """Adds a force that is a Python function of positions, velocities and time.

        Parameters
        ----------
        name
            Lower case, words joined by _; `Simulation.forces` has it under this name.
        function
            ``function(point, force)`` adds newtons to the array ``force``, (vertices, 3). ``point``
            has ``time``, ``positions``, ``velocities`` and ``masses``. Return False where the
            force is undefined.
        summary
            One sentence.
        blocks
            ``blocks(point, by_position, by_velocity)`` returns the derivative by_position ∂f/∂q +
            by_velocity ∂f/∂v as rows (n,), columns (n,) and blocks (n, 3, 3), or None where it is
            zero. If left out, it is computed by differences, which works if the force on a
            vertex depends on that vertex alone.
        energy
            ``energy(point)`` in joules, whose negative gradient the force is.
        pairs
            (n, 2) vertices that the force couples although they share no element.
        """
        listed = None if pairs is None else np.array(pairs)
        self._forces[name] = _force.Force(function, summary or f"The force {name}.", blocks,
                                          energy, listed)
        return self

    @_described("load")
    def add_load(self, name: str, **keys: Any) -> "Scene":
        """Adds a load on a part of a body: ``scene.add_load("tip", body="bar", region={"label":
        "x+"}, force=[0, 0, "-5 N"])``. Without keys it adds an array of forces, initially zero,
        that you can set: ``simulation.loads[name][vertex] = [0, 0, -5]``, in newtons, from
        the next step on.
        """
        if keys:
            return self._add("loads", name, {}, keys)
        self._loads.append(name)
        return self

    def __repr__(self) -> str:
        parts = [f"{key}: {', '.join(self.data[key])}" for key in _NAMED if self.data.get(key)]
        title = self.data.get("title")
        return "<Scene " + "; ".join(([repr(title)] if title else []) + (parts or ["empty"])) + ">"

    def _picture(self) -> str:
        """The bodies at rest; nothing where the scene is not complete yet."""
        from ._simulation import Simulation  # which knows scenes
        try:
            bodies = Simulation(self).bodies.values()
        except BadInput:
            return ""
        return _preview.svg((body.rest, body.skin) for body in bodies)

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>{self._picture()}" \
               f"<details><summary>JSON</summary><pre>" \
               f"{escape(self.text)}</pre></details>"


Scene.set_integrator.__doc__ = _schema.choices(
    Scene.set_integrator.__doc__, _SCHEMA["properties"]["integrator"])

SceneLike = Union[Scene, Mapping[str, Any], str, os.PathLike]
_NAMED = [name for name, value in _SCHEMA["properties"].items() if "additionalProperties" in value]
