"""What a run has left in its folder: history, frames, summary."""

from __future__ import annotations

import csv
import json
import os
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from html import escape
from pathlib import Path
from typing import Any, Optional, Union
from xml.etree import ElementTree

import numpy as np

from ._errors import BadInput
from ._fields import RunFields

Folder = Union[str, os.PathLike]

_HEADING = re.compile(r"^(?P<name>.*?)(?: \[(?P<unit>[^\]]*)\])?$")
_TYPES = {"Float64": "<f8", "Float32": "<f4", "Int32": "<i4", "Int64": "<i8", "UInt8": "u1"}
_TET, _TRIANGLE, _SECOND_ORDER = 10, 5, 24  # VTK's numbers
_PARTS = 8  # linear tets of an element of second order


def plain_name(heading: str) -> str:
    """Of a column, without its unit."""
    match = _HEADING.match(heading)
    return match["name"] if match else heading


def _find(folder: Folder, name: str) -> Path:
    path = Path(folder) / name
    if not path.exists():
        raise BadInput(f"there is no {path}: {os.fspath(folder)} is not the folder of a run")
    return path


class History(Mapping[str, np.ndarray]):
    """The columns of history.csv by name, one value per step: ``history["time"]``. ``units`` has
    their units."""

    def __init__(self, columns: dict[str, np.ndarray], units: dict[str, str]) -> None:
        self._columns = columns
        self.units = units

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._columns:
            near = get_close_matches(name, self._columns, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(self)}"
            raise KeyError(f"history.csv has no column {name!r}; {hint}")
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        rows = len(next(iter(self._columns.values()), ()))
        return f"<History of {rows} steps: {', '.join(self)}>"

    def _repr_html_(self) -> str:
        head = "<tr><th>column</th><th>unit</th><th>first</th><th>last</th></tr>"
        rows = (f"<tr><td>{escape(name)}</td><td>{escape(self.units[name])}</td>"
                f"<td>{values[0]:.6g}</td><td>{values[-1]:.6g}</td></tr>"
                for name, values in self.items() if len(values))
        return f"<table>{head}{''.join(rows)}</table>"


def history(folder: Folder) -> History:
    """Reads history.csv of a run: one numpy array per column, one value per step, the initial state
    first.
    """
    with open(_find(folder, "history.csv"), newline="", encoding="utf-8") as file:
        headings = next(csv.reader(file))
        values = np.loadtxt(file, delimiter=",", ndmin=2)
    matches = [_HEADING.match(heading) for heading in headings]
    names = [match["name"] for match in matches if match]
    units = [match["unit"] or "" for match in matches if match]
    return History({name: values[:, i].copy() for i, name in enumerate(names)},
                   dict(zip(names, units)))


_CONTACT = np.dtype([("step", int), ("time", float), ("touching", int), ("sticking", int),
                     ("normal", float), ("friction", float, 3), ("force", float, 3),
                     ("lost", float)])


def contacts(folder: Folder) -> dict[str, np.ndarray]:
    """Reads contacts.csv of a run: for each pair that ever touched, by its name "block|floor", a
    structured array with one row for each step in which it did: step, time (s), touching and
    sticking (vertices), normal (N), friction and force (N, on the first of the two), lost (J).
    Empty if nothing may touch.
    """
    path = _find(folder, "history.csv").with_name("contacts.csv")
    rows: dict[str, list[tuple]] = {}
    if path.exists():
        with open(path, newline="", encoding="utf-8") as file:
            next(file)
            for line in file:
                if line.endswith("\n"):  # a run in progress may be writing its last one
                    step, time, pair, touching, sticking, *rest = line.split(",")
                    normal, *vectors = map(float, rest)
                    rows.setdefault(pair, []).append((int(step), float(time), int(touching),
                                                      int(sticking), normal, vectors[:3],
                                                      vectors[3:6], vectors[6]))
    return {pair: np.array(some, _CONTACT) for pair, some in rows.items()}


