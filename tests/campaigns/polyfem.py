"""PolyFEM's own scenes: imported, run, and compared with the norms of the displacement that they publish.

The scenes are those of PolyFEM's repository of test data. Each names, under "tests", the norms at the end of a number
of steps; the norm of the displacement u is err_l2 = (∫ |u|² dV)^½ over the bodies at rest, err_linf its largest
component by magnitude. Runs of hundreds of steps are shortened on request (--steps), and then have nothing to be
compared with.
"""
import json
import shutil
import sys
from pathlib import Path

import numpy as np

from common import add_program, each, out_folder, parser_of
from outside.frame import Grid
from outside.launch import launch

STATIC = "static"


def read_scene(path):
    """The scene with the files below it, as far as its tests are concerned."""
    scene = json.loads(path.read_text())
    below = read_scene(path.parent / scene["common"]) if scene.get("common") else {}
    for key in ("tests", "time"):
        if isinstance(scene.get(key), dict):
            below[key] = {**below.get(key, {}), **scene[key]}
    return below


def step_count(scene):
    """Steps after which the norms are taken, and the length of a step; None: nothing to compare with."""
    tests, time = scene.get("tests", {}), scene.get("time")
    if not time or "err_l2" not in tests or tests.get("time_steps") == STATIC:
        return None
    whole = time.get("time_steps") or round((time["tend"] - time.get("t0", 0)) / time["dt"])
    step = time.get("dt") or time["tend"] / time["time_steps"]
    steps = tests.get("time_steps", 1)
    return (whole if steps == "all" else min(int(steps), whole)), step


def norms(first, last):
    """Of the displacement between two frames: L2 over the tetrahedra, and the largest component."""
    shift = last.points - first.points
    corner = first.points[first.tets]
    volume = np.abs(np.einsum("ij,ij->i", corner[:, 1] - corner[:, 0],
                              np.cross(corner[:, 2] - corner[:, 0], corner[:, 3] - corner[:, 0]))) / 6
    u = shift[first.tets]
    square = (np.einsum("tik,tik->t", u, u) + np.einsum("tik,tjk->t", u, u)) / 20
    return float(np.sqrt((volume * square).sum())), float(np.abs(shift).max())


def run(given, path):
    """One scene: a row of the table."""
    name = path.relative_to(given.data).with_suffix("")
    folder = given.out / str(name).replace("/", "_")
    row = {"name": str(name), "wanted": None}
    scene = read_scene(path)
    count = step_count(scene)
    if count is None:
        return {**row, "outcome": "no norms"}
    if given.steps and count[0] > given.steps:
        return {**row, "outcome": f"{count[0]} steps"}
    row["wanted"] = scene["tests"]["err_l2"]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    words = [given.program, "import", str(path), "--out", str(folder / "scene.json")]
    imported = launch(words, folder, given.limit)
    if imported["exit"] != 0:
        return {**row, "outcome": "not imported", "said": imported["said"][-200:]}
    end = count[0] * count[1]
    words = [given.program, "run", str(folder / "scene.json"), "--out", str(folder / "run"), "--quiet", "--threads", "1",
             "--set", f"time.duration={end}", "--set", f"time.frame_rate={1 / end}"]
    ran = launch(words, folder, given.limit)
    if ran["exit"] != 0:
        return {**row, "outcome": f"exit {ran['exit']}", "said": ran["said"][-200:]}
    frames = sorted(folder.glob("run/frames/*.vtu")) or sorted(folder.glob("run/*.vtu"))
    l2, largest = norms(Grid(frames[0]), Grid(frames[-1]))
    return {**row, "outcome": "ran", "steps": count[0], "l2": l2, "linf": largest,
            "off": l2 / row["wanted"] - 1, "seconds": ran.get("seconds")}


def print_row(row):
    if row["outcome"] != "ran":
        print(f"{row['name']:60} {row['outcome']} {row.get('said', '').strip()}", flush=True)
        return
    print(f"{row['name']:60} {row['steps']:5} {row['wanted']:12.5g} {row['l2']:12.5g} {100 * row['off']:+9.3f} %", flush=True)


def main(words):
    parser = parser_of("polyfem", __doc__)
    add_program(parser)
    parser.add_argument("--data", type=lambda text: Path(text).resolve(), required=True,
                        help="folder with PolyFEM's test data")
    parser.add_argument("scenes", nargs="*", default=["contact/examples/3D/unit-tests"],
                        help="scenes or folders of them, relative to the data (contact/examples/3D/unit-tests)")
    parser.add_argument("--out", type=lambda text: Path(text).resolve(), default=out_folder("polyfem"))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--steps", type=int, default=0, help="leave out scenes of more steps")
    parser.add_argument("--limit", type=int, default=600, help="s of processor time for each run (600)")
    given = parser.parse_args(words)
    paths = []
    for name in given.scenes:
        at = given.data / name
        paths += sorted(at.rglob("*.json")) if at.is_dir() else [at]
    print(f"{'scene':60} {'steps':>5} {'published':>12} {'here':>12} {'off':>11}")
    rows = list(print_and_keep(each(Work(given), paths, given.jobs)))
    ran = [row for row in rows if row["outcome"] == "ran"]
    if not ran:
        print("campaign polyfem: nothing was compared", file=sys.stderr)
        return 2
    print(f"\n{len(ran)} of {len(rows)} compared; half of them are off by less than "
          f"{100 * np.median([abs(row['off']) for row in ran]):.3f} %")
    return 0


class Work:
    """`run` with the options, for other processes."""

    def __init__(self, given):
        self.given = given

    def __call__(self, path):
        return run(self.given, path)


def print_and_keep(rows):
    for row in rows:
        print_row(row)
        yield row
