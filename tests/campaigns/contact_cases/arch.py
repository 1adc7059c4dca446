"""A half-circle of 25 stones, each of eight vertices, on the ground, with nothing but friction between them."""
import numpy as np

from . import mesh
from .case import Finding, add
from .stage import Stage

STONES, STEP = 25, 0.01
INNER, OUTER, DEPTH = 0.44, 0.56, 0.12  # of an arch that spans 1 m


def stone(first, last, gap, size):
    """Between two angles; its faces stand back by half the gap."""
    corners = []
    for radius in (INNER * size, OUTER * size):
        for y in (-DEPTH * size / 2, DEPTH * size / 2):
            for angle, aside in ((first, gap / 2), (last, -gap / 2)):
                corners.append([radius * np.cos(angle) - aside * np.sin(angle), y,
                                radius * np.sin(angle) + aside * np.cos(angle)])
    return mesh.block(corners)


def make(folder, size, duration=0.5, every=1):
    stage = Stage(folder, STEP, duration, every=every)
    stage.solid("stone", 2e10, 0.2, 2300)
    gap = 1e-4 * size
    for k in range(STONES):
        piece = stone(np.pi * k / STONES, np.pi * (k + 1) / STONES, gap, size)
        stage.mesh(f"stone{k:02d}", piece, "stone")
    stage.floor(-gap / 2)
    stage.rub(0.5)
    return stage.finish()


def measure(run, size):
    went = max(np.linalg.norm(run.centres(body)[-1] - run.centres(body)[0]) for body in run.bodies)
    thick = (OUTER - INNER) * size
    finding = Finding(f"stones move {100 * went / thick:.3f} % of their thickness at most")
    return finding.expect(went < 0.05 * thick, "does not stand")


for SIZE in (1, 20):
    add(f"arch-{SIZE}m", "degenerate", "stands, stones move < 5 % of their thickness",
        lambda folder, size=SIZE: make(folder, size), lambda run, size=SIZE: measure(run, size))
