"""Rigid bodies: an arch, a wall, a wall that is hit, and one beside a body as stiff as diamond."""
import numpy as np

from . import arch, mesh
from .case import Finding, add
from .stage import Stage

BRICK, GAP = np.array([0.2, 0.1, 0.06]), 1e-4
COURSES, PER_COURSE = 10, 10
STEP = 0.01


def material(stage, name, density):
    stage.scene["materials"][name] = {"law": "rigid", "density": density}


def rigid_arch(folder):
    scene = arch.make(folder, 1, 2.0, every=10)
    scene["materials"]["stone"] = {"law": "rigid", "density": 2300}
    return scene


def cost(run):
    return run.summary.get("processor_s", np.nan) / max(1, len(run.steps()))


def arch_stands(run):
    finding = arch.measure(run, 1)
    return finding.expect(cost(run) < 0.023, "slower than 0.023 s per step")


def build_wall(folder, duration):
    """Every other course is shifted, by less than half a brick: the last brick of the top course would tip over."""
    stage = Stage(folder, STEP, duration, every=5)
    material(stage, "brick", 1900)
    shape = mesh.box(BRICK, (1, 1, 1))
    for course in range(COURSES):
        for k in range(PER_COURSE):
            place = [(k + 0.4 * (course % 2)) * (BRICK[0] + GAP), 0, (course + 0.5) * BRICK[2] + (course + 1) * GAP]
            stage.mesh(f"b{course}{k}", shape.moved(shift=place), "brick")
    stage.floor()
    stage.rub(0.6)
    return stage


def wall(folder):
    return build_wall(folder, 1.0).finish()


def hit(folder):
    """A ball of 40 kg comes at 6 m/s."""
    stage = build_wall(folder, 0.8)
    stage.shape("ball", {"type": "sphere", "radius": 0.12, "cells": 4}, "brick", mass=40.0,
                translate=[1.0, -0.3, 0.4], velocity=[0, 6, 0])
    return stage.finish()


def moved(run, body):
    return np.linalg.norm(run.centres(body)[-1] - run.centres(body)[0])


def wall_stands(run):
    most = max(moved(run, body) for body in run.bodies)
    return Finding(f"bricks move {1e3 * most:.3g} mm; {cost(run):.3f} s per step").expect(
        most < 1.5 * COURSES * GAP, "does not stand")


def wall_falls(run):
    gone = sum(moved(run, body) > 0.05 for body in run.bodies if body != "ball")
    return Finding(f"{gone} bricks go more than 5 cm; {cost(run):.3f} s per step").expect(
        gone >= 10, "stands as if nothing had been")


def lumped(shape, density):
    """Mass and moments of inertia with the mass of tets at their corners, as elastic bodies have it."""
    mass = np.zeros(len(shape.points))
    for corner in range(4):
        np.add.at(mass, shape.cells[:, corner], density * mesh.volumes(shape.points, shape.cells) / 4)
    x, y, z = shape.points.T
    return mass.sum(), [float(mass @ square) for square in (y**2 + z**2, x**2 + z**2, x**2 + y**2)]


def beside(folder):
    """Both are thrown along a floor, spinning. The rigid one gets the other's inertia: a coarse mesh has too much."""
    stage = Stage(folder, 2e-3, 0.5, every=5)
    material(stage, "hard", 2000)
    stage.solid("stiff", 1e11, 0.2, 2000)
    shape = mesh.box((0.1, 0.08, 0.04), (4, 4, 2))
    mass, inertia = lumped(shape, 2000)
    given = {"mass": float(mass), "centre": [0, 0, 0], "inertia": inertia}
    for name, kind, y, more in (("rigid", "hard", 0, given), ("elastic", "stiff", 1, {})):
        stage.mesh(name, shape, kind, translate=[0, y, 0.02 + GAP / 2], velocity=[1.2, 0, 0],
                   angular_velocity=[0, 0, 6], **more)
    stage.floor()
    stage.rub(0.3)
    return stage.finish()


def heading(points):
    """Angle about z of the way from the first vertex to the second."""
    way = points[1] - points[0]
    return np.arctan2(way[1], way[0])


