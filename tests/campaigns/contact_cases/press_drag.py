"""A block is pressed 2 mm into a slab and dragged along it by its upper face, in 20 steps, without gravity. Nothing
depends on time, so that it takes the same steps and about the same force whether it lasts 0.2, 2 or 200 s; a block
that slides is held back by μN."""
import numpy as np

from . import mesh
from .case import Finding, add
from .stage import Stage, below

FRICTION, STEPS, YOUNG = 0.3, 20, 1e6
BLOCK, SLAB = (0.05, 0.05, 0.05), (0.2, 0.12, 0.05)
GAP, PRESS, DRAG = 1e-4, 2e-3, 2e-2
MOST_NEWTON = 10  # mean per step


def make(folder, duration):
    stage = Stage(folder, duration / STEPS, duration, gravity=0)
    stage.solid("rubber", YOUNG, poisson=0.4)
    stage.mesh("block", mesh.box(BLOCK, (4, 4, 4)).moved(shift=[-0.04, 0.003, BLOCK[2] / 2 + GAP]), "rubber")
    stage.mesh("slab", mesh.box(SLAB, (12, 7, 3)).moved(shift=[0, 0, -SLAB[2] / 2]), "rubber")
    stage.hold("base", "slab", below(-SLAB[2]))
    top = BLOCK[2] + GAP
    down, half = -PRESS - GAP, duration / 2
    stage.hold("hand", "block", {"plane": {"point": [0, 0, top], "normal": [0, 0, 1], "side": "in_front"}},
               motion={"keys": [{"time": 0}, {"time": half, "translate": [0, 0, down]},
                                {"time": duration, "translate": [DRAG, 0, down]}]})
    stage.rub(FRICTION)
    return stage.finish()


def measure(run):
    steps, newton = len(run.steps()), run.steps().sum() / STEPS
    pressed = run.pair("block", "slab", "normal")[np.searchsorted(run.history["time"], run.times[-1] / 2 * (1 - 1e-6))]
    normal, friction = (run.pair("block", "slab", column)[-1] for column in ("force_z", "force_x"))
    off = abs(friction / normal) / FRICTION - 1
    finding = Finding(f"{steps} steps, {newton:.1f} Newton per intended step; {pressed:.2f} N pressed, "
                      f"{abs(normal):.2f} N dragged, friction {100 * off:+.2f} % of μN")
    finding.expect(steps <= 1.2 * STEPS, "steps").expect(newton <= MOST_NEWTON, "iterations")
    return finding.expect(abs(off) <= 0.01, "friction")


for DURATION in (0.2, 2.0, 200.0):
    add(f"press-drag-{DURATION:g}", "press-drag", "at most 24 steps, 10 Newton per step; μN within 1 %",
        lambda folder, duration=DURATION: make(folder, duration), measure)
