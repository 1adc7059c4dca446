"""Boundaries, motions, volumes and bearings of a random scene."""
import numpy as np

from outside.rotation import rotation_matrix

from . import materials, shapes

# Bodies of these shapes enclose a space, which may be filled.
HOLLOW = ["hollow_ball", "hollow_box"]


def motion(maker, towards, size, centre):
    """A prescribed motion that stays near: no further than the size of what moves."""
    draw = maker.draw
    speed = min(draw.scaled(0.01, 10), size / maker.duration)
    kind = draw.pick(["shift", "spin", "keys", "both"])
    velocity = speed * np.array(towards) / np.linalg.norm(towards)
    spin = draw.pick([-1, 1]) * min(draw.scaled(0.1, 50), 10 / size, maker.fastest(size) / size)
    about = {"axis": draw.direction(), "centre": centre}
    if kind == "shift":
        return {"velocity": velocity}
    if kind == "spin":
        return {"spin": spin, **about}
    if kind == "both":
        return {"velocity": velocity, "spin": spin, **about}
    turn = min(abs(spin) * maker.duration, 1.5)
    keys = [{"time": 0}, {"time": 0.7 * maker.duration, "translate": velocity * maker.duration, "angle": turn}]
    return {"keys": keys, "interpolation": draw.pick(["linear", "smooth"]), **about}


def add(maker):
    """At most one body is held or has a bearing; any closed ones may be filled."""
    draw = maker.draw
    for name, shape in maker.shapes.items():
        if draw.chance(0.4):
            add_volume(maker, name, shape)
    name = draw.pick(list(maker.shapes))
    if draw.chance(0.3):
        add_boundary(maker, name, maker.shapes[name])
    elif maker.shapes[name].type in ("tyre", "tube", "sleeve") and draw.chance(0.6):
        add_bearing(maker, name, maker.shapes[name])
    if draw.chance(0.05):
        wind = {"value": draw.uniform(0.1, 30) * np.array(draw.direction()), "body": name}
        if maker.is_driven:
            wind["end"] = maker.duration * draw.uniform(0.2, 0.9)
        maker.scene["accelerations"] = [wind]


def add_boundary(maker, name, shape):
    draw = maker.draw
    label = draw.pick(shapes.LABELS[shape.type])
    if label == "corners" and shape.keys["fill"] == "solid":
        label = "z-"  # only a sheet of triangles has that one
    boundary = {"body": name, "region": {"label": label}}
    if draw.chance(0.25):
        boundary["hold"] = draw.pick([["x"], ["y", "z"], ["x", "y"]])
    if maker.is_driven and draw.chance(0.8):
        centre = maker.scene["bodies"][name]["translate"]
        boundary["motion"] = motion(maker, draw.direction(), shape.size(), centre)
    if draw.chance(0.2):
        boundary["release"] = maker.duration * draw.uniform(0.2, 0.8)
    maker.scene["boundaries"]["held"] = boundary


def add_bearing(maker, name, shape):
    draw = maker.draw
    label = {"tyre": "rim", "tube": "inside", "sleeve": "bottom"}[shape.type]
    turns = maker.scene["bodies"][name].get("rotate", [])
    bearing = {"body": name, "region": {"label": label}, "axis": turned_axis(turns)}
    if maker.is_driven:
        bearing["torque"] = draw.scaled(1e-3, 10) * shape.size()
    maker.scene["bearings"]["rim"] = bearing
    # A body on an axle must not fly along it.
    for key in ("velocity", "angular_velocity"):
        maker.scene["bodies"][name].pop(key, None)


def turned_axis(turns):
    return rotation_matrix(turns) @ [0, 0, 1]


def add_volume(maker, name, shape):
    draw = maker.draw
    body = maker.scene["bodies"][name]
    is_shell = shape.keys["fill"] == "surface"
    if shape.type not in (shapes.CLOSED_SHELLS if is_shell else HOLLOW + ["sphere", "box"]):
        return
    if is_shell:
        # A sixth of what would stretch the skin to twice its size.
        most = 0.3 * materials.tension(maker.scene["materials"][body["material"]]) / shape.size()
    else:
        material = maker.scene["materials"][body["material"]]
        most = 0.05 * material.get("young", 5 * material.get("c10", 0))
    volume = {"body": name, "model": draw.pick(["quadratic", "ideal_gas", "nearly_incompressible", "prescribed"])}
    if shape.type == "pillow":
        volume["model"] = "prescribed"
    over = draw.uniform(0, 1) * min(most, 3e5)
    if volume["model"] in ("quadratic", "nearly_incompressible") and draw.chance(0.5):
        volume["compressibility"] = draw.scaled(1e-8, 1e-4)
    volume["overpressure"] = over
    if maker.is_driven and draw.chance(0.6):
        times = [0, maker.duration * draw.uniform(0.3, 0.9)]
        volume["overpressure"] = [{"time": t, "value": p} for t, p in zip(times, [0.0, over])]
    maker.scene["volumes"][f"filling_of_{name}"] = volume