def same_motion(run):
    way = {body: run.centres(body)[-1] - run.centres(body)[0] for body in ("rigid", "elastic")}
    turn = {body: (heading(run.points(body, -1)) - heading(run.points(body, 0))) % (2 * np.pi) for body in way}
    apart = np.linalg.norm(way["rigid"] - way["elastic"]) / np.linalg.norm(way["elastic"])
    turned = abs(turn["rigid"] - turn["elastic"]) / turn["elastic"]
    finding = Finding(f"{1e3 * np.linalg.norm(way['rigid']):.1f} mm and {turn['rigid']:.3f} rad; ways differ by "
                      f"{100 * apart:.2f} %, turns by {100 * turned:.2f} %")
    return finding.expect(max(apart, turned) < 0.01, "moves otherwise")


# kg, m, 1, m. Pads that slip this far do not get to the cube's edges, which would catch theirs.
LOAD, EDGE, FRICTION, LIFT = 1.0, 0.08, 0.5, 0.015


def gripper(folder, share):
    """Two rigid fingers slide along a palm. Forces press their soft pads on a rigid cube with this share of what
    holds it; then the palm is lifted, so slowly that the cube's weight grows by less than 1 %."""
    stage = Stage(folder, STEP, 3.5, every=10)
    material(stage, "steel", 7800)
    material(stage, "load", LOAD / EDGE**3)
    stage.solid("rubber", 2e6, 0.4, 1100, stiffness_damping=2e-3)
    stage.mesh("cube", mesh.box([EDGE] * 3, (2, 2, 2)), "load", translate=[0, 0, EDGE / 2 + GAP])
    stage.mesh("palm", mesh.box((0.24, 0.03, 0.02), (1, 1, 1)), "steel", translate=[0, 0, 0.17])
    press = {"keys": [{"time": 0, "value": 0}, {"time": 0.3, "value": share * LOAD * 9.81 / (2 * FRICTION)}]}
    scene = stage.scene
    scene["joints"], scene["loads"] = {}, {}
    for name, side in (("left", -1), ("right", 1)):
        pad, finger = f"{name} pad", f"{name} finger"
        stage.mesh(pad, mesh.box((0.01, 0.04, 0.04), (1, 2, 2)), "rubber",
                   translate=[side * (EDGE / 2 + 0.005 + GAP), 0, EDGE / 2])
        stage.mesh(finger, mesh.box((0.02, 0.04, 0.14), (1, 1, 1)), "steel",
                   translate=[side * (EDGE / 2 + 0.02 + 2 * GAP), 0, 0.085])
        back = {"plane": {"point": [side * (EDGE / 2 + 0.0099), 0, 0], "normal": [side, 0, 0], "side": "in_front"}}
        scene["joints"][f"{name} glue"] = {"type": "weld", "from": {"body": pad, "region": back},
                                           "to": {"body": finger, "region": "all"}}
        scene["joints"][f"{name} rail"] = {"type": "slider", "axis": "x", "from": {"body": finger, "region": "all"},
                                           "to": {"body": "palm", "region": "all"}}
        scene["loads"][f"{name} force"] = {"body": finger, "region": "all", "force": press, "direction": [-side, 0, 0]}
    stage.hold("arm", "palm", "all", motion={"interpolation": "smooth", "keys": [
        {"time": 0.5}, {"time": 3.0, "translate": [0, 0, LIFT]}]})
    stage.floor()
    stage.rub(FRICTION)
    return stage.finish()


def lifted(run, holds):
    rise = run.centres("cube")[-1][2] - run.centres("cube")[0][2]
    finding = Finding(f"cube rises {1e3 * rise:.2f} mm of {1e3 * LIFT:.0f} mm")
    return finding.expect(rise > 0.98 * LIFT if holds else rise < 0.01 * LIFT, "dropped" if holds else "held")


add("rigid-arch-1m", "rigid", "stands, < 0.023 s per step", rigid_arch, arch_stands)
add("rigid-wall", "rigid", "100 bricks stand", wall, wall_stands, cpu=300)
add("rigid-wall-hit", "rigid", "falls", hit, wall_falls, cpu=600)
add("rigid-beside", "rigid", "as a body of 1e11 Pa, within 1 %", beside, same_motion)
for SHARE in (1.05, 0.95):
    add(f"rigid-grip-{SHARE}", "rigid", "lifts" if SHARE > 1 else "lets slip",
        lambda folder, share=SHARE: gripper(folder, share), lambda run, share=SHARE: lifted(run, share > 1))
