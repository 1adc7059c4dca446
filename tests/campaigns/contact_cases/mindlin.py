"""Cattaneo and Mindlin: a long round body is pressed onto another and sheared by Q < μP. What slips does so from the rim
inwards; the width of what sticks and the energy that a cycle of Q takes are known.

First it is pulled until all of it slides, which wipes out what pressing has left of shear (bodies that differ in
stiffness, such as one on an obstacle, drag each other along while they are pressed). From any turn of the pull on, with
D the change of Q over 2μP, the part √(1 − D) of the half-width sticks."""

import numpy as np

from . import mesh
from .case import Finding, add
from .stage import Stage

FRICTION, YOUNG, RADIUS, STEP = 0.3, 1e7, 1.0, 0.1  # steps are long: no inertia
PATCH = 0.03  # m: about the half-width that touches
EXTENT = 20 * PATCH  # of a body, up and to either side
THICKNESS, KAPPA = 5e-6, 1.5e5  # 1/90 of how far they are pressed into each other; pressure in the middle
PRESS, SLIDE, TURN = 20, 8, 24  # steps
ALLOWED = 0.03


def graded(cell, fine, extent, growth=1.3):
    """Places from 0 on: equal cells as far as `fine`, then larger and larger ones."""
    count = round(fine / cell)
    places = [k * cell for k in range(count + 1)]
    while places[-1] < extent:
        cell *= growth
        places.append(places[-1] + cell)
    places = np.array(places)
    places[count + 1:] = fine + (places[count + 1:] - fine) * (extent - fine) / (places[-1] - fine)
    return places


def half(cell, width, radius):
    """A block that is round below: one cell along y."""
    x, z = graded(cell, 1.4 * PATCH, EXTENT), graded(cell, 0.5 * PATCH, EXTENT)
    shape = mesh.lattice(np.concatenate([-x[:0:-1], x]), [0, width], z)
    shape.points[:, 2] += shape.points[:, 0]**2 / (2 * radius) * (1 - shape.points[:, 2] / EXTENT)
    return shape


