"""Whole runs into folders, experiments, and what there is to choose from."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Optional

from . import _force, _motion, _program, _recording, _report
from ._errors import BadInput, Found
from ._library import LIBRARY, Calls, ffi, refused, text
from ._recording import Folder
from ._scene import Scene, SceneLike


@dataclass(frozen=True)
class Progress:
    """Progress of a run."""

    report: _report.Report  #: of the step just taken
    time: float  #: s
    duration: float  #: s
    frames_written: int
    frame_count: int
    on_frame: bool  #: a frame was written for this state
    wall_seconds: float  #: s, over all sessions
    seconds_left: float  #: s, estimated; NaN before there is anything to estimate from


_PLAIN = [name for name in Progress.__annotations__ if name != "report"]


def run(scene: SceneLike, folder: Folder, *, progress: Optional[Callable[[Progress], Any]] = None,
        overwrite: bool = False, resume: bool = False, reuse: bool = False, strict: bool = False,
        threads: Optional[int] = None) -> dict[str, Any]:
    """Runs a whole scene into a folder, like ``stiction run``: frames,
    history, summary, checkpoint. Returns the summary.

    Ctrl-C finishes the current step, saves, and raises KeyboardInterrupt.

    Parameters
    ----------
    scene
        A `Scene`, the path of a scene file, or a dictionary.
    folder
        Made when missing. One that holds a run is left alone unless `overwrite`, `resume` or
        `reuse` is set.
    progress
        Called with a `Progress` at the start and after every step. Returning False saves, stops and
        raises `Interrupted`, as does the command `stiction stop FOLDER`.
    overwrite
        Replace an existing run.
    resume
        Continue from the existing checkpoint.
    reuse
        Do only what is left: a run of the same scene that has ended stays, and one that failed
        raises its error again; an interrupted one continues; another scene's is replaced.
    strict
        Raise `Found` with the verdict if the judge found anything in the whole run.
    threads
        Number of threads; default: all processors, or the scene's ``solver.threads``. Results do
        not depend on it.
    """
    scene = scene if isinstance(scene, Scene) else Scene(scene)
    if scene._loads:
        raise BadInput("run: the loads of this scene are set between the steps of a Simulation, "
                       "which a run does not stop for")
    calls = Calls()
    opened = scene._open(threads)
    driver = _motion.Driver(opened, scene._motions, calls)
    _force.add(opened, scene._forces, calls)

    def tell(_: Any, at: Any) -> bool:
        # Called even when nobody listens: Python then sees Ctrl-C after each step.
        driver.forget()
        if strict and at.report.judged.states == 0:
            raise BadInput("run: strict needs the judge, which the scene turns off: set "
                           "output.judge to 'step'")
        if progress is None:
            return True
        plain = {name: getattr(at, name) for name in _PLAIN}
        return not refused(progress(Progress(report=_report.from_c(at.report), **plain)))

    options = ffi.new("StictionRunOptions *")
    place = ffi.new("char[]", os.fsencode(folder))
    options.folder, options.resume, options.overwrite = place, resume, overwrite
    options.reuse = reuse
    options.progress = calls.wrap("bool(void *, const StictionProgress *)", tell, False)
    calls.check(LIBRARY.functions.stiction_scene_run(LIBRARY.session, opened.pointer, options))
    told = _recording.summary(folder)
    if strict and told["judge"]["states_with_findings"] > 0:
        raise Found(told["verdict"])
    return told


def experiment(name: str, size: str = "small", set: Optional[Mapping[str, Any]] = None,
               out: Optional[Folder] = None, *, only: Optional[str] = None, fresh: bool = False,
               show: bool = False, threads: Optional[int] = None) -> dict[str, Any]:
    """Repeats an experiment of the paper and returns its summary, tables included.

    Parameters
    ----------
    name
        One of ``experiments()``.
    size
        "small", about a minute, or "paper".
    set
        Parameters to change, with units: ``{"duration": "5 s"}``.
    out
        Folder for results; default: experiments/NAME-SIZE.
    only
        Run only cases whose names match a shell pattern.
    fresh
        Run finished cases again.
    show
        Let the program print its progress and its table.
    threads
        Number of threads; default: all processors.
    """
    folder = os.fspath(out) if out is not None else f"experiments/{name}-{size}"
    arguments = ["experiment", name, "--size", size, "--out", folder]
    for key, value in (set or {}).items():
        arguments += ["--set", f"{key}={value}"]
    if only is not None:
        arguments += ["--only", only]
    if threads is not None:
        arguments += ["--threads", str(threads)]
    _program.call(*arguments, *["--fresh"] * fresh, *["--quiet"] * (not show), show=show)
    return _recording.summary(folder)


def experiments() -> dict[str, str]:
    """The experiments by name, each with one sentence."""
    found: dict[str, str] = {}
    name = ""
    for line in _program.call("experiment", "list").splitlines():
        if line.startswith(" "):
            found[name] = f"{found[name]} {line.strip()}".strip()
        elif line:
            name = line.strip()
            found[name] = ""
    return found


def catalogue(section: Optional[str] = None) -> dict[str, Any]:
    """Everything that a scene can choose by name, with parameters, units, defaults and ranges, as
    ``stiction list --json`` prints it: forces, materials, shells, volumes, integrators, solvers,
    shapes, obstacles, units; or one of these sections.
    """
    return json.loads(_program.call("list", *([section] if section else []), "--json"))


def version() -> str:
    """The version of the library."""
    return text(LIBRARY.functions.stiction_version())
