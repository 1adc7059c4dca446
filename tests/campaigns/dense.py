"""What a step costs where much touches much: two layers of cloth on a ball, a folded sheet that comes down on itself, two slabs
pressed and slid on each other, a stack of soft cubes and one cube of as many tets, a cube on a held soft body, a heap of
boxes. Prints a table in Markdown: processor time, iterations and memory.
"""
import csv
import json
import math
import shutil
from pathlib import Path

from common import add_program, out_folder, parser_of, write_scene
from outside.launch import launch
from scale import CLOTH, RUBBER, heap, scene


def cube(cells, size, place, **keys):
    sides = {f"{key}_{axis}": value for axis in "xyz" for key, value in (("size", size), ("cells", cells))}
    return {"shape": {"type": "box", **sides}, "material": "rubber", "translate": place, **keys}


def layers(triangles, steps):
    """Two square sheets, a little shifted, that fall onto a ball."""
    cells = round(math.sqrt(triangles / 4))
    bodies = {f"sheet {i}": {"shape": {"type": "sheet", "width": 0.5, "length": 0.5, "cells_x": cells, "cells_y": cells},
                             "material": "cloth", "translate": [0.0017 * i, 0.0011 * i, 0.152 + 0.002 * i],
                             "velocity": [0, 0, -0.2]} for i in range(2)}
    made = scene({"cloth": CLOTH}, bodies, 0.01, steps)
    made["obstacles"] = {"ball": {"shape": {"type": "sphere", "radius": 0.15}}}
    return made


def folded(triangles, steps):
    """A sheet wound around an axis like an S, of which the lowest part lies on the floor: each part comes down on the next."""
    cells, size, gap = round(math.sqrt(triangles / 2)), 0.5, 0.02
    bend = math.pi * gap / 2
    flat = (size - 2 * bend) / 3
    vertices, lists = [], []
    for i in range(cells + 1):
        for j in range(cells + 1):
            x, z = along_s(size * i / cells, flat, bend, gap)
            vertices += [x, size * (j / cells - 0.5), z + 0.002]
    for i in range(cells):
        for j in range(cells):
            a, b = i * (cells + 1) + j, (i + 1) * (cells + 1) + j
            lists += [a, b, b + 1, a, b + 1, a + 1] if (i + j) % 2 else [a, b, a + 1, b, b + 1, a + 1]
    return scene({"cloth": CLOTH}, {"sheet": {"mesh": {"vertices": vertices, "triangles": lists}, "material": "cloth"}}, 0.01, steps)


def along_s(s, flat, bend, gap):
    """Where a point lies: three flat parts upon each other, joined by half circles on alternate sides."""
    radius, part = gap / 2, 0
    while s > flat + bend:
        s, part = s - flat - bend, part + 1
    forth = 1 if part % 2 == 0 else -1
    start = 0 if part % 2 == 0 else flat
    turn = max(0, s - flat) / radius
    return start + forth * (min(s, flat) + radius * math.sin(turn)), part * gap + radius * (1 - math.cos(turn))


def slabs(cells, steps):
    """Two of them, two cells high: the lower one is held from below, the upper one slides and sinks onto it."""
    size, bodies = 0.5, {}
    for i, count in enumerate((cells, round(cells * 14 / 15))):
        high = 2 * size / cells
        bodies[f"slab {i}"] = {"shape": {"type": "box", "size_x": size, "size_y": size, "size_z": high, "cells_x": count,
                                         "cells_y": count, "cells_z": 2},
                               "material": "rubber", "translate": [0.003 * i, 0.002 * i, high * (i + 0.5) + 0.0003 * i],
                               "velocity": [0.1 * i, 0, -0.05 * i]}
    made = scene({"rubber": RUBBER}, bodies, 0.01, steps)
    made["obstacles"] = {}
    made["boundaries"] = {"base": {"body": "slab 0", "region": {"label": "z-"}}}
    return made


