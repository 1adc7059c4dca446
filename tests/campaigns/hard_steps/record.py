"""Runs a scene up to its hard steps and keeps the run's folder, which can be resumed from there."""
import json
import re
import shutil
import signal
import subprocess
import time

from common import write_scene
from outside.launch import environment, processor_seconds

SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6}


def seconds(value):
    """A time as scenes have it: a number, or a text with a unit."""
    if not isinstance(value, str):
        return float(value)
    number, unit = re.fullmatch(r"([-+.\deE]+)\s*(\w+)", value).groups()
    return float(number) * SECONDS[unit]


def record(window, folder, program, limit):
    """Returns what became of it. A window that starts at 0 has no run before it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    window.write(folder)
    path = folder / "scene.json"
    scene = json.loads(path.read_text())
    scene["time"]["duration"] = window.start + window.steps * seconds(scene["time"]["step"])
    scene["time"].pop("frame_rate", None)
    scene.setdefault("output", {}).update(stress=False, forces=False)
    if window.start:
        scene["output"]["checkpoint_interval"] = window.start
    write_scene(folder, scene)
    return run_to_checkpoint([program, "run", str(path), "--out", str(folder / "run"), "--quiet"], folder / "run",
                             limit) if window.start else "recorded"


def run_to_checkpoint(command, folder, limit):
    """The run is ended as soon as the state of the window's start is on disk, which replaces that of the run's start; a
    resumed run drops what came after it."""
    seen = set()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=environment())
    while process.poll() is None:
        seen |= {path.stat().st_ino for path in folder.glob("checkpoint.h5")}
        if len(seen) > 1:
            process.send_signal(signal.SIGKILL)
            process.wait()
            return "recorded"
        if processor_seconds(process.pid) > limit:
            process.kill()
        time.sleep(0.02)
    return f"exit {process.returncode}"
