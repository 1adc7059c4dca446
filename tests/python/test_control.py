"""Control: steps of a given length, states, parameters, motions, contacts, surfaces, arrays, pools."""

import io
import multiprocessing
import os
import pickle
import re
import tempfile
import unittest
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np

import stiction
from stiction import obstacles, shapes
from world import block, floor, program

G = 9.81


def stack():
    """Two blocks on each other, on a floor, with a wall beside them."""
    scene = floor(duration="0.1 s")
    scene.add_body("top", shapes.box(size_x=0.1, size_y=0.1, size_z=0.1, edge=0.1),
                   translate=[0.01, 0, 0.1503])
    scene.add_obstacle("wall", obstacles.box(size_x=0.1, size_y=0.3, size_z=0.3),
                       translate=[-0.12, 0, 0.15], material="wood")
    scene.add_probe("tip", body="top", region={"label": "z+"})
    scene.add_probe("height", body="block", region={"label": "z-"},
                    to={"body": "top", "region": {"label": "z+"}})
    return scene


def same(a, b):
    np.testing.assert_array_equal(a.positions, b.positions)
    np.testing.assert_array_equal(a.velocities, b.velocities)


class Steps(unittest.TestCase):
    def test_lengths(self):
        with stiction.Simulation(block()) as simulation:
            self.assertEqual(simulation.step(0.003).step, 1)
            self.assertEqual(simulation.time, 0.003)
            simulation.advance_to(0.5)  # beyond the end, at 0.2 s
            self.assertEqual(simulation.time, 0.5)
            self.assertTrue(simulation.finished)
            simulation.step(0.01)
            with self.assertRaisesRegex(stiction.BadInput, "cannot advance"):
                simulation.advance_to(0.1)
            with self.assertRaisesRegex(stiction.BadInput, "step of -1"):
                simulation.step(-1)
        with self.assertRaisesRegex(stiction.BadInput, "closed"):
            simulation.step()

    def test_no_end_is_needed(self):
        scene = block()
        del scene.data["time"]
        simulation = stiction.Simulation(scene)
        simulation.step(0.02)
        self.assertEqual(simulation.time, 0.02)

    def test_time_is_set(self):
        simulation = stiction.Simulation(block())
        simulation.time = 1.5
        simulation.step(0.01)
        self.assertAlmostEqual(simulation.time, 1.51, 12)


class States(unittest.TestCase):
    def test_back_to_the_same_bits(self):
        plain, tried = stiction.Simulation(stack()), stiction.Simulation(stack())
        for simulation in plain, tried:
            simulation.move("wall", [0.3, 0, 0])
            simulation.advance_to(0.08)
        state = tried.save()
        tried.move("wall", [1.0, 0, 0])
        tried.parameters.gravity = [0, 0, 0]
        tried.step(0.05)
        tried.parameters.gravity = [0, 0, -G]
        tried.restore(state)
        same(plain, tried)
        for _ in range(3):
            plain.step(0.01)
            tried.step(0.01)
        same(plain, tried)
        tried.reset()
        self.assertEqual(tried.time, 0)
        same(stiction.Simulation(stack()), tried)

    def test_files_and_pickles(self):
        first = stiction.Simulation(stack())
        first.move("wall", [0.2, 0, 0])
        first.advance_to(0.05)
        state = first.save()
        with tempfile.TemporaryDirectory() as folder:
            state.write(Path(folder, "state.h5"))
            read = stiction.State.read(Path(folder, "state.h5"))
        sent = pickle.loads(pickle.dumps(state))
        whole = pickle.loads(pickle.dumps(first))
        second, third = stiction.Simulation(stack()), stiction.Simulation(stack())
        second.restore(read)
        third.restore(sent)
        for simulation in first, second, third, whole:
            simulation.step(0.02)
        for other in second, third, whole:
            same(first, other)
        self.assertIn("0.05", repr(state))
        with self.assertRaisesRegex(stiction.BadInput, "not a Stiction checkpoint"):
            stiction.State.from_bytes(b"something else")

    def test_what_was_written_is_saved(self):
        simulation = stiction.Simulation(block())
        simulation.velocities[:, 0] = 1
        state = simulation.save()
        simulation.velocities[:, 0] = 2
        simulation.restore(state)
        np.testing.assert_allclose(simulation.velocities[:, 0], 1)


