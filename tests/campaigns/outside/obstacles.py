"""Poses of obstacles at an instant, and the parts of a body's surface that reach into them."""
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from .convex import REACHES
from .frame import Grid
from .rotation import rotation_about, rotation_matrix

# Share of the coordinates' size that positions may be off by, after rotations and shifts in floating point.
ROUNDING = 40 * 2.0**-53


def progress(motion, time):
    """How far a motion has come: shift and angle."""
    if "keys" in motion:
        return between_keys(motion, time)
    return time * np.array(motion.get("velocity", [0, 0, 0])), time * motion.get("spin", 0)


def between_keys(motion, time):
    """Values missing in a key are those of the previous key."""
    shift, angle, before = np.zeros(3), 0.0, None
    for key in motion["keys"]:
        share = 1.0 if before is None else np.clip((time - before) / (key["time"] - before), 0, 1)
        if motion.get("interpolation") == "smooth":
            share = share**2 * (3 - 2 * share)
        shift = shift + share * (np.array(key.get("translate", shift)) - shift)
        angle, before = angle + share * (key.get("angle", angle) - angle), key["time"]
        if share < 1:
            break
    return shift, angle


def frame_of(obstacle):
    """Rotation and shift at rest. The face of a half-space points along z of its own frame."""
    rotation, shift = rotation_matrix(obstacle.get("rotate", [])), np.array(obstacle.get("translate", [0, 0, 0]), float)
    shape = obstacle["shape"]
    if shape["type"] == "half_space":
        normal = np.array(shape.get("normal", [0, 0, 1]), float)
        normal /= np.linalg.norm(normal)
        aside = np.cross(np.eye(3)[np.argmin(np.abs(normal))], normal)
        aside /= np.linalg.norm(aside)
        own = np.stack([aside, np.cross(normal, aside), normal], axis=1)
        shift = rotation @ np.array(shape.get("point", [0, 0, 0]), float) + shift
        rotation = rotation @ own
    return rotation, shift


def pose(obstacle, time):
    """Rotation and shift that take the obstacle's own frame to the world."""
    rotation, shift = frame_of(obstacle)
    motion = obstacle.get("motion")
    if not motion:
        return rotation, shift
    moved, angle = progress(motion, time)
    centre = np.array(motion.get("centre", shift))
    turn = rotation_about(motion.get("axis", [0, 0, 1]), angle)
    return turn @ rotation, turn @ (shift - centre) + centre + moved


def triangles_of(program, shape):
    """The skin of a mesh obstacle: points and triangles, in its own frame."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shape.vtu"
        words = [str(program), "mesh", "make", shape["type"], "--surface", "-o", str(path)]
        for key, value in shape.items():
            if key not in ("type", "fill"):
                words += ["--" + key, str(value)]
        subprocess.run(words, check=True, capture_output=True)
        grid = Grid(path)
        return np.array(grid.points), np.array(grid.triangles)


def is_closed(triangles):
    """Whether every edge has a partner in the opposite direction."""
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    forward = {tuple(edge) for edge in edges.tolist()}
    return all((b, a) in forward for a, b in forward)


def winding(points, corners):
    """How often a closed surface [triangles][3][3] winds around points: the sum of solid angles over 4π."""
    result = np.zeros(len(points))
    for i, point in enumerate(points):
        a, b, c = (corners[:, k] - point for k in range(3))
        la, lb, lc = (np.linalg.norm(x, axis=1) for x in (a, b, c))
        top = np.einsum("ij,ij->i", a, np.cross(b, c))
        bottom = (la * lb * lc + np.einsum("ij,ij->i", a, b) * lc + np.einsum("ij,ij->i", b, c) * la
                  + np.einsum("ij,ij->i", c, a) * lb)
        result[i] = np.sum(np.arctan2(top, bottom)) / (2 * np.pi)
    return result


class Obstacle:
    """One obstacle, as described by its scene file."""

    def __init__(self, item, program):
        self.item, self.shape = item, item["shape"]
        self.reaches = REACHES.get(self.shape["type"])
        self.mesh = None if self.reaches else triangles_of(program, self.shape)
        self.is_closed = self.mesh is not None and is_closed(self.mesh[1])

    def own(self, points, time):
        """Points in the obstacle's frame, and how much rounding may have moved them."""
        rotation, shift = pose(self.item, time)
        size = max(np.max(np.abs(points)), np.max(np.abs(shift)))
        sizes = [value for key, value in self.shape.items() if isinstance(value, (int, float)) and "cells" not in key]
        return (points - shift) @ rotation, ROUNDING * max([size, *sizes])

    def triangles_reached(self, points, triangles, rounding):
        """Number of triangles that reach into a shape in closed form."""
        return int(np.count_nonzero(self.reaches(self.shape, points[triangles], rounding)))

    def vertices_inside(self, points, vertices, rounding):
        """Of some vertices, those inside the shape or the closed mesh."""
        if self.reaches:
            corners = np.repeat(points[vertices][:, None, :], 3, axis=1)
            return vertices[self.reaches(self.shape, corners, rounding)]
        if not self.is_closed:
            return vertices[:0]
        low, high = self.mesh[0].min(axis=0), self.mesh[0].max(axis=0)
        near = vertices[np.all((points[vertices] >= low) & (points[vertices] <= high), axis=1)]
        return near[np.abs(winding(points[near], self.mesh[0][self.mesh[1]])) > 0.5]
