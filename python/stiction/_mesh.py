"""Meshes from arrays, for bodies that are made in Python."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np

from ._errors import BadInput

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


def arrays(vertices: Any, tets: Any, triangles: Any, labels: Optional[Mapping[str, Any]],
           tet_labels: Optional[Sequence[str]],
           triangle_labels: Optional[Sequence[str]]) -> dict[str, Any]:
    """The mesh of a scene, as checked copies. labels: names of groups of vertices; the others: a
    name per element."""
    points = np.array(vertices, dtype=np.float64, order="C")
    if points.ndim != 2 or points.shape[1] != 3:
        raise BadInput("vertices must have the shape (n, 3)")
    made: dict[str, Any] = {"vertices": points.reshape(-1)}
    names = list(labels or {})
    for name, given, corners, kinds in (("tets", tets, 4, tet_labels),
                                        ("triangles", triangles, 3, triangle_labels)):
        cells = _cells(name, given, corners, len(points))
        if len(cells):
            made[name] = cells.astype(np.int32).reshape(-1)
        if kinds is not None:
            made[f"{name[:-1]}_labels"] = _numbers(names, f"{name[:-1]}_labels", kinds, len(cells))
    rows = [(vertex, names.index(name)) for name in labels or {}
            for vertex in np.atleast_1d(np.asarray(labels[name], dtype=int))]  # type: ignore[index]
    if rows:
        made["tags"] = np.array(rows, dtype=np.int32).reshape(-1)
    if names:
        made["labels"] = names
    return made


def _numbers(names: list[str], key: str, given: Sequence[str], count: int) -> np.ndarray:
    """Labels by number; names that are new are added to the list."""
    if len(given) != count:
        raise BadInput(f"{key} must have a name for each of the {count} elements, or \"\"")
    for label in given:
        if label and label not in names:
            names.append(label)
    return np.array([names.index(label) if label else -1 for label in given], dtype=np.int32)
