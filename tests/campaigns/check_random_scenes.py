"""Checks random scenes and the judge of their runs, without running any.

usage: check_random_scenes.py STICTION
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from outside.convex import REACHES  # noqa: E402
from outside.judge import Judge, Surface  # noqa: E402
from outside.near import by_cells, one_by_one  # noqa: E402
from outside.passage import passages  # noqa: E402
from random_scenes import crush, energy, findings, scene, shapes  # noqa: E402

SEED, COUNT, CHECKED = 1, 200, 25


def every(scenes, group):
    return [item for made in scenes for item in made.get(group, {}).values()]


def check_ranges(scenes):
    """What the scenes promise to cover, and to keep to."""
    for made in scenes:
        assert 2 <= len(made["bodies"]) <= 4
        assert 1e-3 <= made["time"]["step"] <= 5e-2
    for material in every(scenes, "materials"):
        assert material.get("poisson", 0) <= 0.495
        if material["law"] not in ("membrane", "mooney_rivlin"):
            assert 1e3 <= material["young"] <= 1e9
    for body in every(scenes, "bodies"):
        assert np.linalg.norm(body.get("velocity", 0)) <= 20
    for row in (row for made in scenes for row in made.get("friction", [])):
        assert row["dynamic"] <= row.get("static", 1.2) <= 1.2
    assert {made["integrator"] for made in scenes} == set(scene.INTEGRATORS)
    laws = {material["law"] for material in every(scenes, "materials")}
    assert laws == {"neo_hookean", "stable_neo_hookean", "stvk", "linear", "mooney_rivlin", "membrane", "shell"}
    assert {body["shape"]["type"] for body in every(scenes, "bodies")} == set(shapes.BUILDERS)
    kinds = {item["shape"]["type"] for item in every(scenes, "obstacles")}
    assert kinds == {"half_space", *shapes.EXACT_OBSTACLES, *shapes.MESH_OBSTACLES}
    driven = sum(bool(energy.drivers(made)) for made in scenes)
    assert 0.2 * len(scenes) < driven < 0.6 * len(scenes), driven


def check_crushed(scenes):
    """Those that crush: large and small, pressed and not, with tets twenty times as long as high."""
    heights = [np.ptp([made["bodies"]["body0"]["translate"][2], 0]) for made in scenes]
    assert min(heights) < 2e-3 and max(heights) > 1
    pressed = sum("press" in made["obstacles"] for made in scenes)
    assert 0.3 * len(scenes) < pressed < 0.7 * len(scenes), pressed
    assert len({material["law"] for material in every(scenes, "materials")}) == 5
    assert any("velocity" in body for body in every(scenes, "bodies"))
    boxes = [body["shape"] for body in every(scenes, "bodies") if body["shape"]["type"] == "box"]
    edges = [[box["size_" + axis] / box["cells_" + axis] for axis in "xyz"] for box in boxes]
    assert max(max(edge) / min(edge) for edge in edges) > 20


def check_accepted(program, scenes):
    """The program itself finds nothing wrong with them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scene.json"
        for made in scenes[:CHECKED]:
            path.write_text(json.dumps(made))
            done = subprocess.run([program, "check", str(path)], capture_output=True, text=True)
            assert done.returncode == 0, done.stderr


TET = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])


