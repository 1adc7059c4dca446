"""Builds the scene of a case: a dictionary as scenes are written, and mesh files beside it."""
import math

G = 9.81


class Stage:
    """A scene being built in a folder. Everything in SI units."""

    def __init__(self, folder, step, duration, every=1, gravity=G):
        self.folder = folder
        self.scene = {"materials": {}, "bodies": {}, "boundaries": {}, "obstacles": {}, "friction": [],
                      "gravity": [0, 0, -gravity], "contact": {},
                      "time": {"duration": duration, "step": step, "frame_rate": 1 / (every * step)},
                      "output": {"stress": False, "forces": False}}

    def solid(self, name, young, poisson=0.3, density=1000.0, **more):
        self.scene["materials"][name] = {"law": "stable_neo_hookean", "young": young, "poisson": poisson,
                                         "density": density, **more}

    def cloth(self, name, young=500.0, bending=1e-5, area_density=0.2, **more):
        self.scene["materials"][name] = {"law": "membrane", "young": young, "poisson": 0.3,
                                         "area_density": area_density, "bending": bending, **more}

    def mesh(self, name, mesh, material, **more):
        mesh.write(self.folder / f"{name}.vtk")
        self.scene["bodies"][name] = {"mesh": f"{name}.vtk", "material": material, **more}

    def shape(self, name, shape, material, **more):
        self.scene["bodies"][name] = {"shape": shape, "material": material, **more}

    def hold(self, name, body, region, **more):
        self.scene["boundaries"][name] = {"body": body, "region": region, **more}

    def floor(self, height=0.0):
        self.scene["obstacles"]["floor"] = {"shape": {"type": "half_space", "point": [0, 0, height],
                                                      "normal": [0, 0, 1]}}

    def rub(self, coefficient, **more):
        self.scene["friction"].append({"between": "any", "dynamic": coefficient, **more})

    def contact(self, **keys):
        self.scene["contact"].update(keys)

    def finish(self, **more):
        scene = {**self.scene, **more}
        return {key: value for key, value in scene.items() if value not in ({}, [])}


def turn(axis, degrees):
    return {"axis": axis, "angle": math.radians(degrees)}


def below(height):
    """Region of the vertices at this height and below."""
    return {"plane": {"point": [0, 0, height], "normal": [0, 0, 1], "side": "behind"}}
