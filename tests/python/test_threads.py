"""Threads, calls from within callbacks, and arrays that outlive the library."""

import gc
import subprocess
import sys
import threading
import unittest

import numpy as np

import stiction
from world import block, floor


def in_threads(*functions):
    """Runs them at the same time and raises the first exception of any."""
    raised = []

    def guard(function):
        try:
            function()
        except BaseException as exception:
            raised.append(exception)

    threads = [threading.Thread(target=guard, args=(function,)) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]


def held(function):
    scene = block()
    scene.add_boundary("foot", region={"label": "z-"})
    scene.set_motion("foot", function)
    return stiction.Simulation(scene)


class Threads(unittest.TestCase):
    def test_simulations_of_their_own(self):
        def run(results, index):
            results[index] = [report.total_energy for report in stiction.Simulation(floor())]

        wanted, got = {}, {}
        run(wanted, 0)
        in_threads(*(lambda index=index: run(got, index) for index in range(4)))
        self.assertEqual(len(wanted[0]), 50)
        for index in range(4):
            self.assertEqual(got[index], wanted[0])

    def test_steps_run_at_once(self):
        """Each step ends only when the other one is under way."""
        meeting, met = threading.Barrier(2, timeout=60), []

        def run(meet):
            simulation = held(lambda time: meet(time) or [0, 0, 0])
            for _ in range(3):
                simulation.step()

        def meeting_once():
            seen = []

            def meet(time):
                if time > 0.015 and not seen:
                    seen.append(time)
                    met.append(meeting.wait())

            return meet

        in_threads(*(lambda: run(meeting_once()) for _ in range(2)))
        self.assertEqual(sorted(met), [0, 1])

    def test_errors_stay_with_their_simulation(self):
        def run(text):
            for _ in range(20):
                simulation = stiction.Simulation(block())
                with self.assertRaisesRegex(stiction.BadInput, text):
                    simulation.parameters[text] = 1

        in_threads(*(lambda name=name: run(name) for name in ("first", "second", "third")))

    def test_one_shared_simulation(self):
        simulation = stiction.Simulation(block())
        wanted = [report.total_energy for report in stiction.Simulation(block())]
        got, stop = [], threading.Event()

        def step():
            for _ in range(10):
                report = simulation.step()
                got.append((report.step, report.total_energy))

        def watch():
            while not stop.is_set():
                self.assertLessEqual(simulation.time, 0.2 + 1e-9)
                self.assertIn("vertices", repr(simulation))

        def both():
            in_threads(step, step)
            stop.set()

        in_threads(both, watch)
        self.assertEqual([energy for _, energy in sorted(got)], wanted)

    def test_functions_of_two_simulations(self):
        """Each thread's callbacks get the interpreter while the other waits for its turn."""
        def run():
            simulation = held(lambda time: [0, 0, 0.1 * time])
            for _ in simulation:
                pass
            np.testing.assert_allclose(simulation.boundaries["foot"].vertices.size, 4)

        in_threads(run, run, run)


class WithinCalls(unittest.TestCase):
    def refused(self, call, words):
        """What a motion gets that makes this call during a step; the next step works."""
        texts = []

        def move(time):
            if simulation is not None and not texts:
                try:
                    call(simulation)
                except stiction.BadInput as refusal:
                    texts.append(str(refusal))
            return [0, 0, 0]

        simulation = None
        simulation = held(move)
        simulation.step()
        self.assertEqual(len(texts), 1)
        self.assertIn(words, texts[0])
        self.assertEqual(simulation.step().step, 2)

    def test_step(self):
        self.refused(lambda simulation: simulation.step(),
                     "step: called from a function that the library called")

    def test_state_changed(self):
        self.refused(lambda simulation: simulation.state_changed(), "state_changed: called from")

    def test_another_simulation(self):
        other = stiction.Simulation(block())
        other.step()
        self.refused(lambda _: other.step(), "step: called from")
        other.step()

    def test_run(self):
        self.refused(lambda _: stiction.run(block(), "never"), "called from within a callback")

    def test_new_scene(self):
        self.refused(lambda _: block().check(), "called from within a callback")

    def test_a_refusal_that_is_not_caught_ends_the_step(self):
        def move(time):
            if begun:
                simulation.step()
            return [0, 0, 0]

        begun = False
        simulation = held(move)
        simulation.step()
        begun = True
        with self.assertRaisesRegex(stiction.BadInput, "step: called from"):
            simulation.step()
        begun = False
        self.assertEqual(simulation.step().step, 2)

    def test_looking_is_fine(self):
        seen = []

        def move(time):
            if begun:
                seen.append((simulation.time, simulation.report.step, simulation.vertex_count))
            return [0, 0, 0]

        begun = False
        simulation = held(move)
        simulation.step()
        begun = True
        simulation.step()
        self.assertEqual(seen[0][1:], (1, simulation.vertex_count))
        self.assertAlmostEqual(seen[0][0], 0.01)

    def test_garbage(self):
        """Simulations that nobody holds any more may be found during a step."""
        def move(time):
            litter.clear()
            gc.collect()
            return [0, 0, 0]

        litter = [stiction.Simulation(block()) for _ in range(3)]
        for simulation in litter:
            simulation.step()
        simulation = held(move)
        simulation.step()
        simulation.step()
        self.assertEqual(litter, [])


OUTLIVE = """
import atexit, sys
import numpy as np
sys.path.insert(0, sys.argv[1])

@atexit.register  # before the library's own: it runs after that one
def look():
    assert np.array_equal(positions, kept), "positions"
    assert np.array_equal(rest, kept_rest), "rest"
    positions[0, 0] = 7
    try:
        simulation.step()
    except stiction.Error as error:
        assert "closed" in str(error), error
    else:
        raise SystemExit("a step was taken")
    try:
        stiction.Simulation(block())
    except stiction.Error as error:
        assert "closed" in str(error), error
    print("looked")

import stiction
from world import block
simulation = stiction.Simulation(block())
simulation.step()
positions, rest = simulation.positions, simulation.bodies["block"].rest
kept, kept_rest = positions.copy(), rest.copy()
"""

THREAD_LEFT = """
import sys, threading
sys.path.insert(0, sys.argv[1])
import stiction
from world import floor
simulation = stiction.Simulation(floor(duration="1000 s"))
begun = threading.Event()

def work():
    while True:
        simulation.step()
        begun.set()

threading.Thread(target=work, daemon=True).start()
begun.wait()
print("ends")
"""


class End(unittest.TestCase):
    def ends_well(self, script, word):
        done = subprocess.run([sys.executable, "-c", script, sys.path[0]], capture_output=True,
                              text=True, timeout=200, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(word, done.stdout)

    def test_arrays_outlive_the_library(self):
        self.ends_well(OUTLIVE, "looked")

    def test_a_thread_that_still_steps(self):
        self.ends_well(THREAD_LEFT, "ends")


if __name__ == "__main__":
    unittest.main()
