"""A rod of a single cell falls across an edge, far from any of its vertices."""
import numpy as np

from outside.rotation import rotation_about

from . import mesh
from .case import Finding, add
from .stage import Stage, below, turn

ROD, STEP, HEIGHT = (4e-3, 0.3, 4e-3), 5e-3, 5e-3
BAR = (0.3, 0.1, 0.1)
TOP = BAR[1] / np.sqrt(2)  # of the bar, standing on an edge, above its middle


def make(folder, target, speed):
    stage = Stage(folder, STEP, 0.1)
    stage.solid("steel", 1e9)
    stage.mesh("rod", mesh.box(ROD, (1, 1, 1)).moved(shift=[0.02, 0, HEIGHT + ROD[2] / 2]), "steel",
               velocity=[0, 0, -speed])
    TARGETS[target](stage)
    stage.rub(0.3)
    return stage.finish()


def sheet(stage):
    """Stands on its lower edge, which is held; its upper edge is at height 0."""
    stage.cloth("card", young=1e4, bending=0.05, area_density=1.0)
    upright = mesh.sheet(0.3, 0.1, 5, 3).moved(rotation_about([1, 0, 0], np.pi / 2), [0, 0, -0.05])
    stage.mesh("sheet", upright, "card")
    stage.hold("clamp", "sheet", below(-0.1 + 1e-6))


def body(stage):
    bar = mesh.box(BAR, (2, 1, 1)).moved(rotation_about([1, 0, 0], np.pi / 4), [0, 0, -TOP])
    stage.mesh("bar", bar, "steel")
    stage.hold("vice", "bar", below(-TOP - 1e-6))


def box(stage):
    shape = {"type": "box", "size_x": BAR[0], "size_y": BAR[1], "size_z": BAR[2]}
    stage.scene["obstacles"]["bar"] = {"shape": shape, "rotate": [turn([1, 0, 0], 45)], "translate": [0, 0, -TOP]}


ROUND = {"type": "cylinder", "radius": BAR[1] / 2, "height": BAR[2]}


def side(stage):
    """A cylinder that lies, across it."""
    shape = dict(ROUND, height=BAR[0])
    stage.scene["obstacles"]["bar"] = {"shape": shape, "rotate": [turn([0, 1, 0], 90)],
                                       "translate": [0, 0, -BAR[1] / 2]}


def rim(stage):
    """A cylinder that leans, its rim's highest point below the rod."""
    stage.scene["obstacles"]["bar"] = {"shape": ROUND, "rotate": [turn([1, 0, 0], 45)], "translate": [0.02, 0, -TOP]}


TARGETS = {"sheet": sheet, "body": body, "box": box, "side": side, "rim": rim}


def measure(run, target):
    lowest = run.centres("rod")[:, 2].min()
    finding = Finding(f"middle at {1e3 * lowest:+.2f} mm at the lowest")
    # Cloth gives way; what is hard must be above its own edge. The rod's own half, deformed, is the allowance.
    return finding.expect(target == "sheet" or lowest > 0, "inside")


for TARGET in TARGETS:
    for SPEED in (1, 5, 20):
        add(f"needle-{TARGET}-{SPEED}", "needle", "stays outside",
            lambda folder, target=TARGET, speed=SPEED: make(folder, target, speed),
            lambda run, target=TARGET: measure(run, target), passages=True)