class Changes(unittest.TestCase):
    def test_parameters(self):
        simulation = stiction.Simulation(floor())
        parameters = simulation.parameters
        np.testing.assert_array_equal(parameters.gravity, [0, 0, -G])
        self.assertEqual(parameters.materials.rubber.young, 1e6)
        parameters.materials.rubber.young = 2e6
        parameters.friction["block|floor"].dynamic = 0.2
        self.assertEqual(parameters["materials.rubber.young"], 2e6)
        self.assertEqual(parameters["friction.block|floor.dynamic"], 0.2)
        self.assertIn("materials", dir(parameters))
        self.assertIn("materials.rubber.young", parameters)
        self.assertIn("materials.rubber.young = [2000000.0] Pa", repr(parameters))
        with self.assertRaisesRegex(AttributeError, "gravity"):
            _ = parameters.gravitation
        with self.assertRaisesRegex(stiction.BadInput, "did you mean"):
            parameters["materials.rubber.yung"] = 1
        simulation.advance_to(0.2)
        parameters.gravity = [0, 0, 5]
        before = simulation.report.momentum[2]
        for _ in range(10):
            simulation.step(0.01)
        self.assertAlmostEqual(simulation.report.momentum[2] - before, 0.5, delta=0.1)

    def test_motions(self):
        simulation = stiction.Simulation(stack())
        simulation.step(0.01)
        simulation.move_to("wall", [0.02, 0, 0], 0.04)
        simulation.step(0.02)
        np.testing.assert_allclose(simulation.pose("wall").translation, [0.01, 0, 0], atol=1e-15)
        simulation.step(0.04)
        np.testing.assert_allclose(simulation.pose("wall").translation, [0.02, 0, 0], atol=1e-15)
        start = simulation.time
        simulation.set_motion("wall", lambda time: [0.02 - 0.1 * (time - start), 0, 0])
        simulation.set_motion("floor", lambda time: [0, 0, -0.1 * max(time - start, 0)])
        simulation.step(0.1)
        np.testing.assert_allclose(simulation.pose("wall").translation, [0.01, 0, 0], atol=1e-12)
        np.testing.assert_allclose(simulation.pose("floor").translation, [0, 0, -0.01], atol=1e-12)

    def test_a_grip_is_kept_when_functions_are_exchanged(self):
        """New functions that know nothing of the past; contact measures slip from there."""
        def lag(exchanged):
            scene = block(translate=[0, 0, 0.0502])
            scene.set_time(step="10 ms")
            scene.add_obstacle("table", obstacles.half_space())
            finger = obstacles.box(size_x=0.02, size_y=0.2, size_z=0.2)
            sides = {"left": 1, "right": -1}
            for name, side in sides.items():
                scene.add_obstacle(name, finger, translate=[-0.0601 * side, 0, 0.1], material="pad")
            scene.add_friction(["rubber", "pad"], 0.5)
            simulation = stiction.Simulation(scene)

            def way(side, time):
                return [side * 0.004 * min(time, 0.1), 0, 0.1 * max(time - 0.15, 0)]

            for name, side in sides.items():
                simulation.set_motion(name, lambda time, side=side: way(side, time))
            for tick in range(30):
                if exchanged and tick > 15:
                    for name, side in sides.items():
                        simulation.set_motion(name, lambda time, side=side, now=simulation.time:
                                              way(side, max(time, now)))
                    simulation.parameters.gravity = [0, 0, -9.81]
                simulation.step(0.01)
            return simulation.report.bodies["block"].centre[2] - \
                simulation.pose("left").translation[2] - 0.05

        self.assertAlmostEqual(lag(False), 0, delta=1e-3)
        self.assertAlmostEqual(lag(True), lag(False), delta=1e-6)

    def test_bodies_come_and_go(self):
        scene = stack()
        first = stiction.Simulation(scene)
        first.advance_to(0.5)  # until the impact has died away
        more = stiction.Scene(scene)
        more.add_body("late", shapes.box(size_x=0.1, size_y=0.1, size_z=0.1, edge=0.1),
                      translate=[0, 0, 0.4])
        del more.data["bodies"]["top"], more.data["probes"]
        second = stiction.Simulation(more)
        second.take_over(first)
        self.assertEqual(second.time, first.time)
        np.testing.assert_array_equal(second.positions[second.bodies["block"].vertices],
                                      first.positions[first.bodies["block"].vertices])
        self.assertGreater(first.report.pairs["block|floor"].normal_force, 10)
        np.testing.assert_allclose(second.report.pairs["block|floor"].friction,
                                   first.report.pairs["block|floor"].friction,
                                   atol=1e-5)  # anchors damp what still moves, by the step
        second.step(0.05)
        self.assertLess(second.report.bodies["late"].velocity[2], -0.4)


