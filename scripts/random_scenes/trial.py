"""One random scene: made, run, and judged. The result is a plain dictionary."""
import json
import math
import os
import re
import shlex
import shutil
import signal
import subprocess
import time
from pathlib import Path

import numpy as np

from . import energy, scene as scenes
from .frame import Grid
from .judge import COUNTS, Judge

EXIT_WORDS = {0: "finished", 2: "refused", 3: "system", 4: "not solved", 5: "bug", 130: "interrupted"}


def run(options, number):
    """Makes scene `number`, runs it and judges it."""
    folder = Path(options["out"]) / f"{options['seed']}" / f"{number:04d}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    path = folder / "scene.json"
    scene = scenes.make(options["seed"], number)
    path.write_text(json.dumps(scene, indent=1) + "\n")
    command = [options["program"], "run", str(path), "--out", str(folder / "run"), "--overwrite", "--quiet"]
    outcome = launch(command, folder, options["cpu"])
    result = {"number": number, "seed": options["seed"], "command": shlex.join(command), **describe(scene), **outcome}
    result.update(judge_run(folder / "run", scene, options["program"], options["gain"]))
    result["broken"] = broken(result, options)
    (folder / "result.json").write_text(json.dumps(result, indent=1) + "\n")
    if not options["keep"] and not result["broken"]:
        shutil.rmtree(folder / "run", ignore_errors=True)
    return result


def describe(scene):
    laws = sorted({material["law"] for material in scene["materials"].values()})
    return {"integrator": scene["integrator"], "laws": laws, "step": scene["time"]["step"],
            "shapes": [body["shape"]["type"] for body in scene["bodies"].values()],
            "drivers": energy.drivers(scene)}


def launch(command, folder, limit):
    """Runs a command; past `limit` seconds of processor time it is asked to stop, and soon after made to."""
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1",
                       OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    started, asked = time.time(), False
    with open(folder / "stdout.txt", "w") as out, open(folder / "stderr.txt", "w") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL, env=environment)
        while process.poll() is None:
            used = processor_seconds(process.pid)
            if used > limit and not asked:
                process.send_signal(signal.SIGTERM)
                asked = True
            if used > 1.25 * limit:
                process.kill()
            time.sleep(0.02)
    code = process.returncode
    text = (folder / "stderr.txt").read_text(errors="replace").strip()
    outcome = "time" if asked else EXIT_WORDS.get(code, f"crashed (signal {-code})" if code < 0 else f"exit {code}")
    return {"outcome": outcome, "exit": code, "said": text, "wall": time.time() - started}


def processor_seconds(pid):
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return 0.0
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def check_says(program, path):
    """What `check` says: when a step counts as solved, in m/s, and the mass of all bodies, in kg."""
    said = subprocess.run([program, "check", str(path)], capture_output=True, text=True).stdout
    tolerance = re.search(r"solver\.velocity_tolerance = (\S+)", said)
    mass = re.search(r"^Sizes .* (\S+) kg", said, re.MULTILINE)
    return {"tolerance": float(tolerance.group(1)) if tolerance else 0.0, "mass": float(mass.group(1)) if mass else 0.0}


def judge_run(folder, scene, program, gain_limit):
    """All that is found in a run's folder."""
    result = {"reason": None, "verdict": None, "steps": 0, **check_says(program, folder / "scene.json")}
    summary = folder / "summary.json"
    if summary.exists():
        told = json.loads(summary.read_text())
        result["reason"] = told.get("reason")
        result["verdict"] = (told.get("judge") or told.get("contact") or {}).get("verdict")
        result["cpu"] = told.get("processor_s")
        result["judge_summary"] = told.get("judge")
    history = energy.read_history(folder / "history.csv") if (folder / "history.csv").exists() else {}
    if history:
        result.update(read_steps(history), **read_energy(history, scene, noise(result), gain_limit))
    result.update(read_frames(folder, scene, program, history))
    return result


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
    if "time" not in history or not len(history["time"]):
        return []
    row = int(np.argmin(np.abs(history["time"] - moment)))
    return [{"time": moment, "count": name, "outside": count, "told": int(history[name][row])}
            for name, count in counts.items() if name in history and history[name][row] != count]


def broken(result, options):
    """Which of the promises this run broke, in words."""
    found = []
    if result["outcome"] not in ("finished", "not solved"):
        found.append(result["outcome"])
    elif result["outcome"] == "not solved" and not result["reason"]:
        found.append("no reason")
    if result.get("gain") is not None and not result["integrator"].startswith("tr_dec") \
            and result["integrator"] != "tr" and result["gain_share"] > options["gain"]:
        found.append("energy gain")
    if result["differs"] or claims_too_much(result):
        found.append("verdict differs")
    return found


def claims_too_much(result):
    """A verdict that speaks of no penetration at all where something was found."""
    clean = "No committed step penetrated" in (result["verdict"] or "")
    return clean and any(result["worst_" + name] for name in COUNTS)
