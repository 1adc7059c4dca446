"""A random scene: two to four bodies that meet each other and obstacles, in all ways that scenes allow."""
import numpy as np

from . import drive, materials, shapes
from .draw import Draw, rounded
from .placing import Yard, turned_box

INTEGRATORS = ["be", "bdf2", "tr_bdf2", "sdirk2", "be", "bdf2", "tr_bdf2", "sdirk2", "tr", "tr_decoupled"]
FASTEST = 20.0  # m/s
SMOOTH_KEYS = {"kernel", "area_weighted"}  # of contact; primitives know none of them


def make(seed, number):
    """The scene of this seed and number, as what json.dumps takes."""
    draw = Draw(seed, number)
    maker = Maker(draw)
    maker.make()
    maker.scene["title"] = f"Random scene {number} of seed {seed}"
    return tidy(maker.scene)


def with_method(scene, method):
    """With this method of contact; None: as it is drawn."""
    if method:
        contact = scene.setdefault("contact", {})
        contact["method"] = method
        if method == "primitives":
            for key in SMOOTH_KEYS:
                contact.pop(key, None)
    return scene


def tidy(value):
    """Six digits are plenty, and read better."""
    if isinstance(value, dict):
        return {key: tidy(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [tidy(item) for item in value]
    if isinstance(value, (float, np.floating)):
        return float(f"{value:.6g}")
    return value


class Maker:
    def __init__(self, draw):
        self.draw = draw
        self.yard = Yard()
        self.scene = {"title": "", "materials": {}, "bodies": {}, "boundaries": {}, "volumes": {}, "bearings": {},
                      "gravity": [0, 0, -9.81], "obstacles": {}, "friction": []}
        self.shapes = {}  # of bodies, by name
        self.size = draw.scaled(0.01, 3)
        self.step = draw.scaled(1e-3, 5e-2)
        # One scene in six may be extreme: bodies that move by many times their own size in a step. In the others they
        # move, fall and turn by half of it at most.
        self.is_sane = draw.chance(0.85)
        if self.is_sane:
            self.step = max(1e-3, min(self.step, rounded((0.5 * self.size / 9.81) ** 0.5)))
        self.steps = draw.whole(15, 40)
        self.is_driven = draw.chance(0.4)  # whether boundaries, obstacles, pumps or torques may do work
        self.duration = self.step * self.steps

    def make(self):
        draw = self.draw
        if draw.chance(0.2):
            self.scene["gravity"] = [0, 0, 0] if draw.chance(0.6) else (9.81 * np.array(draw.direction()))
        for i in range(draw.whole(2, 4)):
            self.add_body(f"body{i}")
        self.add_obstacles()
        drive.add(self)
        self.add_friction()
        self.add_settings()
        for key in ("boundaries", "volumes", "bearings", "obstacles", "friction"):
            if not self.scene[key]:
                del self.scene[key]

    def fastest(self, size):
        """Speed of something of this size, in m/s."""
        return 0.5 * size / self.step if self.is_sane else FASTEST

    def gap(self, size, speed):
        """Small enough to be crossed within the first part of the run, as a rule."""
        fall = 0.5 * np.linalg.norm(self.scene["gravity"]) * self.duration**2
        reach = 0.3 * (speed * self.duration + fall)
        return min(max(0.003 * size, min(size * self.draw.scaled(0.01, 0.5), reach)), size)

    def rotations(self):
        if self.draw.chance(0.25):
            return []
        return [{"axis": self.draw.direction(), "angle": self.draw.uniform(-3.14, 3.14)}]

    def add_body(self, name):
        draw = self.draw
        is_shell = draw.chance(0.35)
        size = self.size * draw.scaled(0.5, 2)
        shape = shapes.make(draw, draw.pick(shapes.SHELLS if is_shell else shapes.SOLIDS), size)
        shape.keys["fill"] = "surface" if is_shell else "solid"
        material = materials.shell(draw, size) if is_shell else materials.solid(draw)
        self.scene["materials"][f"stuff_of_{name}"] = material
        body = {"shape": shape.keys, "material": f"stuff_of_{name}"}
        if "coat" in shape.keys:
            self.scene["materials"][f"coat_of_{name}"] = materials.solid(draw)
            body["materials"] = {"coat": f"coat_of_{name}"}
        self.shapes[name] = shape
        self.put(name, body, shape, size)
        self.scene["bodies"][name] = body

    def put(self, name, body, shape, size):
        """Apart from all others, and usually moving towards them."""
        draw = self.draw
        speed = min(draw.scaled(0.05, FASTEST), self.fastest(size)) if draw.chance(0.8) else 0.0
        rotations = self.rotations()
        if rotations:
            body["rotate"] = rotations
        if draw.chance(0.1):
            body["scale"] = [-1, 1, 1]  # a mirror image has to behave as well
            shape.low[0], shape.high[0] = -shape.high[0], -shape.low[0]
        low, high = turned_box(shape, rotations)
        away = draw.direction()
        shift = self.yard.place(low, high, self.gap(size, speed), away, 0.02 * size)
        body["translate"] = shift
        if speed > 0:
            aim = -np.array(away) + draw.uniform(0, 1) * np.array(draw.direction())
            body["velocity"] = 0.999 * speed * aim / np.linalg.norm(aim)
        if draw.chance(0.3):
            fastest = min(0.5 * FASTEST, self.fastest(size)) / size
            body["angular_velocity"] = draw.scaled(0.01, 1) * fastest * np.array(draw.direction())

    def add_obstacles(self):
        draw = self.draw
        for i in range(draw.pick([0, 0, 1, 1, 2])):
            exact = draw.chance(0.6)
            names = shapes.EXACT_OBSTACLES if exact else shapes.MESH_OBSTACLES
            self.add_obstacle(f"thing{i}", draw.pick(names))
        if draw.chance(0.06):
            self.add_cage()
        elif draw.chance(0.65):
            self.add_floor()

    def add_obstacle(self, name, kind):
        draw = self.draw
        size = self.size * draw.scaled(0.5, 2)
        shape = shapes.make(draw, kind, size, obstacle=True)
        rotations, away = self.rotations(), draw.direction()
        low, high = turned_box(shape, rotations)
        shift = self.yard.place(low, high, self.gap(size, 1), away, 0.02 * size)
        obstacle = {"shape": shape.keys, "translate": shift}
        if rotations:
            obstacle["rotate"] = rotations
        if self.is_driven and draw.chance(0.6):
            obstacle["motion"] = drive.motion(self, -np.array(away), size, shift)
        self.scene["obstacles"][name] = obstacle

    def add_floor(self):
        """Below all; a slope every third time. Now and then so near that contact is felt from the start."""
        draw = self.draw
        normal = np.array([0, 0, 1.0])
        if draw.chance(0.33):
            normal = np.array([draw.uniform(-0.6, 0.6), draw.uniform(-0.6, 0.6), 1.0])
            normal /= np.linalg.norm(normal)
        gap = 1e-3 * self.size * draw.uniform(0, 1) if draw.chance(0.1) else self.gap(self.size, 0.5)
        floor = {"shape": {"type": "half_space", "normal": normal,
                           "point": normal * (self.yard.lowest(normal) - gap)}}
        if self.is_driven and draw.chance(0.25):
            floor["motion"] = drive.motion(self, normal, self.size, floor["shape"]["point"])
        self.scene["obstacles"]["floor"] = floor

    def add_cage(self):
        low, high = self.yard.around()
        thickness = 0.1 * float(np.max(high - low))
        sides = (high - low) * self.draw.uniform(1.05, 1.5) + 2 * thickness
        shape = {"type": "hollow_box", "thickness": thickness, "layers": 1, "cells_x": 4, "cells_y": 4, "cells_z": 4}
        for axis, side in zip("xyz", sides):
            shape["size_" + axis] = side
        self.scene["obstacles"]["cage"] = {"shape": shape, "translate": (low + high) / 2}

    def friction_row(self, between):
        draw = self.draw
        row = {"between": between, "dynamic": draw.uniform(0, 1.2)}
        if draw.chance(0.4):
            row["static"] = min(1.2, row["dynamic"] * draw.uniform(1, 2))
        if draw.chance(0.1):
            row["viscous"] = draw.scaled(1e-4, 1)
        if draw.chance(0.2):
            row["sticking_speed"] = draw.scaled(1e-5, 1e-2)
        return row

    def add_friction(self):
        if self.draw.chance(0.15):
            return
        self.scene["friction"].append(self.friction_row("any"))
        if not self.scene["obstacles"]:
            return
        of_rock = [name for name in self.scene["bodies"] if self.draw.chance(0.3)]
        for name in of_rock:
            self.scene["friction"].append(self.friction_row([f"stuff_of_{name}", "rock"]))
        if of_rock:  # only what a row names is a material
            for obstacle in self.scene["obstacles"].values():
                obstacle["material"] = "rock"

    def add_settings(self):
        draw, scene = self.draw, self.scene
        every = draw.pick([1, 1, 1, 2, 1.37])  # the last one shortens steps, to end on frames
        scene["time"] = {"duration": self.duration, "step": self.step, "frame_rate": 1 / (every * self.step)}
        scene["integrator"] = draw.pick(INTEGRATORS)
        contact = {}
        if draw.chance(0.3):
            contact["friction"] = draw.pick(["implicit_fixed_basis", "lagged"])
            if contact["friction"] == "lagged":
                contact["friction_iterations"] = draw.whole(1, 3)
        if draw.chance(0.15):
            contact["kernel"] = draw.pick(["cubic", "interpolating"])
        if draw.chance(0.1):
            contact["area_weighted"] = False
        if draw.chance(0.1):
            contact["thickness"] = self.size * draw.scaled(5e-4, 1e-2)
        if SMOOTH_KEYS & set(contact):
            contact["method"] = "smooth"
        if contact:
            scene["contact"] = contact
        solver = {"type": draw.pick(["auto", "auto", "direct", "iterative"])}
        if solver["type"] == "iterative":
            solver["preconditioner"] = draw.pick(["auto", "ilu", "gamg"])
            draw.chance(0.3)  # of a key that is gone: the rest of a seed's scene stays as it was
        elif draw.chance(0.15):
            solver["coupling"] = "inexact"
        scene["solver"] = solver
        scene["output"] = {"stress": False}