class Questions(unittest.TestCase):
    def test_contacts(self):
        simulation = stiction.Simulation(stack())
        report = simulation.advance_to(0.5)
        points = simulation.contact_points
        self.assertGreater(len(points), 4)
        names = list(simulation.bodies)
        below = points[points["obstacle"] == 0]
        self.assertAlmostEqual(below["force"][:, 2].sum(), 2 * G, delta=0.02)
        self.assertEqual({names[index] for index in points["body"]}, {"block"})
        np.testing.assert_allclose(below["normal"], np.tile([0, 0, 1], (len(below), 1)))
        np.testing.assert_allclose(report.bodies["top"].contact_force[2], G, rtol=2e-3)
        np.testing.assert_allclose(report.pairs["block|floor"].force[2], 2 * G, rtol=2e-3)
        self.assertAlmostEqual(report.bodies["top"].mass, 1, 12)
        top = simulation.positions[simulation.bodies["top"].vertices]
        np.testing.assert_allclose(report.probes["tip"].point,
                                   top[top[:, 2] > 0.17].mean(axis=0), atol=1e-12)
        self.assertAlmostEqual(report.probes["height"].distance, 0.2, delta=2e-3)

    def test_surfaces(self):
        simulation = stiction.Simulation(stack())
        hit = simulation.nearest([0, 0, 0.22])
        self.assertEqual((hit.body, hit.obstacle), ("top", None))
        self.assertAlmostEqual(hit.distance, 0.22 - 0.2003, 12)
        self.assertEqual(simulation.nearest([0, 0, 0.5]).obstacle, "wall")
        hit = simulation.ray([0, 0, 1], [1, 0, -1])
        self.assertEqual((hit.body, hit.obstacle), (None, "floor"))
        self.assertAlmostEqual(hit.distance, 2**0.5, 9)
        self.assertIsNone(simulation.nearest([0, 0, 5], reach=0.1))
        self.assertIsNone(simulation.ray([0, 0, 1], [0, 0, 1]))
        with self.assertRaisesRegex(stiction.BadInput, "did you mean"):
            simulation.nearest([0, 0, 0], of="tops")

    def test_pictures(self):
        simulation = stiction.Simulation(stack())
        self.assertEqual(simulation._repr_html_().count("<path"), 24)
        self.assertEqual(stack()._repr_html_().count("<path"), 24)
        self.assertNotIn("<svg", stiction.Scene()._repr_html_())


class Arrays(unittest.TestCase):
    POINTS = np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])

    def scene(self, **more):
        scene = stiction.Scene()
        scene.add_material("rubber", young="1 MPa", poisson=0.3, density=1000)
        scene.add_body("tet", vertices=self.POINTS, tets=[[0, 1, 2, 3]], labels={"foot": [0, 1, 2]},
                       tet_labels=["core"], materials={"core": "rubber"}, **more)
        scene.add_boundary("foot", region={"label": "foot"})
        scene.set_time("50 ms")
        return scene

    def test_without_files(self):
        simulation = stiction.Simulation(self.scene(translate=[0, 0, 1]))
        np.testing.assert_allclose(simulation.positions, self.POINTS + [0, 0, 1], atol=1e-15)
        self.assertEqual(list(simulation.boundaries["foot"].vertices), [0, 1, 2])
        self.assertEqual(simulation.bodies["tet"].labels, ["foot", "core"])
        simulation.step()
        copy = pickle.loads(pickle.dumps(self.scene(translate=[0, 0, 1])))
        other = stiction.Simulation(copy)
        other.step()
        same(simulation, other)

    def test_with_files_all_the_same(self):
        simulation = stiction.Simulation(self.scene())
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "tet.json")
            self.scene().save(path)
            saved = stiction.Simulation(path)
            stiction.run(self.scene(), Path(folder, "out"))
            view = program("view", str(Path(folder, "out")), "--out", str(Path(folder, "a.html")),
                           "--no-open")
            self.assertEqual(view.returncode, 0, view.stderr)
            self.assertEqual(len(stiction.history(Path(folder, "out"))["time"]), 6)
        for _ in simulation:
            saved.step()
        same(simulation, saved)

    def test_mistakes(self):
        scene = stiction.Scene()
        with self.assertRaisesRegex(stiction.BadInput, "shape"):
            scene.add_body("tet", vertices=[0, 1, 2])
        with self.assertRaisesRegex(stiction.BadInput, "outside of 0 … 3"):
            scene.add_body("tet", vertices=self.POINTS, tets=[[0, 1, 2, 4]])
        bad = self.POINTS.copy()
        bad[3] = bad[0]
        scene.add_material("rubber", young="1 MPa", poisson=0.3, density=1000)
        scene.add_body("tet", vertices=bad, tets=[[0, 1, 2, 3]])
        with self.assertRaises(stiction.BadInput):
            scene.check()