def summary(folder: Folder) -> dict[str, Any]:
    """Reads summary.json of a run or an experiment."""
    return json.loads(_find(folder, "summary.json").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Frame:
    """One frame of a run."""

    time: float  #: s
    positions: np.ndarray  #: (vertices, 3), m
    tets: np.ndarray  #: (tets, 4)
    triangles: np.ndarray  #: (triangles, 3), of shells and cloth
    points: dict[str, np.ndarray]  #: fields of vertices: "velocity", "force_contact" …
    cells: dict[str, np.ndarray]  #: fields of tets, then triangles: "stress", "body" …
    #: (tets, 6), of second order the vertices on the edges 0–1, 1–2, 0–2, 0–3, 1–3, 2–3; else -1
    middles: np.ndarray
    _fields: Optional[RunFields] = None
    _index: int = 0

    def field(self, name: str) -> np.ndarray:
        """A field of this state: what `Simulation.field` has, computed from the frame by the
        materials of the scene, or one that the frame holds. Cells are `tets`, then `triangles`.
        """
        if self._fields is None:
            raise BadInput("this frame does not belong to a run")
        values, of_cells = self._fields.get(self._index, name)
        second = self.middles[:, 0] >= 0
        if not (of_cells and second.any()):
            return values
        parts = np.where(second, _PARTS, 1)  # the library counts the parts of an element
        first = np.cumsum(parts) - parts
        return np.concatenate([values[first], values[int(parts.sum()):]])

    def __repr__(self) -> str:
        return (f"<Frame t = {self.time:.6g} s, {len(self.positions)} vertices, "
                f"fields {', '.join([*self.points, *self.cells])}>")


class _Grid:
    """A VTU file as Stiction writes it: arrays are blocks of zlib after the XML."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        start = data.index(b"<AppendedData")
        self._data = data
        self._origin = data.index(b"_", start) + 1
        self.root = ElementTree.fromstring(data[:start] + b"</VTKFile>")

    def array(self, element: ElementTree.Element) -> np.ndarray:
        at = self._origin + int(element.attrib["offset"])
        count = int(np.frombuffer(self._data, "<u8", 1, at)[0])
        sizes = np.frombuffer(self._data, "<u8", count, at + 24)
        ends = at + 24 + 8 * count + np.cumsum(sizes)
        blocks = [zlib.decompress(self._data[end - size:end]) for end, size in zip(ends, sizes)]
        values = np.frombuffer(b"".join(blocks), _TYPES[element.attrib["type"]])
        width = int(element.attrib.get("NumberOfComponents", 1))
        return values.reshape(-1, width) if width > 1 else values

    def section(self, name: str) -> dict[str, np.ndarray]:
        found = self.root.find(f".//{name}")
        return {} if found is None else {one.attrib["Name"]: self.array(one) for one in found}


def _read_frame(path: Path) -> Frame:
    if path.suffix == ".vtkhdf":
        return _read_vtkhdf(path)
    try:
        return _decode_frame(_Grid(path))
    except (OSError, ValueError, KeyError, zlib.error, ElementTree.ParseError) as fault:
        raise BadInput(f"{path}: the frame is missing or damaged ({fault})") from fault


def _cells(types: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tets, triangles and the vertices on the edges of tets."""
    types = types[(types == _TET) | (types == _SECOND_ORDER)]
    second = types == _SECOND_ORDER
    counts = np.where(second, 10, 4)
    starts = np.cumsum(counts) - counts
    middles = np.full((len(types), 6), -1, corners.dtype)
    middles[second] = corners[starts[second][:, None] + np.arange(4, 10)]
    tets = corners[starts[:, None] + np.arange(4)]
    return tets, corners[int(counts.sum()):].reshape(-1, 3), middles


def _read_vtkhdf(path: Path) -> Frame:
    """A frame that several processes wrote together."""
    try:
        import h5py
    except ImportError as fault:
        raise BadInput(f"{path}: frames of several processes are HDF5 files, which the package h5py "
                       "reads: install it, or make VTU files of them with `stiction export --to "
                       "vtu`") from fault
    try:
        with h5py.File(path, "r") as file:
            grid = file["VTKHDF"]
            tets, triangles, middles = _cells(grid["Types"][()],
                                              grid["Connectivity"][()].astype("<i4"))
            return Frame(float(grid["FieldData/TimeValue"][0]), grid["Points"][()], tets, triangles,
                         {name: array[()] for name, array in grid["PointData"].items()},
                         {name: array[()] for name, array in grid["CellData"].items()}, middles)
    except (OSError, KeyError, ValueError) as fault:
        raise BadInput(f"{path}: the frame is missing or damaged ({fault})") from fault


def _decode_frame(grid: _Grid) -> Frame:
    cells = grid.section("Cells")
    tets, triangles, middles = _cells(cells["types"], cells["connectivity"])
    time = grid.root.find(".//DataArray[@Name='TimeValue']")
    return Frame(float(time.text or "nan") if time is not None else float("nan"),
                 grid.section("Points")["Points"], tets, triangles, grid.section("PointData"),
                 grid.section("CellData"), middles)


def read_mesh(path: Path) -> dict[str, Any]:
    """Vertices, and tets or triangles, of a mesh that the program has written."""
    grid = _Grid(path)
    cells, points = grid.section("Cells"), grid.section("Points")["Points"]
    types, corners = cells["types"], cells["connectivity"]
    tets = int(np.count_nonzero(types == _TET))
    found = {"tets": corners[:4 * tets].reshape(-1, 4),
             "triangles": corners[4 * tets:].reshape(-1, 3)}
    return {"vertices": points, **{name: some for name, some in found.items() if len(some)}}


def _listed(path: Path) -> list[tuple[float, str]]:
    if path.suffix == ".pvd":
        return [(float(one.attrib["timestep"]), one.attrib["file"])
                for one in ElementTree.parse(path).getroot().iter("DataSet")]
    return [(float(one["time"]), one["name"])
            for one in json.loads(path.read_text(encoding="utf-8"))["files"]]


class Frames(Sequence["Frame"]):
    """The frames of a run, read on demand. ``times`` are their times, s."""

    def __init__(self, folder: Folder) -> None:
        found = [*sorted(Path(folder).glob("*.pvd")), *sorted(Path(folder).glob("*.vtkhdf.series"))]
        if not found:
            raise BadInput("there is no list of frames (.pvd, .vtkhdf.series) in "
                           f"{os.fspath(folder)}: it is not the folder of a run")
        entries = [(time, Path(folder) / name) for time, name in _listed(found[0])]
        self.times = np.array([time for time, _ in entries])
        self._paths = [path for _, path in entries]
        self._fields = RunFields(os.path.abspath(folder))

    def __len__(self) -> int:
        return len(self._paths)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        number = range(len(self))[index]
        return replace(_read_frame(self._paths[number]), _fields=self._fields, _index=number)

    def __repr__(self) -> str:
        return f"<Frames: {len(self)}, to {self.times[-1]:.6g} s>" if len(self) else "<Frames: 0>"


def frames(folder: Folder) -> Frames:
    """The frames of a run: ``frames(folder)[-1].positions``."""
    return Frames(folder)
