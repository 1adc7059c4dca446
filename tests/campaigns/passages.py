"""Random throws at high speed, judged from outside: does anything pass through what it should hit?

  passages [--count 1000] [--seed 1] [--only KIND…]   many throws, and a table
  passages --case NUMBER                              one of them; its scene and run stay in the folder

A mover goes 0.5 to 20 diameters per step at a target, or a target goes at a mover that rests. Each case follows from
the seed and its number alone. The judgement uses no code of the program: from one row of the history to the next the
mover's centre goes straight, seen from the target. It passed if that way leads through the target, grown by most of the
mover's inner radius, while both of its ends are farther away.
"""
import csv
import json
import math
import random
import shutil
from functools import partial
from pathlib import Path

from common import add_program, each, out_folder, parser_of, write_scene
from outside.launch import launch

RADIUS = 0.025  # m, of the mover
INNER = 0.85  # of the radius: a coarse ball's faces are this far from its centre at least
INTEGRATORS = ("be", "bdf2", "tr", "tr_bdf2", "sdirk2")
CPU = 120  # s
# The way leads through the target, grown by this part of the inner radius, and deeper than its ends by that one: soft
# bodies that collide flatten by less.
GROWN, DIP = 0.8, 0.15
SAMPLES = 400


# Distances to targets in their own frames, negative inside.
def to_ball(p, target):
    return math.dist(p, (0, 0, 0)) - target["radius"]


def to_capsule(p, target):
    along = max(-target["length"] / 2, min(target["length"] / 2, p[2]))
    return math.dist(p, (0, 0, along)) - target["radius"]


def to_box(p, target):
    over = [abs(p[c]) - target["size"][c] / 2 for c in range(3)]
    return math.hypot(*(max(x, 0) for x in over)) + min(max(over), 0)


def to_cylinder(p, target):
    over = (math.hypot(p[0], p[1]) - target["radius"], abs(p[2]) - target["length"] / 2)
    return math.hypot(max(over[0], 0), max(over[1], 0)) + min(max(over), 0)


def octahedron(folder, radius):
    """A ball of 128 triangles as a mesh for obstacles."""
    corner = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    face = [(x, y, z) for x in (0, 1) for y in (2, 3) for z in (4, 5)]
    face = [f if (f[0] + f[1] + f[2]) % 2 == 0 else (f[0], f[2], f[1]) for f in face]
    for _ in range(2):
        finer = []
        for f in face:
            middle = []
            for i in range(3):
                m = [corner[f[i]][c] + corner[f[(i + 1) % 3]][c] for c in range(3)]
                m = tuple(x / math.hypot(*m) for x in m)
                if m not in corner:
                    corner.append(m)
                middle.append(corner.index(m))
            finer += [(f[0], middle[0], middle[2]), (middle[0], f[1], middle[1]), (middle[2], middle[1], f[2]),
                      tuple(middle)]
        face = finer
    lines = ["v " + " ".join(f"{radius * x:.17g}" for x in v) for v in corner]
    lines += ["f " + " ".join(str(i + 1) for i in f) for f in face]
    (folder / "target.obj").write_text("\n".join(lines) + "\n")


