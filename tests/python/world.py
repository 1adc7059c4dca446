"""Small scenes that the tests share."""

import os
import subprocess

import stiction
from stiction import obstacles, shapes

PROGRAM = os.path.join(os.environ["STICTION_BUILD"], "stiction")


def block(duration="0.2 s", step="10 ms", edge="10 cm", **more):
    """A block of 10 cm, 1 kg, far from everything."""
    scene = stiction.Scene()
    scene.add_material("rubber", young="1 MPa", poisson=0.3, density=1000)
    scene.add_body("block", shapes.box(size_x=0.1, size_y=0.1, size_z=0.1, edge=edge), **more)
    scene.set_time(duration, step=step)
    return scene


def floor(friction=0.5, duration="0.5 s", step="10 ms"):
    """The block just above a floor."""
    scene = block(duration, step, translate=[0, 0, 0.0501])
    scene.add_obstacle("floor", obstacles.half_space(), material="wood" if friction else None)
    if friction:
        scene.add_friction(["rubber", "wood"], friction)
    return scene


def rod(duration="0.2 s"):
    """A rod that falls through a post, which fits between its vertices, as smooth contact lets it."""
    scene = stiction.Scene()
    scene.add_material("wood", young="10 MPa", poisson=0.3, density=600)
    scene.add_body("rod", shapes.box(size_x=1, size_y=0.02, size_z=0.02, edge=1),
                   translate=[0, 0, 0.1])
    scene.add_obstacle("post", obstacles.box(size_x=0.1, size_y=0.1, size_z=0.1))
    scene.set_contact(method="smooth")
    scene.set_time(duration, step="10 ms")
    return scene


def program(*arguments):
    """What the program says to these arguments."""
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)
