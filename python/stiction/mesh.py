"""Meshes: surfaces from files, filled with tetrahedra."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Optional, Union

from . import _program
from ._recording import read_mesh

__all__ = ["fill"]

_Length = Union[float, str, None]


def fill(path: Union[str, os.PathLike], *, edge: _Length = None, tolerance: _Length = None,
         hole: _Length = None, scale: Optional[float] = None, cage: bool = False,
         out: Union[str, os.PathLike, None] = None) -> dict[str, Any]:
    """Repairs a surface from a file, remeshes it and fills it with tetrahedra, like
    ``stiction mesh fill``. The result is for `Scene.add_body`:
    ``scene.add_body("part", **mesh.fill("part.stl", edge="2 mm"))``.

    Parameters
    ----------
    path
        A closed surface: STL, OBJ, VTK, VTU, MSH.
    edge
        Edge length, m or with a unit; default: a twentieth of the surface's size.
    tolerance
        How far the surface may move; default: a tenth of the edge.
    hole
        Close holes up to this width; default: a fifth of the surface's size.
    scale
        Factor on the file's numbers: 0.001 for millimetres.
    cage
        A lattice of tetrahedra around a surface that cannot be filled.
    out
        Also write the mesh to this file.
    """
    given = {"--edge": edge, "--tolerance": tolerance, "--hole": hole, "--scale": scale}
    words = [part for name, value in given.items() if value is not None
             for part in (name, str(value))]
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(out) if out is not None else Path(scratch) / "filled.vtu"
        _program.call("mesh", "fill", os.fspath(path), *words, *["--cage"] * cage,
                      "--out", os.fspath(place))
        if place.suffix != ".vtu":
            _program.call("mesh", "convert", os.fspath(place), f"{scratch}/filled.vtu")
            place = Path(scratch) / "filled.vtu"
        return read_mesh(place)
