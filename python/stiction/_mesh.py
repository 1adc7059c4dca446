"""Meshes from arrays, for bodies that are made in Python."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np

from ._errors import BadInput
from ._library import ffi

_TET, _TRIANGLE = 10, 5  # VTK's numbers


def _cells(name: str, given: Any, corners: int, count: int) -> np.ndarray:
    cells = np.zeros((0, corners), dtype=int) if given is None else np.asarray(given)
    if cells.ndim != 2 or cells.shape[1] != corners or cells.dtype.kind not in "iu":
        raise BadInput(f"{name} must be whole numbers of shape (n, {corners})")
    if cells.size and not 0 <= cells.min() <= cells.max() < count:
        raise BadInput(f"{name} name vertices outside of 0 … {count - 1}")
    return cells


def write_mesh(path: Union[str, os.PathLike], positions: Any, *, tets: Any = None,
               triangles: Any = None) -> None:
    """Writes a mesh from arrays, for ``scene.add_body(name, mesh=path)``.

    Parameters
    ----------
    path
        Ends in .vtk.
    positions
        (vertices, 3), m.
    tets
        (n, 4) vertices of tetrahedra, of which solids are made.
    triangles
        (n, 3) vertices of triangles, of which cloth and shells are made.
    """
    points = np.asarray(positions, dtype=float)
    if Path(path).suffix != ".vtk":
        raise BadInput(f"write_mesh: the name of the file must end in .vtk, not {Path(path).name}")
    if points.ndim != 2 or points.shape[1] != 3:
        raise BadInput("write_mesh: positions must have the shape (n, 3)")
    cells = [_cells("tets", tets, 4, len(points)), _cells("triangles", triangles, 3, len(points))]
    lines = ["# vtk DataFile Version 3.0", "Stiction mesh", "ASCII", "DATASET UNSTRUCTURED_GRID",
             f"POINTS {len(points)} double", *(" ".join(map(repr, row)) for row in points.tolist()),
             f"CELLS {sum(map(len, cells))} {sum(one.size + len(one) for one in cells)}"]
    lines += [" ".join(map(str, [len(row), *row])) for one in cells for row in one.tolist()]
    types = [_TET] * len(cells[0]) + [_TRIANGLE] * len(cells[1])
    lines += [f"CELL_TYPES {len(types)}", *map(str, types), ""]
    Path(path).write_text("\n".join(lines), encoding="ascii")


@dataclass
class Arrays:
    """A body's mesh as arrays: what `Scene.add_body` was given."""

    vertices: np.ndarray
    tets: np.ndarray
    triangles: np.ndarray
    labels: list[str] = field(default_factory=list)
    tet_labels: Optional[np.ndarray] = None
    triangle_labels: Optional[np.ndarray] = None
    tags: np.ndarray = field(default_factory=lambda: np.zeros((0, 2), dtype=np.int32))


def arrays(vertices: Any, tets: Any, triangles: Any, labels: Optional[Mapping[str, Any]],
           tet_labels: Optional[Sequence[str]], triangle_labels: Optional[Sequence[str]]) -> Arrays:
    """Checked copies. labels: names of groups of vertices; the others: a name per element."""
    points = np.array(vertices, dtype=np.float64, order="C")
    if points.ndim != 2 or points.shape[1] != 3:
        raise BadInput("vertices must have the shape (n, 3)")
    made = Arrays(points, *(_cells(name, given, corners, len(points)).astype(np.int32)
                            for name, given, corners in (("tets", tets, 4),
                                                         ("triangles", triangles, 3))))
    made.labels = list(labels or {})
    made.tet_labels = _numbers(made, "tet_labels", tet_labels, len(made.tets))
    made.triangle_labels = _numbers(made, "triangle_labels", triangle_labels, len(made.triangles))
    rows = [(vertex, index) for index, name in enumerate(labels or {})
            for vertex in np.atleast_1d(np.asarray(labels[name], dtype=int))]  # type: ignore[index]
    made.tags = np.array(rows, dtype=np.int32).reshape(-1, 2)
    return made


def _numbers(made: Arrays, name: str, given: Optional[Sequence[str]],
             count: int) -> Optional[np.ndarray]:
    if given is None:
        return None
    if len(given) != count:
        raise BadInput(f"{name} must have a name for each of the {count} elements, or \"\"")
    for label in given:
        if label and label not in made.labels:
            made.labels.append(label)
    return np.array([made.labels.index(label) if label else -1 for label in given], dtype=np.int32)


def to_c(meshes: Mapping[str, Arrays]) -> tuple[Any, list[Any]]:
    """StictionMesh structs, and what they point to."""
    made, kept = ffi.new("StictionMesh[]", len(meshes)), []

    def point(kind: str, array: Optional[np.ndarray]) -> Any:
        if array is None or array.size == 0:
            return ffi.NULL
        kept.append(array)
        return ffi.cast(f"const {kind} *", array.ctypes.data)

    for one, (name, mesh) in zip(made, meshes.items()):
        words = [ffi.new("char[]", label.encode()) for label in mesh.labels]
        title, table = ffi.new("char[]", name.encode()), ffi.new("const char *[]", words)
        kept += [title, table, *words]
        one.name, one.label_count, one.label = title, len(words), table
        one.vertex_count, one.position = len(mesh.vertices), point("double", mesh.vertices)
        one.tet_count, one.tet = len(mesh.tets), point("int", mesh.tets)
        one.triangle_count, one.triangle = len(mesh.triangles), point("int", mesh.triangles)
        one.tet_label = point("int", mesh.tet_labels)
        one.triangle_label = point("int", mesh.triangle_labels)
        one.tag_count, one.tag = len(mesh.tags), point("int", mesh.tags)
    return made, kept


def write_arrays(path: Union[str, os.PathLike], mesh: Arrays) -> None:
    """The same as a file (.msh, format 2.2), labels and all."""
    elements = []
    groups: list[tuple[int, int]] = []  # dimension and label

    def group(dimension: int, label: int) -> int:
        if (dimension, label) not in groups:
            groups.append((dimension, label))
        return groups.index((dimension, label)) + 1

    for kind, dimension, cells, labels in ((4, 3, mesh.tets, mesh.tet_labels),
                                           (2, 2, mesh.triangles, mesh.triangle_labels)):
        for index, cell in enumerate(cells.tolist()):
            label = -1 if labels is None else int(labels[index])
            number = group(dimension, label) if label >= 0 else 0
            elements.append((kind, number, cell))
    elements += [(15, group(0, int(label)), [int(vertex)]) for vertex, label in mesh.tags]
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", str(len(groups)),
             *(f'{dimension} {number} "{mesh.labels[label]}"'
               for number, (dimension, label) in enumerate(groups, 1)),
             "$EndPhysicalNames", "$Nodes", str(len(mesh.vertices))]
    lines += [f"{index} {x!r} {y!r} {z!r}"
              for index, (x, y, z) in enumerate(mesh.vertices.tolist(), 1)]
    lines += ["$EndNodes", "$Elements", str(len(elements))]
    lines += [f"{index} {kind} 2 {number} {number} " + " ".join(str(vertex + 1) for vertex in cell)
              for index, (kind, number, cell) in enumerate(elements, 1)]
    Path(path).write_text("\n".join([*lines, "$EndElements", ""]), encoding="utf-8")
