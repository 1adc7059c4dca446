"""Many simulations at once: the same bits as alone, whatever fails beside them."""

import os
import signal
import threading
import unittest

import numpy as np

import stiction
from world import floor


def slide(rollout):
    """How far the block slides that begins at 1 m/s."""
    simulation = rollout.simulation
    simulation.velocities[:, 0] = 1
    simulation.step(0.1)
    return {"way": simulation.report.bodies["block"].centre[0],
            "centre": simulation.report.bodies["block"].centre,
            "steps": simulation.report.step, "draw": rollout.random.random()}


def break_some(rollout):
    if rollout.index == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    if rollout.index == 2:
        os._exit(7)
    if rollout.index == 3:
        rollout.simulation.positions[0] = np.nan
        rollout.simulation.step()
    if rollout.index == 4:
        raise KeyError("a mistake")
    return {"index": rollout.index}


FRICTION = {"friction[0].dynamic": [0.1, 0.2, 0.3, 0.4]}


class Many(unittest.TestCase):
    def test_the_same_however_they_run(self):
        results = {}
        for method, workers in (("fork", 1), ("fork", 3), ("threads", 3), ("spawn", 2)):
            found = stiction.Rollouts(floor(), FRICTION, workers, method=method, seed=5).run(slide)
            self.assertFalse(found.failed.any(), found.errors)
            results[method, workers] = found
        first = results["fork", 1]
        self.assertEqual(first["centre"].shape, (4, 3))
        self.assertTrue(np.all(np.diff(first["way"]) < 0))
        # v t − μ g t² / 2 within the first contact's few steps
        expected = 0.1 - np.array(FRICTION["friction[0].dynamic"]) * 9.81 * 0.1**2 / 2
        np.testing.assert_allclose(first["way"], expected, atol=2e-3)
        for other in results.values():
            for name, column in first.items():
                np.testing.assert_array_equal(other[name], column)
        np.testing.assert_array_equal(first.variations["friction[0].dynamic"],
                                      FRICTION["friction[0].dynamic"])

    def test_what_is_drawn_depends_on_seed_and_number_alone(self):
        spread = {"friction[0].dynamic": lambda random: random.uniform(0.1, 0.6),
                  "bodies.block.translate": lambda random: [random.normal(0, 0.1), 0, 0.0501]}
        few, many, other = (stiction.Rollouts(floor(), spread, count=count, seed=seed).variations
                            for count, seed in ((2, 1), (9, 1), (2, 2)))
        self.assertEqual(few, many[:2])
        self.assertNotEqual(few, other)
        self.assertEqual(len({values["friction[0].dynamic"] for values in many}), 9)

    def test_one_that_crashes_ends_no_other(self):
        rollouts = stiction.Rollouts(floor(), [{}] * 7, 2)
        found = rollouts.run(break_some)
        self.assertEqual(list(found.failed), [False, True, True, True, True, False, False])
        np.testing.assert_array_equal(found["index"], [0, np.nan, np.nan, np.nan, np.nan, 5, 6])
        self.assertEqual(found.errors[1], "the worker process was killed by SIGKILL")
        self.assertEqual(found.errors[2], "the worker process ended with exit code 7")
        self.assertRegex(found.errors[3], "^BadInput: the position of vertex 0 is not a number")
        self.assertIn("KeyError: 'a mistake'", found.errors[4])
        self.assertIn("4 failed", repr(found))
        self.assertIn("SIGKILL", found._repr_html_())

    def test_to_the_end_without_a_function(self):
        found = stiction.Rollouts(floor(duration="0.05 s"), FRICTION).run()
        np.testing.assert_allclose(found["time"], 0.05)
        self.assertEqual(found["block.centre"].shape, (4, 3))

    def test_progress_and_stopping(self):
        seen = []

        def watch(progress):
            seen.append((progress.done, progress.failed, progress.count))
            return progress.done < 2

        for method in ("fork", "threads"):
            seen.clear()
            found = stiction.Rollouts(floor(), [{}] * 6, 1, method=method).run(
                lambda _: {"one": 1.0}, progress=watch)
            self.assertEqual(seen, [(1, 0, 6), (2, 0, 6)])
            self.assertEqual(np.isfinite(found["one"]).sum(), 2)
            self.assertIn("stopped on request", found.errors[5])

    def test_threads_share_what_the_function_knows(self):
        meeting = threading.Barrier(2, timeout=60)

        def meet(rollout):
            met = []

            def move(time):
                if not met and time > 0.01:
                    met.append(meeting.wait())
                return [0, 0, 0]

            rollout.simulation.set_motion("floor", move)
            rollout.simulation.step(0.03)
            return {"met": len(met)}

        found = stiction.Rollouts(floor(), [{}] * 2, 2, method="threads").run(meet)
        self.assertEqual(list(found["met"]), [1, 1], found.errors)

    def test_bad_input(self):
        def refused(words, *arguments, **more):
            with self.assertRaisesRegex(stiction.BadInput, words):
                stiction.Rollouts(floor(), *arguments, **more)

        refused("count is needed", {"friction[0].dynamic": lambda random: 0.5})
        refused("has 2 values, and there are 3", {"time.step": ["1 ms", "2 ms"]}, count=3)
        refused("has 1 values, and there are 2",
                {"time.step": ["1 ms", "2 ms"], "friction[0].dynamic": [0.3]})
        refused("no method 'procs'; there are fork", [{}], method="procs")
        refused("workers must be a whole number from 1 on, not 0", [{}], 0)
        refused("count must be a whole number", {"time.step": "1 ms"}, count=2.5)
        refused("a dictionary of keys, each with", 3)
        refused("there is no 'rubbber' in materials", {"materials.rubbber.young": [1e5]})
        with self.assertRaisesRegex(stiction.BadInput, "there are 0 to 0, not 1"):
            stiction.Rollouts(floor(), [{}]).simulation(1)
        found = stiction.Rollouts(floor(), [{}]).run(lambda rollout: 3)
        self.assertIn("must return a dictionary", found.errors[0])
        with self.assertRaisesRegex(KeyError, "returned no 'way'"):
            found["way"]


if __name__ == "__main__":
    unittest.main()
