"""Integrators compared on motions with a known answer: what swings, turns, rolls, falls and vibrates, on default settings.
Prints a table in Markdown: the error of each integrator, and Newton iterations in all.
"""
import math
import sys
import tempfile
from pathlib import Path

from common import add_program, each, parser_of, write_scene
from outside.history import read_history
from outside.launch import launch

RIGID = {"law": "rigid", "density": 1000}
SOFT = {"young": "1 MPa", "poisson": 0.3, "density": 1000}
FLOOR = {"floor": {"shape": {"type": "half_space"}}}
GRAVITY, SLOPE = 9.81, math.radians(12)
DOWN = {"gravity": [GRAVITY * math.sin(SLOPE), 0, -GRAVITY * math.cos(SLOPE)], "obstacles": FLOOR,
        "friction": [{"between": "any", "dynamic": 0.5}]}
BAR_MASS, BALL_MASS = 1.25, 4.19


def box(size, place=(0, 0, 0), edge=0.05, **keys):
    return {"shape": {"type": "box", "size_x": size[0], "size_y": size[1], "size_z": size[2], "edge": edge},
            "translate": list(place), **keys}


def bar(**keys):
    return box((0.5, 0.05, 0.05), (0.25, 0, 0), **keys)


def ball(place, **keys):
    return {"shape": {"type": "sphere", "radius": 0.1}, "translate": list(place), **keys}


def end(body, point, region="all"):
    return {"body": body, "region": region, "point": point}


def hinge(region="all"):
    return {"p": {"type": "hinge", "axis": "y", "from": end("a", [0, 0, 0], region)}}


def scene(material, bodies, duration, **keys):
    return {"materials": {"m": material}, "bodies": bodies,
            "time": {"duration": duration, "step": 0.01, "frame_rate": 1},
            "output": {"judge": "off", "bodies": "all"}, **keys}


def energy(scale):
    """What the total energy changes by; scale 0: relative to that at the start."""
    def change(history):
        first, end_value = history["total_energy"][0], history["total_energy"][-1]
        return (end_value - first) / (scale or first)
    return change


def last(column, expected):
    return lambda history: history[column][-1] / expected - 1


def decay(history):
    return (history["total_energy"][-1] - history["total_energy"][0]) / max(history["kinetic_energy"])


SPIN = {"velocity": [0, 0, -2.5], "angular_velocity": [0, 10, 0]}
TURN = {"angular_velocity": [3, 5, -2]}
WEIGHT = BAR_MASS * GRAVITY * 0.25
NO_WEIGHT = {"gravity": 0}
TWO = {"p": hinge()["p"], "q": {"type": "hinge", "axis": "y", "from": end("b", [0.505, 0, 0]),
                                "to": end("a", [0.505, 0, 0])}}
SPRING = {"p": {"type": "slider", "axis": "x", "from": end("a", [0, 0, 0])},
          "s": {"type": "spring", "stiffness": 40, "length": 1, "from": end("a", [0, 0, 0]),
                "to": {"point": [-1, 0, 0]}}}

CASES = {
    "ball on a hinge, energy": (scene(RIGID, {"a": ball((1, 0, 0))}, 2, joints=hinge()), energy(BALL_MASS * GRAVITY)),
    "bar on a hinge": (scene(RIGID, {"a": bar()}, 2, joints=hinge()), energy(WEIGHT)),
    "soft bar on a hinge": (scene(SOFT, {"a": bar()}, 2, joints=hinge({"label": "x-"})), energy(WEIGHT)),
    "bar that spins on a hinge": (scene(RIGID, {"a": bar(**SPIN)}, 2, joints=hinge(), **NO_WEIGHT), energy(0)),
    "soft bar that spins on a hinge":
        (scene(SOFT, {"a": bar(**SPIN)}, 2, joints=hinge({"label": "x-"}), **NO_WEIGHT), energy(0)),
    "two bars in a row": (scene(RIGID, {"a": bar(), "b": box((0.5, 0.05, 0.05), (0.76, 0, 0))}, 2, joints=TWO,
                                contact={"pairs": "none"}), energy(BAR_MASS * GRAVITY * 1.01)),
    "cube on a spring": (scene(RIGID, {"a": box((0.1, 0.1, 0.1), edge=0.1, velocity=[1, 0, 0])}, 2, joints=SPRING,
                               **NO_WEIGHT), energy(0)),
    "free box": (scene(RIGID, {"a": box((0.2, 0.3, 0.1), edge=0.1, **TURN)}, 5, **NO_WEIGHT), energy(0)),
    "free soft box": (scene(SOFT, {"a": box((0.2, 0.3, 0.1), edge=0.1, **TURN)}, 5, **NO_WEIGHT), energy(0)),
    "soft cantilever, released": (scene(SOFT, {"a": box((0.4, 0.04, 0.04), edge=0.04, order=2)}, 2,
                                        boundaries={"wall": {"body": "a", "region": {"label": "x-"}}}), decay),
    "free fall, way": (scene(RIGID, {"a": box((0.2, 0.2, 0.2), edge=0.2)}, 0.5), last("centre_z(a)", -GRAVITY / 8)),
    "ball down 12°, speed": (scene(RIGID, {"a": ball((0, 0, 0.1001))}, 1, **DOWN),
                             last("velocity_x(a)", 5 / 7 * GRAVITY * math.sin(SLOPE))),
    "ball thrown without spin, speed":
        (scene(RIGID, {"a": ball((0, 0, 0.1001), velocity=[2, 0, 0])}, 1, obstacles=FLOOR,
               friction=[{"between": "any", "dynamic": 0.3}]), last("velocity_x(a)", 10 / 7)),
}


def measure(job):
    name, integrator, program = job
    description, error = CASES[name]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        path = write_scene(folder, {**description, "integrator": integrator})
        outcome = launch([program, "run", str(path), "--out", str(folder / "run"), "--quiet"], folder, 300)
        if outcome["outcome"] != "finished":
            return None, 0
        history = read_history(folder / "run" / "history.csv")
    return error(history), int(sum(history["newton_iterations"]))


def main(words):
    parser = parser_of("integrators", __doc__)
    add_program(parser)
    parser.add_argument("--integrators", nargs="+", default=["be", "bdf2", "tr_bdf2", "sdirk2"])
    parser.add_argument("--case", nargs="+", choices=list(CASES), default=list(CASES), metavar="NAME")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args(words)
    jobs = [(name, integrator, options.program) for name in options.case for integrator in options.integrators]
    found = dict(zip(jobs, each(measure, jobs, options.jobs)))
    print(f"| error | {' | '.join(options.integrators)} |")
    print(f"| --- |{' ---: |' * len(options.integrators)}")
    for name in options.case:
        errors = [found[name, integrator, options.program][0] for integrator in options.integrators]
        print(f"| {name} | {' | '.join('failed' if e is None else f'{100 * e:+.2f} %' for e in errors)} |")
    counts = [sum(found[name, integrator, options.program][1] for name in options.case)
              for integrator in options.integrators]
    print(f"| Newton iterations | {' | '.join(map(str, counts))} |")
    return 0 if all(error is not None for error, _ in found.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
