"""How time and memory grow with a scene: pairs of balls on each other on a floor, more and more of them, and sheets of
cloth on each other with more and more contacts; and how fast many rigid bodies are: rows of dominoes that fall, a heap of boxes
that comes down, a wall that stands; and what several processes take to set up a scene whose meshes come from files.
Prints tables in Markdown.
"""
import csv
import json
import math
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

from common import add_program, out_folder, parser_of, write_scene
from outside.launch import processor_seconds

FLOOR = {"floor": {"shape": {"type": "half_space"}}}
RUBBER = {"law": "stable_neo_hookean", "young": "100 kPa", "poisson": 0.3, "density": "1000 kg/m^3"}
CLOTH = {"law": "membrane", "young": "500 N/m", "poisson": 0.3, "area_density": "0.2 kg/m^2", "bending": "1e-5 J"}
CELLS, BALL_TETS = 7, 15 * 7 ** 3


def scene(materials, bodies, step, steps):
    return {"materials": materials, "bodies": bodies, "obstacles": FLOOR, "friction": [{"between": "any", "dynamic": 0.3}],
            "time": {"duration": steps * step, "step": step, "frame_rate": 1 / (steps * step)},
            "output": {"stress": False, "forces": False, "judge": "frame", "checkpoint_interval": 2 * steps * step}}


def balls(tets, steps):
    """One ball upon another, side by side on the floor; each falls a little, so that all touch within the steps."""
    pairs = max(1, round(tets / (2 * BALL_TETS)))
    side = math.ceil(math.sqrt(pairs))
    bodies = {}
    for i in range(2 * pairs):
        x, y, z = i // 2 % side, i // 2 // side, i % 2
        bodies[f"ball {i}"] = {"shape": {"type": "sphere", "radius": 0.05, "cells": CELLS}, "material": "rubber",
                               "translate": [0.12 * x + 0.005 * z, 0.12 * y, 0.0501 + 0.1003 * z],
                               "velocity": [0, 0, -0.1]}
    return scene({"rubber": RUBBER}, bodies, 0.002, steps)


def sheets(contacts, steps):
    """Two sheets upon each other on the floor. A vertex has about three contacts: floor, points and edges."""
    cells = max(4, round(math.sqrt(contacts / 6)))
    size = 0.005 * cells
    bodies = {f"sheet {i}": {"shape": {"type": "sheet", "width": size, "length": size, "cells_x": cells, "cells_y": cells},
                             "material": "cloth", "translate": [0.0017 * i, 0.0011 * i, 0.0003 * (i + 1)],
                             "velocity": [0, 0, -0.05]} for i in range(2)}
    return scene({"cloth": CLOTH}, bodies, 0.002, steps)


def box(size, place, **keys):
    return {"shape": {"type": "box", "size_x": size[0], "size_y": size[1], "size_z": size[2], "edge": max(size)},
            "translate": place, **keys}


