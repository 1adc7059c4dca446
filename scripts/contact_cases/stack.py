"""Ten stiff cubes on each other, each turned against the next."""
import numpy as np

from outside.rotation import rotation_about

from . import mesh
from .case import Finding, add
from .stage import Stage

COUNT, EDGE, THICKNESS, STEP = 10, 0.1, 1e-4, 0.01


def make(folder, degrees):
    stage = Stage(folder, STEP, 5.0, every=5)
    stage.solid("stone", 1e9)
    gap = 0.8 * THICKNESS
    for k in range(COUNT):
        cube = mesh.box([EDGE] * 3, [2] * 3)
        turned = rotation_about([0, 0, 1], np.radians(degrees * k))
        stage.mesh(f"cube{k}", cube.moved(turned, [0, 0, EDGE / 2 + gap + k * (EDGE + gap)]), "stone")
    stage.floor()
    stage.rub(0.5)
    stage.contact(thickness=THICKNESS)
    return stage.finish()


def measure(run):
    moved = np.array([run.centres(f"cube{k}")[-1] - run.centres(f"cube{k}")[0] for k in range(COUNT)])
    drift, sunk = np.hypot(moved[:, 0], moved[:, 1]).max(), -moved[:, 2].min()
    finding = Finding(f"drifts {1e3 * drift:.4f} mm, sinks {1e3 * sunk:.3f} mm")
    finding.expect(drift < 1e-4, "drifts")
    return finding.expect(abs(sunk) < 20 * THICKNESS, "does not stand")


for DEGREES in (0, 17, 45):
    add(f"stack-{DEGREES}", "stack", "stands, drifts < 0.1 mm in 5 s",
        lambda folder, degrees=DEGREES: make(folder, degrees), measure)