def stack(count, steps):
    """Cubes of 1080 tets upon each other; `one` has as many in a single cube as a stack of five."""
    bodies = {f"cube {i}": cube(6, 0.1, [0, 0, 0.0501 + 0.1002 * i]) for i in range(count)}
    return scene({"rubber": RUBBER}, bodies, 0.005, steps)


def one(cells, steps):
    return scene({"rubber": RUBBER}, {"cube": cube(cells, 0.1, [0, 0, 0.0501])}, 0.005, steps)


def held(cells, steps):
    """A cube on a soft block that is held in all its vertices."""
    bodies = {"block": cube(cells, 0.2, [0, 0, -0.1]), "cube": cube(5, 0.1, [0, 0, 0.0505])}
    made = scene({"rubber": RUBBER}, bodies, 0.005, steps)
    made["obstacles"] = {}
    made["boundaries"] = {"all": {"body": "block", "region": "all"}}
    made["solver"] = {"type": "direct"}
    return made


def held_rigid(cells, steps):
    """The same on a rigid block, for comparison."""
    made = held(cells, steps)
    made["materials"]["stone"] = {"law": "rigid", "density": 1000}
    made["bodies"]["block"]["material"] = "stone"
    return made


FAMILIES = {"layers": (layers, "5000,20000,80000", "triangles", 10), "folded": (folded, "5000,20000,80000", "triangles", 10),
            "slabs": (slabs, "16,50,150", "cells along a side", 3), "stack": (stack, "5", "cubes", 60),
            "one": (one, "10", "cells along an edge", 60), "held": (held, "11", "cells along an edge", 60),
            "held-rigid": (held_rigid, "11", "cells along an edge", 60), "heap": (heap, "50,200,1000", "boxes", 8)}


def measure(program, folder, made, limit):
    """The history's rows and the summary, or why there are none."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    made["output"]["judge"] = "off"
    command = [program, "run", str(write_scene(folder, made)), "--out", str(folder / "run"), "--quiet", "-j", "1"]
    outcome = launch(command, folder, limit)
    if not (folder / "run" / "summary.json").exists():
        return None, outcome["outcome"]
    with open(folder / "run" / "history.csv") as file:
        rows = list(csv.DictReader(file))
    return rows, json.loads((folder / "run" / "summary.json").read_text())


def line(name, size, made, rows, summary):
    """A nominal step is one of the scene, however many parts it is solved in."""
    steps = round(made["time"]["duration"] / made["time"]["step"])
    newton, touching = summary["newton_iterations"], rows[-1].get("touching", "0")
    return (f"| {name} {size} | {summary['vertices']} | {touching} | {summary['processor_s'] / steps:.3f} | {newton / steps:.1f} | "
            f"{summary['linear_iterations'] / max(1, newton):.1f} | {1e3 * summary['processor_s'] / max(1, newton):.1f} | "
            f"{summary['peak_memory_bytes'] / 1e6:.0f} |")


def main(words):
    parser = parser_of("dense", __doc__)
    add_program(parser)
    parser.add_argument("--out", default=out_folder("dense"), type=Path)
    parser.add_argument("--only", default=",".join(FAMILIES), help="families, with commas between them")
    parser.add_argument("--steps", type=int, help="instead of each family's own number")
    parser.add_argument("--limit", default=600, type=float, help="processor seconds of a run")
    for name, (make, sizes, unit, _) in FAMILIES.items():
        parser.add_argument(f"--{name}", default=sizes, help=f"{unit} (default: {sizes})")
    asked = parser.parse_args(words)
    print("| scene | vertices | touching | processor s per nominal step | Newton per nominal step | linear per Newton | ms per Newton | "
          "memory, MB |\n" + "| --- " * 8 + "|", flush=True)
    failed = False
    for name in asked.only.split(","):
        make, _, _, steps = FAMILIES[name]
        for size in getattr(asked, name.replace("-", "_")).split(","):
            made = make(int(size), asked.steps or steps)
            rows, result = measure(asked.program, asked.out / f"{name}-{size}", made, asked.limit)
            print(line(name, size, made, rows, result) if rows else f"{name} of {size}: {result}", flush=True)
            failed |= rows is None
    return 1 if failed else 0
