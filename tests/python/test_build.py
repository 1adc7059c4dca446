"""Scenes that Python hands to the library value by value: the same bits as their files, and the
library's words about mistakes."""

import json
import math
import os
import pickle
import re
import unittest
from pathlib import Path

import numpy as np

import stiction
from stiction import materials, shapes
from world import block, program

EXAMPLES = sorted(Path(os.environ["STICTION_SOURCE"], "examples").glob("*.json"))
STEPS = 3
METHODS = {"materials": "add_material", "bodies": "add_body", "boundaries": "add_boundary",
           "obstacles": "add_obstacle", "volumes": "add_volume", "bearings": "add_bearing",
           "joints": "add_joint", "loads": "add_load", "probes": "add_probe",
           "friction": "add_friction", "accelerations": "add_acceleration", "forces": "use_force",
           "time": "set_time", "contact": "set_contact", "solver": "set_solver",
           "output": "set_output"}
RENAMED = {"from": "start", "to": "end"}  # words that Python has itself


def content(path):
    """A scene file as a dictionary."""
    return json.loads(re.sub(r'("(?:\\.|[^"\\])*")|//[^\n]*', r"\1", path.read_text()))


def by_methods(data, folder):
    """The same scene, added piece by piece."""
    scene = stiction.Scene(folder=folder)
    for key, value in data.items():
        add = getattr(scene, METHODS[key]) if key in METHODS else None
        if key in ("title", "gravity", "start", "$schema"):
            scene[key] = value
        elif key == "integrator":
            scene.set_integrator(value)
        elif key in ("time", "contact", "solver", "output"):
            add(**value)
        elif isinstance(value, list):
            for item in value:
                add(**item)
        else:
            for name, item in value.items():
                joint = key == "joints"
                add(name, **{RENAMED.get(word, word) if joint else word: one
                             for word, one in item.items()})
    return scene


def steps(scene):
    """Positions and velocities after the first steps."""
    with stiction.Simulation(scene, threads=1) as simulation:
        for _ in range(STEPS):
            simulation.step()
        return simulation.positions.tobytes() + simulation.velocities.tobytes()


class Examples(unittest.TestCase):
    def test_same_bits_as_their_files(self):
        self.assertGreaterEqual(len(EXAMPLES), 20)
        for path in EXAMPLES:
            with self.subTest(path.name):
                wanted = steps(path)
                data = content(path)
                self.assertEqual(steps(stiction.Scene(data, folder=path.parent)), wanted)
                self.assertEqual(steps(by_methods(data, path.parent)), wanted)

    def test_texts_say_the_same(self):
        for path in EXAMPLES:
            data = content(path)
            self.assertEqual(json.loads(stiction.Scene(data).text), data)


class Arrays(unittest.TestCase):
    def scene(self, count=6, **more):
        """A heap of loose tets with odd numbers."""
        chance = np.random.default_rng(1)
        corners = np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
        points = np.concatenate([corners + [0.3 * i, 0, 0] + 0.02 * chance.random((4, 3))
                                 for i in range(count)])
        scene = stiction.Scene(**more)
        scene.add_material("rubber", young="1 MPa", poisson=0.3, density=1000)
        scene.add_body("heap", vertices=points, tets=np.arange(4 * count).reshape(-1, 4),
                       labels={"foot": [0, 1, 2], "tip": 3})
        scene.add_boundary("foot", body="heap", region={"vertices": np.array([0, 1])})
        scene.set_time("50 ms")
        return scene

    def test_written_and_pickled_with_all_their_bits(self):
        scene = self.scene()
        wanted = steps(scene)
        scene.save("heap.json")
        self.assertEqual(steps("heap.json"), wanted)
        self.assertEqual(steps(pickle.loads(pickle.dumps(scene))), wanted)
        self.assertEqual(steps(stiction.Scene(scene)), wanted)
        self.assertEqual(stiction.Scene("heap.json").text, scene.text)
        run = program("run", "heap.json", "--quiet", "--overwrite", "--out", "heap_out")
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_a_copy_shares_no_array(self):
        scene = self.scene()
        copy = stiction.Scene(scene)
        copy["bodies"]["heap"]["mesh"]["vertices"][0] = 9
        self.assertNotEqual(scene["bodies"]["heap"]["mesh"]["vertices"][0], 9)

    def test_obstacles_and_starts(self):
        scene = block(translate=[0, 0, 0.3])
        scene.add_obstacle("ramp", vertices=[[-1, -1, 0], [1, -1, 0], [1, 1, 0.1], [-1, 1, 0.1]],
                           triangles=[[0, 1, 2], [0, 2, 3]])
        simulation = stiction.Simulation(scene)
        hit = simulation.ray([0.9, 0, 1], [0, 0, -1])
        self.assertEqual(hit.obstacle, "ramp")
        self.assertAlmostEqual(hit.point[2], 0.05, 12)
        raised = simulation.positions + [0, 0, 1]
        scene["start"] = raised.reshape(-1)
        np.testing.assert_array_equal(stiction.Simulation(scene).positions, raised)


class Mistakes(unittest.TestCase):
    def wrong(self, scene, text):
        with self.assertRaises(stiction.BadInput) as found:
            scene.check()
        self.assertEqual(str(found.exception), text)

    def test_name_what_the_program_named(self):
        scene = block()
        scene["bodies"]["block"]["material"] = "rubbr"
        self.wrong(scene, 'bodies.block.material: no material is named "rubbr"; known: rubber (did '
                          'you mean "rubber"?)')
        scene = block()
        scene.add_body("second", shapes.box(size_x=math.nan))
        self.wrong(scene, "bodies.second.shape.size_x: must be a finite number, is nan")
        scene = block()
        scene["gravity"] = None
        self.wrong(scene, "gravity: must be a list of three values, or a single one, is null")
        scene = stiction.Scene({"materials": {"m": materials.membrane(
            young=1, poisson=0.3, area_density=1)}, "time": {"duration": 1}})
        self.wrong(scene, 'scene: the key "bodies" is missing: Bodies by name.')

    def test_what_no_scene_can_hold(self):
        scene = block()
        scene["bodies"][3] = {}
        with self.assertRaisesRegex(TypeError, "keys of a scene are texts"):
            scene.check()
        scene = block()
        scene["title"] = "zero\0"
        with self.assertRaisesRegex(stiction.BadInput, "zero character"):
            scene.check()


if __name__ == "__main__":
    unittest.main()
