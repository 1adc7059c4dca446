"""Loops that a program drives, recorded like runs: the program's commands work on them."""

import json
import os
import tempfile
import unittest
from pathlib import Path

import numpy as np

import stiction
from stiction import obstacles
from stiction._recording import _Grid
from world import block, floor, program


def pushed():
    """The block on a floor, and a wall beside it."""
    scene = floor()
    scene.add_obstacle("wall", obstacles.box(size_x=0.02, size_y=0.3, size_z=0.3),
                       translate=[-0.062, 0, 0.15], material="wood")
    scene.set_time(step="10 ms", frame_rate="25 Hz")
    return scene


class Record(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = os.path.join(self.scratch.name, "push")
        self.addCleanup(self.scratch.cleanup)

    def loop(self, simulation, ticks):
        for _ in range(ticks):
            place = simulation.report.bodies["block"].centre[0]
            simulation.move("wall", [min(0.2, 5 * (0.05 - place)), 0, 0])
            simulation.step(0.02)

    def works_on_it(self):
        for words in (("plot", self.folder), ("export", self.folder, "--to", "obj"),
                      ("view", self.folder, "--no-open")):
            done = program(*words)
            self.assertEqual(done.returncode, 0, (words, done.stderr))

    def is_seen_moving(self):
        """In an export of the frames with obstacles: the wall has come as far as it was sent."""
        stiction.export(self.folder, "vtm", self.folder + "-vtm", every=8)
        walls = sorted(Path(self.folder + "-vtm").rglob("obstacle_1.vtu"))
        self.assertEqual(len(walls), 2, list(Path(self.folder + "-vtm").rglob("*")))
        first, last = (_Grid(wall).section("Points")["Points"][:, 0].min() for wall in walls)
        self.assertAlmostEqual(last - first, self.last, 6)

    def test_a_loop_is_like_a_run(self):
        with stiction.Simulation(pushed()) as simulation:
            self.assertIs(simulation.record(self.folder), simulation)
            self.loop(simulation, 10)
            now = json.loads(Path(self.folder, "summary.json").read_text(encoding="utf-8"))
            self.assertEqual(now["status"], "running")
            self.loop(simulation, 5)
            end, self.last = simulation.positions.copy(), simulation.pose("wall").translation[0]
        history, frames = stiction.history(self.folder), stiction.frames(self.folder)
        np.testing.assert_allclose(history["time"], np.arange(31) * 0.01, atol=1e-12)
        # Ticks are 20 ms and frames due every 40; the last one is that of the end.
        np.testing.assert_allclose(frames.times, [0, 0.04, 0.08, 0.12, 0.16, 0.2, 0.24, 0.28, 0.3],
                                   atol=1e-12)
        np.testing.assert_array_equal(frames[-1].positions, end)
        told = stiction.summary(self.folder)
        self.assertEqual((told["status"], told["steps"], told["frames"]), ("finished", 30, 9))
        self.assertIn("block|wall", stiction.contacts(self.folder))
        poses = np.genfromtxt(os.path.join(self.folder, "obstacles.csv"), delimiter=",",
                              names=True, dtype=None, encoding="utf-8")
        # The wall, from the first frame after it was sent on; it does not turn.
        self.assertEqual(set(poses["obstacle"]), {"wall"})
        np.testing.assert_allclose(poses["time_s"], frames.times[1:], atol=1e-12)
        self.assertAlmostEqual(poses["shift_x_m"][-1], self.last, 12)
        self.assertEqual(poses["rotation_xx"][-1], 1)
        self.works_on_it()
        self.is_seen_moving()

    def test_resuming_gives_the_same_bits(self):
        with stiction.Simulation(pushed()) as simulation:
            simulation.record(self.folder + "-whole")
            self.loop(simulation, 20)
            whole = simulation.positions.copy()
        with stiction.Simulation(pushed()) as simulation:
            simulation.record(self.folder)
            self.loop(simulation, 10)
        with stiction.Simulation(pushed()) as simulation:
            simulation.record(self.folder, resume=True)
            self.assertAlmostEqual(simulation.time, 0.2, 12)
            self.loop(simulation, 10)
            np.testing.assert_array_equal(simulation.positions, whole)
        for name in ("centre_of_mass_x", "time", "total_energy"):
            np.testing.assert_array_equal(stiction.history(self.folder)[name],
                                          stiction.history(self.folder + "-whole")[name])
        refused = program("resume", self.folder)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("only that program can resume it", refused.stderr)

    def test_the_program_resumes_what_the_scene_alone_says(self):
        scene = floor(duration="0.1 s")
        whole = stiction.run(scene, self.folder + "-whole")
        with stiction.Simulation(scene) as simulation:
            simulation.record(self.folder)
            for _ in range(5):
                simulation.step()
        done = program("resume", self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        told = stiction.summary(self.folder)
        self.assertEqual((told["status"], told["steps"]), ("finished", whole["steps"]))
        np.testing.assert_array_equal(stiction.history(self.folder)["centre_of_mass_z"],
                                      stiction.history(self.folder + "-whole")["centre_of_mass_z"])

    def test_going_back_cuts_off_what_came_after(self):
        with stiction.Simulation(pushed()) as simulation:
            simulation.record(self.folder, frame_rate="100 Hz")
            self.loop(simulation, 5)
            state = simulation.save()
            self.loop(simulation, 5)
            simulation.restore(state)
            simulation.step(0.02)
        times = stiction.history(self.folder)["time"]
        np.testing.assert_allclose(times, np.arange(13) * 0.01, atol=1e-12)
        np.testing.assert_allclose(stiction.frames(self.folder).times, times, atol=1e-12)
        for rows in stiction.contacts(self.folder).values():
            self.assertTrue(np.all(np.diff(rows["time"]) > 0))

    def test_what_is_written_into_arrays_is_recorded(self):
        with stiction.Simulation(block()) as simulation:
            simulation.record(self.folder, frame_rate=100)
            simulation.step()
            simulation.positions[:, 0] += 1
            simulation.step()
        history = stiction.history(self.folder)
        self.assertEqual(len(history["time"]), 3)
        np.testing.assert_allclose(history["centre_of_mass_x"], [0, 1, 1], atol=1e-9)
        np.testing.assert_allclose(stiction.frames(self.folder)[1].positions[:, 0].mean(), 1)

    def test_an_exception_is_the_reason(self):
        with self.assertRaises(KeyError):
            with stiction.Simulation(block()) as simulation:
                simulation.record(self.folder)
                simulation.step()
                raise KeyError("out of reach")
        told = stiction.summary(self.folder)
        self.assertEqual(told["status"], "interrupted")
        self.assertIn("KeyError: 'out of reach'", told["reason"])
        self.assertEqual(len(stiction.frames(self.folder)), 2)

    def test_changed_materials_go_on(self):
        with stiction.Simulation(block()) as simulation:
            simulation.record(self.folder)
            simulation.step()
            simulation.parameters.materials.rubber.young = 2e6
            simulation.step()
        self.assertEqual(len(stiction.history(self.folder)["time"]), 3)
        self.assertIn("only that program", program("resume", self.folder).stderr)

    def test_bad_input(self):
        simulation = stiction.Simulation(block())
        with self.assertRaisesRegex(stiction.BadInput, "needs the name of a folder"):
            simulation.record("")
        with self.assertRaisesRegex(stiction.BadInput, "frame rate of a recording"):
            simulation.record(self.folder, frame_rate=-3)
        with self.assertRaisesRegex(stiction.BadInput, "kg"):
            simulation.record(self.folder, frame_rate="3 kg")
        simulation.record(self.folder)
        with self.assertRaisesRegex(stiction.BadInput, "is being recorded into .*push already"):
            simulation.record(self.folder + "2")
        with self.assertRaisesRegex(stiction.Error, "another run is writing there"):
            stiction.Simulation(block()).record(self.folder, overwrite=True)
        simulation.end_recording()
        simulation.end_recording()  # none: nothing happens
        with self.assertRaisesRegex(stiction.BadInput, "already holds a run"):
            simulation.record(self.folder)
        with self.assertRaisesRegex(stiction.BadInput, "another scene"):
            stiction.Simulation(floor()).record(self.folder, resume=True)
        simulation.record(self.folder, overwrite=True)
        simulation.step()


if __name__ == "__main__":
    unittest.main()