class Strip:
    def __init__(self, on, cells, poisson, press, turn, own=True):
        """own: with a thickness and stiffness made for the case, not those that the program chooses."""
        self.on, self.cell, self.poisson, self.press, self.turn, self.own = on, PATCH / cells, poisson, press, turn, own
        self.stiffness = YOUNG / (1 - poisson**2) / (1 if on == "floor" else 2)  # E*

    def make(self, folder):
        stage = Stage(folder, STEP, STEP * (PRESS + SLIDE + 3 * TURN), gravity=0)
        stage.solid("plastic", YOUNG, poisson=self.poisson)
        radius = RADIUS if self.on == "floor" else 2 * RADIUS
        upper = half(self.cell, self.cell, radius).moved(shift=[0, 0, 0.5 * THICKNESS])
        self.add(stage, "upper", upper, {"keys": self.pull()})
        if self.on == "floor":
            stage.floor()
        else:  # meshes that do not match
            lower = half(1.3 * self.cell, self.cell, radius)
            self.add(stage, "lower", mesh.Mesh(lower.points * [1, 1, -1], lower.cells), None)
        stage.rub(FRICTION)
        if self.own:
            stage.contact(thickness=THICKNESS, stiffness=KAPPA)
        stage.scene["output"]["forces"] = True
        return stage.finish(solver={"velocity_tolerance": 1e-6, "change_tolerance": 1e-8})

    def add(self, stage, name, shape, motion):
        """All sides but the round one go along with the motion; plane strain."""
        stage.mesh(name, shape, "plastic")
        high, far = np.abs(shape.points[:, 2]).max(), EXTENT * (1 - 1e-4)
        outer = [box([side * EXTENT, -1, -1], [side * EXTENT, 1, 1]) for side in (-1, 1)]
        top = high if shape.points[:, 2].max() > 0.5 * high else -high
        outer.append(box([-EXTENT, -1, top], [EXTENT, 1, top]))
        stage.hold("outside of " + name, name, outer, **({"motion": motion} if motion else {}))
        near = sorted([0.9999 * top, -np.sign(top)])
        stage.hold("ends of " + name, name, box([-far, -1, near[0]], [far, 1, near[1]]), hold=["y"])

    def pull(self):
        """Down, aside until all slides, then back and forth."""
        full, back = 1e-3, 0.97 * self.turn
        course = [(PRESS, 0), (SLIDE, full), (TURN, full - self.turn), (TURN, full - self.turn + back),
                  (TURN, full - self.turn)]
        keys, steps = [{"time": 0, "translate": [0, 0, 0]}], 0
        for count, aside in course:
            steps += count
            keys.append({"time": STEP * steps, "translate": [aside, 0, -self.press]})
        return keys

    def measure(self, run):
        sticks, touch = self.sticks(run), self.touch(run)
        cycle, power = self.cycle(run)
        finding = Finding(f"half-width {100 * (touch - 1):+.1f} %; what sticks {100 * sticks.mean():+.1f} ± "
                          f"{100 * sticks.std():.1f} %; a cycle's energy {100 * cycle:+.1f} %, by friction_power "
                          f"{100 * power:+.1f} %")
        finding.expect(abs(sticks.mean()) <= ALLOWED and sticks.std() <= ALLOWED, "what sticks")
        return finding.expect(abs(cycle) <= ALLOWED, "energy")

    def columns(self, run):
        """Pairs of vertices across the round side of the upper body, by x."""
        first = run.grids[0]
        body = np.unique(first.tets[first.tet_body == 0])
        place = np.round(first.points[body, 0], 9)
        found = []
        for x in np.unique(place):
            column = body[place == x]
            height = first.points[column, 2]
            found.append(column[height < height.min() + 1e-9])
        return np.array([column for column in found if len(column) == 2])

    def profile(self, grid, columns):
        """Place, pressure and shear over x, per metre along y."""
        x, rest = grid.points[columns].mean(1)[:, 0], self.rest
        press, shear = (grid.fields[name][columns].astype(float).sum(1)[:, axis] / (rest * self.cell)
                        for name, axis in (("force_contact", 2), ("force_friction", 0)))
        return x, press, shear

    def sticks(self, run):
        """Relative error of the width that sticks, at all loads between turns: where friction falls short of μN."""
        columns, errors, last = self.columns(run), [], 0.0
        self.rest = np.gradient(run.grids[0].points[columns].mean(1)[:, 0])
        for k in range(PRESS + SLIDE, len(run.grids)):
            x, press, shear = self.profile(run.grids[k], columns)
            load = (shear @ self.rest) / (FRICTION * (press @ self.rest))
            if (k - PRESS - SLIDE) % TURN == 0:
                last = load
                continue
            wide = self.rest @ (np.abs(shear) < 0.995 * FRICTION * press) / 2
            errors.append(wide / (half_width(x, press) * np.sqrt(1 - abs(load - last) / 2)) - 1)
        return np.array(errors)

    def touch(self, run):
        """Half-width that touches over that of Hertz."""
        x, press, _ = self.profile(run.grids[PRESS], self.columns(run))
        return half_width(x, press) / np.sqrt(4 * (press @ self.rest) * RADIUS / (np.pi * self.stiffness))

    def cycle(self, run):
        """Relative error of the energy of the last cycle: ∮Q dδ, and what friction says that it took. By the law of
        the turn the branches are those of the first loading, twice as large, and of that
        δ = μP/(πE*) [(1 − q) ln(1 − q) + C q], q = Q/μP; C, which depends on what is far away, takes no energy."""
        history, time = run.history, run.history["time"]
        name = next(key for key in history if key.startswith("friction_x(upper|") and "upper|upper" not in key)
        pull, load = -history[name] / self.cell, history[name.replace("friction_x", "normal")] / self.cell
        keys = self.pull()
        aside = np.interp(time, [key["time"] for key in keys], [key["translate"][0] for key in keys])
        ends = [int(np.argmin(np.abs(time - key["time"]))) for key in keys[3:]]
        part = slice(ends[0], ends[2] + 1)
        took = np.sum((pull[part][1:] + pull[part][:-1]) / 2 * np.diff(aside[part]))
        power = -np.sum(history["friction_power"][part][1:] * np.diff(time[part])) / self.cell
        strength = FRICTION * load[part].mean()
        q = abs(pull[ends[1]] - pull[ends[0]]) / (2 * strength)
        wanted = 2 * strength**2 / (np.pi * self.stiffness) * (2 * (1 - q) * np.log(1 - q) + 2 * q - q**2)
        return took / wanted - 1, power / wanted - 1


def box(low, high):
    return {"box": {"min": [float(x) for x in low], "max": [float(x) for x in high]}}


def half_width(x, press, middle=None):
    """Hertz's pressure is a root at the rim: its square falls to zero along a line over x²."""
    steep = (press > 0.15 * press.max()) & (press < 0.8 * press.max())
    middle = (x @ press) / press.sum() if middle is None else middle
    slope, level = np.polyfit((x[steep] - middle)**2, press[steep]**2, 1)
    return np.sqrt(-level / slope)


WANTED = "sticks at √(1 − D) of the half-width, energy of a cycle: within 3 %"
for ON, CELLS, POISSON, DOWN, BACK, OWN in (
        ("floor", 20, 0.45, 1.5e-3, 1e-3, True), ("floor", 30, 0.45, 1.5e-3, 1e-3, True),
        ("body", 20, 0.3, 1.6e-3, 8e-4, True), ("floor", 20, 0.45, 1.5e-3, 1e-3, False),
        ("body", 20, 0.3, 1.6e-3, 8e-4, False)):
    STRIP = Strip(ON, CELLS, POISSON, DOWN, BACK, OWN)
    NAME = f"mindlin-{ON}-{CELLS}" + ("" if OWN else "-default")
    add(NAME, "mindlin", WANTED, STRIP.make, STRIP.measure, crossings=False)
