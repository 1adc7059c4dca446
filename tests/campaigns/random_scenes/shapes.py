"""Shapes of bodies and obstacles with random sizes and coarse meshes, and the boxes that enclose them."""
import numpy as np

SOLIDS = ["box", "sphere", "hollow_ball", "cylinder", "capsule", "tube", "torus", "sheet", "bowl", "hollow_box"]
SHELLS = ["sheet", "pillow", "sleeve", "tyre", "sphere", "box", "capsule", "cylinder", "torus"]
CLOSED_SHELLS = ["pillow", "tyre", "sphere", "box", "capsule", "cylinder", "torus"]
EXACT_OBSTACLES = ["sphere", "capsule", "cylinder", "box"]
MESH_OBSTACLES = ["hollow_ball", "tube", "torus", "sheet", "bowl", "hollow_box"]

LABELS = {
    "box": ["x-", "x+", "y-", "y+", "z-", "z+"], "sphere": ["surface"], "hollow_ball": ["inside", "outside"],
    "cylinder": ["bottom", "top", "side"], "capsule": ["bottom", "top", "side"],
    "tube": ["bottom", "top", "inside", "outside"], "torus": ["surface"], "sheet": ["x-", "x+", "y-", "y+", "corners"],
    "pillow": ["seam"], "sleeve": ["bottom", "top"], "tyre": ["rim"], "bowl": ["rim"],
    "hollow_box": ["x-", "x+", "z-", "z+"],
}


class Shape:
    """A shape's scene object, and the corners of its bounding box in its own frame."""

    def __init__(self, keys, low, high):
        self.keys, self.low, self.high = keys, np.array(low, float), np.array(high, float)
        self.type = keys["type"]

    def size(self):
        return float(np.max(self.high - self.low))


def even_box(keys, *half):
    return Shape(keys, [-h for h in half], half)


def make(draw, name, size, obstacle=False):
    """A shape of about this size, from end to end. Cells are few: a scene has to be quick."""
    shape = BUILDERS[name](draw, size)
    if obstacle and name in EXACT_OBSTACLES:  # these have no mesh, so no cells
        shape.keys = {key: value for key, value in shape.keys.items() if not key.startswith("cells")}
    return shape


def box(draw, size):
    sides = [size * draw.uniform(0.3, 1) for _ in range(3)]
    cells = [max(1, round(4 * side / size)) for side in sides]
    keys = {"type": "box"}
    for axis, side, count in zip("xyz", sides, cells):
        keys["size_" + axis] = side
        keys["cells_" + axis] = count
    return even_box(keys, *(side / 2 for side in sides))


def sphere(draw, size):
    return even_box({"type": "sphere", "radius": size / 2, "cells": draw.whole(2, 4)}, *[size / 2] * 3)


def hollow_ball(draw, size):
    keys = {"type": "hollow_ball", "radius": size / 2, "thickness": size * draw.uniform(0.05, 0.2),
            "cells": draw.whole(2, 3), "layers": 1}
    if draw.chance(0.3):
        keys["coat"] = 0.3 * keys["thickness"]
        keys["coat_layers"] = 1
    return even_box(keys, *[size / 2] * 3)


def cylinder(draw, size):
    radius, height = size / 2 * draw.uniform(0.3, 1), size * draw.uniform(0.2, 1)
    keys = {"type": "cylinder", "radius": radius, "height": height, "cells": 2, "cells_along": draw.whole(1, 4)}
    return even_box(keys, radius, radius, height / 2)


def capsule(draw, size):
    radius = size / 2 * draw.uniform(0.25, 0.6)
    keys = {"type": "capsule", "radius": radius, "length": size - 2 * radius, "cells": 2,
            "cells_along": draw.whole(1, 3)}
    return even_box(keys, radius, radius, size / 2)


def tube(draw, size):
    radius, length = size / 2 * draw.uniform(0.4, 1), size * draw.uniform(0.3, 1)
    keys = {"type": "tube", "radius": radius, "thickness": radius * draw.uniform(0.1, 0.4), "length": length,
            "layers": 1, "cells_around": 2 * draw.whole(4, 7), "cells_along": draw.whole(1, 4)}
    return even_box(keys, radius, radius, length / 2)


def torus(draw, size):
    minor = size / 2 * draw.uniform(0.15, 0.35)
    keys = {"type": "torus", "major_radius": size / 2 - minor, "minor_radius": minor, "cells": 2,
            "cells_around": 2 * draw.whole(4, 7)}
    return even_box(keys, size / 2, size / 2, minor)


def sheet(draw, size):
    width, length = size, size * draw.uniform(0.4, 1)
    keys = {"type": "sheet", "width": width, "length": length, "cells_x": draw.whole(4, 9),
            "cells_y": draw.whole(3, 7), "pattern": draw.pick(["alternating", "uniform"]),
            "thickness": size * draw.uniform(0.05, 0.15), "layers": 1}
    return even_box(keys, width / 2, length / 2, keys["thickness"] / 2)


def pillow(draw, size):
    width, length = size, size * draw.uniform(0.4, 1)
    keys = {"type": "pillow", "width": width, "length": length, "cells_x": 2 * draw.whole(2, 4),
            "cells_y": 2 * draw.whole(2, 3)}
    return even_box(keys, width / 2, length / 2, 0.01 * size)


def sleeve(draw, size):
    radius, length = size / 2 * draw.uniform(0.3, 0.8), size * draw.uniform(0.4, 1)
    keys = {"type": "sleeve", "radius": radius, "length": length, "cells_around": 2 * draw.whole(4, 7),
            "cells_along": draw.whole(2, 6)}
    return even_box(keys, radius, radius, length / 2)


def tyre(draw, size):
    radius = size / 2
    keys = {"type": "tyre", "radius": radius, "width": radius * draw.uniform(0.5, 0.9),
            "rim_radius": radius * draw.uniform(0.4, 0.6), "bulge": radius * draw.uniform(0.02, 0.1),
            "cells_around": 2 * draw.whole(5, 8), "cells_tread": 2, "cells_wall": 2, "cells_drum": 2}
    keys["rim_width"] = 0.95 * keys["width"]
    return even_box(keys, radius, radius, keys["width"] / 2 + keys["bulge"])


def bowl(draw, size):
    radius = size / 2
    keys = {"type": "bowl", "radius": radius, "thickness": radius * draw.uniform(0.1, 0.3), "cells": 2, "layers": 1}
    return Shape(keys, [-radius] * 3, [radius, radius, 0])


def hollow_box(draw, size):
    sides = [size * draw.uniform(0.5, 1) for _ in range(3)]
    keys = {"type": "hollow_box", "thickness": min(sides) * draw.uniform(0.08, 0.25), "layers": 1,
            "cells_x": 3, "cells_y": 3, "cells_z": 3}
    for axis, side in zip("xyz", sides):
        keys["size_" + axis] = side
    return even_box(keys, *(side / 2 for side in sides))


BUILDERS = {"box": box, "sphere": sphere, "hollow_ball": hollow_ball, "cylinder": cylinder, "capsule": capsule,
            "tube": tube, "torus": torus, "sheet": sheet, "pillow": pillow, "sleeve": sleeve, "tyre": tyre,
            "bowl": bowl, "hollow_box": hollow_box}
