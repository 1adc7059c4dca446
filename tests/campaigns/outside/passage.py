"""What passed through what between two frames, every vertex moving straight from one to the other: a thing that is
on one side of another before, on the other after, and crosses nothing in either."""
import numpy as np

from .near import near_pairs

SAMPLES = 16  # intervals in which a change of sides is looked for
HALVINGS = 50
CLOSE = 1e-9  # of the edges' length: in one place


def passages(before, after, skins):
    """Number of edges that pass through edges, and vertices through triangles, of one body or two."""
    edges = np.concatenate([skin.edges for skin in skins])
    triangles = np.concatenate([skin.triangles for skin in skins])
    vertices = np.unique(triangles)[:, None]
    return (count(before, after, edges, edges, through_edge)
            + count(before, after, vertices, triangles, through_triangle))


def swept_boxes(before, after, cells):
    corners = np.concatenate([before[cells], after[cells]], axis=1)
    return corners.min(axis=1), corners.max(axis=1)


def count(before, after, ones, others, passes):
    pairs = near_pairs(*swept_boxes(before, after, ones), *swept_boxes(before, after, others))
    if ones is others:
        pairs = pairs[pairs[:, 0] < pairs[:, 1]]
    one, other = ones[pairs[:, 0]], others[pairs[:, 1]]
    apart = ~np.any(one[:, :, None] == other[:, None, :], axis=(1, 2))
    places = np.concatenate([one[apart], other[apart]], axis=1)
    return int(np.count_nonzero(meets(before[places], after[places], passes))) if len(places) else 0


def volume(corners):
    """Six times the signed volume of tets [n][4][3]: zero where the four points lie in a plane."""
    a, b, c = (corners[:, k] - corners[:, 0] for k in (1, 2, 3))
    return np.einsum("ij,ij->i", a, np.cross(b, c))


def meets(start, end, passes):
    """Whether the two features meet where their four points come to lie in one plane."""
    found = np.zeros(len(start), bool)
    # In a frame that goes along with the four points, where straight moves of the whole cancel no digits.
    middle, drift = start.mean(axis=1, keepdims=True), (end - start).mean(axis=1, keepdims=True)
    start, end = start - middle, end - middle - drift
    last = volume(start) > 0
    for k in range(SAMPLES):
        now = volume(start + (k + 1) / SAMPLES * (end - start)) > 0
        rows = np.flatnonzero((last != now) & ~found)
        if len(rows):
            found[rows] = passes(at_change(start[rows], end[rows], k / SAMPLES, (k + 1) / SAMPLES))
        last = now
    return found


def at_change(start, end, low, high):
    """The four points at the moment in which they change sides."""
    low, high = np.full(len(start), low), np.full(len(start), high)
    side = volume(start + low[:, None, None] * (end - start)) > 0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        same = (volume(start + middle[:, None, None] * (end - start)) > 0) == side
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return start + ((low + high) / 2)[:, None, None] * (end - start)


def through_edge(x):
    """Whether segments 0–1 and 2–3, in a plane, cut each other."""
    d, e, r = x[:, 1] - x[:, 0], x[:, 3] - x[:, 2], x[:, 2] - x[:, 0]
    normal = np.cross(d, e)
    square = np.maximum(np.einsum("ij,ij->i", normal, normal), 1e-300)
    s = np.einsum("ij,ij->i", np.cross(r, e), normal) / square
    t = np.einsum("ij,ij->i", np.cross(r, d), normal) / square
    # Of edges along each other s and t are noise, as is the plane: what cuts is also in one place.
    apart = np.linalg.norm(s[:, None] * d - r - t[:, None] * e, axis=1)
    size = np.linalg.norm(d, axis=1) + np.linalg.norm(e, axis=1)
    return (s > 0) & (s < 1) & (t > 0) & (t < 1) & (apart <= CLOSE * size)


def through_triangle(x):
    """Whether point 0, in the plane of triangle 1–2–3, lies within it."""
    normal = np.cross(x[:, 2] - x[:, 1], x[:, 3] - x[:, 1])
    inside = np.ones(len(x), bool)
    for a, b in ((1, 2), (2, 3), (3, 1)):
        inside &= np.einsum("ij,ij->i", np.cross(x[:, b] - x[:, a], x[:, 0] - x[:, a]), normal) > 0
    return inside
