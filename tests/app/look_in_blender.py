"""Run in Blender after examples/blender/import_run.py: objects, names, colours, timeline and the place of
every vertex in every frame, against what the scene says and against point caches, which share nothing
with glTF but the run."""
import math
import struct

import bpy

scene = bpy.context.scene


def need(condition, text):
    if not condition:
        raise SystemExit(text)


def places(name):
    shown = bpy.data.objects[name].evaluated_get(bpy.context.evaluated_depsgraph_get())
    return [tuple(shown.matrix_world @ vertex.co) for vertex in shown.data.vertices]


with open("run/export/falls.pc2", "rb") as file:
    data = file.read()
count, samples = struct.unpack_from("<i", data, 16)[0], struct.unpack_from("<i", data, 28)[0]
cache = [[struct.unpack_from("<3f", data, 32 + 12 * (count * s + v)) for v in range(count)] for s in range(samples)]

meshes = {item.name for item in bpy.data.objects if item.type == "MESH"}
need(meshes == {"block", "sheet", "floor", "a ball"}, f"meshes: {meshes}")
need((scene.frame_start, scene.frame_end) == (0, 4), "the timeline is not that of the run")
need(abs(scene.render.fps / scene.render.fps_base - 50) < 1e-3, "100 frames a second, twice as slow, are 50")
need(scene.camera is not None, "there is no camera")
need(len({bpy.data.objects[name].active_material.name for name in ("block", "sheet")}) == 2, "one colour for all")
for frame in range(5):
    scene.frame_set(frame)
    # Blender cuts vertices apart for flat shading: each must be where the cache has one, and none be left over.
    shown = places("block") + places("sheet")
    for place in shown:
        need(min(math.dist(place, other) for other in cache[frame]) < 1e-5, f"{place} is nowhere in frame {frame}")
    for place in cache[frame]:
        need(min(math.dist(place, other) for other in shown) < 1e-5, f"{place} is missing in frame {frame}")
    ball = places("a ball")
    centre = [(min(p[k] for p in ball) + max(p[k] for p in ball)) / 2 for k in range(3)]
    if frame in (0, 2, 4):
        need(math.dist(centre, (-1, 0.05 * frame, 0.2)) < 1e-5, f"the ball is at {centre}")
print("Blender holds the same shapes")
