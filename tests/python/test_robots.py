"""docs/robots.md: its blocks run as they stand there and print what it says."""

import os
import re
import sys
import tempfile
import unittest
from pathlib import Path

import stiction
from world import program

sys.path.insert(0, os.path.join(os.environ["STICTION_SOURCE"], "tests", "docs"))
import robots  # noqa: E402  pylint: disable=wrong-import-position

NUMBER = r"[0-9]+(?:\.[0-9]+)?"


class Page(unittest.TestCase):
    def test_blocks(self):
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            try:
                said = robots.run(folder)
                self.works_on_the_recording()
            finally:
                os.chdir(here)
        self.assertEqual(sum(bool(text) for text, _ in said), 3)
        for text, printed in said:
            self.assertEqual(re.sub(NUMBER, "#", text), re.sub(NUMBER, "#", printed))
            for told, found in zip(re.findall(NUMBER, text), re.findall(NUMBER, printed)):
                # A bisection and a list of twenty tell values apart by 3 %, counts by one.
                self.assertAlmostEqual(float(told), float(found), delta=0.06 * float(told), msg=text)

    def works_on_the_recording(self):
        self.assertEqual(stiction.summary("out/grasp")["status"], "finished")
        done = program("view", "out/grasp", "--no-open")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("out/grasp-force.svg", "out/grasps.svg"):
            self.assertIn("<svg", Path(name).read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
