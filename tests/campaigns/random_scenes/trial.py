"""One random scene: made, run, and judged. The result is a plain dictionary."""
import json
import shlex
import shutil
from pathlib import Path

from common import write_scene
from outside.launch import launch

from . import crush, energy, findings, pace, scene as scenes

MAKERS = {"any": scenes.make, "crush": crush.make}


def make(options, number):
    """Scene `number`: options say seed, kind and method of contact."""
    made = MAKERS[options["kind"]](options["seed"], number)
    return scenes.with_method(made, options["method"])


def run(options, number):
    """Makes scene `number`, runs it and judges it."""
    folder = Path(options["out"]) / f"{options['seed']}" / f"{number:04d}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    scene = make(options, number)
    path = write_scene(folder, scene)
    command = [options["program"], "run", str(path), "--out", str(folder / "run"), "--overwrite", "--quiet"]
    outcome = launch(command, folder, options["cpu"])
    result = {"number": number, "seed": options["seed"], "command": shlex.join(command), **describe(scene), **outcome}
    result.update(findings.of_run(folder / "run", scene, options["program"], options["gain"]))
    result["broken"] = findings.broken(result, options["gain"])
    (folder / "result.json").write_text(json.dumps(result, indent=1) + "\n")
    if not options["keep"] and not result["broken"]:
        shutil.rmtree(folder / "run", ignore_errors=True)
    return result


def describe(scene):
    laws = sorted({material["law"] for material in scene["materials"].values()})
    return {"integrator": scene["integrator"], "laws": laws, "step": scene["time"]["step"],
            "method": scene.get("contact", {}).get("method", "primitives"),
            "shapes": [body["shape"]["type"] for body in scene["bodies"].values()],
            "drivers": energy.drivers(scene), "gentle": pace.is_gentle(scene)}