class Page(unittest.TestCase):
    """The blocks of docs/python.md on control, run as they stand there."""

    def test_blocks(self):
        page = Path(os.environ["STICTION_SOURCE"], "docs", "python.md").read_text(encoding="utf-8")
        blocks = [block for block in re.findall(r"```python\n(.*?)```", page, flags=re.S)
                  if "paddle" in block]
        self.assertEqual(len(blocks), 3)
        self.assertLessEqual(blocks[0].count("\n"), 10)
        scene = stiction.Scene()
        scene.add_material("rubber", young="1 MPa", poisson=0.4, density=1000)
        scene.add_body("ball", shapes.box(size_x=0.1, size_y=0.1, size_z=0.1, edge=0.1),
                       translate=[0, 0, 0.2])
        scene.add_obstacle("paddle", obstacles.box(size_x=1, size_y=1, size_z=0.1),
                           translate=[0, 0, 0.0999], material="wood")
        scene.add_friction(["rubber", "wood"], 0.5)
        simulation = stiction.Simulation(scene)
        names = {"simulation": simulation, "scene": scene, "stiction": stiction}
        exec(blocks[0], names)  # pylint: disable=exec-used
        self.assertAlmostEqual(simulation.time, 0.5, 12)
        self.assertGreater(simulation.report.bodies["ball"].centre[2], 0.21)
        exec(blocks[1], names)  # pylint: disable=exec-used
        self.assertEqual(names["best"], 0.8)
        self.assertAlmostEqual(simulation.time, 0.5, 12)
        with redirect_stdout(io.StringIO()) as said:
            exec(blocks[2], names)  # pylint: disable=exec-used
        self.assertIn("20 of 20", said.getvalue())
        self.assertTrue(np.all(names["results"]["height"] > 0.23))


def lift(task):
    """In another process: pushes a block, and tells how far it has come."""
    scene, state, speed = task
    with stiction.Simulation(scene) as simulation:
        simulation.restore(state)
        simulation.velocities[:, 0] += speed
        simulation.step(0.05)
        return float(simulation.report.centre_of_mass[0])


class Misuse(unittest.TestCase):
    def test_arguments(self):
        simulation = stiction.Simulation(stack())
        wrong = [
            ("three numbers", lambda: simulation.ray([0, 0], [0, 0, -1])),
            ("three numbers", lambda: simulation.ray([0, 0, 1], "down")),
            ("three numbers", lambda: simulation.nearest(3)),
            ("three numbers", lambda: simulation.move("floor", velocity=[1, 2])),
            ("three numbers", lambda: simulation.move_to("floor", [1, 2, 3, 4], 1)),
            ("function of time", lambda: simulation.set_motion("floor", 3)),
            ("State", lambda: simulation.restore(None)),
            ("Simulation", lambda: simulation.take_over(None)),
            ("named \"3\"", lambda: simulation.nearest([0, 0, 0], of=3)),
            ("3 numbers, not 2", lambda: setattr(simulation.parameters, "gravity", [0, 0])),
            ("no parameter", lambda: setattr(simulation.parameters, "gravitas", 3)),
            ("cannot be taken", lambda: simulation.step(-1)),
            ("cannot be taken", lambda: simulation.step(float("nan"))),
        ]
        for words, call in wrong:
            with self.assertRaisesRegex(stiction.BadInput, words):
                call()
        simulation.step(0.01)  # nothing has come of it

    def test_after_the_end(self):
        simulation = stiction.Simulation(stack())
        simulation.step(0.01)
        simulation.close()
        for call in (simulation.step, simulation.save, lambda: simulation.positions,
                     lambda: simulation.report, lambda: simulation.parameters.gravity):
            with self.assertRaisesRegex(stiction.BadInput, "closed"):
                call()
        self.assertEqual(repr(simulation), "<Simulation, closed>")
        self.assertIn("closed", simulation._repr_html_())
        simulation.close()


class Pools(unittest.TestCase):
    def test_ten_in_a_pool(self):
        scene = floor()
        simulation = stiction.Simulation(scene)
        simulation.step(0.05)
        state = simulation.save()
        tasks = [(scene, state, 0.1 * index) for index in range(10)]
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            far = pool.map(lift, tasks)
        self.assertEqual(far, [lift(task) for task in tasks])
        self.assertTrue(all(np.diff(far) > 0))

    def test_forked_processes_go_on(self):
        simulation = stiction.Simulation(floor())
        simulation.step(0.05)
        state = simulation.save()
        tasks = [(simulation.scene, state, 0.1 * index) for index in range(3)]
        with multiprocessing.get_context("fork").Pool(2) as pool:
            far = pool.map(lift, tasks)
        self.assertEqual(far, [lift(task) for task in tasks])
        queue = multiprocessing.get_context("fork").SimpleQueue()
        process = multiprocessing.get_context("fork").Process(
            target=lambda: queue.put(float(simulation.step(0.05).centre_of_mass[2])))
        process.start()
        process.join()
        self.assertEqual(queue.get(), simulation.step(0.05).centre_of_mass[2])


if __name__ == "__main__":
    unittest.main()