def grid(bodies):
    """A frame of bodies, each either four points (a tet) or three (a triangle)."""
    points, tets, triangles, tet_body, triangle_body = [], [], [], [], []
    for number, body in enumerate(bodies):
        first = len(points)
        points.extend(body)
        if len(body) == 4:
            tets.append(range(first, first + 4))
            tet_body.append(number)
        else:
            triangles += [range(at, at + 3) for at in range(first, first + len(body), 3)]
            triangle_body += [number] * (len(body) // 3)
    return SimpleNamespace(points=np.array(points, float), tets=np.array(list(map(list, tets)), int).reshape(-1, 4),
                           triangles=np.array(list(map(list, triangles)), int).reshape(-1, 3),
                           tet_body=np.array(tet_body, int), triangle_body=np.array(triangle_body, int), time=0.5)


def counts(bodies, obstacles=None):
    """What the outside judge counts in a frame of these bodies, without what it does not find."""
    frame = grid(bodies)
    found = Judge({"obstacles": obstacles or {}}, None, frame).count(frame)
    return {name: count for name, count in found.items() if count}


def check_judge():
    """Planted faults, each counted by hand."""
    assert counts([TET, TET + 2]) == {}
    assert counts([TET, TET * [1, 1, -1] + 3]) == {"inverted_tets": 1}
    # A small tet within a large one: four vertices inside, no edge through anything.
    assert counts([TET, 0.1 * TET + 0.1]) == {"vertices_inside": 4}
    # Its top pushed out through the slanted face: the three edges to the top pass through that face.
    pushed = 0.1 * TET + 0.1
    pushed[3] = [0.15, 0.15, 2]
    assert counts([TET, pushed]) == {"vertices_inside": 3, "crossings": 3}
    # A needle through a triangle, from another body and from the same one.
    flat = np.array([[-1, -1, 0], [1, -1, 0], [0, 1, 0.0]])
    needle = np.array([[0, 0, 1], [0.1, 0, 1], [0.05, 0.1, -1.0]])
    assert counts([flat, needle]) == {"crossings": 2}
    assert counts([np.concatenate([flat, needle])]) == {"self_crossings": 2}
    # Touching is not passing through: the needle ends on the triangle.
    assert counts([flat, needle * [1, 1, 0.5] + [0, 0, 0.5]]) == {}


def check_obstacles():
    floor = {"shape": {"type": "half_space", "point": [0, 0, 0.25], "normal": [0, 0, 1]}}
    assert counts([TET], {"floor": floor}) == {"obstacle_crossings": 4, "vertices_inside": 3}
    # It leaves with 1 m/s: after half a second it is 0.25 m below the tet.
    assert counts([TET], {"floor": {**floor, "motion": {"velocity": [0, 0, -1]}}}) == {}
    ball = {"shape": {"type": "sphere", "radius": 0.2}, "translate": [0.3, 0.3, -0.1]}
    assert counts([TET], {"ball": ball}) == {"obstacle_crossings": 1}  # through the middle of a face
    check_reach()
    check_near()
    check_passages()


def check_near():
    """Pairs by cells are those by comparing all, also where sizes differ."""
    random = np.random.default_rng(2)
    for largest in (0.02, 0.3):
        boxes = []
        for count in (700, 900):
            low = random.uniform(0, 1, (count, 3))
            boxes += [low, low + random.uniform(0, 1, (count, 1)) ** 4 * largest]
        assert np.array_equal(by_cells(*boxes), one_by_one(*boxes))


def check_passages():
    """Through a triangle and a rod in one stride, past them, and away before it gets there."""
    flat = np.array([[-1, -1, 0], [1, -1, 0], [0, 1, 0.0]])
    needle = np.array([[-2, 0, 1], [2, 0.1, 1], [2, -0.1, 1.0]])
    skins = [Surface([[0, 1, 2]]), Surface([[3, 4, 5]])]

    def count(shift, start=(0, 0, 0)):
        before = np.concatenate([flat, needle + start])
        after = np.concatenate([flat, needle + start + shift])
        return passages(before, after, skins)

    assert count([0, 0, -2.0]) > 0
    assert count([0, 0, -0.9]) == 0
    assert count([0, 0, -2.0], [0, 3, 0]) == 0
    assert count([0, 6, -2.0], [0, -3, 0]) > 0  # across it on a slant
    point = np.array([[0, 0, 1], [0.01, 0, 1.1], [0, 0.01, 1.1]])
    moved = np.concatenate([flat, point - [0, 0, 1.05]])
    assert passages(np.concatenate([flat, point]), moved, skins) == 1
    # All of it in fast common motion: nothing passes.
    far = np.concatenate([flat, needle])
    assert passages(far, far + [1e3, -2e3, 5e2], skins) == 0


def check_reach():
    """Reach into convex shapes against points strewn over the triangles, with a fixed seed."""
    random = np.random.default_rng(1)
    shares = random.dirichlet([1, 1, 1], 400)
    sizes = {"radius": 0.5, "height": 0.9, "length": 0.8, "size_x": 0.8, "size_y": 1.2, "size_z": 0.5}
    triangles = random.uniform(-1, 1, (300, 1, 3)) + random.uniform(-0.5, 0.5, (300, 3, 3))
    for name, reaches in REACHES.items():
        found = reaches(sizes, triangles, 0.0)
        points = shares @ triangles
        strewn = np.array([is_in(name, sizes, at).any() for at in points])
        assert not np.any(strewn & ~found), name
        # What is missed by points is a grazing corner: few, and never a whole class.
        assert np.count_nonzero(found & ~strewn) <= 0.03 * len(triangles), name
        assert 30 < np.count_nonzero(found) < 270, name


def is_in(name, sizes, x):
    radius, z = np.hypot(x[:, 0], x[:, 1]), np.abs(x[:, 2])
    return {"half_space": x[:, 2] < 0,
            "sphere": np.hypot(radius, z) < 0.5,
            "capsule": np.hypot(radius, np.maximum(z - 0.4, 0)) < 0.5,
            "cylinder": (radius < 0.5) & (z < 0.45),
            "box": (np.abs(x[:, 0]) < 0.4) & (np.abs(x[:, 1]) < 0.6) & (z < 0.25)}[name]


def check_verdicts():
    """What counts as a broken promise."""
    fine = {"outcome": "finished", "reason": None, "integrator": "be", "gain": 0.0, "gain_share": 0.0, "differs": [],
            "method": "primitives", "verdict": None, **{"worst_" + name: 0 for name in findings.COUNTS}}
    limit = 0.01
    assert findings.broken(fine, limit) == []
    assert findings.broken({**fine, "gain_share": 0.02, "gain": 1.0}, limit) == ["energy gain"]
    assert findings.broken({**fine, "gain_share": 0.02, "gain": 1.0, "integrator": "tr"}, limit) == []
    assert findings.broken({**fine, "outcome": "not solved"}, limit) == ["no reason"]
    assert findings.broken({**fine, "outcome": "not solved", "reason": "time 1 s: …"}, limit) == []
    assert findings.broken({**fine, "outcome": "crashed (signal 11)"}, limit) == ["crashed (signal 11)"]
    assert findings.broken({**fine, "worst_inverted_tets": 1}, limit) == ["inverted tets"]
    assert findings.broken({**fine, "worst_self_crossings": 1}, limit) == ["passes through"]
    assert findings.broken({**fine, "worst_self_crossings": 1, "method": "smooth"}, limit) == []
    told = {"time": np.array([0, 0.1, 0.2]), "crossings": np.array([0, 2, 0])}
    assert findings.differences({"crossings": 2}, told, 0.1) == []
    assert findings.differences({"crossings": 1}, told, 0.1)[0]["told"] == 2
    assert findings.contradictions({"judge": {"crossings": {"most": 2}}}, told) == []
    assert findings.contradictions({"judge": {"crossings": {"most": 0}}}, told)[0]["outside"] == 2


def main(program):
    scenes = [scene.make(SEED, number) for number in range(COUNT)]
    check_ranges(scenes)
    check_accepted(program, scenes)
    crushed = [crush.make(SEED, number) for number in range(COUNT)]
    check_crushed(crushed)
    check_accepted(program, crushed)
    check_judge()
    check_obstacles()
    check_verdicts()


main(sys.argv[1])
