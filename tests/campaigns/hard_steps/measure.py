"""Runs recorded steps and measures their cost."""
import shutil
import tempfile
from pathlib import Path

from outside.history import read_history
from outside.launch import launch


# What a scene's table "solver" may say instead of leaving the choice to the program.
SETTINGS = {
    "policy": {},
    "direct": {"type": "direct"},
    "iterative": {"type": "iterative", "preconditioner": "ilu"},
    "multigrid": {"type": "iterative", "preconditioner": "gamg"},
}


def can_set(window, settings):
    """A checkpoint belongs to the scene as it was: only windows from the start of a run take other settings."""
    return not settings or not window.start


def measure(window, folder, program, limit, settings):
    """Steps, iterations and processor time of a window; None where it was not recorded."""
    wanted = folder / "run" / "checkpoint.h5" if window.start else folder / "scene.json"
    if not wanted.exists():
        return None
    with tempfile.TemporaryDirectory() as name:
        place = Path(name) / "case"
        shutil.copytree(folder, place)
        run = str(place / "run")
        options = [word for key, value in settings.items() for word in ("--set", f"solver.{key}={value}")]
        command = ["resume", run] if window.start else ["run", str(place / "scene.json"), "--out", run, *options]
        outcome = launch([program, *command, "--quiet"], place, limit)
        path = place / "run" / "history.csv"
        rows = read_history(path) if path.exists() else {}
    return {"outcome": outcome["outcome"], "cpu": outcome["used"], **count(rows, window.start)}


def count(rows, start):
    """Of the rows after the window's start."""
    late = rows["time"] > start * (1 + 1e-9) if rows else slice(0)
    newton, linear, residual = (rows[name][late] if name in rows else [] for name in
                                ("newton_iterations", "linear_iterations", "residual_evaluations"))
    return {"steps": len(newton), "newton": int(sum(newton)), "most": int(max(newton, default=0)),
            "linear": int(sum(linear)), "residual": int(sum(residual))}
