"""Meshes that `stiction mesh` does not make: lattices with holes, irregular ones, blocks by their corners."""
import itertools

import numpy as np

# The six tets of a cell along the ways from corner (0, 0, 0) to (1, 1, 1). All cells are cut alike, so they fit.
WAYS = [np.cumsum([[0, 0, 0]] + [np.eye(3, dtype=int)[k] for k in order], axis=0)
        for order in itertools.permutations(range(3))]


class Mesh:
    """Points, and tets or triangles."""

    def __init__(self, points, cells):
        self.points, self.cells = np.array(points, float), np.array(cells, int)
        if self.cells.shape[1] == 4:
            flipped = volumes(self.points, self.cells) < 0
            self.cells[flipped] = self.cells[flipped][:, [0, 1, 3, 2]]

    def moved(self, rotation=None, shift=(0, 0, 0)):
        turn = np.eye(3) if rotation is None else rotation
        return Mesh(self.points @ np.asarray(turn).T + np.asarray(shift, float), self.cells)

    def write(self, path):
        """As legacy VTK, which the program and viewers read."""
        width = self.cells.shape[1]
        lines = ["# vtk DataFile Version 3.0", path.stem, "ASCII", "DATASET UNSTRUCTURED_GRID",
                 f"POINTS {len(self.points)} double"]
        lines += [" ".join(repr(float(x)) for x in point) for point in self.points]
        lines.append(f"CELLS {len(self.cells)} {(width + 1) * len(self.cells)}")
        lines += [f"{width} " + " ".join(map(str, cell)) for cell in self.cells.tolist()]
        lines.append(f"CELL_TYPES {len(self.cells)}")
        lines += [{3: "5", 4: "10"}[width]] * len(self.cells)
        path.write_text("\n".join(lines) + "\n")


def volumes(points, tets):
    a, b, c, d = (points[tets[:, k]] for k in range(4))
    return np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6


def lattice(x, y, z, keep=lambda i, j, k: True):
    """Cells between planes at these coordinates, each cut into six tets; keep: which cells there are."""
    number, points, tets = {}, [], []

    def vertex(i, j, k):
        if (i, j, k) not in number:
            number[i, j, k] = len(points)
            points.append((x[i], y[j], z[k]))
        return number[i, j, k]

    for cell in itertools.product(range(len(x) - 1), range(len(y) - 1), range(len(z) - 1)):
        if keep(*cell):
            tets += [[vertex(*(corner + cell)) for corner in way] for way in WAYS]
    return Mesh(points, tets)


def box(size, cells):
    """About the origin."""
    return lattice(*(np.linspace(-side / 2, side / 2, count + 1) for side, count in zip(size, cells)))


def block(corners):
    """Six tets between eight corners; corner number 4 i + 2 j + k is that at (i, j, k) of a cell."""
    return Mesh(corners, [[4 * i + 2 * j + k for i, j, k in way.tolist()] for way in WAYS])


def irregular(size, cells, seed):
    """A box with a mesh that follows no lattice: random edges are split, then vertices are shifted, those on faces
    and edges of the box within them."""
    random = np.random.default_rng(seed)
    mesh = box(size, cells)
    points, tets = [tuple(point) for point in mesh.points], mesh.cells.tolist()
    for _ in range(len(mesh.points) // 2):
        tet = tets[random.integers(len(tets))]
        a, b = (tet[k] for k in random.choice(4, 2, replace=False))
        points.append(tuple((np.array(points[a]) + points[b]) / 2))
        tets = split(tets, a, b, len(points) - 1)
    mesh = Mesh(points, tets)
    return shifted(mesh, np.array(size) / 2, min(np.array(size) / cells) / 4, random)


def split(tets, a, b, middle):
    """All tets with the edge a–b become two."""
    result = []
    for tet in tets:
        if a in tet and b in tet:
            result += [[middle if corner == a else corner for corner in tet],
                       [middle if corner == b else corner for corner in tet]]
        else:
            result.append(tet)
    return result


def shifted(mesh, half, reach, random):
    """Vertices at random places within reach, one by one, where no tet around becomes flat by it."""
    points, around = mesh.points.copy(), [[] for _ in mesh.points]
    for number, tet in enumerate(mesh.cells.tolist()):
        for corner in tet:
            around[corner].append(number)
    rest = volumes(points, mesh.cells)
    for vertex in range(len(points)):
        free = np.abs(np.abs(points[vertex]) - half) > 1e-9 * half
        old, cells = points[vertex].copy(), mesh.cells[around[vertex]]
        points[vertex] = old + free * random.uniform(-reach, reach, 3)
        outside = np.any(np.abs(points[vertex]) > half * (1 - 1e-9) + ~free * half)
        if outside or np.any(volumes(points, cells) < 0.25 * rest[around[vertex]]):
            points[vertex] = old
    return Mesh(points, mesh.cells)


def sheet(width, length, nx, ny):
    """Flat triangles about the origin in the xy-plane, diagonals that alternate."""
    x, y = np.linspace(-width / 2, width / 2, nx + 1), np.linspace(-length / 2, length / 2, ny + 1)
    points = [(a, b, 0.0) for b in y for a in x]
    triangles = []
    for i, j in itertools.product(range(nx), range(ny)):
        a = i + (nx + 1) * j
        b, c, d = a + 1, a + nx + 2, a + nx + 1
        triangles += [[a, b, c], [a, c, d]] if (i + j) % 2 == 0 else [[a, b, d], [b, c, d]]
    return Mesh(points, triangles)


def together(meshes):
    """Several meshes as one, without shared vertices."""
    starts = np.cumsum([0] + [len(mesh.points) for mesh in meshes[:-1]])
    return Mesh(np.concatenate([mesh.points for mesh in meshes]),
                np.concatenate([mesh.cells + start for mesh, start in zip(meshes, starts)]))
