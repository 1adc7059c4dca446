"""Makes, runs and measures one case. The result is a plain dictionary."""
import json
import shutil
import traceback
from pathlib import Path

import numpy as np

from common import write_scene
from outside.launch import launch

from .case import CASES
from .run import Run


def make(case, folder, method):
    """The scene of a case and its meshes, in a new folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    scene = {"title": case.name, **case.make(folder)}
    if method:
        scene.setdefault("contact", {})["method"] = method
    write_scene(folder, scene)
    return scene


def run(options, name):
    case = CASES[name]
    done = {method: run_once(case, options, method) for method in case.methods or (options["method"],)}
    result = {"case": name, "group": case.group, "wanted": case.wanted, "measured": "", "wrong": []}
    for method, (outcome, ran) in done.items():
        judge_run(case, outcome, ran, result, f" ({method})" if case.methods else "")
    if not result["wrong"] or any(ran.grids for _, ran in done.values()):
        measure(case, [ran for _, ran in done.values()], result)
    last, ran = list(done.values())[-1]
    result.update(costs(last, ran))
    (Path(options["out"]) / name / "result.json").write_text(json.dumps(result, indent=1) + "\n")
    return result


def run_once(case, options, method):
    folder = Path(options["out"]) / case.name / (method or "default")
    scene = make(case, folder, method)
    command = [options["program"], "run", str(folder / "scene.json"), "--out", str(folder / "run"), "--overwrite",
               "--quiet"]
    outcome = launch(command, folder, options["cpu"] or case.cpu)
    return outcome, Run(folder / "run", scene, options["program"])


def judge_run(case, outcome, ran, result, suffix):
    """Checks for every case: it finishes, and nothing overlaps."""
    if outcome["outcome"] != "finished":
        said = outcome["said"].splitlines()
        result["wrong"].append(outcome["outcome"] + suffix + (f": {said[-1]}" if said else ""))
    if case.crossings and not (case.methods and ran.is_smooth()):  # compared with, not judged
        found = {name: count for name, count in ran.crossings().items() if count}
        result["wrong"] += [f"{count} {name}{suffix}" for name, count in found.items()]
    passed = ran.passages() if case.passages else 0
    if passed:
        result["wrong"].append(f"{passed} passages{suffix}")


def measure(case, runs, result):
    try:
        finding = case.measure(*runs)
        result["measured"] = finding.text
        result["wrong"] += finding.wrong
    except (ValueError, IndexError, KeyError, ZeroDivisionError):  # of a run that ended early
        result["wrong"].append("cannot be measured: " + traceback.format_exc().splitlines()[-1])


def costs(outcome, ran):
    newton = ran.steps()
    cpu = ran.summary.get("processor_s") or outcome["used"]
    return {"steps": len(newton), "newton": float(np.mean(newton)) if len(newton) else None,
            "most_newton": int(np.max(newton)) if len(newton) else None,
            "cpu_per_step": cpu / len(newton) if len(newton) else None}
