"""Things carried by friction: a load between jaws, riders on a belt and on a turntable, a ball in a gripper that lifts
and shakes it. Nothing may slip that should hold; and a plane that tilts slowly is left at the angle of static friction."""

import numpy as np

from common import read_example
from outside.rotation import rotation_about

from . import mesh
from .case import Finding, add
from .stage import G, Stage

CREEP = 1e-7  # m/s


# A load between two jaws, which are bodies that can move along x only and are pushed by an acceleration.
JAW, THICKNESS, CALM = (0.02, 0.1, 0.1), 1e-4, 0.5


def jaws(folder, mass, force, friction):
    edge = (mass / 1000) ** (1 / 3)
    stage = Stage(folder, 0.02, 60.0, every=25, gravity=0)
    stage.solid("load", 1e6, stiffness_damping=1e-3)
    stage.solid("jaw", 1e8)
    stage.mesh("load", mesh.box([edge] * 3, [3] * 3), "load")
    push = force / (1000 * np.prod(JAW))
    pushes = [{"value": [0, 0, -G], "body": "load", "start": 0.1}]
    for side, name in ((-1, "left"), (1, "right")):
        away = side * (edge / 2 + 0.8 * THICKNESS + JAW[0] / 2)
        stage.mesh(name, mesh.irregular(JAW, (1, 3, 3), 6).moved(shift=[away, 0, 0]), "jaw")
        stage.hold("guide of " + name, name, "all", hold=["y", "z"])
        pushes.append({"value": [-side * push, 0, 0], "body": name})
    stage.rub(friction)
    stage.contact(thickness=THICKNESS)
    return stage.finish(accelerations=pushes)


def is_carried(run):
    late = run.times >= CALM
    height = run.centres("load")[late, 2]
    speed = np.ptp(height) / np.ptp(run.times[late])
    sunk = run.centres("load")[-1, 2] - run.centres("load")[0, 2]
    return Finding(f"creeps {1e6 * speed:.1e} µm/s, {1e3 * sunk:+.4f} mm in all").expect(speed <= CREEP, "creeps")


for MASS, FORCE, FRICTION in ((0.045, 12, 0.7), (0.045, 30, 0.7), (0.045, 60, 0.7), (1, 20, 1.0)):
    add(f"carry-{1000 * MASS:.0f}g-{FORCE}N", "carry", "creeps below 0.1 µm/s from 0.5 s to 60 s",
        lambda folder, load=(MASS, FORCE, FRICTION): jaws(folder, *load), is_carried)


# Riders: small blocks on a belt or a turntable, an obstacle or a body that is moved.
BELT_SPEED, RIDE, SPIN = 0.5, 0.4, 1.0  # m/s, coefficient, rad/s
BLOCK, GAP = (0.06, 0.06, 0.02), 5e-5
PLACES = {"inner": (0.05, 0.0), "outer": (-0.12, 0.16)}


def rider(stage, name, place, turned=0.0, **more):
    shape = mesh.box(BLOCK, (1, 1, 1))
    high = BLOCK[2] / 2 + GAP
    stage.mesh(name, shape.moved(rotation_about([0, 0, 1], turned), [*place, high]), "plastic", **more)


def belt(folder, on):
    """The block lands at rest on a moving belt, is accelerated, and rides along."""
    stage = Stage(folder, 0.01, 30.0, every=25)
    stage.solid("plastic", 1e8, stiffness_damping=1e-3)
    rider(stage, "block", (0, 0), 0.3)
    motion = {"velocity": [BELT_SPEED, 0, 0]}
    if on == "floor":
        stage.floor()
        stage.scene["obstacles"]["floor"]["motion"] = motion
    else:
        stage.mesh("slab", mesh.irregular((1.0, 0.3, 0.03), (6, 3, 1), 3).moved(shift=[-0.2, 0, -0.015]), "plastic")
        stage.hold("drive", "slab", "all", motion=motion)
    stage.rub(RIDE)
    stage.contact(thickness=1e-4)
    return stage.finish()


def rides_belt(run):
    """It slides v²/(2μg) back on the belt, less by vh/2 with backward Euler, and then stays there."""
    back = BELT_SPEED * run.times - run.centres("block")[:, 0]
    late = run.times >= 2
    wanted = BELT_SPEED**2 / (2 * RIDE * G) - BELT_SPEED * run.scene["time"]["step"] / 2
    off, creep = (back[-1] - back[0]) / wanted - 1, np.ptp(back[late]) / np.ptp(run.times[late])
    finding = Finding(f"{100 * off:+.3f} % of {1e3 * wanted:.1f} mm, then {1e6 * creep:.1e} µm/s")
    return finding.expect(abs(off) < 0.01, "distance").expect(creep <= CREEP, "creeps")


def turntable(folder, on, step, duration):
    """Spins from the start, and so do the riders."""
    stage = Stage(folder, step, duration, every=round(duration / step / 60))
    stage.solid("plastic", 1e8, stiffness_damping=1e-3)
    for name, (x, y) in PLACES.items():
        rider(stage, name, (x, y), 0.5, velocity=[-SPIN * y, SPIN * x, 0])
    motion = {"axis": [0, 0, 1], "spin": SPIN, "centre": [0, 0, 0]}
    if on == "floor":
        table = {"shape": {"type": "cylinder", "radius": 0.3, "height": 0.02}, "translate": [0, 0, -0.01]}
        stage.scene["obstacles"]["table"] = {**table, "motion": motion}
    else:
        stage.mesh("table", mesh.irregular((0.6, 0.6, 0.03), (6, 6, 1), 3).moved(shift=[0, 0, -0.015]), "plastic")
        stage.hold("drive", "table", "all", motion=motion)
    stage.rub(RIDE)
    stage.contact(thickness=1e-4)
    return stage.finish()


