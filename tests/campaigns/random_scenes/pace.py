"""How violent a scene is: how fast its bodies start, against waves in them and against their size per step."""
import math

GENTLE = 0.3


def is_gentle(scene):
    """Nothing starts faster than GENTLE of the speed of waves in any soft body, or moves by more than GENTLE of its
    size in a step."""
    speeds = [speed(scene, body) for body in scene["bodies"].values()]
    waves = [wave_speed(scene["materials"][body["material"]]) for body in scene["bodies"].values() if "material" in body]
    step = scene["time"]["step"]
    slow = max(speeds) < GENTLE * min(waves, default=math.inf)
    return slow and all(v * step < GENTLE * size(body) for v, body in zip(speeds, scene["bodies"].values()))


def speed(scene, body):
    """Of the fastest point of a body, about; at least what it gains by falling through its own size."""
    length = size(body)
    spin = math.hypot(*body.get("angular_velocity", [0, 0, 0]))
    falls = math.sqrt(math.hypot(*scene.get("gravity", [0, 0, 0])) * length)
    return max(math.hypot(*body.get("velocity", [0, 0, 0])) + 0.5 * length * spin, falls)


def size(body):
    shape = body["shape"]
    lengths = [shape.get(key, 0) for key in ("size_x", "size_y", "size_z", "width", "length", "height")]
    return max(lengths + [2 * shape.get("radius", 0), 2 * (shape.get("major_radius", 0) + shape.get("minor_radius", 0))])


def wave_speed(material):
    """Along a rod, or along a strip of cloth: √(E/ρ)."""
    if "area_density" in material:
        return math.sqrt(material["young"] / material["area_density"])
    young = material.get("young") or 6 * (material["c10"] + material["c01"])
    return math.sqrt(young / material["density"])
