"""Counts in a frame what must not be: inverted tets, edges through triangles, vertices inside. Shares no code
with the program. Touching without passing through does not count."""
import numpy as np

from . import obstacles
from .predicates import orientation

FACES = np.array([[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]])
ROWS = 400  # edges or vertices held against all triangles at a time
COUNTS = ["crossings", "self_crossings", "obstacle_crossings", "vertices_inside", "vertices_in_obstacles",
          "inverted_tets"]


class Skin:
    """Surface of one body: triangles, edges, vertices; and its tets."""

    def __init__(self, grid, body):
        tets = grid.tets[grid.tet_body == body]
        faces = np.concatenate([tets[:, face] for face in FACES]) if len(tets) else np.zeros((0, 3), int)
        _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
        outer = faces[first[count == 1]]
        self.triangles = np.concatenate([outer, grid.triangles[grid.triangle_body == body]]).astype(int)
        pairs = np.concatenate([self.triangles[:, [0, 1]], self.triangles[:, [1, 2]], self.triangles[:, [2, 0]]])
        self.edges = np.unique(np.sort(pairs, axis=1), axis=0)
        self.vertices = np.unique(self.triangles)
        self.tets = tets.astype(int)


def boxes(points, cells):
    corners = points[cells]
    return corners.min(axis=1), corners.max(axis=1)


def near_pairs(low_a, high_a, low_b, high_b):
    """Index pairs whose boxes meet."""
    found = []
    for start in range(0, len(low_a), ROWS):
        part = slice(start, start + ROWS)
        meet = np.ones((len(low_a[part]), len(low_b)), bool)
        for k in range(3):
            meet &= low_a[part, k, None] <= high_b[None, :, k]
            meet &= high_a[part, k, None] >= low_b[None, :, k]
        rows, columns = np.nonzero(meet)
        found.append(np.stack([rows + start, columns], axis=1))
    return np.concatenate(found) if found else np.zeros((0, 2), int)


def crossing(p, q, a, b, c):
    """Whether segments p–q pass through triangles a, b, c: its ends strictly on both sides, it within the rim."""
    opposite = orientation(a, b, c, p) * orientation(a, b, c, q) < 0
    result = np.zeros(len(p), bool)
    rows = np.flatnonzero(opposite)
    p, q, a, b, c = (x[rows] for x in (p, q, a, b, c))
    turns = [orientation(p, q, a, b), orientation(p, q, b, c), orientation(p, q, c, a)]
    result[rows] = (turns[0] == turns[1]) & (turns[1] == turns[2]) & (turns[0] != 0)
    return result


def edges_through(edge_points, edges, triangle_points, triangles, same):
    """Number of edge–triangle crossings; on the same mesh, pairs that share a vertex are left out."""
    if not len(edges) or not len(triangles):
        return 0
    pairs = near_pairs(*boxes(edge_points, edges), *boxes(triangle_points, triangles))
    edge, triangle = edges[pairs[:, 0]], triangles[pairs[:, 1]]
    if same:
        apart = ~np.any(edge[:, :, None] == triangle[:, None, :], axis=(1, 2))
        edge, triangle = edge[apart], triangle[apart]
    ends = [edge_points[edge[:, k]] for k in range(2)]
    corners = [triangle_points[triangle[:, k]] for k in range(3)]
    return int(np.count_nonzero(crossing(*ends, *corners)))


def vertices_in_tets(points, vertices, tets):
    """Number of vertices strictly inside one of the tets."""
    if not len(tets) or not len(vertices):
        return 0
    pairs = near_pairs(points[vertices], points[vertices], *boxes(points, tets))
    p, corners = points[vertices[pairs[:, 0]]], [points[tets[pairs[:, 1], k]] for k in range(4)]
    whole = orientation(*corners)
    inside = whole != 0
    for face, opposite in zip(FACES, range(4)):
        a, b, c = (corners[k] for k in face)
        side = orientation(a, b, c, p)
        inside &= (side != 0) & (side == orientation(a, b, c, corners[opposite]))
    return len(np.unique(pairs[inside, 0]))


class Judge:
    """Judges the frames of one run."""

    def __init__(self, scene, program, first):
        bodies = np.unique(np.concatenate([first.tet_body, first.triangle_body]))
        self.skins = [Skin(first, body) for body in bodies]
        self.scene_obstacles = list(scene.get("obstacles", {}).values())
        self.meshes = [None if item["shape"]["type"] in obstacles.CLOSED_FORM
                       else obstacles.triangles_of(program, item["shape"]) for item in self.scene_obstacles]
        self.right_way = self.volume_signs(first)

    def volume_signs(self, grid):
        return orientation(*(grid.points[grid.tets[:, k]] for k in range(4)))

    def count(self, grid):
        """All counts of one frame, by name."""
        points = grid.points
        counts = dict.fromkeys(COUNTS, 0)
        counts["inverted_tets"] = int(np.count_nonzero(self.volume_signs(grid) != self.right_way))
        for i, one in enumerate(self.skins):
            counts["self_crossings"] += edges_through(points, one.edges, points, one.triangles, True)
            for j, other in enumerate(self.skins):
                if i != j:
                    counts["crossings"] += edges_through(points, one.edges, points, other.triangles, False)
                    counts["vertices_inside"] += vertices_in_tets(points, one.vertices, other.tets)
        for item, mesh in zip(self.scene_obstacles, self.meshes):
            self.count_obstacle(item, mesh, grid, counts)
        return counts

    def count_obstacle(self, item, mesh, grid, counts):
        rotation, shift = obstacles.pose(item, grid.time)
        points = (grid.points - shift) @ rotation
        for skin in self.skins:
            if mesh is None:
                ends = points[skin.edges[:, 0]], points[skin.edges[:, 1]]
                counts["obstacle_crossings"] += int(np.count_nonzero(obstacles.edges_inside(item["shape"], *ends)))
                inside = obstacles.vertices_inside(item["shape"], points[skin.vertices])
                counts["vertices_in_obstacles"] += int(np.count_nonzero(inside))
            else:
                counts["obstacle_crossings"] += edges_through(points, skin.edges, *mesh, False)
                counts["obstacle_crossings"] += edges_through(mesh[0], edges_of(mesh[1]), points, skin.triangles, False)


def edges_of(triangles):
    pairs = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    return np.unique(np.sort(pairs, axis=1), axis=0)
