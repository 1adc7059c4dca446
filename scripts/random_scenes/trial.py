"""One random scene: made, run, and judged. The result is a plain dictionary."""
import json
import os
import shlex
import shutil
import signal
import subprocess
import time
from pathlib import Path

from . import energy, findings, scene as scenes

EXIT_WORDS = {0: "finished", 2: "refused", 3: "system", 4: "not solved", 5: "bug", 130: "interrupted"}


def run(options, number):
    """Makes scene `number`, runs it and judges it."""
    folder = Path(options["out"]) / f"{options['seed']}" / f"{number:04d}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    path = folder / "scene.json"
    scene = scenes.make(options["seed"], number, options["method"])
    path.write_text(json.dumps(scene, indent=1) + "\n")
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
            "shapes": [body["shape"]["type"] for body in scene["bodies"].values()],
            "drivers": energy.drivers(scene)}


def launch(command, folder, limit):
    """Runs a command; past `limit` seconds of processor time it is asked to stop, and soon after made to."""
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1",
                       OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    asked, used = False, 0.0
    with open(folder / "stdout.txt", "w") as out, open(folder / "stderr.txt", "w") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL, env=environment)
        while process.poll() is None:
            used = max(used, processor_seconds(process.pid))
            if used > limit and not asked:
                process.send_signal(signal.SIGTERM)
                asked = True
            if used > 1.25 * limit:
                process.kill()
            time.sleep(0.02)
    code = process.returncode
    text = (folder / "stderr.txt").read_text(errors="replace").strip()
    outcome = "time" if asked else EXIT_WORDS.get(code, f"crashed (signal {-code})" if code < 0 else f"exit {code}")
    return {"outcome": outcome, "exit": code, "said": text, "used": used}


def processor_seconds(pid):
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return 0.0
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
