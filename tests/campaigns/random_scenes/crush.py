"""Random scenes that crush soft bodies: heavy things on them, thrown at them, or a press that comes down to a
third of their height. Coarse meshes with slender tets, sizes from 1 mm to 10 m, all laws and integrators."""
import math

from . import materials, scene, shapes
from .draw import Draw

SHAPES = ["box", "cylinder", "sphere", "tube", "torus", "capsule", "sheet"]


def make(seed, number):
    """The scene of this seed and number, as what json.dumps takes."""
    draw = Draw(f"crush {seed}", number)
    size = draw.scaled(1e-3, 10)
    duration = draw.uniform(0.5, 3) * math.sqrt(size / 9.81)
    steps = draw.whole(10, 50)
    made = {"title": f"Random scene {number} of seed {seed}: crushed", "materials": {}, "bodies": {},
            "gravity": [0, 0, -9.81], "integrator": draw.pick(scene.INTEGRATORS),
            "time": {"duration": duration, "step": duration / steps, "frame_rate": steps / duration},
            "obstacles": {"floor": {"shape": {"type": "half_space"}}},
            "friction": [{"between": "any", "dynamic": draw.uniform(0, 1)}],
            "solver": {"type": draw.pick(["auto", "auto", "direct", "iterative"])}, "output": {"stress": False}}
    height = pile(draw, made, size)
    if draw.chance(0.5):
        press(draw, made, height, duration)
    return scene.tidy(made)


def pile(draw, made, size):
    """A soft body on the floor and up to two heavy ones above it, at rest or thrown; returns how high they are."""
    top = 0.002 * size
    for i in range(draw.whole(1, 3)):
        shape = slender(draw, size)
        material = materials.solid(draw)
        soften(draw, material, size, is_soft=i == 0)
        made["materials"][f"stuff{i}"] = material
        body = {"shape": shape.keys, "material": f"stuff{i}",
                "translate": [0.1 * size * draw.uniform(-1, 1), 0.1 * size * draw.uniform(-1, 1), top - shape.low[2]]}
        if i > 0 and draw.chance(0.5):
            body["velocity"] = [0, 0, -min(20, draw.scaled(0.1, 10) * math.sqrt(9.81 * size))]
        made["bodies"][f"body{i}"] = body
        top += shape.high[2] - shape.low[2] + 0.002 * size
    return top


def slender(draw, size):
    """One cell across a side that may be twenty times as short as another."""
    shape = shapes.make(draw, draw.pick(SHAPES), size)
    shape.keys["fill"] = "solid"
    if shape.type != "box" or draw.chance(0.4):
        return shape
    for c, axis in enumerate("xyz"):
        factor = draw.scaled(0.05, 1)
        shape.keys["size_" + axis] *= factor
        shape.keys["cells_" + axis] = draw.whole(1, 3)
        shape.low[c] *= factor
        shape.high[c] *= factor
    return shape


def soften(draw, material, size, is_soft):
    """By the pressure of a body of water this high: E from a fifth of it to a hundred times as much."""
    material["density"] = draw.scaled(100, 2000) if is_soft else draw.scaled(1000, 20000)
    if not is_soft:
        return
    young = max(1e2, draw.scaled(0.2, 100) * 1000 * 9.81 * size)
    factor = young / (material["young"] if "young" in material else 5 * material["c10"])
    for key in ("young", "c10", "c01", "bulk"):
        if key in material:
            material[key] *= factor


def press(draw, made, height, duration):
    """Comes down smoothly, and leaves a quarter to a half of the height."""
    way = height * (1 - draw.uniform(0.25, 0.5))
    made["obstacles"]["press"] = {
        "shape": {"type": "half_space", "normal": [0, 0, -1], "point": [0, 0, 1.01 * height]},
        "motion": {"keys": [{"time": 0}, {"time": 0.8 * duration, "translate": [0, 0, -way]}],
                   "interpolation": "smooth"}}
