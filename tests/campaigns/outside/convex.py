"""Whether triangles reach into convex shapes, in the shape's own frame, by more than rounding. A triangle whose
corners are one point stands for a point. All take triangles [n][3][3] and give n answers."""
import numpy as np


def dot(a, b):
    return np.einsum("...i,...i->...", a, b)


def distance_to_axis(p, q, half):
    """Of segments p–q from the segment between (0, 0, −half) and (0, 0, half): ends of either against the other,
    and where the line p–q comes closest to the z-axis."""
    d = q - p
    best = np.full(len(p), np.inf)
    length = np.maximum(dot(d, d), 1e-300)
    for t in (-half, half):
        end = np.array([0, 0, t])
        s = np.clip(dot(end - p, d) / length, 0, 1)
        best = np.minimum(best, np.linalg.norm(p + s[:, None] * d - end, axis=1))
    for end in (p, q):
        beyond = end[:, 2] - np.clip(end[:, 2], -half, half)
        best = np.minimum(best, np.sqrt(end[:, 0]**2 + end[:, 1]**2 + beyond**2))
    s = np.clip(-dot(p[:, :2], d[:, :2]) / np.maximum(dot(d[:, :2], d[:, :2]), 1e-300), 0, 1)
    at = p + s[:, None] * d
    return np.where(np.abs(at[:, 2]) <= half, np.minimum(best, np.hypot(at[:, 0], at[:, 1])), best)


def height_above(corners, point):
    """Distance of a point from the planes of triangles where its foot lies inside them, else infinite."""
    a, b, c = (corners[:, k] for k in range(3))
    normal = np.cross(b - a, c - a)
    length = np.linalg.norm(normal, axis=1)
    inside = length > 0
    for p, q in ((a, b), (b, c), (c, a)):
        inside &= dot(np.cross(normal, q - p), point - p) >= 0
    return np.where(inside, np.abs(dot(normal, point - a)) / np.where(length > 0, length, 1), np.inf)


def pierced(corners, half):
    """Whether the segment on the z-axis from −half to half goes through triangles."""
    a, b, c = (corners[:, k] for k in range(3))
    turns = [p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0] for p, q in ((a, b), (b, c), (c, a))]
    area = turns[0] + turns[1] + turns[2]
    around = area != 0
    for turn in turns:
        around &= turn * np.sign(area) >= 0
    safe = np.where(area != 0, area, 1)
    z = (turns[1] * a[:, 2] + turns[2] * b[:, 2] + turns[0] * c[:, 2]) / safe
    return around & (np.abs(z) <= half)


def rounded_axis(corners, radius, half):
    """Distance from an axis below a radius: a ball (half 0) or a capsule."""
    near = pierced(corners, half)
    for k in range(3):
        near |= distance_to_axis(corners[:, k], corners[:, (k + 1) % 3], half) < radius
    for t in (-half, half):
        near |= height_above(corners, np.array([0, 0, t])) < radius
    return near


def half_space(shape, corners, rounding):
    return corners[:, :, 2].min(axis=1) < -rounding


def sphere(shape, corners, rounding):
    return rounded_axis(corners, shape["radius"] - rounding, 0.0)


def capsule(shape, corners, rounding):
    return rounded_axis(corners, shape["radius"] - rounding, shape["length"] / 2)


def box(shape, corners, rounding):
    """Nothing separates them: not a face's normal, not the triangle's, not the cross product of two edges."""
    half = np.array([shape["size_" + axis] / 2 - rounding for axis in "xyz"])
    sides = [corners[:, (k + 1) % 3] - corners[:, k] for k in range(3)]
    axes = [np.broadcast_to(axis, sides[0].shape) for axis in np.eye(3)]
    axes += [np.cross(axis, side) for axis in np.eye(3) for side in sides]
    axes.append(np.cross(sides[0], sides[1]))
    meets = np.ones(len(corners), bool)
    for axis in axes:
        along = np.stack([dot(corners[:, k], axis) for k in range(3)])
        reach = np.abs(axis) @ half
        meets &= ((along.min(axis=0) < reach) & (along.max(axis=0) > -reach)) | (dot(axis, axis) == 0)
    return meets


def cylinder(shape, corners, rounding):
    """The part of the triangle between the flat ends, seen along the axis: is it nearer than the radius?"""
    radius, half = shape["radius"] - rounding, shape["height"] / 2 - rounding
    found = np.zeros(len(corners), bool)
    low, high = corners.min(axis=1), corners.max(axis=1)
    near = np.all((low[:, :2] < radius) & (high[:, :2] > -radius), axis=1) & (low[:, 2] < half) & (high[:, 2] > -half)
    for row in np.flatnonzero(near):
        part = cut(cut(corners[row], 1, half), -1, half)
        found[row] = len(part) > 0 and flat_distance(part) < radius
    return found


def cut(polygon, sign, limit):
    """What of a polygon is below a limit along ±z."""
    kept = []
    for a, b in zip(polygon, np.roll(polygon, -1, axis=0)):
        over_a, over_b = sign * a[2] - limit, sign * b[2] - limit
        if over_a < 0:
            kept.append(a)
        if (over_a < 0) != (over_b < 0):
            kept.append(a + over_a / (over_a - over_b) * (b - a))
    return np.array(kept) if kept else np.zeros((0, 3))


def flat_distance(polygon):
    """Of a convex polygon from the z-axis, seen along it."""
    a = polygon[:, :2]
    b = np.roll(a, -1, axis=0)
    turns = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    if np.all(turns > 0) or np.all(turns < 0):
        return 0.0
    d = b - a
    s = np.clip(-dot(a, d) / np.maximum(dot(d, d), 1e-300), 0, 1)
    return float(np.min(np.linalg.norm(a + s[:, None] * d, axis=1)))


REACHES = {"half_space": half_space, "sphere": sphere, "capsule": capsule, "cylinder": cylinder, "box": box}
