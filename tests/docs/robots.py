"""Runs the blocks of docs/robots.md one after the other, in a folder. For each that is followed by what
it prints: a pair of that and of what it has printed.

    python3 tests/docs/robots.py FOLDER
"""

import contextlib
import io
import os
import re
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "robots.md"
BLOCK = re.compile(r"```python\n(?P<code>.*?)```(?:\n\n```text\n(?P<text>.*?)```)?", flags=re.S)


def run(folder):
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    names, said = {"__name__": "robots"}, []
    for block in BLOCK.finditer(PAGE.read_text(encoding="utf-8")):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(block["code"], names)  # pylint: disable=exec-used
        said.append((block["text"] or "", printed.getvalue()))
    return said


if __name__ == "__main__":
    for _, text in run(sys.argv[1]):
        print(text, end="")
