"""Two free cubes meet edge on edge, obliquely. There are no external forces: the motion of their common centre of mass per
step, which is their momentum by backward Euler, stays what it was."""
import numpy as np

from outside.rotation import rotation_about

from . import mesh
from .case import Finding, add
from .stage import Stage

STEP = 2e-3


def make(folder):
    stage = Stage(folder, STEP, 0.2, gravity=0)
    stage.solid("plastic", 1e6)
    first = rotation_about([1, 1, 0.3], 0.7)
    second = rotation_about([0.2, -1, 0.5], 1.1)
    stage.mesh("first", mesh.box([0.1] * 3, [3] * 3).moved(first, [-0.09, 0, 0]), "plastic", velocity=[1, 0.2, 0.1],
               angular_velocity=[0, 3, -2])
    stage.mesh("second", mesh.box([0.1] * 3, [2] * 3).moved(second, [0.09, 0.03, 0.04]), "plastic",
               velocity=[-0.8, 0, -0.1])
    stage.rub(0.5)
    return stage.finish(solver={"type": "direct", "velocity_tolerance": 1e-9, "change_tolerance": 1e-9})


def measure(run):
    paths = [run.centres(body) for body in run.bodies]  # of equal mass
    each = [np.diff(path, axis=0) / STEP for path in paths]
    both = sum(each)
    scale = sum(np.linalg.norm(velocity[0]) for velocity in each)
    drift = np.linalg.norm(both - both[0], axis=1).max() / scale
    given = np.linalg.norm(each[0][-1] - each[0][0]) / scale
    finding = Finding(f"{drift:.1e}; one gave the other {100 * given:.0f} %")
    finding.expect(given > 0.05, "they did not meet")
    return finding.expect(drift <= 1e-12, "momentum")


add("oblique-collision", "momentum", "momentum kept to 1e-12", make, measure)
