"""Ten copies of a case that is correct for one body: they must not disturb each other."""
import numpy as np

from outside.rotation import rotation_about

from . import mesh
from .case import Finding, add
from .stage import G, Stage, below

COUNT, EDGE, SPEED, FRICTION, STEP, THICKNESS = 10, 0.1, 1.0, 0.3, 5e-3, 1e-4
SLAB = (1.2, 1.0, 0.05)


def make(folder):
    """Cubes with meshes that follow no lattice, each turned by another angle, are thrown over one slab in two rows."""
    stage = Stage(folder, STEP, SPEED / (FRICTION * G) + 0.08)
    stage.solid("plastic", 1e8)
    for k in range(COUNT):
        row, column = divmod(k, COUNT // 2)
        turned = rotation_about([0, 0, 1], np.radians(13 * k))
        place = [-0.45 + 0.25 * row, 0.19 * (column - 2), EDGE / 2 + 0.8 * THICKNESS]
        stage.mesh(f"cube{k}", mesh.irregular([EDGE] * 3, [2] * 3, k + 1).moved(turned, place), "plastic",
                   velocity=[SPEED, 0, 0])
    stage.mesh("slab", mesh.irregular(SLAB, (12, 10, 1), 1).moved(shift=[0, 0, -SLAB[2] / 2]), "plastic")
    stage.hold("base", "slab", below(-SLAB[2]))
    stage.rub(FRICTION)
    stage.contact(thickness=THICKNESS)
    return stage.finish()


def measure(run):
    wanted = SPEED**2 / (2 * FRICTION * G) - SPEED * STEP / 2
    off = np.array([run.centres(f"cube{k}")[-1, 0] - run.centres(f"cube{k}")[0, 0] for k in range(COUNT)]) / wanted - 1
    finding = Finding(f"{100 * off.min():+.3f} … {100 * off.max():+.3f} % of {1e3 * wanted:.1f} mm")
    return finding.expect(np.abs(off).max() <= 0.01, "distance")


add("slide-ten", "many", "each v²/(2μg) − vh/2 within 1 %", make, measure)
