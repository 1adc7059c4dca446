"""Findings in the folder of a run: steps, energy, and the counts of the outside judge."""
import json
import math
import re
import subprocess

import numpy as np

from outside.frame import Grid
from outside.history import read_history
from outside.judge import COUNTS, Judge

from . import energy


def check_says(program, path):
    """What `check` says: when a step counts as solved, in m/s, and the mass of all bodies, in kg."""
    said = subprocess.run([program, "check", str(path)], capture_output=True, text=True).stdout
    tolerance = re.search(r"solver\.velocity_tolerance = (\S+)", said)
    mass = re.search(r"^Sizes .* (\S+) kg", said, re.MULTILINE)
    return {"tolerance": float(tolerance.group(1)) if tolerance else 0.0, "mass": float(mass.group(1)) if mass else 0.0}


def of_run(folder, scene, program, gain_limit):
    """All that is found in a run's folder."""
    result = {"reason": None, "verdict": None, "steps": 0, "cpu": None,
              **check_says(program, folder / "scene.json")}
    summary = read_summary(folder / "summary.json", result)
    history = read_history(folder / "history.csv") if (folder / "history.csv").exists() else {}
    if history:
        result.update(read_steps(history), **read_energy(history, scene, noise(result), gain_limit))
    result.update(read_frames(folder, scene, program, history))
    result["differs"] += contradictions(summary, history)
    return result


def read_summary(path, result):
    """Takes what is needed into the result; returns all."""
    summary = json.loads(path.read_text()) if path.exists() else {}
    result["reason"] = summary.get("reason")
    result["cpu"] = summary.get("processor_s")
    result["verdict"] = summary.get("verdict") or summary.get("contact", {}).get("verdict")
    return summary


def contradictions(summary, history):
    """Totals in the summary that differ from the rows of the history."""
    told = summary.get("judge", {})
    found = []
    for name in COUNTS:
        if name in told and name in history:
            most = int(np.nanmax(history[name], initial=0))
            if most != told[name]["most"]:
                found.append({"time": None, "count": name, "outside": most, "told": told[name]["most"]})
    return found


def read_steps(history):
    newton, seconds = history["newton_iterations"][1:], history["seconds"][1:]
    residual = history["residual"][1:]
    result = {"steps": len(newton), "newton": newton.astype(int).tolist(),
              "retries": int(np.sum(history["retries"][1:])),
              "slowest_step": float(np.max(seconds, initial=0)),
              "worst_residual": float(np.nanmax(residual, initial=0)),
              "worst_idle_residual": float(np.max(residual[newton == 0], initial=0))}
    for name in ("contact_repeats", "rung"):
        if name in history:
            result[name] = int(np.nansum(history[name][1:]))
    return result


def noise(result):
    """Energy in J of a motion a hundred times the solver's tolerance, below which nothing is a gain."""
    return result["mass"] * (100 * result["tolerance"]) ** 2


def read_energy(history, scene, least, limit):
    found = energy.audit(history, bool(energy.drivers(scene)), least)
    if found is None or not len(found["gain"]):
        return {"gain": None}
    share = found["gain"] / found["scale"]
    bad = ~np.isfinite(share)
    share = np.where(bad, math.inf, share)
    worst = int(np.argmax(share))
    rises = found["rise"] / found["scale"]
    result = {"gain": float(found["gain"][worst]), "gain_share": float(share[worst]), "gain_step": worst + 1,
              "gain_time": float(history["time"][worst + 1]), "gain_scale": float(found["scale"][worst]),
              "rise_share": float(np.nanmax(rises)), "gaining_steps": int(np.count_nonzero(share > limit))}
    if "energy_gain" in history:
        told = history["energy_gain"][1:]
        result["gain_told_differs"] = float(np.nanmax(np.abs(told - found["gain"]) / found["scale"]))
    return result


def read_frames(folder, scene, program, history):
    """The outside count of every frame, its worst, and where the program's own count differs."""
    paths = sorted((folder / "frames").glob("frame_*.vtu")) if (folder / "frames").exists() else []
    result = {"frames": len(paths), "differs": []}
    result.update({"worst_" + name: 0 for name in COUNTS})
    if not paths:
        return result
    judge = None
    for path in paths:
        grid = Grid(path)
        judge = judge or Judge(scene, program, grid)
        counts = judge.count(grid)
        for name, count in counts.items():
            result["worst_" + name] = max(result["worst_" + name], count)
        result["differs"] += differences(counts, history, grid.time)
    return result


def differences(counts, history, moment):
    """The program's columns of the same name, at the step that ended with this frame."""
    if "time" not in history:
        return []
    row = int(np.argmin(np.abs(history["time"] - moment)))
    told = {name: history[name][row] for name in counts if name in history}
    return [{"time": moment, "count": name, "outside": counts[name], "told": None if math.isnan(value) else int(value)}
            for name, value in told.items() if value != counts[name]]


def broken(result, gain_limit):
    """The guarantees that this run violated, in words."""
    found = []
    if result["outcome"] not in ("finished", "not solved"):
        found.append(result["outcome"])
    elif result["outcome"] == "not solved" and not result["reason"]:
        found.append("no reason")
    if result.get("gain") is not None and not is_trapezoidal(result) and result["gain_share"] > gain_limit:
        found.append("energy gain")
    if result["differs"] or claims_too_much(result):
        found.append("verdict differs")
    if result["worst_inverted_tets"]:
        found.append("inverted tets")
    passing = any(result["worst_" + name] for name in COUNTS if name != "inverted_tets")
    if passing and result["method"] == "primitives":
        found.append("passes through")
    return found


def is_trapezoidal(result):
    """An undamped integrator may gain energy, and says so."""
    return result["integrator"] in ("tr", "tr_decoupled")


def claims_too_much(result):
    """A verdict that is clean although something was found."""
    clean = re.match("No committed step penetrated|Checked at", result["verdict"] or "")
    return bool(clean) and any(result["worst_" + name] for name in COUNTS)
