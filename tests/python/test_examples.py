"""The examples, at reduced size: they end well, and what they find is right."""

import math
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

FOLDER = Path(os.environ["STICTION_SOURCE"], "examples", "python")


def run(name, *arguments):
    done = subprocess.run([sys.executable, FOLDER / name, *arguments], capture_output=True,
                          text=True, check=False)
    if done.returncode:
        raise AssertionError(f"{name} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


class Examples(unittest.TestCase):
    def test_slope_threshold(self):
        said = run("slope_threshold.py", "--coefficients", "0.2", "0.5", "--rate", "20")
        rows = re.findall(r"^ *([0-9.]+) +([0-9.]+)° +([0-9.]+)°$", said, flags=re.M)
        self.assertEqual(len(rows), 2, said)
        for coefficient, measured, expected in rows:
            self.assertAlmostEqual(float(expected), math.degrees(math.atan(float(coefficient))),
                                   delta=0.01)
            self.assertAlmostEqual(float(measured), float(expected), delta=0.4)  # two steps
        self.assertIn("arctan", Path("slope_threshold.svg").read_text(encoding="utf-8"))

    def test_fit_slide(self):
        for noise, share in (("0", 0), ("0.002", 2)):  # within two standard errors
            said = run("fit_slide.py", "--noise", noise)
            rows = re.findall(r" ([0-9.]+) ± ([0-9.]+) +true ([0-9.]+)", said)
            self.assertEqual(len(rows), 2, said)
            for value, error, true in rows:
                self.assertAlmostEqual(float(value), float(true),
                                       delta=1e-3 * float(true) + share * float(error))

    def test_tune_grip(self):
        said = run("tune_grip.py", "--trials", "8")
        found = re.search(r"just holds at ([0-9.]+) N; m g / 2μ = ([0-9.]+) N", said)
        self.assertTrue(found, said)
        self.assertAlmostEqual(float(found[2]), 9.81, delta=0.01)
        # Eight trials tell 0.04 mm, or 0.4 N, apart; what holds is never below.
        self.assertGreater(float(found[1]), 0.995 * float(found[2]))
        self.assertLess(float(found[1]), float(found[2]) + 0.4)

    def test_push_env(self):
        said = run("push_env.py", "--episodes", "2")
        places = re.findall(r"block at ([0-9.]+) mm.*reached", said)
        self.assertEqual(len(places), 2, said)
        for place in places:
            self.assertAlmostEqual(float(place), 100, delta=5)

    def test_grasp_env(self):
        said = run("grasp_env.py", "--envs", "3")
        found = re.search(r"3 episodes, 3 lifted the block, mean return ([0-9.]+)", said)
        self.assertTrue(found, said)
        # 2 cm at 100 per metre, less what pressing by 2 N costs in half a second
        self.assertAlmostEqual(float(found[1]), 2, delta=0.1)
        self.assertEqual(run("grasp_env.py", "--envs", "3", "--workers", "1"), said)

    def test_rollouts(self):
        said = run("rollouts.py", "--rollouts", "32")
        found = re.search(r"32 rollouts; best: ([0-9.]+) m/s, block at ([0-9.]+) m", said)
        self.assertTrue(found, said)
        self.assertAlmostEqual(float(found[2]), 0.12, delta=0.02)

    def test_grasps(self):
        said = run("grasps.py", "--count", "5", "--edge", "2.5")
        found = re.search(r"held: ([0-9.]+); m g / 2 F = ([0-9.]+)", said)
        self.assertTrue(found, said)
        # Friction is spread from 0.1 to 0.9 by 0.2: of 0.3 and 0.5 the latter is the first to hold.
        self.assertAlmostEqual(float(found[2]), 0.307, delta=0.0051)
        self.assertEqual(float(found[1]), 0.5)
        self.assertIn("m g / 2 F", Path("grasps.svg").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
