"""The reference is up to date, and nothing public is without words and types."""

import inspect
import os
import subprocess
import sys
import unittest

import stiction

ROOT = os.environ["STICTION_SOURCE"]


class Reference(unittest.TestCase):
    def test_page_is_up_to_date(self):
        done = subprocess.run([sys.executable, os.path.join(ROOT, "scripts", "python-reference"),
                               "--check"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_everything_is_described_and_typed(self):
        for name in stiction.__all__:
            thing = getattr(stiction, name)
            self.assertTrue(inspect.getdoc(thing), name)
            members = vars(thing).items() if inspect.isclass(thing) else [(name, thing)]
            for part, member in members:
                if part.startswith("_") or not inspect.isfunction(member):
                    continue
                self.assertTrue(inspect.getdoc(member), f"{name}.{part}")
                typed = inspect.signature(member)
                self.assertIsNot(typed.return_annotation, typed.empty, f"{name}.{part}")
                for parameter in typed.parameters.values():
                    if parameter.name != "self":
                        self.assertIsNot(parameter.annotation, parameter.empty, f"{name}.{part}")

    def test_first_snippets_run(self):
        for page in ("README.md", "docs/python.md"):
            with open(os.path.join(ROOT, page), encoding="utf-8") as file:
                snippet = file.read().split("```python\n")[1].split("```")[0]
            snippet = snippet.replace('"0.5 s"', '"0.05 s"')
            done = subprocess.run([sys.executable, "-c", snippet], capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(done.stdout.splitlines()), 10, done.stdout)


if __name__ == "__main__":
    unittest.main()
