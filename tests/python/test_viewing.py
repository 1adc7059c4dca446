"""Runs to look at from Python: pages, a live server, exports, plots, sweeps, filled meshes."""

import os
import sys
import tempfile
import types
import unittest
import urllib.request
from pathlib import Path
from unittest import mock

import numpy as np

import stiction
from stiction import mesh
from world import block, floor, program


class Viewing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = os.path.join(cls.scratch.name, "run")
        stiction.run(floor(duration="0.1 s"), cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def path(self, name):
        return os.path.join(self.scratch.name, name)

    def test_page(self):
        page = stiction.view(self.folder, out=self.path("page.html"), every=2)
        self.assertEqual(os.fspath(page.path), self.path("page.html"))
        self.assertIn("<html", page.path.read_text(encoding="utf-8")[:500].lower())
        self.assertIn("<iframe srcdoc=", page._repr_html_())
        both = stiction.view(self.folder, self.folder, out=self.path("both.html"), hollow=True,
                             fields="velocity,nodal_stress")
        self.assertGreater(both.path.stat().st_size, 1000)

    def test_a_run_in_progress(self):
        """Served before there is anything, and with what a loop has recorded so far."""
        with stiction.view_live(self.path("loop")) as live, stiction.Simulation(block()) as simulation:
            simulation.record(self.path("loop"))
            simulation.step(0.1)
            page = urllib.request.urlopen(live.url, timeout=60).read().decode()
            self.assertIn("<html", page[:500].lower())
            self.assertIn(live.url, live._repr_html_().replace("&amp;", "&"))
        with self.assertRaises(OSError):
            urllib.request.urlopen(live.url, timeout=10)

    def test_export(self):
        said = stiction.export(self.folder, "obj", self.path("obj"), every=2, start=0, end="50 ms")
        self.assertIn("obj", said)
        self.assertTrue(list(Path(self.path("obj")).glob("*.obj")))
        with self.assertRaisesRegex(stiction.BadInput, "dxf"):
            stiction.export(self.folder, "dxf")

    def test_plot_of_a_run(self):
        drawn = stiction.plot(self.folder, self.path("plot.png"), of=["height", "energy"])
        self.assertIn("<svg", drawn.svg)
        self.assertEqual(Path(self.path("plot.png")).read_bytes()[1:4], b"PNG")
        self.assertIn("<svg", stiction.plot(Path(self.folder), body="block", compare=[self.folder]).svg)
        with self.assertRaisesRegex(stiction.BadInput, "hight"):
            stiction.plot(self.folder, of=["hight"])

    def test_sweep(self):
        vary = {"friction[0].dynamic": [0.1, 0.3]}
        table = stiction.sweep(floor(duration="0.05 s"), vary, self.path("sweep"),
                               set={"time.step": "10 ms"}, columns=["kinetic_energy:max"], jobs=2)
        np.testing.assert_array_equal(table["friction[0].dynamic"], [0.1, 0.3])
        self.assertEqual(len(stiction.history(self.path("sweep/run-002"))["time"]), 6)
        again = stiction.sweep(floor(duration="0.05 s"), vary, self.path("sweep"),
                               set={"time.step": "10 ms"}, columns=["kinetic_energy:max"])
        np.testing.assert_array_equal(table["kinetic_energy:max"], again["kinetic_energy:max"])
        scene = floor()
        scene.set_motion("floor", lambda time: [0, 0, 0])
        with self.assertRaisesRegex(stiction.BadInput, "functions or loads of this program"):
            stiction.sweep(scene, vary, self.path("never"))
        with self.assertRaisesRegex(stiction.BadInput, "a list of numbers or texts"):
            stiction.sweep(floor(), {"friction[0].dynamic": []}, self.path("never"))

    def test_filled_mesh(self):
        surface = self.path("ball.stl")
        self.assertEqual(program("mesh", "make", "sphere", "--radius", "5cm", "--surface", "-o",
                                 surface).returncode, 0)
        filled = mesh.fill(surface, edge="15 mm", out=self.path("ball.vtu"))
        volume = np.abs(np.linalg.det(filled["vertices"][filled["tets"][:, 1:]]
                                      - filled["vertices"][filled["tets"][:, :1]])).sum() / 6
        self.assertAlmostEqual(volume, 4 / 3 * np.pi * 0.05**3, delta=0.05 * 5.2e-4)
        scene = block()
        scene.add_body("ball", **filled, material="rubber", translate=[1, 0, 0])
        self.assertEqual(len(stiction.Simulation(scene).bodies["ball"].tets), len(filled["tets"]))
        self.assertTrue(Path(self.path("ball.vtu")).exists())
        with self.assertRaisesRegex(stiction.BadInput, "no.stl"):
            mesh.fill(self.path("no.stl"))


class Shown:
    """What a notebook's front end gets: pictures, each for a new cell or instead of the one before;
    with IPython's own names, of which nothing else is used."""

    def __init__(self):
        self.pictures, self.cells = [], 0

    def display(self, thing, display_id):
        assert display_id is True
        self.cells += 1
        self.pictures.append(thing)
        return self

    def update(self, thing):
        self.pictures.append(thing)


class Notebooks(unittest.TestCase):
    def shown(self, steps, rate):
        front = Shown()
        module = types.ModuleType("IPython.display")
        module.HTML, module.display = str, front.display
        with mock.patch.dict(sys.modules, {"IPython.display": module,
                                           "IPython": types.ModuleType("IPython")}):
            simulation = stiction.Simulation(block())
            simulation.show(rate=rate)
            for _ in range(steps):
                simulation.step()
        return front

    def test_a_picture_follows_the_steps(self):
        front = self.shown(2, 1e6)
        self.assertEqual((front.cells, len(front.pictures)), (1, 3))
        self.assertTrue(all("<svg" in picture for picture in front.pictures))
        self.assertIn("t = 0.02", front.pictures[2])

    def test_not_oftener_than_asked_for(self):
        front = self.shown(20, 1e-3)
        self.assertEqual(len(front.pictures), 2)
        self.assertIn("t = 0.2 of 0.2", front.pictures[1])  # the end is always shown

    def test_without_a_notebook(self):
        simulation = stiction.Simulation(block())
        with mock.patch.dict(sys.modules, {"IPython.display": None, "IPython": None}):
            with self.assertRaisesRegex(stiction.SystemFault, "need a notebook"):
                simulation.show()
        with self.assertRaisesRegex(stiction.BadInput, "a number above 0"):
            simulation.show(rate=0)


if __name__ == "__main__":
    unittest.main()
