"""Round bodies, for which smooth surfaces are correct too: both methods must agree."""
import numpy as np

from common import read_example

from .case import Finding, add
from .stage import Stage, turn

METHODS = ("smooth", "primitives")


def balls(folder):
    stage = Stage(folder, 2e-3, 0.24, gravity=0)
    stage.solid("rubber", 1e5)
    ball = {"type": "sphere", "radius": 0.1, "cells": 6}
    stage.shape("left", ball, "rubber", translate=[-0.101, 0, 0], velocity=[0.5, 0, 0])
    stage.shape("right", ball, "rubber", translate=[0.101, 0, 0], velocity=[-0.5, 0, 0], rotate=[turn([1, 0, 0], 20)])
    stage.rub(0.3)
    return stage.finish()


def compare_distance(one, other):
    """Of the balls' middles: by how much the two runs differ, over how far they are pressed together."""
    courses = [run.centres("right")[:, 0] - run.centres("left")[:, 0] for run in (one, other)]
    pressed = 0.2 - courses[0].min()
    off = np.abs(courses[1] - courses[0])
    deepest = abs(courses[1].min() - courses[0].min()) / pressed
    leave = [(course[-1] - course[-6]) / (one.times[-1] - one.times[-6]) for course in courses]
    finding = Finding(f"pressed {1e3 * pressed:.1f} mm, {100 * deepest:.1f} % off; {100 * off.max() / pressed:.1f} % "
                      f"at any time; leave with {leave[0]:.3f} and {leave[1]:.3f} m/s")
    finding.expect(deepest < 0.05, "depth differs")
    return finding.expect(abs(leave[1] / leave[0] - 1) < 0.05, "rebound differs")


def tube(folder):
    """A ball lands on a tube that lies on the floor."""
    stage = Stage(folder, 2e-3, 0.3)
    stage.solid("rubber", 1e5, stiffness_damping=2e-3)
    stage.shape("tube", {"type": "tube", "radius": 0.06, "thickness": 0.012, "length": 0.2, "cells_around": 24,
                         "cells_along": 12, "layers": 2}, "rubber", rotate=[turn([1, 0, 0], 90)],
                translate=[0, 0, 0.0602])
    stage.shape("ball", {"type": "sphere", "radius": 0.05, "cells": 6}, "rubber", translate=[0.002, 0, 0.175],
                velocity=[0, 0, -0.5])
    stage.floor()
    stage.rub(0.5)
    return stage.finish()


def compare_height(one, other, body, size):
    courses = [run.centres(body)[:, 2] for run in (one, other)]
    count = min(map(len, courses))
    off = np.abs(courses[1][:count] - courses[0][:count]).max()
    low = [course.min() for course in courses]
    finding = Finding(f"lowest at {1e3 * low[0]:.2f} and {1e3 * low[1]:.2f} mm, {1e3 * off:.2f} mm apart at any time")
    return finding.expect(off < 0.05 * size, "differ")


def gripper(folder):
    """The example, up to where the ball hangs in the air."""
    scene = read_example("grip")
    for key in ("stiffness", "kernel", "area_weighted"):
        scene.get("contact", {}).pop(key, None)
    scene["time"] = {"duration": 1.5, "step": 0.01, "frame_rate": 25}
    return scene


def compare_grip(one, other):
    lifted = [run.centres("ball")[-1, 2] - run.centres("ball")[0, 2] for run in (one, other)]
    finding = Finding(f"lifted {1e3 * lifted[0]:.2f} and {1e3 * lifted[1]:.2f} mm")
    return finding.expect(abs(lifted[1] - lifted[0]) < 0.02 * lifted[0], "differ")


add("balls-both-ways", "curved", "depth and rebound agree within 5 %", balls, compare_distance, methods=METHODS)
add("tube-both-ways", "curved", "paths agree within 5 % of the ball", tube,
    lambda one, other: compare_height(one, other, "ball", 0.1), methods=METHODS)
add("gripper-both-ways", "curved", "heights agree within 2 %", gripper, compare_grip, methods=METHODS)