def make_target(kind, dice, folder):
    """Its part of the scene, its distance, and its size."""
    size = RADIUS * dice.choice((0.3, 0.6, 1, 1, 1.5))
    if kind in ("soft ball", "rigid ball"):
        return ({"body": {"shape": {"type": "sphere", "radius": size, "cells": 2}, "material": kind.split()[0]}},
                to_ball, {"radius": INNER * size})
    if kind == "box":
        edges = [size * dice.uniform(1, 3) for _ in range(3)]
        return ({"body": {"shape": {"type": "box", "size_x": edges[0], "size_y": edges[1], "size_z": edges[2],
                                    "edge": max(edges)}, "material": "rigid"}}, to_ball, {"radius": min(edges) / 2})
    if kind == "sphere":
        return {"obstacle": {"shape": {"type": "sphere", "radius": size}}}, to_ball, {"radius": size}
    if kind == "mesh":
        octahedron(folder, size)
        return {"obstacle": {"mesh": "target.obj"}}, to_ball, {"radius": 0.9 * size}
    long = 8 * RADIUS
    if kind == "peg":
        return ({"obstacle": {"shape": {"type": "capsule", "radius": size / 2, "length": long}}}, to_capsule,
                {"radius": size / 2, "length": long})
    if kind == "cylinder":
        return ({"obstacle": {"shape": {"type": "cylinder", "radius": size / 2, "height": long}}}, to_cylinder,
                {"radius": 0.9 * size / 2, "length": long})
    edges = [0.02 * RADIUS if kind == "blade" else size, dice.uniform(2, 4) * RADIUS, dice.uniform(2, 4) * RADIUS]
    return ({"obstacle": {"shape": {"type": "box", "size_x": edges[0], "size_y": edges[1], "size_z": edges[2]}}}, to_box,
            {"size": edges})


KINDS = ("soft ball", "rigid ball", "box", "sphere", "mesh", "peg", "cylinder", "block", "blade")


def make_mover(dice):
    kind = dice.choice(("soft", "soft", "rigid", "cube"))
    if kind == "cube":
        edge = 2 * RADIUS / math.sqrt(3)
        return {"shape": {"type": "box", "size_x": edge, "size_y": edge, "size_z": edge, "edge": edge},
                "material": "rigid", "rotate": {"axis": [dice.gauss(0, 1) for _ in range(3)], "angle": dice.uniform(0, 3)}}, edge / 2
    return {"shape": {"type": "sphere", "radius": RADIUS, "cells": 2}, "material": kind}, INNER * RADIUS


def make(number, seed, only, folder):
    dice = random.Random(f"{seed} {number}")
    kind = dice.choice(KINDS)
    if only:
        kind = only[number % len(only)]
    part, distance, target = make_target(kind, dice, folder)
    mover, inner = make_mover(dice)
    speed = math.exp(dice.uniform(math.log(1), math.log(10)))
    stride = math.exp(dice.uniform(math.log(0.5), math.log(20)))  # diameters per step
    step = stride * 2 * RADIUS / speed
    reach = RADIUS + target.get("radius", 0)
    away, around = 0.85 * reach * math.sqrt(dice.random()), dice.uniform(0, 2 * math.pi)
    first = 1.2 * (RADIUS + max(target.get("radius", 0), *target.get("size", (0,)))) + dice.random() * speed * step
    place = [-first, away * math.cos(around), away * math.sin(around)]
    moves = "obstacle" in part and dice.random() < 0.4
    mover.update(translate=place, velocity=[0, 0, 0] if moves else [speed, 0, 0])
    if dice.random() < 0.5 and not moves:
        mover["angular_velocity"] = [dice.gauss(0, 1) * dice.choice((1, 10)) / step / 20 for _ in range(3)]
    scene = {"materials": {"soft": {"young": 10 ** dice.uniform(5, 8), "poisson": 0.4, "density": 1000,
                                    "stiffness_damping": 1e-4},
                           "rigid": {"law": "rigid", "density": 1000}},
             "bodies": {"mover": mover}, "gravity": [0, 0, 0], "integrator": dice.choice(INTEGRATORS),
             "time": {"duration": 6 * step, "step": step, "frame_rate": 1 / step},
             "output": {"stress": False, "forces": False}}
    if "body" in part:
        scene["bodies"]["target"] = part["body"]
    else:
        scene["obstacles"] = {"target": part["obstacle"]}
        if moves:
            scene["obstacles"]["target"]["motion"] = {"velocity": [-speed, 0, 0]}
    write_scene(folder, scene)
    return {"number": number, "kind": kind, "stride": stride, "moves": moves, "speed": speed, "inner": inner,
            "distance": distance, "target": target, "integrator": scene["integrator"], "offset": away / reach}


