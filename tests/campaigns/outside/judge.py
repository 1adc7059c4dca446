"""Counts what is wrong in a frame: inverted tets, edges through triangles, vertices inside. Shares no code
with the program. Touching without passing through does not count."""
import numpy as np

from .near import near_pairs
from .obstacles import Obstacle
from .predicates import exact_orientation, orientation

FACES = np.array([[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]])
COUNTS = ["crossings", "self_crossings", "obstacle_crossings", "vertices_inside", "inverted_tets"]


class Surface:
    """Triangles with their edges, and what lies across each."""

    def __init__(self, triangles):
        self.triangles = np.asarray(triangles, int)
        self.edges = edges_of(self.triangles)
        self.third = {}  # edge → third corners of the triangles that have it
        for corner in self.triangles.tolist():
            for k in range(3):
                pair = corner[k], corner[(k + 1) % 3]
                self.third.setdefault((min(pair), max(pair)), []).append(corner[(k + 2) % 3])


class Skin(Surface):
    """Surface of one body: the faces of tets that no other tet has, and triangles of shells; and its tets."""

    def __init__(self, grid, body):
        tets = grid.tets[grid.tet_body == body]
        faces = np.concatenate([tets[:, face] for face in FACES])
        _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
        super().__init__(np.concatenate([faces[first[count == 1]], grid.triangles[grid.triangle_body == body]]))
        self.vertices = np.unique(self.triangles)
        self.tets = tets.astype(int)


def boxes(points, cells):
    corners = points[cells]
    return corners.min(axis=1), corners.max(axis=1)


def crossing(p, q, a, b, c):
    """Whether segments p–q pass through triangles a, b, c: ends strictly on both sides, the line within the rim.
    Also by which edge of the triangle it passes exactly, 0, 1 or 2, where it does; else −1."""
    passes, rim = np.zeros(len(p), bool), np.full(len(p), -1)
    rows = np.flatnonzero(orientation(a, b, c, p) * orientation(a, b, c, q) < 0)
    p, q, a, b, c = (x[rows] for x in (p, q, a, b, c))
    turns = np.stack([orientation(p, q, a, b), orientation(p, q, b, c), orientation(p, q, c, a)], axis=1)
    total = np.abs(turns.sum(axis=1))
    passes[rows] = total == 3
    on_rim = (total == 2) & (np.count_nonzero(turns, axis=1) == 2)
    rim[rows[on_rim]] = np.argmin(np.abs(turns[on_rim]), axis=1)
    return passes, rim


def passes_between(ends, points, surface, rim_edge):
    """Whether a segment that meets an edge exactly passes from one side of both its triangles to the other."""
    third = surface.third[rim_edge]
    if len(third) != 2:
        return False
    a, b, c, d = points[[*rim_edge, *third]]
    sides = [(exact_orientation(a, b, c, end), exact_orientation(b, a, d, end)) for end in ends]
    return all(one * other > 0 for one, other in sides) and sides[0][0] != sides[1][0]


def edges_through(edge_points, edges, points, surface, same):
    """Number of edge–triangle crossings; on the same mesh, pairs that share a vertex are left out."""
    triangles = surface.triangles
    if not len(edges) or not len(triangles):
        return 0
    pairs = near_pairs(*boxes(edge_points, edges), *boxes(points, triangles))
    edge, triangle = edges[pairs[:, 0]], triangles[pairs[:, 1]]
    if same:
        apart = ~np.any(edge[:, :, None] == triangle[:, None, :], axis=(1, 2))
        edge, triangle = edge[apart], triangle[apart]
    corners = [points[triangle[:, k]] for k in range(3)]
    passes, rim = crossing(edge_points[edge[:, 0]], edge_points[edge[:, 1]], *corners)
    through_edges = {(*edge[row], *sorted((triangle[row, rim[row]], triangle[row, (rim[row] + 1) % 3])))
                     for row in np.flatnonzero(rim >= 0)}
    on_rim = sum(passes_between(edge_points[[p, q]], points, surface, (a, b)) for p, q, a, b in through_edges)
    return int(np.count_nonzero(passes)) + on_rim


def vertices_in_tets(points, vertices, tets):
    """Those of the vertices that are strictly inside one of the tets."""
    if not len(tets) or not len(vertices):
        return vertices[:0]
    pairs = near_pairs(points[vertices], points[vertices], *boxes(points, tets))
    p, corners = points[vertices[pairs[:, 0]]], [points[tets[pairs[:, 1], k]] for k in range(4)]
    inside = orientation(*corners) != 0
    for face, opposite in zip(FACES, range(4)):
        a, b, c = (corners[k] for k in face)
        side = orientation(a, b, c, p)
        inside &= (side != 0) & (side == orientation(a, b, c, corners[opposite]))
    return vertices[np.unique(pairs[inside, 0])]


def edges_of(triangles):
    pairs = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    return np.unique(np.sort(pairs, axis=1), axis=0)


class Judge:
    """Judges the frames of one run."""

    def __init__(self, scene, program, first):
        bodies = np.unique(np.concatenate([first.tet_body, first.triangle_body]))
        self.skins = [Skin(first, body) for body in bodies]
        self.obstacles = [Obstacle(item, program) for item in scene.get("obstacles", {}).values()]
        self.obstacle_surfaces = [Surface(item.mesh[1]) if item.mesh else None for item in self.obstacles]

    def count(self, grid):
        """All counts of one frame, by name."""
        points = np.array(grid.points)
        counts, inside = dict.fromkeys(COUNTS, 0), []
        corners = [points[grid.tets[:, k]] for k in range(4)]
        counts["inverted_tets"] = int(np.count_nonzero(orientation(*corners) <= 0))
        for i, one in enumerate(self.skins):
            counts["self_crossings"] += edges_through(points, one.edges, points, one, True)
            for j, other in enumerate(self.skins):
                if i != j:
                    counts["crossings"] += edges_through(points, one.edges, points, other, False)
                    inside.append(vertices_in_tets(points, one.vertices, other.tets))
        for obstacle, surface in zip(self.obstacles, self.obstacle_surfaces):
            own, rounding = obstacle.own(points, grid.time)
            for skin in self.skins:
                counts["obstacle_crossings"] += obstacle_crossings(obstacle, surface, skin, own, rounding)
                inside.append(obstacle.vertices_inside(own, skin.vertices, rounding))
        counts["vertices_inside"] = len(np.unique(np.concatenate(inside))) if inside else 0
        return counts


def obstacle_crossings(obstacle, surface, skin, points, rounding):
    """Triangles that reach into a shape in closed form; edges through triangles, either way, of a mesh."""
    if surface is None:
        return obstacle.triangles_reached(points, skin.triangles, rounding)
    skeleton = obstacle.mesh[0]
    return (edges_through(points, skin.edges, skeleton, surface, False)
            + edges_through(skeleton, surface.edges, points, skin, False))
