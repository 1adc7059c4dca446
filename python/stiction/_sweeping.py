"""Sweeps over values of a scene, by the program, each run in a folder of its own."""

from __future__ import annotations

import csv
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Optional

import numpy as np

from . import _program
from ._errors import BadInput
from ._recording import Folder, plain_name
from ._scene import Scene, SceneLike


def _text(value: Any) -> str:
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)


def _values(key: str, given: Any) -> str:
    """As the program reads them: a list, or LOW:HIGH:COUNT as it is."""
    if isinstance(given, str):
        return given
    texts = [_text(one) for one in given]
    wrong = [one for one in texts if "," in one]
    if not texts or wrong:
        raise BadInput(f"sweep: {key} needs a list of numbers or texts, not {given!r}")
    return ",".join(texts)


def _number(cell: str) -> Any:
    try:
        return float(cell)
    except ValueError:
        return cell


def _read(path: Path) -> dict[str, np.ndarray]:
    with path.open(newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    columns = zip(*([_number(cell) for cell in row] for row in rows))
    return {plain_name(name): np.array(column) for name, column in zip(head, columns)}


def sweep(scene: SceneLike, vary: Mapping[str, Any], out: Folder, *, together: bool = False,
          set: Optional[Mapping[str, Any]] = None, columns: Sequence[str] = (),
          jobs: Optional[int] = None, overwrite: bool = False,
          show: bool = False) -> dict[str, np.ndarray]:
    """Runs a scene for every combination of values, several at a time, each in a folder of its own,
    like ``stiction sweep``. A run that fails does not stop the others; called again, it runs only
    what is left. Returns the table, by column.

    Parameters
    ----------
    scene
        A `Scene` without functions, the path of a scene file, or a dictionary.
    vary
        By key a list of values, or a text ``"1:3:5 MPa"``: five from 1 to 3 MPa. Keys are those of
        `Scene.set`.
    out
        Folder for the runs, out/run-001 …, sweep.csv and sweep.svg.
    together
        Take the first value of every key, then the second …, instead of all combinations.
    set
        Values that are the same for all runs.
    columns
        Columns of the history in the table: ``"kinetic_energy:max"``; also min and mean, and the
        last value without a word.
    jobs
        Runs at a time; default: one per processor.
    overwrite
        Run everything again.
    show
        Let the program print its progress and its table.
    """
    scene = scene if isinstance(scene, Scene) else Scene(scene)
    if scene._motions or scene._forces or scene._loads:
        raise BadInput("sweep: the scene has functions or loads of this program; Rollouts runs "
                       "variations of it")
    words = ["--out", os.fspath(out), *["--together"] * together, *["--overwrite"] * overwrite,
             *["--quiet"] * (not show)]
    for key, values in vary.items():
        words += ["--vary", f"{key}={_values(key, values)}"]
    for key, value in (set or {}).items():
        words += ["--set", f"{key}={_text(value)}"]
    if columns:
        words += ["--show", ",".join(columns)]
    if jobs is not None:
        words += ["--jobs", str(jobs)]
    if scene._path and not scene._changed:
        _program.call("sweep", scene._path, *words, show=show)
    else:  # beside what its relative paths name
        with tempfile.NamedTemporaryFile("w", suffix=".json", prefix="scene-", dir=scene.folder,
                                         encoding="utf-8") as file:
            file.write(scene.text)
            file.flush()
            _program.call("sweep", file.name, *words, show=show)
    return _read(Path(out) / "sweep.csv")
