"""A cube held by two jaws that press with a given force. They are bodies that can move along x only, pushed by an
acceleration. The cube's own weight sets in once it is held: 2μN against mg decides."""
import numpy as np

from . import mesh
from .case import Finding, add
from .stage import G, Stage

EDGE, FRICTION, STEP, THICKNESS, CREEP = 0.1, 0.5, 5e-3, 1e-4, 1e-7
JAW = (0.04, 0.16, 0.3)
PULL, END = 0.1, 0.5  # s: when the weight sets in, and how long what slips is looked at
# A soft cube swings for some tenths of a second when its weight sets in: creep is what is left from END to CALM.
CALM = 1.5
MASS, JAW_MASS = 1000 * EDGE**3, 1000 * JAW[0] * JAW[1] * JAW[2]


def make(folder, young, ratio):
    stage = Stage(folder, STEP, END if ratio < 1 else CALM, gravity=0)
    stage.solid("cube", young)
    stage.solid("jaw", 1e8)
    stage.mesh("cube", mesh.box([EDGE] * 3, [4] * 3), "cube")
    push = ratio * MASS * G / (2 * FRICTION) / JAW_MASS
    pushes = [{"value": [0, 0, -G], "body": "cube", "start": PULL}]
    for side, name in ((-1, "left"), (1, "right")):
        away = side * (EDGE / 2 + 0.8 * THICKNESS + JAW[0] / 2)
        stage.mesh(name, mesh.box(JAW, (1, 4, 7)).moved(shift=[away, 0, -0.04]), "jaw")
        stage.hold("guide of " + name, name, "all", hold=["y", "z"])
        pushes.append({"value": [-side * push, 0, 0], "body": name})
    stage.rub(FRICTION)
    stage.contact(thickness=THICKNESS)
    return stage.finish(accelerations=pushes)


def slips(run, ratio):
    """A parabola through the second half of its way."""
    late = run.times >= (PULL + END) / 2
    height = run.centres("cube")[late, 2]
    fitted = 2 * np.polyfit(run.times[late], height, 2)[0]
    wanted = -G * (1 - ratio)
    off = fitted / wanted - 1
    return Finding(f"{fitted:.4f} m/s², {100 * off:+.2f} %").expect(abs(off) <= 0.03, "acceleration")


def holds(run):
    late = run.times >= END
    height = run.centres("cube")[late, 2]
    speed = abs(height[-1] - height[0]) / np.ptp(run.times[late])
    return Finding(f"creeps {1e6 * speed:.1e} µm/s").expect(speed <= CREEP, "creeps")


for NAME, YOUNG in (("soft", 1e5), ("stiff", 1e9)):
    add(f"pinch-{NAME}-0.97", "pinch", f"falls with {0.03 * G:.4f} m/s² within 3 %",
        lambda folder, young=YOUNG: make(folder, young, 0.97), lambda run: slips(run, 0.97))
    add(f"pinch-{NAME}-1.03", "pinch", f"creeps below {1e6 * CREEP:.1f} µm/s from {END:g} to {CALM:g} s",
        lambda folder, young=YOUNG: make(folder, young, 1.03), holds)
