"""Whole runs into folders, what they leave, stopping and resuming, and experiments."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import unittest
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import stiction
from world import block, floor, program, rod


def fresh(name):
    shutil.rmtree(name, ignore_errors=True)
    return name


class Runs(unittest.TestCase):
    def test_strict(self):
        folder = fresh("strict")
        with self.assertRaises(stiction.Found) as caught:
            stiction.run(rod(), folder, strict=True)
        done = stiction.summary(folder)
        self.assertEqual(done["status"], "finished")
        self.assertEqual(str(caught.exception), done["verdict"])
        self.assertEqual(done["judge"]["obstacle_crossings"]["first"], "rod|post")
        self.assertEqual(stiction.run(rod(), folder, overwrite=True)["status"], "finished")
        history = stiction.history(folder)
        self.assertEqual((history["obstacle_crossings"] > 0).sum(),
                         done["judge"]["states_with_findings"])
        self.assertIn("findings", stiction.frames(folder)[-1].points)
        stiction.run(floor(duration="0.05 s"), fresh("clean"), strict=True)
        scene = rod()
        scene.set_output(judge="off")
        with self.assertRaises(stiction.BadInput):
            stiction.run(scene, fresh("unjudged"), strict=True)

    def check_contacts(self, folder, history):
        contacts = stiction.contacts(folder)
        self.assertEqual(list(contacts), ["block|floor"])
        rows = contacts["block|floor"]
        touched = history["touching(block|floor)"] > 0
        self.assertTrue(touched.any())
        np.testing.assert_array_equal(rows["step"], history["step"][touched])
        np.testing.assert_array_equal(rows["time"], history["time"][touched])
        for name, values in (("normal", rows["normal"]), ("friction_x", rows["friction"][:, 0])):
            np.testing.assert_allclose(values, history[f"{name}(block|floor)"][touched], 1e-8)
        np.testing.assert_allclose(rows["force"][:, 2], rows["normal"] + rows["friction"][:, 2],
                                   1e-6)

    def test_run_and_what_it_leaves(self):
        seen = []
        folder = fresh("run")
        done = stiction.run(floor(duration="0.2 s"), folder, progress=seen.append)
        self.assertEqual(done["status"], "finished")
        self.assertEqual(done, stiction.summary(folder))
        self.assertEqual(len(seen), done["steps"] + 1)
        self.assertEqual((seen[0].time, seen[-1].time, seen[-1].duration), (0, 0.2, 0.2))
        self.assertEqual(seen[-1].frames_written, seen[-1].frame_count)
        self.assertEqual(seen[-1].report.step, done["steps"])
        history = stiction.history(folder)
        np.testing.assert_allclose(history["time"], [one.time for one in seen])
        np.testing.assert_allclose(history["total_energy"],
                                   [one.report.total_energy for one in seen])
        self.assertEqual(history.units["total_energy"], "J")
        self.assertEqual(history.units["step"], "")
        self.assertIn("normal(block|floor)", history)
        self.assertIn("kinetic_energy", history._repr_html_())
        self.check_contacts(folder, history)

        frames = stiction.frames(folder)
        self.assertEqual(len(frames), done["frames"])
        last = frames[-1]
        self.assertEqual(last.time, 0.2)
        self.assertEqual(frames.times[-1], 0.2)
        self.assertEqual((len(last.positions), len(last.tets)), (done["vertices"], done["tets"]))
        self.assertEqual(last.points["velocity"].shape, last.positions.shape)
        self.assertEqual(last.cells["stress"].shape, (done["tets"], 6))
        self.assertEqual(len(frames[1:3]), 2)

        simulation = stiction.Simulation(floor(duration="0.2 s"))
        for report in simulation:
            pass
        np.testing.assert_array_equal(last.positions, simulation.positions)
        np.testing.assert_array_equal(last.tets, simulation.bodies["block"].tets)
        np.testing.assert_allclose(last.points["force_contact"], simulation.forces["contact"],
                                   rtol=1e-6)

    def test_frames_of_several_processes(self):
        scene = block(duration="0.05 s")
        plain, hdf = fresh("plain"), fresh("hdf")
        stiction.run(scene, plain)
        scene.set("output.frames", "vtkhdf")
        stiction.run(scene, hdf)
        self.assertTrue(sorted(Path(hdf, "frames").glob("*.vtkhdf")))
        if find_spec("h5py") is None:
            with self.assertRaisesRegex(stiction.BadInput, "h5py"):
                stiction.frames(hdf)[0]
            return
        one, other = stiction.frames(plain), stiction.frames(hdf)
        np.testing.assert_array_equal(one.times, other.times)
        for a, b in zip(one, other):
            self.assertEqual(a.time, b.time)
            for name in ("positions", "tets", "triangles"):
                np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
            for part in ("points", "cells"):
                mine, theirs = getattr(a, part), getattr(b, part)
                self.assertEqual(sorted(mine), sorted(theirs))
                for name, values in mine.items():
                    np.testing.assert_array_equal(values, theirs[name])
        first = sorted(Path(hdf, "frames").glob("*.vtkhdf"))[0]
        os.truncate(first, os.path.getsize(first) // 2)
        with self.assertRaisesRegex(stiction.BadInput, first.name):
            other[0]

    def test_what_is_damaged_or_not_there_is_named(self):
        folder = fresh("damaged")
        stiction.run(block(duration="0.05 s"), folder)
        with self.assertRaisesRegex(KeyError, "did you mean 'total_energy'"):
            stiction.history(folder)["total_enregy"]
        paths = sorted(Path(folder, "frames").glob("*.vtu"))
        os.truncate(paths[0], os.path.getsize(paths[0]) // 2)
        paths[1].unlink()
        for path, index in zip(paths, (0, 1)):
            with self.assertRaisesRegex(stiction.BadInput, path.name):
                stiction.frames(folder)[index]

    def test_a_run_that_is_there_is_left_alone(self):
        folder = fresh("kept")
        stiction.run(block(duration="0.05 s"), folder)
        with self.assertRaisesRegex(stiction.BadInput, "kept"):
            stiction.run(block(duration="0.05 s"), folder)
        stiction.run(block(duration="0.03 s"), folder, overwrite=True)
        self.assertEqual(stiction.summary(folder)["time_s"], 0.03)

    def test_reuse(self):
        folder, steps = fresh("reused"), []
        for _ in range(2):
            done = stiction.run(block(), folder, reuse=True,
                                progress=lambda at: steps.append(at.time))
            self.assertEqual(done["status"], "finished")
        self.assertEqual(len(steps), done["steps"] + 1)  # the second time nothing ran

    def test_stop_and_resume(self):
        whole, parts = fresh("whole"), fresh("parts")
        scene = floor(duration="0.3 s")
        stiction.run(scene, whole)
        with self.assertRaises(stiction.Interrupted) as caught:
            stiction.run(scene, parts, progress=lambda at: at.time < 0.1)
        self.assertIn("parts", str(caught.exception))
        done = stiction.run(scene, parts, resume=True)
        self.assertEqual(done["status"], "finished")
        for name in ("total_energy", "centre_of_mass_z"):
            np.testing.assert_array_equal(stiction.history(parts)[name],
                                          stiction.history(whole)[name])

    def test_exceptions_stop_and_pass(self):
        def fails(at):
            if at.time > 0.05:
                raise ZeroDivisionError("mine")

        folder = fresh("failed")
        with self.assertRaisesRegex(ZeroDivisionError, "mine"):
            stiction.run(block(), folder, progress=fails)
        self.assertEqual(stiction.run(block(), folder, resume=True)["status"], "finished")

    def test_motion_in_a_run(self):
        scene = block(duration="0.1 s")
        scene.add_boundary("grip", body="block", region={"label": "x-"})
        scene.set_motion("grip", lambda time: [0, 0.5 * time, 0])
        folder = fresh("moved")
        stiction.run(scene, folder)
        frames = stiction.frames(folder)
        moved = frames[-1].positions - frames[0].positions
        self.assertAlmostEqual(moved[:, 1].max(), 0.05, delta=5e-3)

    def test_no_folder_of_a_run(self):
        for read in (stiction.history, stiction.frames, stiction.summary):
            with self.assertRaisesRegex(stiction.BadInput, "not the folder of a run"):
                read("nowhere")


class Interrupts(unittest.TestCase):
    """Ctrl-C comes while the library computes, and takes effect after the step."""

    def interrupted(self, call, under_way):
        def interrupt():
            while not under_way():
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGINT)

        watcher = threading.Thread(target=interrupt, daemon=True)
        watcher.start()
        with self.assertRaises(KeyboardInterrupt):
            call()
        watcher.join()

    def test_steps(self):
        simulation = stiction.Simulation(floor(duration="1000 s"))
        taken = []

        def forever():
            while True:
                taken.append(simulation.step())

        self.interrupted(forever, lambda: len(taken) > 2)
        before = simulation.report.step
        self.assertGreaterEqual(before, len(taken))
        self.assertEqual(simulation.step().step, before + 1)

    def test_run(self):
        folder = Path(fresh("stopped"))
        self.interrupted(lambda: stiction.run(floor(duration="1000 s"), folder),
                         lambda: (folder / "history.csv").exists())
        self.assertEqual(stiction.summary(folder)["status"], "interrupted")
        self.assertTrue((folder / "checkpoint.h5").exists())

    def test_experiment(self):
        folder = Path(fresh("slide"))
        self.interrupted(lambda: stiction.experiment("block-slide", out=folder),
                         lambda: any(folder.glob("*/history.csv")))
        self.assertFalse((folder / "summary.json").exists())


class Program(unittest.TestCase):
    def test_experiment(self):
        result = stiction.experiment("friction-curves", out=fresh("curves"))
        self.assertEqual(result, json.loads(Path("curves/summary.json").read_text()))
        self.assertIn("friction-curves", stiction.experiments())

    def test_mistakes(self):
        with self.assertRaises(stiction.BadInput) as caught:
            stiction.experiment("friction-curve")
        said = program("experiment", "friction-curve")
        self.assertEqual(str(caught.exception), said.stderr.strip().removeprefix("stiction: "))
        with self.assertRaises(stiction.BadInput):
            stiction.experiment("friction-curves", set={"colour": 3})

    def test_catalogue(self):
        self.assertIn("friction", [one["name"] for one in stiction.catalogue()["forces"]])
        self.assertEqual(list(stiction.catalogue("shapes")), ["shapes"])

    def test_command(self):
        command = [sys.executable, "-m", "stiction", "--version"]
        said = subprocess.run(command, capture_output=True, text=True, check=True)
        self.assertIn(stiction.version(), said.stdout)


class Plots(unittest.TestCase):
    def test_svg(self):
        drawn = stiction.plot({"points & lines": ([1, 2, 3], [1.0, 4.0, 9.0]),
                               "squares": ([1, 2, 3], [1, 4, 9], "reference")}, "squares.svg",
                              title="Squares", x="x (m)", y="y (m²)")
        text = Path("squares.svg").read_text(encoding="utf-8")
        self.assertEqual(drawn._repr_svg_(), text)
        self.assertTrue(text.startswith("<svg") or text.startswith("<?xml"), text[:40])
        for word in ("Squares", "x (m)", "y (m²)", "points &amp; lines"):
            self.assertIn(word, text)
        stiction.plot({"one": ([1, 2], [1, 2])}, "one.png")
        self.assertEqual(Path("one.png").read_bytes()[:4], b"\x89PNG")
        self.assertIn("<svg", stiction.plot({"one": ([1, 10], [1, 100], "line")}, log_x=True,
                                            log_y=True).svg)

    def test_mistakes(self):
        with self.assertRaisesRegex(stiction.BadInput, "no style 'dots'"):
            stiction.plot({"one": ([1], [1], "dots")})
        with self.assertRaisesRegex(stiction.BadInput, "same length"):
            stiction.plot({"one": ([1, 2], [1])})
        with self.assertRaisesRegex(stiction.SystemFault, "nowhere/plot.svg"):
            stiction.plot({"one": ([1, 2], [1, 2])}, "nowhere/plot.svg")


if __name__ == "__main__":
    unittest.main()
