"""Scenes in which bodies start exactly on each other, or slightly inside: they must start at rest and stay there."""
import numpy as np

from . import mesh
from .case import Finding, add
from .stage import Stage

EDGE, STEP = 0.1, 5e-3


def make(folder, overlap):
    """Three cubes, the same mesh, on each other and the floor."""
    stage = Stage(folder, STEP, 0.3)
    stage.solid("plastic", 1e8)
    for k in range(3):
        cube = mesh.box([EDGE] * 3, [2] * 3).moved(shift=[0, 0, EDGE / 2 + k * EDGE - overlap * (k + 1)])
        stage.mesh(f"cube{k}", cube, "plastic")
    stage.floor()
    stage.rub(0.5)
    stage.contact(thickness=1e-4)
    return stage.finish()


def measure(run, overlap):
    """Overlapping bodies are moved out by their depth, and may then stand off by the thickness of contact, once per layer."""
    heights = np.array([run.centres(f"cube{k}")[:, 2] for k in range(3)])
    rise = (heights - heights[:, :1]).max(axis=1)
    speed = np.abs(np.diff(heights, axis=1)).max() / STEP
    allowed = (overlap + 1e-4) * np.arange(1, 4)
    finding = Finding(f"rises {1e3 * rise.max():.4f} mm, no faster than {1e3 * speed:.2f} mm/s")
    return finding.expect(np.all(rise <= allowed), "jumps")


add("start-touching", "start", "no jump", lambda folder: make(folder, 0.0), lambda run: measure(run, 0.0))
add("start-overlap", "start", "no jump", lambda folder: make(folder, 1e-5), lambda run: measure(run, 1e-5),
    crossings=False)
