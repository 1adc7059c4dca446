"""Ten stiff cubes on each other, each turned against the next."""
import numpy as np

from outside.rotation import rotation_about

from . import mesh
from .case import Finding, add
from .stage import Stage

COUNT, EDGE, THICKNESS, STEP, DURATION = 10, 0.1, 1e-4, 0.01, 5.0


def make(folder, degrees, scale=1.0, box=mesh.box):
    """scale: of all lengths, and of Young's modulus; of times its root, so that everything looks the same."""
    edge, thickness = scale * EDGE, scale * THICKNESS
    stage = Stage(folder, STEP * scale**0.5, DURATION * scale**0.5, every=5)
    stage.solid("stone", 1e9 * scale)
    gap = 0.8 * thickness
    for k in range(COUNT):
        turned = rotation_about([0, 0, 1], np.radians(degrees * k))
        place = [0, 0, edge / 2 + gap + k * (edge + gap)]
        stage.mesh(f"cube{k}", box([edge] * 3, [2] * 3).moved(turned, place), "stone")
    stage.floor()
    stage.rub(0.5)
    stage.contact(thickness=thickness)
    return stage.finish()


def measure(run, scale=1.0):
    """Gaps that close as it settles, in the first tenth, make it sink and, with uneven meshes, lean; then it is to
    stand still. Ten joints lean and sink by less than a thickness each."""
    paths = np.array([run.centres(f"cube{k}") for k in range(COUNT)])
    settled = int(np.searchsorted(run.times, 0.1 * run.times[-1]))
    lean, drift = (np.hypot(way[:, 0], way[:, 1]).max()
                   for way in (paths[:, settled] - paths[:, 0], paths[:, -1] - paths[:, settled]))
    sunk = -(paths[:, -1] - paths[:, 0])[:, 2].min()
    finding = Finding(f"sinks {1e3 * sunk:.3g} mm and leans {1e3 * lean:.3g} mm, then drifts {1e3 * drift:.3g} mm")
    finding.expect(drift < 1e-4 * scale, "drifts")
    return finding.expect(max(abs(sunk), lean) < COUNT * THICKNESS * scale, "does not stand")


def irregular():
    """Cubes with a mesh of their own each."""
    seeds = iter(range(1, COUNT + 1))
    return lambda size, cells: mesh.irregular(size, cells, next(seeds))


for DEGREES in (0, 17, 45):
    add(f"stack-{DEGREES}", "stack", "stands, drifts < 0.1 mm in 5 s",
        lambda folder, degrees=DEGREES: make(folder, degrees), measure)
add("stack-unstructured", "stack", "stands, drifts < 0.1 mm in 5 s",
    lambda folder: make(folder, 17, box=irregular()), measure)
for NAME, SCALE in (("1mm", 0.01), ("2m", 20.0)):
    add(f"stack-of-{NAME}", "stack", f"cubes of {NAME} stand, drift < 1e-3 of that",
        lambda folder, scale=SCALE: make(folder, 17, scale), lambda run, scale=SCALE: measure(run, scale))