def centres(folder, case):
    """Of the mover, seen from the target, and the ends of the mover's steps."""
    with open(folder / "run" / "history.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    result = []
    for row in rows:
        alone = "centre_x(mover) [m]" not in row  # the only body has no columns of its own
        mover = [float(row[f"centre_of_mass_{c} [m]" if alone else f"centre_{c}(mover) [m]"]) for c in "xyz"]
        seen = [0.0 if alone else float(row[f"centre_{c}(target) [m]"]) for c in "xyz"]
        if case["moves"]:
            seen[0] -= case["speed"] * float(row["time [s]"])
        result.append([m - s for m, s in zip(mover, seen)])
    return result


def passed(case, way):
    inner = case["inner"]
    for a, b in zip(way, way[1:]):
        gap = [case["distance"]([a[c] + k / SAMPLES * (b[c] - a[c]) for c in range(3)], case["target"])
               for k in range(SAMPLES + 1)]
        if min(gap) < GROWN * inner and min(gap) < min(gap[0], gap[-1]) - DIP * inner:
            return True
    return False


def run(given, number):
    folder = given.out / f"{number:04d}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    case = make(number, given.seed, given.only, folder)
    words = [given.program, "run", str(folder / "scene.json"), "--out", str(folder / "run"), "--quiet", "--threads", "1"]
    ran = launch(words, folder, CPU)
    case["code"], case["said"] = ran["exit"], ran["said"][-300:]
    try:
        way = centres(folder, case)
        summary = json.loads((folder / "run" / "summary.json").read_text())
        case["told"] = summary["judge"].get("passages", {}).get("states", 0)
        case["rejected"] = summary["recovery"]["attempts_rejected"]["passed_through"]
    except (OSError, ValueError, KeyError) as trouble:
        way, case["code"], case["said"] = [], case["code"] or -2, f"{case['said']} {trouble!r}"
    case["passed"] = passed(case, way)
    del case["distance"], case["target"]
    if given.case is None and not case["passed"] and case["code"] == 0:
        shutil.rmtree(folder)
    return case


def share(cases):
    return f"{sum(case['passed'] for case in cases)}/{len(cases)}"


def table(results):
    bounds = (0.5, 1.5, 2.5, 4, 7, 12, 20)
    print("passed/tried over diameters per step\n" + f"{'target':22}" +
          "".join(f"{f'{a:g}–{b:g}':>10}" for a, b in zip(bounds, bounds[1:])) + f"{'all':>10}")
    for moves in (False, True):
        for kind in KINDS:
            rows = [r for r in results if r["kind"] == kind and r["moves"] == moves]
            if not rows:
                continue
            cells = [[r for r in rows if a <= r["stride"] < b] for a, b in zip(bounds, bounds[1:])] + [rows]
            print(f"{kind + (', moving' if moves else ''):22}" +
                  "".join(f"{share(cell):>10}" for cell in cells))
    failed = [r for r in results if r["code"] != 0]
    print(f"\n{sum(r['passed'] for r in results)} of {len(results)} passed; the judge told "
          f"{sum(bool(r.get('told')) for r in results)}, {sum(bool(r.get('told')) and not r['passed'] for r in results)} "
          f"of them beyond these; {len(failed)} runs failed; {sum(r.get('rejected', 0) for r in results)} attempts rejected")
    for r in failed[:10]:
        print(f"  case {r['number']}: {r['said']}")


def main(words):
    parser = parser_of("passages", __doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", nargs="*", choices=KINDS)
    parser.add_argument("--case", type=int)
    add_program(parser)
    parser.add_argument("--out", type=Path, default=out_folder("passages"))
    given = parser.parse_args(words)
    if given.case is not None:
        print(json.dumps(run(given, given.case), indent=1))
        return 0
    results = list(each(partial(run, given), range(given.first, given.first + given.count), given.jobs))
    (given.out / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    table(results)
    return 1 if any(r["passed"] for r in results) else 0