def rides_table(run):
    """Seen from the table, from the second frame on: in the first step the riders are set spinning."""
    worst = 0.0
    for name in PLACES:
        seen = np.array([rotation_about([0, 0, 1], -SPIN * t) @ x for t, x in zip(run.times, run.centres(name))])
        worst = max(worst, np.linalg.norm(seen[1:] - seen[1], axis=1).max())
    finding = Finding(f"{1e6 * worst:.3g} µm off after {run.times[-1]:.0f} s")
    return finding.expect(worst < 1e-4, "slips")


for ON in ("floor", "slab"):
    add(f"belt-{ON}", "carry", "caught up within 1 % of v²/(2μg) − vh/2, then < 0.1 µm/s",
        lambda folder, on=ON: belt(folder, on), rides_belt)
add("turntable-hour", "carry", "after an hour within a thickness of the place",
    lambda folder: turntable(folder, "floor", 0.1, 3600.0), rides_table)
add("turntable-slab", "carry", "after five minutes within a thickness of the place",
    lambda folder: turntable(folder, "slab", 0.05, 300.0), rides_table)


# The gripper of the example, which lifts its ball, carries it aside, shakes it and holds it still.
LIFTED, SHAKEN, HELD = 1.6, 3.6, 5.0


def arm(side):
    keys = [(0, 0, 0), (0.5, 0, 0), (1.2, 0, 0.12)]
    keys += [(LIFTED + 0.1 * k, 0.15 * min(1, k / 10) + (0.005 if k > 10 else 0) * (-1) ** k, 0.12 + 0.005 * (k % 3))
             for k in range(20)]
    keys += [(SHAKEN, 0.15, 0.12), (HELD, 0.15, 0.12)]
    close = [-0.015 * side * min(1, time / 0.5) for time, _, _ in keys]
    return {"interpolation": "smooth",
            "keys": [{"time": t, "translate": [c, y, z]} for (t, y, z), c in zip(keys, close)]}


def gripper(folder):
    scene = read_example("grip")
    for side, name in ((-1, "left"), (1, "right")):
        scene["boundaries"][name + " arm"]["motion"] = arm(side)
    for row in scene["friction"]:
        row.pop("sticking_speed", None)
    scene["time"] = {"duration": HELD, "step": 0.01, "frame_rate": 20}
    return scene


def keeps_ball(run):
    """Where the ball is between the fingers, before it is shaken (with up to 0.6 g) and after."""
    between = run.centres("ball") - (run.centres("left") + run.centres("right")) / 2
    before = between[np.searchsorted(run.times, LIFTED - 0.01)]
    moved = np.linalg.norm(between[-1] - before)
    late = run.times >= HELD - 0.7
    creep = np.linalg.norm(between[late][-1] - between[late][0]) / np.ptp(run.times[late])
    finding = Finding(f"shaken by {1e6 * moved:.1f} µm, then creeps {1e6 * creep:.1e} µm/s")
    return finding.expect(moved < 5e-4, "slips").expect(creep <= 10 * CREEP, "creeps")


add("gripper-shakes", "carry", "the ball stays within a thickness of its place", gripper, keeps_ball)


# A plane that tilts: quickly up to nine tenths of the angle, then slowly.
FAST, SLOW = 2.0, 20.0
FLAT = (0.2, 0.2, 0.02)


def tilting(folder, static):
    stage = Stage(folder, 0.02, FAST + SLOW, every=1)
    stage.solid("plastic", 1e8, stiffness_damping=1e-3)
    stage.mesh("block", mesh.box(FLAT, (2, 2, 1)).moved(shift=[0, 0, FLAT[2] / 2 + GAP]), "plastic")
    stage.floor()
    angle = np.arctan(static)
    stage.scene["obstacles"]["floor"]["motion"] = {
        "axis": [0, 1, 0], "centre": [0, 0, 0], "interpolation": "linear",
        "keys": [{"time": 0, "angle": 0}, {"time": FAST, "angle": 0.9 * angle},
                 {"time": FAST + SLOW, "angle": 1.1 * angle}]}
    stage.rub(RIDE, static=static)
    stage.contact(thickness=1e-4)
    return stage.finish()


def breaks_away(run, static):
    angles = np.interp(run.times, [0, FAST, FAST + SLOW], np.arctan(static) * np.array([0, 0.9, 1.1]))
    path = np.array([rotation_about([0, 1, 0], -a) @ x for a, x in zip(angles, run.centres("block"))])[:, 0]
    calm = path[np.searchsorted(run.times, FAST + 1)]
    gone = np.abs(path - calm) > 1e-4
    gone[run.times < FAST + 1] = False
    if not gone.any():
        return Finding("never").expect(False, "holds for ever")
    left = np.tan(angles[np.argmax(gone)])
    off = left / static - 1
    return Finding(f"at tan θ = {left:.5f}, {100 * off:+.2f} %").expect(abs(off) < 0.006, "threshold")


for STATIC in (RIDE, 0.8):
    add(f"tilt-{STATIC:g}", "carry", f"leaves at tan θ = {STATIC:g} within 0.6 %",
        lambda folder, static=STATIC: tilting(folder, static), lambda run, static=STATIC: breaks_away(run, static))
