"""Cloth on itself: a ribbon that piles up, a sheet folded twice, one twisted four turns, fifty layers."""
import math

import numpy as np

from outside.rotation import rotation_about

from . import mesh
from .case import Finding, add
from .stage import Stage

STEP = 5e-3


def ribbon(folder):
    """Stands on end, slightly tilted, and falls in folds."""
    stage = Stage(folder, STEP, 1.2)
    stage.cloth("silk")
    upright = rotation_about([1, 0, 0], np.radians(87)) @ rotation_about([0, 1, 0], np.radians(3))
    stage.mesh("ribbon", mesh.sheet(0.04, 0.6, 4, 60).moved(upright, [0, 0, 0.33]), "silk")
    stage.floor()
    stage.rub(0.3)
    return stage.finish()


def piled(run):
    top = np.ptp(run.points("ribbon", -1)[:, 2])
    return Finding(f"pile of {1e3 * top:.1f} mm").expect(top < 0.2, "still stands")


def fold(folder):
    """One half is carried over the other; then half of both layers, by the lower one's edge, over the rest, whose own
    edge is held down."""
    stage = Stage(folder, STEP, 2.4, every=2)
    stage.cloth("linen")
    stage.mesh("sheet", mesh.sheet(0.3, 0.3, 24, 24).moved(shift=[0, 0, 1e-3]), "linen")
    over = math.radians(170)
    stage.hold("first hand", "sheet", {"box": {"min": [0.1499, -1, -1], "max": [1, 1, 1]}}, release=0.65,
               motion={"axis": [0, 1, 0], "centre": [0, 0, 0.006], "interpolation": "smooth",
                       "keys": [{"time": 0, "angle": 0}, {"time": 0.6, "angle": -over}]})
    stage.hold("second hand", "sheet", {"box": {"min": [-1, 0.1499, -1], "max": [-0.01, 1, 1]}}, release=1.85,
               motion={"axis": [1, 0, 0], "centre": [0, 0, 0.012], "interpolation": "smooth",
                       "keys": [{"time": 0.8, "angle": 0}, {"time": 1.8, "angle": over}]})
    stage.hold("third hand", "sheet", {"box": {"min": [-1, -1, -1], "max": [-0.01, -0.1499, 1]}})
    stage.floor()
    stage.rub(0.4)
    return stage.finish()


def folded(run):
    last = run.points("sheet", -1)
    sides = np.ptp(last[:, 0]), np.ptp(last[:, 1])
    finding = Finding(f"{1e3 * sides[0]:.0f} mm × {1e3 * sides[1]:.0f} mm")
    return finding.expect(max(sides) < 0.22, "not folded")


def twist(folder):
    """One end is turned four times while it comes nearer."""
    stage = Stage(folder, STEP, 2.2, every=2, gravity=0)
    stage.cloth("towel", area_density=0.3)
    stage.mesh("strip", mesh.sheet(0.4, 0.12, 40, 12), "towel")
    stage.hold("end", "strip", {"box": {"min": [-1, -1, -1], "max": [-0.1999, 1, 1]}})
    stage.hold("turned end", "strip", {"box": {"min": [0.1999, -1, -1], "max": [1, 1, 1]}},
               motion={"axis": [1, 0, 0], "centre": [0, 0, 0], "keys": [
                   {"time": 0, "angle": 0, "translate": [0, 0, 0]},
                   {"time": 2, "angle": 8 * math.pi, "translate": [-0.1, 0, 0]}]})
    stage.rub(0.2)
    return stage.finish()


def twisted(run):
    """The thickest place between the ends, across."""
    last = run.points("strip", -1)
    middle = last[np.abs(last[:, 0] - last[:, 0].mean()) < 0.05]
    across = 2 * np.hypot(middle[:, 1], middle[:, 2]).max()
    return Finding(f"a rope of {1e3 * across:.0f} mm").expect(across < 0.1, "no rope")


LAYERS, CELLS = 50, 20
VERTICES = LAYERS * (CELLS + 1)**2


def layers(folder):
    """One body of fifty parts, so that all contact is self-contact."""
    stage = Stage(folder, STEP, 0.2)
    stage.cloth("cotton")
    sheets = [mesh.sheet(0.2, 0.2, CELLS, CELLS).moved(rotation_about([0, 0, 1], 0.1 * k), [0, 0, 1e-3 * (k + 1)])
              for k in range(LAYERS)]
    stage.mesh("pile", mesh.together(sheets), "cotton")
    stage.floor()
    stage.rub(0.3)
    return stage.finish()


def layered(run):
    height = np.ptp(run.points("pile", -1)[:, 2])
    cpu = run.summary.get("processor_s", math.nan) / max(1, len(run.steps()))
    return Finding(f"{1e3 * height:.1f} mm high; {cpu / VERTICES * 1e6:.2f} µs per vertex and step")


add("ribbon", "cloth", "0 crossings", ribbon, piled)
add("fold", "cloth", "0 crossings", fold, folded)
add("twist", "cloth", "0 crossings", twist, twisted, cpu=1200)
add("layers-50", "cloth", "0 crossings; 0.85 µs per vertex and step to compare with", layers, layered, cpu=1200)