def dominoes(count, steps):
    """Rows of up to 40; the first of each is tipped over."""
    tipped = {"velocity": [0.15, 0, 0], "angular_velocity": [0, 6, 0]}
    bodies = {f"d{i}": box([0.008, 0.024, 0.048], [0.02 * (i % 40), 0.04 * (i // 40), 0.024],
                           **(tipped if i % 40 == 0 else {})) for i in range(count)}
    return scene({"wood": {"law": "rigid", "density": 700}}, bodies, 0.004, steps)


def heap(count, steps):
    """Boxes turned at random that come down at 1 m/s."""
    side, chance, bodies = math.ceil(count ** (1 / 3)), random.Random(3), {}
    for i in range(count):
        place = [0.08 * (i % side), 0.08 * (i // side % side), 0.04 + 0.08 * (i // side ** 2)]
        turn = {"axis": [chance.gauss(0, 1) for _ in range(3)], "angle": chance.uniform(0, 3)}
        bodies[f"b{i}"] = box([0.05, 0.04, 0.03], place, rotate=turn, velocity=[0, 0, -1])
    return scene({"stone": {"law": "rigid", "density": 1900}}, bodies, 0.004, steps)


def wall(count, steps):
    """Bricks, every other course shifted by half of one, with small gaps that close."""
    per, bodies = math.ceil(math.sqrt(1.6 * count)), {}
    for i in range(count):
        course, k = i // per, i % per
        bodies[f"b{i}"] = box([0.2, 0.1, 0.06], [0.2001 * (k + 0.5 * (course % 2)), 0, 0.0601 * course + 0.0301])
    return scene({"brick": {"law": "rigid", "density": 1900}}, bodies, 0.01, steps)


def run(program, folder, made, threads):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    path = write_scene(folder, made)
    command = [program, "run", str(path), "--out", str(folder / "run"), "--quiet"]
    start = time.monotonic()
    done = subprocess.run(command + (["-j", str(threads)] if threads else []), capture_output=True, text=True)
    wall = time.monotonic() - start
    if done.returncode != 0:
        return None, done.stderr.strip().splitlines()[-1:]
    summary = json.loads((folder / "run" / "summary.json").read_text())
    with open(folder / "run" / "history.csv") as file:
        rows = list(csv.DictReader(file))
    return (summary, rows, wall), None


def columns(made, result):
    summary, rows, wall = result
    seconds = sorted(float(row["seconds [s]"]) for row in rows[1:])
    touching = next((key for key in rows[-1] if key.split(" ")[0] == "touching"), None)
    steps, last = len(rows) - 1, rows[-1]
    size = summary["tets"] or summary["triangles"]
    mean = sum(seconds) / steps
    return (f"| {summary['tets']} | {summary['triangles']} | {summary['vertices']} | {len(made['bodies'])} | "
            f"{last.get(touching, '0') if touching else 0} | {wall - sum(seconds):.1f} | {mean:.2f} | "
            f"{1e6 * mean / size:.1f} | {summary['newton_iterations'] / steps:.1f} | "
            f"{summary['linear_iterations'] / max(1, summary['newton_iterations']):.1f} | "
            f"{summary['peak_memory_bytes'] / 1e9:.2f} | {1e3 * summary['peak_memory_bytes'] / 1e3 / size:.0f} |")


def print_rigid(asked):
    print("\n| rigid bodies | | touching vertices | set-up and files, s | s per step | Newton per step | processor s per step |")
    print("| --- " * 7 + "|", flush=True)
    failed = False
    for count in [int(text) for text in asked.bodies.split(",") if text]:
        for make in (dominoes, heap, wall):
            made = make(count, asked.steps)
            result, trouble = run(asked.program, asked.out / f"{make.__name__}-{count}", made, asked.threads)
            failed |= result is None
            if not result:
                print(f"{make.__name__} of {count}: {trouble}", flush=True)
                continue
            summary, rows, elapsed = result
            seconds, steps = sum(float(row["seconds [s]"]) for row in rows[1:]), len(rows) - 1
            print(f"| {count} | {make.__name__} | {rows[-1]['touching']} | "
                  f"{elapsed - seconds:.1f} | {seconds / steps:.2f} | {summary['newton_iterations'] / steps:.1f} | "
                  f"{summary['processor_s'] / steps:.2f} |", flush=True)
    return failed


def file_balls(program, folder, tets, ending):
    """Two balls on each other, each from the same file of half the tets."""
    cells = max(2, round((tets / 2 / 15) ** (1 / 3)))
    folder.mkdir(parents=True, exist_ok=True)
    name = f"ball-{cells}.{ending}"
    made = subprocess.run([program, "mesh", "make", "sphere", "--radius", "5cm", "--cells", str(cells), "-o", str(folder / name)],
                          check=True, capture_output=True, text=True)
    count = next(int(line.split()[1]) for line in made.stdout.splitlines() if line.startswith("tets"))
    bodies = {f"ball {i}": {"mesh": name, "material": "rubber", "translate": [0.005 * i, 0, 0.0501 + 0.1003 * i],
                            "velocity": [0, 0, -0.1]} for i in range(2)}
    path = folder / f"balls-{cells}.json"
    path.write_text(json.dumps(scene({"rubber": RUBBER}, bodies, 0.002, 1)))
    return path, 2 * count


def children(process):
    """Processes that another one has started, in the order of their ranks."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            variables = (folder / "environ").read_bytes().split(b"\0")
        except (OSError, ValueError):
            continue
        rank = [int(text.split(b"=")[1]) for text in variables if text.startswith(b"OMPI_COMM_WORLD_RANK=")]
        if parent == process and rank:
            found.append((rank[0], folder))
    return [folder for _, folder in sorted(found)]


def own_memory(folder):
    """MB of a process; what several share counts in equal parts."""
    try:
        text = (folder / "smaps_rollup").read_text()
        return sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")) / 1e3
    except OSError:
        return 0.0


def watch_set_up(program, path, processes):
    """Processor time of the first process until a scene could start, and the most memory of each and of all at once."""
    command = [program, "check", str(path), "--quiet"]
    if processes > 1:
        command = ["mpiexec", "-n", str(processes), "--oversubscribe", "--bind-to", "none", *command]
    started = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    most, together, seconds = [0.0] * processes, 0.0, 0.0
    ranks = [Path(f"/proc/{started.pid}")] if processes == 1 else []
    while started.poll() is None:
        if len(ranks) < processes:
            ranks = children(started.pid)
        now = [own_memory(folder) for folder in ranks]
        together = max(together, sum(now))
        for i, value in enumerate(now[:processes]):
            most[i] = max(most[i], value)
        seconds = max(seconds, processor_seconds(ranks[0].name) if ranks else 0.0)
        time.sleep(0.005)
    if started.returncode != 0:
        sys.exit(f"{' '.join(command)}: {started.returncode}")
    return seconds, most, together


def print_files(asked):
    print("| tets | processes | processor s of the first | memory, MB: first | others | all at once |")
    print("| --- " * 6 + "|", flush=True)
    for size in [int(text) for text in asked.files.split(",") if text]:
        path, tets = file_balls(asked.program, asked.out / "files", size, asked.format)
        for processes in [int(text) for text in asked.processes.split(",")]:
            seconds, most, together = watch_set_up(asked.program, path, processes)
            others = f"{max(most[1:]):.0f}" if processes > 1 else ""
            print(f"| {tets} | {processes} | {seconds:.1f} | {most[0]:.0f} | {others} | {together:.0f} |", flush=True)


def main(words):
    parser = parser_of("scale", __doc__)
    add_program(parser)
    parser.add_argument("--out", default=out_folder("scale"), type=Path)
    parser.add_argument("--tets", default="10000,100000,500000,2000000")
    parser.add_argument("--contacts", default="10000,100000,1000000")
    parser.add_argument("--bodies", default="100,1000")
    parser.add_argument("--steps", default=4, type=int)
    parser.add_argument("-j", "--threads", type=int)
    parser.add_argument("--files", help="instead of all else: tets of scenes with meshes from files")
    parser.add_argument("--format", default="vtkhdf")
    parser.add_argument("--processes", default="1,2,4")
    asked = parser.parse_args(words)
    if asked.files:
        print_files(asked)
        return 0
    print("| tets | triangles | vertices | bodies | touching vertices | set-up and files, s | s per step | µs per step and element | "
          "Newton per step | linear per Newton | memory, GB | bytes per element |")
    print("| --- " * 12 + "|", flush=True)
    failed = False
    for name, make, sizes in (("balls", balls, asked.tets), ("sheets", sheets, asked.contacts)):
        for size in [int(text) for text in sizes.split(",") if text]:
            made = make(size, asked.steps)
            result, trouble = run(asked.program, asked.out / f"{name}-{size}", made, asked.threads)
            print(columns(made, result) if result else f"{name} of {size}: {trouble}", flush=True)
            failed |= result is None
    return 1 if print_rigid(asked) or failed else 0
