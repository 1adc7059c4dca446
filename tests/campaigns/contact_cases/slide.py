"""A block thrown over a slab, both of them bodies, stops after v²/(2μg), less what backward Euler takes: vh/2."""
import numpy as np

from outside.rotation import rotation_about

from . import mesh
from .case import Finding, add
from .stage import G, Stage, below

SPEED, FRICTION, STEP, THICKNESS = 1.0, 0.3, 5e-3, 2e-4
BLOCK, SLAB = (0.2, 0.2, 0.1), (0.8, 0.4, 0.05)


def bodies(kind, cells):
    """Block and slab, with as many cells across the block, and the slab as fine."""
    across, through = (cells, cells, max(1, cells // 2)), (4 * cells, 2 * cells, 1)
    make = mesh.box if kind != "unstructured" else lambda size, count: mesh.irregular(size, count, cells)
    block, slab = make(BLOCK, across), make(SLAB, through)
    turn = {"aligned": 0, "turned": 30, "unstructured": 17}[kind]
    gap = 0.8 * THICKNESS  # where its weight is carried
    return (block.moved(rotation_about([0, 0, 1], np.radians(turn)), [-0.15, 0, BLOCK[2] / 2 + gap]),
            slab.moved(shift=[0, 0, -SLAB[2] / 2]))


def make(folder, kind, cells):
    stage = Stage(folder, STEP, SPEED / (FRICTION * G) + 0.08)
    stage.solid("plastic", 1e8)
    block, slab = bodies(kind, cells)
    stage.mesh("block", block, "plastic", velocity=[SPEED, 0, 0])
    stage.mesh("slab", slab, "plastic")
    stage.hold("base", "slab", below(-SLAB[2]))
    stage.rub(FRICTION)
    stage.contact(thickness=THICKNESS)
    return stage.finish()


def measure(run):
    path = run.centres("block")
    wanted = SPEED**2 / (2 * FRICTION * G) - SPEED * STEP / 2
    went = path[-1, 0] - path[0, 0]
    off = went / wanted - 1
    finding = Finding(f"{100 * off:+.3f} % of {1e3 * wanted:.1f} mm, aside {1e3 * abs(path[-1, 1]):.3f} mm")
    finding.expect(abs(off) <= 0.01, "distance")
    return finding.expect(abs(path[-1, 0] - path[-4, 0]) < 1e-4 * went, "still moves")


for KIND in ("aligned", "turned", "unstructured"):
    for CELLS in (2, 4, 8):
        add(f"slide-{KIND}-{CELLS}", "slide", "v²/(2μg) − vh/2 within 1 %",
            lambda folder, kind=KIND, cells=CELLS: make(folder, kind, cells), measure)
