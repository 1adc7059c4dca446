"""Cost of a step at default settings, on scenes of known size. Starting the program takes 0.2 s, so that small scenes
run for many steps."""
import math

from . import arch, mesh
from .case import Finding, add
from .stage import Stage, turn


def cost(run, target):
    cpu = run.summary.get("processor_s", math.nan) / max(1, len(run.steps()))
    size = f"{run.summary.get('tets', 0)} tets"
    return Finding(f"{cpu:.3g} s per step, {size}").expect(cpu <= target, "slow")


def stack(folder):
    """Five cubes, 1 000 tets each, a millimetre apart, fall on each other."""
    stage = Stage(folder, 0.01, 0.5, every=5)
    stage.solid("rubber", 1e6)
    for k in range(5):
        cube = mesh.box([0.1] * 3, (6, 6, 5))
        stage.mesh(f"cube{k}", cube.moved(shift=[0.002 * (k % 2), 0.001 * k, 0.051 + 0.101 * k]), "rubber")
    stage.floor()
    stage.rub(0.5)
    return stage.finish()


def balls(folder):
    stage = Stage(folder, 0.005, 0.2, every=5, gravity=0)
    stage.solid("rubber", 1e5)
    ball = {"type": "sphere", "radius": 0.1, "cells": 9}
    stage.shape("left", ball, "rubber", translate=[-0.102, 0, 0], velocity=[1, 0, 0])
    stage.shape("right", ball, "rubber", translate=[0.102, 0.03, 0], velocity=[-1, 0, 0])
    stage.rub(0.3)
    return stage.finish()


def two_cubes(folder):
    """Eight vertices each; one falls on the other, askew."""
    stage = Stage(folder, 0.01, 5.0, every=10)
    stage.solid("rubber", 1e6)
    one = mesh.box([0.1] * 3, (1, 1, 1))
    stage.mesh("lower", one.moved(shift=[0, 0, 0.051]), "rubber")
    stage.shape("upper", {"type": "box", "size_x": 0.1, "size_y": 0.1, "size_z": 0.1, "cells_x": 1, "cells_y": 1,
                          "cells_z": 1}, "rubber", rotate=[turn([1, 0, 0], 30), turn([0, 0, 1], 20)],
                translate=[0.02, 0, 0.22])
    stage.floor()
    stage.rub(0.3)
    return stage.finish()


def mat(folder):
    stage = Stage(folder, 0.01, 0.6, every=5)
    stage.solid("foam", 1e5, 0.4)
    stage.mesh("mat", mesh.box((1, 1, 0.02), (40, 40, 1)).moved(shift=[0, 0, 0.02]), "foam")
    stage.scene["obstacles"]["dome"] = {"shape": {"type": "sphere", "radius": 0.25}, "translate": [0, 0, -0.25]}
    stage.rub(0.4)
    return stage.finish()


def rollers(folder):
    """A ball is drawn in between two rollers that turn against each other."""
    stage = Stage(folder, 0.01, 0.5, every=5)
    stage.solid("rubber", 5e5, 0.4)
    stage.shape("ball", {"type": "sphere", "radius": 0.1, "cells": 10}, "rubber", translate=[0, 0, 0.13])
    roller = {"type": "cylinder", "radius": 0.1, "height": 0.4, "cells": 6, "cells_along": 8}
    for side, name in ((-1, "left"), (1, "right")):
        stage.shape(name, roller, "rubber", rotate=[turn([1, 0, 0], 90)], translate=[0.17 * side, 0, 0])
        stage.hold("axle of " + name, name, "all",
                   motion={"axis": [0, 1, 0], "centre": [0.17 * side, 0, 0], "spin": -5.0 * side})
    stage.rub(0.8)
    return stage.finish()


def add_speed(name, make, target):
    add(name, "speed", f"≤ {target:g} s per step", make, lambda run: cost(run, target))


add_speed("speed-stack", stack, 0.17)
add_speed("speed-balls", balls, 0.67)
add_speed("speed-arch-1m", lambda folder: arch.make(folder, 1, 2.0, every=10), 0.0115)
add_speed("speed-arch-20m", lambda folder: arch.make(folder, 20, 2.0, every=10), 0.22)
add_speed("speed-cubes", two_cubes, 0.00115)
add_speed("speed-mat", mat, 1.5)
add_speed("speed-rollers", rollers, 7.4)
