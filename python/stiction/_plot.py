"""Plots as SVG or PNG, by the library that draws those of the program."""

from __future__ import annotations

import functools
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np

from . import _program
from ._errors import STATUS, BadInput, Bug
from ._library import ffi, load, text

Folder = Union[str, os.PathLike]
STYLES = {"line and marks": 0, "line": 1, "marks": 2, "reference": 3}  # StictionPlotStyle


class Plot:
    """A plot: ``svg`` is its text, and notebooks show it."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Plot, {len(self.svg)} characters of SVG>"


def _series(name: str, given: Any, target: Any) -> list[Any]:
    """Fills a StictionSeries; returns what must live as long as it does."""
    x, y, style = given if len(given) == 3 else (*given, "line and marks")
    if style not in STYLES:
        raise BadInput(f"plot: there is no style '{style}'; there are {', '.join(STYLES)}")
    values = [np.ascontiguousarray(one, dtype=float) for one in (x, y)]
    if values[0].ndim != 1 or values[0].shape != values[1].shape:
        raise BadInput(f"plot: x and y of '{name}' must be lists of the same length")
    kept = [ffi.new("char[]", name.encode()), *(ffi.from_buffer("double[]", one) for one in values)]
    target.name, target.x, target.y = kept
    target.style, target.count = STYLES[style], len(values[0])
    return kept + values


def _plot_run(folder: Folder, path: Union[str, os.PathLike, None], of: Sequence[str],
              body: Optional[str], compare: Sequence[Folder]) -> Plot:
    words = [*(["--of", ",".join(of)] if of else []), *(["--body", body] if body else [])]
    for other in compare:
        words += ["--compare", os.fspath(other)]
    if path is not None:
        _program.call("plot", os.fspath(folder), *words, "--out", os.fspath(path))
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch) / "plot.svg"
        _program.call("plot", os.fspath(folder), *words, "--out", os.fspath(place))
        return Plot(place.read_text(encoding="utf-8"))


def plot(series: Union[Mapping[str, Any], Folder], path: Union[str, os.PathLike, None] = None, *,
         title: str = "", x: str = "", y: str = "", log_x: bool = False, log_y: bool = False,
         of: Sequence[str] = (), body: Optional[str] = None,
         compare: Sequence[Folder] = ()) -> Plot:
    """Draws lines and marks; no other package is needed. For the folder of a run: quantities over
    time, as ``stiction plot`` does.

    Parameters
    ----------
    series
        By name: ``(x, y)`` or ``(x, y, style)``, the style one of "line and marks", "line", "marks"
        and "reference", a dashed line for expected values. Or the folder of a run.
    path
        The file to write: PNG where it ends in .png, else SVG. Without it, none is written.
    title, x, y
        Title and axis labels, with units: ``"time (s)"``.
    log_x, log_y
        Logarithmic axes.
    of
        Of a run: quantities, ``["energy", "height"]``, or columns of its history.
    body
        Of a run: one body's centre, velocity, energy and contact.
    compare
        Of a run: others in the same panels.
    """
    if isinstance(series, (str, os.PathLike)):
        return _plot_run(series, path, of, body, compare)
    described = ffi.new("StictionPlot *", {"size": ffi.sizeof("StictionPlot")})
    listed = ffi.new("StictionSeries[]", len(series))
    kept = [_series(name, given, listed[i]) for i, (name, given) in enumerate(series.items())]
    words = [ffi.new("char[]", word.encode()) for word in (title, x, y)]
    described.title, described.x.label, described.y.label = words
    described.x.logarithmic, described.y.logarithmic = log_x, log_y
    described.series_count, described.series = len(kept), listed
    return _write(described, path)


@functools.cache
def _functions() -> Any:
    return load("libstiction_plot.so")  # only now: it brings cairo


def _draw(described: Any, path: Path) -> None:
    status = _functions().stiction_plot_write(os.fsencode(path), described, 1, 1)
    if status:
        raise STATUS.get(status, Bug)(text(_functions().stiction_plot_error()))


def _write(described: Any, path: Optional[Union[str, os.PathLike]]) -> Plot:
    if path is not None:
        _draw(described, Path(path))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "plot.svg"
        _draw(described, place)
        return Plot(place.read_text(encoding="utf-8"))
