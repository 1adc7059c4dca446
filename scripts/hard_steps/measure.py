"""Runs recorded steps and measures their cost."""
import shutil
import tempfile
from pathlib import Path

from outside.history import read_history
from outside.launch import launch


def measure(window, folder, program, limit):
    """Steps, iterations and processor time of a window; None where it was not recorded."""
    wanted = folder / "run" / "checkpoint.h5" if window.start else folder / "scene.json"
    if not wanted.exists():
        return None
    with tempfile.TemporaryDirectory() as name:
        place = Path(name) / "case"
        shutil.copytree(folder, place)
        run = str(place / "run")
        command = ["resume", run] if window.start else ["run", str(place / "scene.json"), "--out", run]
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
