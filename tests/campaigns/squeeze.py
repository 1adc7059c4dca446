"""What much contact costs: soft bodies that are squeezed, pulled and heaped, so that most of their surface touches.
Prints a table in Markdown, one row per scene: Newton iterations and processor time per nominal
step. Parts of a step that was halved count as the one step it should have been.
"""
import math
import random
from pathlib import Path

from common import add_program, out_folder, parser_of
from scale import run

BALL = {"shape": {"type": "sphere", "radius": 0.05, "cells": 5}}
FLOOR = {"floor": {"shape": {"type": "half_space"}}}


def rubber(young, **keys):
    return {"young": young, "poisson": 0.4, "density": 1000, **keys}


def scene(materials, bodies, obstacles, step, duration, friction=0.3, **keys):
    return {"materials": materials, "bodies": bodies, "obstacles": obstacles,
            "friction": [{"between": "any", "dynamic": friction}],
            "time": {"duration": duration, "step": step, "frame_rate": 1 / duration},
            "output": {"stress": False, "forces": False, "judge": "frame", "checkpoint_interval": 2 * duration}, **keys}


def facing_out(points, triangles):
    """A closed surface, as a mesh in a scene."""
    if sum(six_volumes(*(points[i] for i in triangle)) for triangle in triangles) < 0:
        triangles = [triangle[::-1] for triangle in triangles]
    return {"vertices": [x for point in points for x in point], "triangles": [i for triangle in triangles for i in triangle]}


def six_volumes(a, b, c):
    """Of the tet with the origin."""
    return (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]))


def turned(profile, around):
    """The surface that a closed profile of (radius, height) makes when it turns about z."""
    points, triangles, count = [], [], len(profile)
    for k in range(around):
        angle = 2 * math.pi * k / around
        points += [[r * math.cos(angle), r * math.sin(angle), z] for r, z in profile]
        for i in range(count):
            a, b = k * count + i, k * count + (i + 1) % count
            c, d = (k + 1) % around * count + i, (k + 1) % around * count + (i + 1) % count
            triangles += [[a, c, d], [a, d, b]]
    return facing_out(points, triangles)


def funnel():
    """Five soft balls fall into a funnel whose neck is half as wide as they are."""
    wall = turned([(0.16, 0.14), (0.03, 0), (0.03, -0.08), (0.036, -0.08), (0.036, -0.003), (0.166, 0.135)], 48)
    places = [[0, 0, 0.09], [0.01, 0.008, 0.20], [-0.012, 0.004, 0.31], [0.005, -0.01, 0.42], [-0.004, 0.012, 0.53]]
    bodies = {f"ball {i}": {**BALL, "translate": place} for i, place in enumerate(places)}
    return scene({"rubber": rubber("30 kPa")}, bodies, {"funnel": {"mesh": wall}}, 0.01, 0.5, 0.1)


def mats():
    """Two soft mats on each other are pulled through between two cylinders that leave them 70 % of their thickness."""
    mat = {"shape": {"type": "box", "size_x": 0.3, "size_y": 0.1, "size_z": 0.01, "cells_x": 45, "cells_y": 15, "cells_z": 2}}
    bodies = {"upper": {**mat, "translate": [0, 0, 0.0052]}, "lower": {**mat, "translate": [0, 0, -0.0052]}}
    lying = {"axis": "x", "angle": "90 deg"}
    roll = {"type": "cylinder", "radius": 0.03, "height": 0.14}
    obstacles = {name: {"shape": roll, "rotate": lying, "translate": [0.1, 0, side * 0.0406],
                        "motion": {"keys": [{"time": 0}, {"time": 0.1, "translate": [0, 0, -side * 0.0036]}]}}
                 for name, side in (("above", 1), ("below", -1))}
    pull = {"keys": [{"time": 0.1}, {"time": 0.4, "translate": [0.12, 0, 0]}]}
    ends = {"ends": {"region": {"label": "x+"}, "motion": pull}}
    return scene({"foam": rubber("100 kPa")}, bodies, obstacles, 0.01, 0.4, 0.3, boundaries=ends)


def pegs():
    """A soft torus falls onto rows of pegs and through them."""
    lying = {"axis": "x", "angle": "90 deg"}
    obstacles = {f"peg {row} {i}": {"shape": {"type": "capsule", "radius": 0.01, "length": 0.4}, "rotate": lying,
                                    "translate": [0.09 * (i + 0.5 * (row % 2)), 0, -0.09 * row]}
                 for row in range(3) for i in range(-2, 3)}
    ring = {"shape": {"type": "torus", "major_radius": 0.07, "minor_radius": 0.03, "cells": 4, "cells_around": 24},
            "rotate": {"axis": [1, 0.3, 0], "angle": "70 deg"}, "translate": [0.02, 0, 0.14], "velocity": [0, 0, -1]}
    return scene({"jelly": rubber("20 kPa")}, {"torus": ring}, obstacles, 0.01, 0.5, 0.2)


