"""Scenes from files, dictionaries and pieces, and the library's own words about what is wrong."""

import json
import os
import unittest
from pathlib import Path

import numpy as np

import stiction
from stiction import materials, obstacles, shapes, volumes
from world import block, program

COMMENTED = """{
  // a comment, and "quotes" in it
  "title": "with // no comment",
  "materials": { "rubber": { "young": "1 MPa", "poisson": 0.3 } },
  "bodies": { "block": { "shape": { "type": "box", "edge": 0.5 } } },
  "time": { "duration": 1 }
}
"""


def text_of(call):
    try:
        call()
    except stiction.Error as error:
        return type(error), str(error)
    raise AssertionError("nothing was wrong")


class Setting(unittest.TestCase):
    def scene(self, **more):
        return stiction.Scene({"materials": {"rub.ber": {"young": "1 MPa", "poisson": 0.3}},
                               "bodies": {"block": {"shape": {"type": "box", "edge": 0.5}}},
                               "friction": [{"between": "any", "dynamic": 0.1}],
                               "time": {"duration": 1}}, **more)

    def test_values_by_keys(self):
        scene = self.scene(set={"time.step": "5 ms", "materials.rub.ber.young": "2 MPa"})
        scene.set("friction[0].dynamic", 0.4).set("friction.0.static", 0.5)
        scene.set("contact.thickness", "1 mm").check()
        self.assertEqual(scene["materials"]["rub.ber"]["young"], "2 MPa")
        self.assertEqual(scene["friction"], [{"between": "any", "dynamic": 0.4, "static": 0.5}])
        self.assertEqual(scene["contact"], {"thickness": "1 mm"})
        self.assertEqual(scene["time"]["step"], "5 ms")

    def test_mistakes_are_named(self):
        for key, words in {"bodies.blok.translate": "there is no 'blok' in bodies; known: block (did "
                                                    "you mean 'block'?)",
                           "friction[3].dynamic": "friction has 1 items, counted from 0",
                           "friction.dynamic": "friction is a list",
                           "time.duration.x": "which has no keys"}.items():
            kind, text = text_of(lambda: self.scene().set(key, 1))
            self.assertEqual(kind, stiction.BadInput)
            self.assertIn(words, text)
        kind, text = text_of(lambda: self.scene().set("tme.step", 1).check())
        self.assertIn('did you mean "time"?', text)


class Files(unittest.TestCase):
    def test_comments_are_no_data(self):
        Path("commented.json").write_text(COMMENTED, encoding="utf-8")
        scene = stiction.Scene("commented.json").check()
        self.assertEqual(scene["title"], "with // no comment")
        self.assertEqual(scene["time"], {"duration": 1})
        self.assertEqual(scene.text, COMMENTED)

    def test_a_change_is_seen(self):
        Path("commented.json").write_text(COMMENTED, encoding="utf-8")
        scene = stiction.Scene("commented.json")
        scene["time"]["duration"] = "7 s"
        self.assertEqual(stiction.Simulation(scene).duration, 7)
        scene.save("saved.json")
        self.assertEqual(stiction.Simulation("saved.json").duration, 7)
        self.assertEqual(program("check", "saved.json").returncode, 0)

    def test_paths_are_relative_to_the_file(self):
        os.makedirs("elsewhere", exist_ok=True)
        made = program("mesh", "make", "box", "--edge", "0.5", "-o", "elsewhere/box.vtu")
        self.assertEqual(made.returncode, 0, made.stderr)
        scene = block()
        scene["bodies"]["block"] = {"mesh": "box.vtu"}
        scene.save("elsewhere/scene.json")
        read = stiction.Scene("elsewhere/scene.json").check()
        read["title"] = "changed, and still there"
        read.check()
        stiction.Scene(read.data, folder="elsewhere").check()
        kind, text = text_of(stiction.Scene(read.data).check)
        self.assertIs(kind, stiction.BadInput)
        self.assertIn("box.vtu", text)


class Meshes(unittest.TestCase):
    def test_from_arrays(self):
        points = np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1 + 1e-16]])
        stiction.write_mesh("tet.vtk", points, tets=[[0, 1, 2, 3]])
        scene = block()
        scene.add_body("block", mesh="tet.vtk")
        body = stiction.Simulation(scene).bodies["block"]
        np.testing.assert_array_equal(body.rest, points)
        np.testing.assert_array_equal(body.tets, [[0, 1, 2, 3]])

        stiction.write_mesh("cloth.vtk", points, triangles=np.array([[0, 1, 2], [1, 3, 2]]))
        scene.add_material("rubber", materials.membrane(young=100, poisson=0.3, area_density=0.1))
        scene.add_body("block", mesh="cloth.vtk")
        body = stiction.Simulation(scene).bodies["block"]
        self.assertEqual((body.tets.shape, body.triangles.shape), ((0, 4), (2, 3)))

    def test_mistakes(self):
        for given, text in (({"tets": [[0, 1, 2]]}, "shape"), ({"tets": [[0, 1, 2, 4]]}, "0 … 3"),
                            ({"triangles": [[0.5, 1, 2]]}, "whole")):
            with self.assertRaisesRegex(stiction.BadInput, text):
                stiction.write_mesh("wrong.vtk", np.zeros((4, 3)), **given)
        with self.assertRaisesRegex(stiction.BadInput, "end in .vtk"):
            stiction.write_mesh("wrong.obj", np.zeros((4, 3)))


