"""Checks the scenes and meshes of the contact cases, without running any.

usage: check_contact_cases.py STICTION
"""
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from contact_cases import command, degenerate, mesh, trial  # noqa: E402, F401: the command adds all cases
from contact_cases.case import CASES  # noqa: E402

# One of each kind; the others differ in a number.
SCENES = ["slide-unstructured-2", "pinch-soft-0.97", "stack-17", "stack-of-1mm", "slide-ten", "needle-sheet-20",
          "needle-box-1", "needle-rim-20", "fold", "twist", "tight-hole", "tunnel-100", "chain", "card-house", "arch-20m",
          "oblique-collision", "tube-both-ways", "gripper-both-ways", "speed-rollers", "mindlin-ball", "sheets-pressed",
          "sheets-soft-edge", "on-cloth-slab-soft-rests", "press-drag-2", "jaws-mixed-strip"]


def skin(tets):
    """Faces that one tet alone has."""
    count = Counter(tuple(sorted(np.delete(tet, k))) for tet in tets.tolist() for k in range(4))
    assert set(count.values()) <= {1, 2}
    return np.array([face for face, times in count.items() if times == 1])


def area(points, faces):
    a, b, c = (points[faces[:, k]] for k in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2


def check_solid(made, volume, surface):
    """Tets that fill a space without gaps: the right volume, and no skin but the outer one."""
    volumes = mesh.volumes(made.points, made.cells)
    assert np.all(volumes > 0)
    assert abs(volumes.sum() / volume - 1) < 1e-12
    assert abs(area(made.points, skin(made.cells)) / surface - 1) < 1e-12


def check_meshes():
    sides = (0.2, 0.2, 0.1)
    check_solid(mesh.box(sides, (4, 3, 2)), 0.004, 0.16)
    for seed in range(3):
        made = mesh.irregular(sides, (4, 4, 2), seed)
        check_solid(made, 0.004, 0.16)
        assert len(np.unique(np.round(made.points, 9), axis=0)) == len(made.points)
    hole, outer, high = degenerate.HOLE + 2e-4, degenerate.HOLE + 2e-4 + 2 * degenerate.WALL, 0.24
    check_solid(degenerate.shaft(1e-4, np.linspace(0, high, 4)), (outer**2 - hole**2) * high,
                2 * (outer**2 - hole**2) + 4 * (outer + hole) * high)
    sheet = mesh.sheet(0.3, 0.2, 5, 4)
    assert abs(area(sheet.points, sheet.cells) / 0.06 - 1) < 1e-12


def check_scenes(program):
    """By both methods, the program finds nothing wrong with them."""
    with tempfile.TemporaryDirectory() as folder:
        for name in SCENES:
            for method in ("smooth", "primitives"):
                trial.make(CASES[name], Path(folder) / name, method)
                done = subprocess.run([program, "check", f"{folder}/{name}/scene.json"], capture_output=True, text=True)
                assert done.returncode == 0, f"{name} by {method}: {done.stderr}"


check_meshes()
check_scenes(sys.argv[1])
