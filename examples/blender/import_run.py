"""Opens a run in Blender: every body and obstacle an object of its own name and colour, moving as it did.

    stiction export out/swing --to glb
    blender --python import_run.py -- out/swing/export/swing.glb [--slow 4]

The timeline gets a frame for each frame of the run, at the rate at which they follow each other; --slow
plays that many times slower. What Blender starts with is removed; a sun and a camera that has the whole
motion in view are added. Blender 3.4 and later.
"""
import argparse
import json
import math
import struct
import sys

import bpy
import numpy
from mathutils import Vector

# Blender 3.4 of Debian 12 comes with a numpy that has lost a name which its glTF importer uses.
if not hasattr(numpy, "bool"):
    numpy.bool = bool


def read_times(path):
    """The times of the frames in seconds, out of the .glb file."""
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack_from("<I", data, 12)[0]
    document = json.loads(data[20:20 + length])
    animations = document.get("animations")
    if not animations:
        return [0.0]
    accessor = document["accessors"][animations[0]["samplers"][0]["input"]]
    view = document["bufferViews"][accessor["bufferView"]]
    start = 28 + length + view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    return list(struct.unpack_from(f"<{accessor['count']}f", data, start))


def set_rate(scene, times):
    """One frame of the timeline per frame of the run. Rates are a whole number over a base."""
    step = times[1] - times[0] if len(times) > 1 else 1 / 24
    rate = max(1, min(round(1 / step), 1000))
    scene.render.fps, scene.render.fps_base = rate, rate * step


def clear(scene):
    for item in list(scene.collection.all_objects):
        bpy.data.objects.remove(item, do_unlink=True)


def shade_smooth(objects):
    """Round where faces meet at less than 40 degrees; Blender 4.1 has another way to say so."""
    for item in objects:
        if item.type != "MESH" or len(item.data.polygons) <= 2:
            continue
        item.data.polygons.foreach_set("use_smooth", [True] * len(item.data.polygons))
        if hasattr(item.data, "use_auto_smooth"):
            item.data.use_auto_smooth = True
            item.data.auto_smooth_angle = math.radians(40)
        else:
            item.data.set_sharp_from_angle(angle=math.radians(40))


def bounds(scene, objects):
    """The box of all bodies over all frames; obstacles as large as a floor would spoil the view."""
    low, high = Vector((math.inf,) * 3), Vector((-math.inf,) * 3)
    moving = [item for item in objects if item.type == "MESH" and item.data.shape_keys] or objects
    for frame in range(scene.frame_start, scene.frame_end + 1, max(1, (scene.frame_end + 1) // 12)):
        scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        for item in (item for item in moving if item.type == "MESH"):
            shown = item.evaluated_get(graph)
            for vertex in shown.data.vertices:
                place = shown.matrix_world @ vertex.co
                low, high = Vector(map(min, low, place)), Vector(map(max, high, place))
    return low, high


def add_sun(scene):
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy = 3
    sun.rotation_euler = (math.radians(40), math.radians(15), math.radians(30))
    scene.collection.objects.link(sun)


def add_camera(scene, low, high):
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    centre, radius = (low + high) / 2, max((high - low).length / 2, 1e-3)
    away = Vector((0.55, -1, 0.45)).normalized()
    distance = 1.15 * radius / math.sin(camera.data.angle_y / 2)
    camera.location = centre + distance * away
    camera.rotation_euler = (-away).to_track_quat("-Z", "Y").to_euler()
    camera.data.clip_start, camera.data.clip_end = 0.01 * distance, 100 * distance
    scene.collection.objects.link(camera)
    scene.camera = camera


def import_run(path, slow=1.0):
    """Returns the objects that were imported."""
    scene = bpy.context.scene
    times = read_times(path)
    clear(scene)
    set_rate(scene, times)
    scene.unit_settings.system = "METRIC"
    before = set(bpy.data.objects)
    bpy.ops.import_scene.gltf(filepath=str(path))
    objects = [item for item in bpy.data.objects if item not in before]
    scene.frame_start, scene.frame_end = 0, len(times) - 1
    scene.render.fps_base *= slow
    shade_smooth(objects)
    add_sun(scene)
    add_camera(scene, *bounds(scene, objects))
    scene.frame_set(scene.frame_start)
    return objects


def main():
    arguments = sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else []
    parser = argparse.ArgumentParser(prog="blender --python import_run.py --", description="Opens a run in Blender.")
    parser.add_argument("file", help="NAME.glb, as `stiction export DIR --to glb` writes it")
    parser.add_argument("--slow", type=float, default=1.0, help="slow motion: 4 plays four times slower")
    given = parser.parse_args(arguments)
    objects = import_run(given.file, given.slow)
    meshes = sorted(item.name for item in objects if item.type == "MESH")
    print(f"{len(meshes)} meshes, frames 0 to {bpy.context.scene.frame_end}: {', '.join(meshes)}")


if __name__ == "__main__":
    main()
