"""A rope with an overhand knot in it, pulled tight."""
import numpy as np

from . import mesh
from .case import Finding, add
from .stage import Stage

RADIUS, CELLS = 4e-3, 120
PULL = 0.1  # m, of each end


def even(line, count):
    """The same line by points at equal distances, and its length."""
    along = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    places = np.linspace(0, along[-1], count)
    return np.stack([np.interp(places, along, line[:, c]) for c in range(3)], axis=1), along[-1]


def open_trefoil():
    """A trefoil, cut where it is farthest out; from there both ends lead away from it."""
    t = np.linspace(0, 2 * np.pi, 400) + np.pi / 3
    loop = np.stack([np.sin(t) + 2 * np.sin(2 * t), np.cos(t) - 2 * np.cos(2 * t), -np.sin(3 * t)], axis=1)[12:-12]
    out = (loop[0] + loop[-1]) / np.linalg.norm(loop[0] + loop[-1])
    ends = [end + np.outer(np.linspace(0.5, 4, 20), out + side)
            for end, side in ((loop[0], loop[0] - loop[-1]), (loop[-1], loop[-1] - loop[0]))]
    return np.concatenate([ends[0][::-1], loop, ends[1]])


def rope_line():
    """Rounded off, and as large as the rope needs it: strands pass each other at three radii and more."""
    line, length = even(open_trefoil(), 600)
    for _ in range(200):
        line[1:-1] = (line[:-2] + 2 * line[1:-1] + line[2:]) / 4
    line, length = even(line, 600)
    return even(line * 3 * RADIUS / closest_strands(line, length / 8), CELLS + 1)[0]


def closest_strands(line, apart):
    """Smallest distance between points of an even line that are this far from each other along it."""
    gap = np.linalg.norm(line[1] - line[0])
    number = np.arange(len(line))
    far = np.abs(number[:, None] - number[None, :]) * gap > apart
    return np.linalg.norm(line[:, None] - line[None, :], axis=2)[far].min()


def frames(line):
    """Two directions across at each point, turned as little as possible from one to the next."""
    tangents = np.gradient(line, axis=0)
    tangents /= np.linalg.norm(tangents, axis=1)[:, None]
    across = np.cross(tangents[0], [0.3, 0.5, 0.8])
    for tangent in tangents:
        across = across - tangent * (across @ tangent)
        across /= np.linalg.norm(across)
        yield across, np.cross(tangent, across)


def rope():
    """A square lattice of two by two cells, its outline drawn out to a circle, along the line."""
    line = rope_line()
    flat = mesh.lattice(np.arange(-1.0, 2), np.arange(-1.0, 2), np.arange(CELLS + 1.0))
    side = np.array(list(frames(line)))
    points = []
    for u, v, k in flat.points:
        length = np.hypot(u, v)
        reach = RADIUS * max(abs(u), abs(v)) / length if length > 0 else 0.0
        points.append(line[int(k)] + reach * (u * side[int(k), 0] + v * side[int(k), 1]))
    return mesh.Mesh(points, flat.cells)


def knot(folder):
    """Its ends are drawn apart and held there."""
    stage = Stage(folder, 5e-3, 1.2, every=2, gravity=0)
    stage.solid("rope", 1e6, density=1100.0, mass_damping=2.0, stiffness_damping=2e-3)
    shape = rope()
    stage.mesh("rope", shape, "rope")
    ends = rope_line()[[0, -1]]
    apart = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    for name, end, way in (("left", ends[0], -apart), ("right", ends[1], apart)):
        stage.hold(name, "rope", {"sphere": {"centre": end.tolist(), "radius": 1.05 * RADIUS}},
                   motion={"interpolation": "smooth", "keys": [
                       {"time": 0}, {"time": 1.0, "translate": (PULL * way).tolist()}]})
    stage.rub(0.15)
    return stage.finish()


def across(points):
    """Extent along the second of the principal axes."""
    _, axes = np.linalg.eigh(np.cov(points.T))
    return np.ptp(points @ axes[:, 1])


def tightened(run):
    """The knot is smaller than it was, and has not come out: a rope without it would be straight."""
    extent = [across(run.points("rope", frame)) for frame in (0, -1)]
    finding = Finding(f"{1e3 * extent[0]:.0f} mm across, then {1e3 * extent[1]:.0f} mm")
    finding.expect(extent[1] > 5 * RADIUS, "the knot came out")
    return finding.expect(extent[1] < 0.5 * extent[0], "the knot is not tight")


add("knot", "cloth", "0 crossings; tight", knot, tightened, cpu=600)
