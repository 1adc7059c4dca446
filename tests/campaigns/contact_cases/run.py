"""A finished run, read from its folder."""
import json

import numpy as np

from outside.frame import Grid
from outside.history import read_contacts, read_history
from outside.judge import COUNTS, Judge
from outside.passage import passages

JUDGED, JUDGED_IF_LARGE = 80, 10  # frames, evenly chosen, that are looked at
LARGEST = 4000  # vertices up to which many frames are judged


class Run:
    def __init__(self, folder, scene, program):
        self.folder, self.scene, self.program = folder, scene, program
        paths = sorted((folder / "frames").glob("frame_*.vtu")) if (folder / "frames").exists() else []
        self.grids = [Grid(path) for path in paths]
        self.times = np.array([grid.time for grid in self.grids])
        path = folder / "summary.json"
        self.summary = json.loads(path.read_text()) if path.exists() else {}
        path = folder / "history.csv"
        self.history = read_history(path) if path.exists() else {}
        path = folder / "contacts.csv"
        self.contacts = read_contacts(path) if path.exists() else {}
        self.bodies = list(scene["bodies"])
        self.weights = [self.weight(number) for number in range(len(self.bodies))] if self.grids else []

    def weight(self, body):
        """Share of each vertex in the mass of a body of one material: tets or triangles give theirs to corners."""
        first = self.grids[0]
        share = np.zeros(len(first.points))
        tets, triangles = first.tets[first.tet_body == body], first.triangles[first.triangle_body == body]
        for cells, measure in ((tets, tet_volumes), (triangles, triangle_areas)):
            if len(cells):
                np.add.at(share, cells, measure(first.points, cells)[:, None])
        return share / share.sum()

    def centres(self, body):
        """Of a body's mass, in all frames."""
        weight = self.weights[self.bodies.index(body)]
        return np.array([weight @ grid.points for grid in self.grids])

    def points(self, body, frame):
        return self.grids[frame].points[self.weights[self.bodies.index(body)] > 0]

    def pair(self, a, b, column):
        """A column of contacts.csv for two that touch, in all steps of the history; zero where they do not touch.
        Forces are those on `a`."""
        steps, values = self.history["step"], np.zeros(len(self.history["step"]))
        for name, sign in ((f"{a}|{b}", 1), (f"{b}|{a}", -1)):
            if name in self.contacts:
                table = self.contacts[name]
                is_vector = column[-2:] in ("_x", "_y", "_z")
                values[np.searchsorted(steps, table["step"])] = table[column] * (sign if is_vector else 1)
        return values

    def crossings(self):
        """Worst counts of the judge over the frames."""
        worst = dict.fromkeys(COUNTS, 0)
        if not self.grids:
            return worst
        judge = Judge(self.scene, self.program, self.grids[0])
        looks = JUDGED if len(self.grids[0].points) <= LARGEST else JUDGED_IF_LARGE
        for k in np.unique(np.linspace(0, len(self.grids) - 1, looks).astype(int)):
            for name, count in judge.count(self.grids[k]).items():
                worst[name] = max(worst[name], count)
        return worst

    def passages(self):
        """Crossings on straight paths between frames that are one step apart."""
        skins = Judge({}, self.program, self.grids[0]).skins if self.grids else []
        return sum(passages(self.grids[k].points, self.grids[k + 1].points, skins)
                   for k in range(len(self.grids) - 1) if self.is_one_step(k))

    def is_one_step(self, frame):
        """Whether one step leads from this frame to the next, so that all moves in between are straight."""
        time, small = self.history.get("time", np.zeros(0)), 1e-6 * self.scene["time"]["step"]
        return np.count_nonzero((time > self.times[frame] + small) & (time < self.times[frame + 1] + small)) == 1

    def is_smooth(self):
        return self.scene.get("contact", {}).get("method") == "smooth"

    def steps(self):
        return self.history["newton_iterations"][1:] if self.history else np.zeros(0)


def tet_volumes(points, cells):
    a, b, c, d = (points[cells[:, k]] for k in range(4))
    return np.abs(np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a))


def triangle_areas(points, cells):
    a, b, c = (points[cells[:, k]] for k in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1)
