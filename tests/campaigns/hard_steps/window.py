"""Which steps of which scenes are hard, and why."""
from dataclasses import dataclass
from typing import Callable

from common import read_example, write_scene
from contact_cases import mesh, trial
from contact_cases.command import CASES
from contact_cases.stage import Stage, turn
from random_scenes.scene import make, with_method


@dataclass
class Window:
    """Steps of a scene from a time on. write(folder) makes scene.json there."""
    name: str
    why: str
    write: Callable
    start: float  # s
    steps: int


WINDOWS = {}


def add(name, why, write, start=0.0, steps=10):
    WINDOWS[name] = Window(name, why, write, start, steps)


def case(name):
    return lambda folder: trial.make(CASES[name], folder, None)


def example(name):
    return lambda folder: write_scene(folder, read_example(name))


def stack(folder, count=30):
    """Stiff cubes, each turned against the next, a little apart: all of them land at once."""
    stage = Stage(folder, 0.01, 1.0)
    stage.solid("stone", 1e9)
    stage.floor()
    for k in range(count):
        stage.mesh(f"cube{k:02}", mesh.box((0.1, 0.1, 0.1), (2, 2, 2)).moved(shift=[0, 0, 0.05 + 0.1001 * k]), "stone",
                   rotate=turn("z", 17 * k))
    stage.rub(0.5)
    write_scene(folder, stage.finish())


def sleeve(folder):
    """An arm of 30K tets bends in a sleeve of 8K triangles."""
    lying = {"axis": "y", "angle": "90 deg"}
    bend = {"axis": "y", "centre": [0, 0, 0], "interpolation": "smooth",
            "keys": [{"time": 0, "angle": 0}, {"time": "2 s", "angle": "-80 deg"}]}
    scene = {
        "materials": {
            "flesh": {"young": "250 kPa", "poisson": 0.3, "density": 1000, "stiffness_damping": "2 ms"},
            "knit": {"law": "membrane", "young": "300 N/m", "poisson": 0.3, "area_density": 0.3, "bending": "1e-4 J",
                     "stiffness_damping": "50 ms"}},
        "bodies": {
            "arm": {"shape": {"type": "capsule", "radius": "5 cm", "length": "40 cm", "cells": 8, "cells_along": 27},
                    "rotate": lying, "material": "flesh"},
            "sleeve": {"shape": {"type": "sleeve", "radius": "5.15 cm", "length": "32 cm", "cells_around": 58,
                                 "cells_along": 68}, "rotate": lying, "material": "knit"}},
        "boundaries": {"lower": {"body": "arm", "region": {"label": "bottom"}},
                       "upper": {"body": "arm", "region": {"label": "top"}, "motion": bend}},
        "friction": [{"between": ["flesh", "knit"], "dynamic": 0.2}],
        "contact": {"thickness": "1 mm", "stiffness": "400 Pa"}, "gravity": 0,
        "time": {"duration": "2.5 s", "step": "10 ms"}}
    write_scene(folder, scene)


def tennis(folder):
    """A tennis ball of 101K tets, nearly incompressible, flies into a wall."""
    scene = {
        "materials": {
            "rubber": {"young": "6 MPa", "poisson": 0.4995, "density": 934},
            "felt": {"young": "5.4 MPa", "poisson": 0.3, "density": 4.69, "stiffness_damping": "1.6 ms"}},
        "bodies": {"ball": {
            "shape": {"type": "hollow_ball", "radius": "33.5 mm", "thickness": "6.3 mm", "coat": "0.9 mm", "cells": 29,
                      "layers": 3, "coat_layers": 1},
            "material": "rubber", "materials": {"coat": "felt"}, "translate": [0, 0, "34.84 mm"],
            "velocity": [0, 0, -44.704]}},
        "volumes": {"air": {"body": "ball", "pressure": "1 atm", "model": "ideal_gas"}},
        "obstacles": {"wall": {"shape": {"type": "half_space"}}},
        "gravity": 0, "contact": {"method": "smooth"}, "integrator": "tr_bdf2",
        "time": {"duration": "0.2 ms", "step": "10 us"}}
    write_scene(folder, scene)


def squish(folder):
    """A hollow ball of 159K tets between plates."""
    def plate(normal, way):
        keys = [{"time": 0, "translate": [0, 0, 0]}, {"time": "66.7 ms", "translate": [0, 0, 0.0608 * way]}]
        return {"shape": {"type": "half_space", "normal": normal}, "translate": [0, 0, -0.1005 * way],
                "motion": {"interpolation": "smooth", "keys": keys}}
    scene = {
        "materials": {"rubber": {"young": "1 MPa", "poisson": 0.45, "density": 1000}},
        "bodies": {"ball": {"shape": {"type": "hollow_ball", "radius": "0.1 m", "thickness": "4 cm", "cells": 42,
                                      "layers": 3}}},
        "obstacles": {"below": plate("z", 1), "above": plate("-z", -1)},
        "friction": [{"between": ["any", "any"], "stick": "velocity", "dynamic": 0.5, "sticking_speed": "5 mm/s"}],
        "contact": {"method": "smooth", "thickness": "0.5 mm", "stiffness": "80000000 Pa/m"}, "gravity": 0,
        "integrator": "be", "time": {"duration": "67 ms", "step": "1 ms"}}
    write_scene(folder, scene)


def random(number):
    """One of the random scenes of seed 1."""
    def write(folder):
        write_scene(folder, with_method(make(1, number), "primitives"))
    return write


add("landing", "a soft ring lands and deforms", example("drop"), 0.28)
add("stack-10", "ten cubes, turned against each other, take their load", case("stack-17"))
add("stack-30", "thirty cubes land on each other at once", stack)
add("arch", "25 stones settle into an arch", case("speed-arch-1m"))
add("pile", "fifty bodies fall on each other, on corners and edges", example("pile"), 0.2)
add("balls", "two soft balls of 22K tets at their closest", case("speed-balls"), 0.05)
add("mat", "a soft mat on a dome", case("speed-mat"), 0.3)
add("chain", "a chain is caught by its links", case("chain"), 0.1)
add("towel", "cloth is wrung, fold on fold", example("towel"), 1.5)
add("crumple-start", "a handkerchief falls from rest and buckles", example("crumple"), 0.05)
add("crumple", "a handkerchief crumples on the floor", example("crumple"), 0.7)
add("knot", "an overhand knot is drawn tight", case("knot"), start=0.7)
add("tyre", "a tyre with air in it meets a pipe", example("tyre"), 0.3)
add("sleeve", "an arm of 30K tets bends in a sleeve of cloth", sleeve, 0.1)
add("random-8", "a light sheet is hit and crumples in flight", random(8), 0.06)
add("random-81", "a thin pillow wraps itself round a box", random(81), 0.05)
add("random-113", "thin shells and a foam collide at 10 m/s", random(113))
add("tennis", "a nearly incompressible ball of 101K tets meets a wall", tennis, steps=8)
add("squish", "plates press a hollow ball of 159K tets", squish, steps=8)
add("grip", "fingers close on a ball", example("grip"), 0.3)