class Mistakes(unittest.TestCase):
    def same_as_program(self, content):
        Path("wrong.json").write_text(content, encoding="utf-8")
        kind, text = text_of(lambda: stiction.Simulation("wrong.json"))
        self.assertIs(kind, stiction.BadInput)
        said = program("check", "wrong.json")
        self.assertEqual(said.returncode, 2)
        self.assertEqual(said.stderr.strip(), f"stiction: {text}")

    def test_text_is_that_of_the_program(self):
        self.same_as_program(COMMENTED.replace("1 MPa", "1 kg"))
        self.same_as_program(COMMENTED.replace("poisson", "poison"))
        self.same_as_program(COMMENTED.replace('"time"', '"tyme"'))
        self.same_as_program("{ \"materials\": {")
        self.same_as_program("")

    def test_missing_file(self):
        kind, text = text_of(lambda: stiction.Scene("nowhere.json"))
        self.assertIs(kind, stiction.BadInput)
        self.assertIn("nowhere.json", text)

    def test_key_is_named(self):
        scene = block()
        scene["bodies"]["block"]["shape"]["size_x"] = "3 kg"
        kind, text = text_of(scene.check)
        self.assertIs(kind, stiction.BadInput)
        self.assertIn("bodies.block.shape.size_x", text)
        self.assertIsInstance(stiction.BadInput(text), ValueError)

    def test_what_is_no_json(self):
        scene = block()
        scene["title"] = object()
        with self.assertRaisesRegex(TypeError, "cannot hold a object"):
            scene.check()


class Pieces(unittest.TestCase):
    def test_pieces_say_what_a_file_says(self):
        scene = stiction.Scene()
        scene.add_material("silk", materials.membrane(young="100 N/m", poisson=0.3,
                                                      area_density="60 g/m^2"))
        scene.add_body("sheet", shapes.pillow(), material="silk", translate=np.array([0, 0, 1.5]))
        scene.add_obstacle("ball", obstacles.sphere(radius="10 cm"), material="wood")
        scene.add_volume("air", volumes.prescribed(body="sheet", overpressure="1 kPa"))
        scene.add_friction(["silk", "wood"], 0.4, static=0.6)
        scene.set_time(np.float64(0.5), step="5 ms")
        scene.set_integrator("tr_bdf2")
        scene.check()
        self.assertEqual(json.loads(scene.text), {
            "materials": {"silk": {"law": "membrane", "young": "100 N/m", "poisson": 0.3,
                                   "area_density": "60 g/m^2"}},
            "bodies": {"sheet": {"shape": {"type": "pillow"}, "material": "silk",
                                 "translate": [0, 0, 1.5]}},
            "obstacles": {"ball": {"shape": {"type": "sphere", "radius": "10 cm"},
                                   "material": "wood"}},
            "volumes": {"air": {"model": "prescribed", "body": "sheet",
                                "overpressure": "1 kPa"}},
            "friction": [{"between": ["silk", "wood"], "dynamic": 0.4, "static": 0.6}],
            "time": {"duration": 0.5, "step": "5 ms"},
            "integrator": "tr_bdf2"})
        self.assertEqual(repr(scene), "<Scene materials: silk; bodies: sheet; volumes: air; "
                                      "obstacles: ball>")
        self.assertIn("prescribed", scene._repr_html_())

    def test_a_copy_is_its_own(self):
        first = block()
        second = stiction.Scene(first)
        second["time"]["duration"] = 9
        self.assertEqual(first["time"]["duration"], "0.2 s")

    def test_loads_and_joints_act_and_are_told_of(self):
        scene = block()
        scene["gravity"] = 0
        body = next(iter(scene["bodies"]))
        scene.add_load("push", body=body, region="all", force=["3 N * sin(1 Hz*t)", 0, 2])
        scene.add_joint("cord", "spring", {"body": body, "region": "all"}, {"point": [0, 0, 9]},
                        stiffness="1 N/m")
        report = stiction.Simulation(scene).step()
        self.assertAlmostEqual(report.actions["push"].force[2], 2)
        self.assertFalse(report.actions["push"].joint)
        self.assertTrue(report.actions["cord"].joint)
        self.assertLess(report.actions["cord"].travel, 0)  # which 1 N/m and a cord along z make
        self.assertAlmostEqual(report.actions["cord"].force[2], report.actions["cord"].travel)

    def test_makers_know_what_the_program_lists(self):
        for module, section in ((shapes, "shapes"), (materials, "materials"),
                                (volumes, "volumes")):
            listed = stiction.catalogue(section)[section]
            for entry in listed:
                maker = getattr(module, entry["name"])
                self.assertTrue(maker.__doc__.startswith(entry["summary"][:40]), maker.__doc__)
                for parameter in entry["parameters"]:
                    self.assertIn(parameter["name"], maker.__signature__.parameters)
                    self.assertIn(parameter["doc"].split()[0], maker.__doc__)

    def test_makers_refuse_unknown_keys(self):
        with self.assertRaises(TypeError):
            shapes.box(size_w=3)
        with self.assertRaises(TypeError):
            materials.neo_hookean(young=1)

    def test_keys_are_documented(self):
        self.assertIn("angular_velocity", stiction.Scene.add_body.__doc__)
        self.assertIn('"bdf2": Two-step', stiction.Scene.set_integrator.__doc__)
        self.assertIn("stribeck_speed", stiction.Scene.add_friction.__doc__)


if __name__ == "__main__":
    unittest.main()
