"""Runs one scene with some tunables changed and counts what it takes."""
import json
import tempfile
from pathlib import Path

from outside.launch import launch

from .scenes import SCENES

COUNTS = {"steps": "steps", "newton": "newton_iterations", "linear": "linear_iterations", "retries": "retries",
          "cpu": "processor_s"}


def measure(options, job):
    """job: a setting and the name of a scene. A setting is NAME=VALUE, several with commas, or nothing."""
    setting, scene = job[0], SCENES[job[1]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "scene"
        folder.mkdir()
        scene.write(folder)
        run = folder / "run"
        command = [options["program"], "run", str(folder / "scene.json"), "--out", str(run), "--quiet"]
        if scene.duration:
            command += ["--set", f"time.duration={scene.duration}"]
        for change in filter(None, setting.split(",")):
            command += ["--set", f"tunable.{change}"]
        outcome = launch(command, folder, options["cpu"])
        path = run / "summary.json"
        summary = json.loads(path.read_text()) if path.exists() else {}
    counts = {name: summary.get(key, 0) for name, key in COUNTS.items()}
    return {"outcome": outcome["outcome"], "said": outcome["said"][-300:], **counts}
