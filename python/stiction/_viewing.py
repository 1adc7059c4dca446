"""Runs to look at: the viewer's page, its live server, exports, and pictures that follow a
simulation in a notebook."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, Optional, Union

from . import _program
from ._errors import BadInput, SystemFault
from ._recording import Folder

_HEIGHT = 600  # px, of pages in notebooks


class View:
    """The viewer's page of a run: ``path`` is the file, and notebooks show it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def _repr_html_(self) -> str:
        page = escape(self.path.read_text(encoding="utf-8"), quote=True)
        return f'<iframe srcdoc="{page}" width="100%" height="{_HEIGHT}"></iframe>'

    def __repr__(self) -> str:
        return f"<View {os.fspath(self.path)}>"


class LiveView:
    """The viewer's page of a run in progress, served to browsers of this machine at ``url`` until
    ``close()``; notebooks show it. It follows the run, also one that has not begun yet."""

    def __init__(self, process: "subprocess.Popen[str]", url: str) -> None:
        self.url = url
        self._process = process

    def close(self) -> None:
        """Ends the server."""
        if self._process.poll() is None:
            self._process.terminate()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()

    __del__ = close

    def __enter__(self) -> "LiveView":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _repr_html_(self) -> str:
        return f'<iframe src="{escape(self.url)}" width="100%" height="{_HEIGHT}"></iframe>'

    def __repr__(self) -> str:
        return f"<LiveView {self.url}>"


def _places(folder: Folder, other: Optional[Folder]) -> list[str]:
    return [os.fspath(one) for one in (folder, other) if one is not None]


def _options(every: Optional[int], hollow: bool) -> list[str]:
    return [*(["--every", str(every)] if every is not None else []), *["--hollow"] * hollow]


def view(folder: Folder, other: Optional[Folder] = None, *, out: Optional[Folder] = None,
         every: Optional[int] = None, hollow: bool = False, fields: Optional[str] = None,
         browser: bool = False) -> View:
    """Writes the viewer's page of a run, like ``stiction view``: one HTML file that holds the whole
    run and needs no network. Notebooks show the result.

    Parameters
    ----------
    folder
        Of a run, or a recording (`Simulation.record`).
    other
        Another run, shown beside it.
    out
        The file; default: view.html in the folder.
    every
        Show only every nth frame, and the last.
    hollow
        Leave out the inside of bodies: a smaller page.
    fields
        Only these fields of the frames, as in ``"velocity,nodal_stress"``; ``"all"`` adds strain,
        which is left out by default.
    browser
        Open it in the browser.
    """
    words = ["view", *_places(folder, other), *_options(every, hollow),
             *(["--fields", fields] if fields is not None else []),
             *["--no-open"] * (not browser)]
    if out is not None:
        words += ["--out", os.fspath(out)]
    said = _program.call(*words)
    return View(Path(said.strip().splitlines()[-1].split(": ", 1)[1]))


def view_live(folder: Folder, other: Optional[Folder] = None, *, port: int = 0,
              every: Optional[int] = None, hollow: bool = False) -> LiveView:
    """Serves the viewer's page of a run that may still be going on, or not have begun, like
    ``stiction view --serve``. Notebooks show the result, which follows the run.

    Parameters
    ----------
    folder
        Of a run, or a recording (`Simulation.record`).
    other
        Another run, shown beside it.
    port
        Of this machine; 0: any that is free.
    every
        Show only every nth frame, and the last.
    hollow
        Leave out the inside of bodies.
    """
    words = ["view", *_places(folder, other), *_options(every, hollow), "--serve", str(port),
             "--no-open"]
    process = subprocess.Popen([_program.path(), *words], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               encoding="utf-8", process_group=0)
    said: list[str] = []
    assert process.stdout is not None
    for line in process.stdout:
        said.append(line.strip())
        found = re.search(r"http://\S+", line)
        if found:
            return LiveView(process, found[0])
    process.wait()
    process.stdout.close()
    raise BadInput("\n".join(said).removeprefix("stiction: "))


def export(folder: Folder, to: str, out: Optional[Folder] = None, *, every: Optional[int] = None,
           start: Union[float, str, None] = None, end: Union[float, str, None] = None,
           surface: bool = False, fields: Optional[Sequence[str]] = None) -> str:
    """Converts the frames of a run for other programs, like ``stiction export``. Returns what the
    program says: how many frames went where.

    Parameters
    ----------
    folder
        Of a run, or a recording (`Simulation.record`).
    to
        "glb", "usda", "obj", "vtu" …; ``stiction export --help`` lists all.
    out
        File, or folder for formats with a file per frame; default: in the run's folder, export.
    every
        Every nth frame.
    start, end
        A span of simulated time, s or with a unit.
    surface
        For vtu, vtm and vtkhdf: the surface only.
    fields
        For vtu, vtm, vtkhdf and ply: only these fields.
    """
    given = {"--out": out, "--every": every, "--from": start, "--until": end,
             "--fields": ",".join(fields) if fields else None}
    words = [part for name, value in given.items() if value is not None
             for part in (name, os.fspath(value) if isinstance(value, os.PathLike) else str(value))]
    return _program.call("export", os.fspath(folder), "--to", to, *words,
                         *["--surface"] * surface).strip()


class Picture:
    """A picture of a simulation in a notebook cell that follows its steps, at most `rate` times a
    second."""

    def __init__(self, simulation: Any, rate: float) -> None:
        try:
            from IPython.display import HTML, display
        except ImportError as fault:
            raise SystemFault("show: pictures that move need a notebook (IPython); a View or a "
                              "LiveView shows recordings elsewhere") from fault
        self._html, self._least = HTML, 1 / rate
        self._handle = display(HTML(simulation._repr_html_()), display_id=True)
        self._shown = time.monotonic()

    def follow(self, simulation: Any, *, last: bool = False) -> None:
        """Shows the present state, unless the last picture is too young."""
        if self._handle is None or (not last and time.monotonic() - self._shown < self._least):
            return
        self._handle.update(self._html(simulation._repr_html_()))
        self._shown = time.monotonic()