def rollers():
    """A soft ball is drawn in between two turning rollers that leave it 70 % of its diameter."""
    lying, bodies, axles = {"axis": "x", "angle": "90 deg"}, {}, {}
    bodies["ball"] = {"shape": {"type": "sphere", "radius": 0.1, "cells": 10}, "translate": [0, 0, 0.13]}
    for side, name in ((-1, "left"), (1, "right")):
        centre = [0.17 * side, 0, 0]
        bodies[name] = {"shape": {"type": "cylinder", "radius": 0.1, "height": 0.4, "cells": 6, "cells_along": 8},
                        "rotate": lying, "translate": centre}
        axles[f"axle of {name}"] = {"body": name, "region": "all",
                                    "motion": {"axis": "y", "centre": centre, "spin": -5 * side}}
    return scene({"rubber": rubber("500 kPa")}, bodies, {}, 0.01, 0.3, 0.8, boundaries=axles)


def bowl():
    """64 soft cubes fall into a bowl."""
    chance, bodies = random.Random(7), {}
    cube = {"type": "box", "size_x": 0.04, "size_y": 0.04, "size_z": 0.04, "cells_x": 2, "cells_y": 2, "cells_z": 2}
    for i in range(64):
        place = [0.07 * (i % 4 - 1.5), 0.07 * (i // 4 % 4 - 1.5), 0.07 * (i // 16)]
        bodies[f"cube {i}"] = {"shape": cube, "translate": place, "velocity": [0, 0, -1],
                               "rotate": {"axis": [chance.gauss(0, 1) for _ in range(3)], "angle": chance.uniform(0, 3)}}
    bowl = {"bowl": {"shape": {"type": "bowl", "radius": 0.24, "thickness": 0.01}, "translate": [0, 0, 0.04]}}
    return scene({"rubber": rubber("100 kPa")}, bodies, bowl, 0.01, 0.4)


def knives():
    """Five sharp wedges are driven into a soft mat by more than half of its thickness."""
    mat = {"shape": {"type": "box", "size_x": 0.2, "size_y": 0.1, "size_z": 0.04, "cells_x": 20, "cells_y": 10, "cells_z": 4},
           "translate": [0, 0, 0.0202]}
    blade = facing_out([[x, y, z] for y in (-0.07, 0.07) for x, z in ((-0.004, 0.03), (0.004, 0.03), (0, 0))],
                       [[0, 1, 2], [3, 5, 4], [0, 2, 5], [0, 5, 3], [1, 4, 5], [1, 5, 2], [0, 3, 4], [0, 4, 1]])
    down = {"velocity": [0, 0, -0.25], "end": 0.1}
    knives = {f"knife {i}": {"mesh": blade, "translate": [0.035 * (i - 2), 0, 0.0415], "motion": down} for i in range(5)}
    return scene({"jelly": rubber("50 kPa")}, {"mat": mat}, {**FLOOR, **knives}, 0.005, 0.1)


def pins():
    """A soft ball falls onto a bed of thin pins, and another one upon it."""
    pin = {"shape": {"type": "capsule", "radius": 0.001, "length": 0.04}}
    obstacles = {f"pin {i} {j}": {**pin, "translate": [0.02 * i, 0.02 * j, -0.021]} for i in range(-3, 4) for j in range(-3, 4)}
    obstacles["floor"] = {"shape": {"type": "half_space"}, "translate": [0, 0, -0.05]}
    bodies = {f"ball {k}": {**BALL, "translate": [0.004 * k, 0.003, 0.055 + 0.11 * k], "velocity": [0, 0, -1]} for k in range(2)}
    return scene({"rubber": rubber("50 kPa")}, bodies, obstacles, 0.01, 0.3)


SCENES = {make.__name__: make for make in (funnel, mats, pegs, rollers, bowl, knives, pins)}


def nominal_steps(made):
    return made["time"]["duration"] / made["time"]["step"]


def cut(made, steps):
    """The same scene, of which no more than so many steps are run."""
    time = made["time"]
    time["duration"] = min(time["duration"], steps * time["step"])
    time["frame_rate"] = 1 / time["duration"]
    return made


def columns(name, made, result):
    summary, rows, wall = result
    steps = nominal_steps(made)
    return (f"| {name} | {summary['tets'] or summary['triangles']} | {steps:.0f} | {len(rows) - 1} | "
            f"{summary['newton_iterations'] / steps:.1f} | "
            f"{summary['linear_iterations'] / max(1, summary['newton_iterations']):.1f} | "
            f"{summary['processor_s'] / steps:.3f} |")


def main(words):
    parser = parser_of("squeeze", __doc__)
    add_program(parser)
    parser.add_argument("name", nargs="*", help=f"{', '.join(SCENES)}; all where none is given")
    parser.add_argument("--out", default=out_folder("squeeze"), type=Path)
    parser.add_argument("--steps", default=math.inf, type=int, help="nominal steps at most of each scene (all)")
    parser.add_argument("-j", "--threads", default=1, type=int)
    asked = parser.parse_args(words)
    for name in asked.name:
        if name not in SCENES:
            parser.error(f'there is no "{name}"; there are {", ".join(SCENES)}')
    print("| scene | elements | nominal steps | steps | Newton per nominal step | linear per Newton "
          "| processor s per nominal step |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |", flush=True)
    failed = False
    for name in asked.name or SCENES:
        made = cut(SCENES[name](), asked.steps)
        result, trouble = run(asked.program, asked.out / name, made, asked.threads)
        print(columns(name, made, result) if result else f"{name}: {trouble}", flush=True)
        failed |= result is None
    return 1 if failed else 0
