"""Where obstacles are at an instant, and what of a mesh lies inside those that have a closed form."""
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from .frame import Grid
from .placing import rotation_about, rotation_matrix

CLOSED_FORM = ("half_space", "sphere", "capsule", "cylinder", "box")


def progress(motion, time):
    """How far a motion has come: shift and angle."""
    if "keys" in motion:
        first, last = motion["keys"]
        share = np.clip((time - first["time"]) / (last["time"] - first["time"]), 0, 1)
        if motion.get("interpolation") == "smooth":
            share = share**2 * (3 - 2 * share)
        return share * np.array(last["translate"]), share * last["angle"]
    return time * np.array(motion.get("velocity", [0, 0, 0])), time * motion.get("spin", 0)


def pose(obstacle, time):
    """Rotation and shift that take the obstacle's own frame to the world."""
    rotation = rotation_matrix(obstacle.get("rotate", []))
    shift = np.array(obstacle.get("translate", [0, 0, 0]), float)
    motion = obstacle.get("motion")
    if not motion:
        return rotation, shift
    moved, angle = progress(motion, time)
    centre = np.array(motion.get("centre", shift))
    turn = rotation_about(motion.get("axis", [0, 0, 1]), angle)
    return turn @ rotation, turn @ (shift - centre) + centre + moved


def distance_to_segment(p, q, half):
    """Of segments p–q from the segment between (0, 0, −half) and (0, 0, half): convex in both, so clamped steps."""
    best = np.full(len(p), np.inf)
    # Quadratic in (s along p–q, t along z): ends of either against the other, and the free minimum.
    d = q - p
    dd = np.maximum(np.sum(d * d, axis=1), 1e-300)
    for t in (-half, half):
        s = np.clip(np.sum(([0, 0, t] - p) * d, axis=1) / dd, 0, 1)
        best = np.minimum(best, np.linalg.norm(p + s[:, None] * d - [0, 0, t], axis=1))
    for end in (p, q):
        t = np.clip(end[:, 2], -half, half)
        best = np.minimum(best, np.hypot(np.hypot(end[:, 0], end[:, 1]), end[:, 2] - t))
    flat = np.maximum(d[:, 0]**2 + d[:, 1]**2, 1e-300)
    s = np.clip(-(p[:, 0] * d[:, 0] + p[:, 1] * d[:, 1]) / flat, 0, 1)
    at = p + s[:, None] * d
    inside = np.abs(at[:, 2]) <= half
    return np.where(inside, np.minimum(best, np.hypot(at[:, 0], at[:, 1])), best)


def clipped(p, q, axis, half):
    """Parameters of the part of p–q with |coordinate| < half."""
    d = q[:, axis] - p[:, axis]
    safe = np.where(d == 0, 1, d)
    a, b = (-half - p[:, axis]) / safe, (half - p[:, axis]) / safe
    low, high = np.minimum(a, b), np.maximum(a, b)
    within = np.abs(p[:, axis]) < half
    return np.where(d == 0, np.where(within, 0, 1), low), np.where(d == 0, np.where(within, 1, 0), high)


def edges_inside(shape, p, q):
    """Which segments pass through the inside of a shape, in its own frame."""
    kind = shape["type"]
    if kind == "half_space":
        normal = np.array(shape.get("normal", [0, 0, 1.0]), float)
        normal /= np.linalg.norm(normal)
        point = np.array(shape.get("point", [0, 0, 0]))
        return np.minimum((p - point) @ normal, (q - point) @ normal) < 0
    if kind == "sphere":
        return distance_to_segment(p, q, 0.0) < shape["radius"]
    if kind == "capsule":
        return distance_to_segment(p, q, shape["length"] / 2) < shape["radius"]
    low, high = np.zeros(len(p)), np.ones(len(p))
    halves = {2: shape["height"] / 2} if kind == "cylinder" else {
        i: shape["size_" + axis] / 2 for i, axis in enumerate("xyz")}
    for axis, half in halves.items():
        a, b = clipped(p, q, axis, half)
        low, high = np.maximum(low, a), np.minimum(high, b)
    if kind == "box":
        return low < high
    d = q - p
    flat = np.maximum(d[:, 0]**2 + d[:, 1]**2, 1e-300)
    s = np.clip(-(p[:, 0] * d[:, 0] + p[:, 1] * d[:, 1]) / flat, low, high)
    at = p + s[:, None] * d
    return (low < high) & (np.hypot(at[:, 0], at[:, 1]) < shape["radius"])


def vertices_inside(shape, points):
    return edges_inside(shape, points, points)


def triangles_of(program, shape):
    """The skin of an obstacle that is touched as a mesh: points and triangles, in its own frame."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shape.vtu"
        words = [str(program), "mesh", "make", shape["type"], "--surface", "-o", str(path)]
        for key, value in shape.items():
            if key not in ("type", "fill"):
                words += ["--" + key, str(value)]
        subprocess.run(words, check=True, capture_output=True)
        grid = Grid(path)
        return np.array(grid.points), np.array(grid.triangles)
