"""Cattaneo and Mindlin for a sphere: half of a round body, cut where it is symmetric, is pressed onto a floor, pulled
until all of it slides, and pulled back. With D the change of the pull over 2μP, a disc of (1 − D)^⅓ of the radius
sticks."""
import numpy as np

from . import mesh
from .case import Finding, add
from .mindlin import box, graded, half_width
from .stage import Stage

FRICTION, YOUNG, POISSON, RADIUS, STEP = 0.3, 1e7, 0.45, 1.0, 0.1
PATCH, EXTENT = 0.03, 0.24
PRESS, SLIDE, TURN = 8, 4, 8  # steps
DOWN, ASIDE, BACK = 9e-4, 6e-4, 3.6e-4
SLIPS = 0.995  # of μp
LEAST, MOST = 0.1, 0.6  # D: of smaller discs too few cells are left
THICKNESS, KAPPA = 1e-5, 2.5e5  # 1/90 of how far it is pressed down; pressure in the middle
ALLOWED = 0.03


class Ball:
    def __init__(self, cells, own=True):
        """own: with a thickness and stiffness made for the case, not those that the program chooses."""
        self.cell, self.own = PATCH / cells, own

    def make(self, folder):
        stage = Stage(folder, STEP, STEP * (PRESS + SLIDE + TURN), gravity=0)
        stage.solid("plastic", YOUNG, poisson=POISSON)
        along = graded(self.cell, 1.2 * PATCH, EXTENT, 1.5)
        up = graded(self.cell, 0.4 * PATCH, EXTENT, 1.5)
        shape = mesh.lattice(np.concatenate([-along[:0:-1], along]), along, up)
        x, y, z = shape.points.T
        shape.points[:, 2] += (x**2 + y**2) / (2 * RADIUS) * (1 - z / EXTENT) + 1e-5
        stage.mesh("ball", shape, "plastic")
        self.hold(stage, shape.points[:, 2].max())
        stage.floor()
        stage.rub(FRICTION)
        if self.own:
            stage.contact(thickness=THICKNESS, stiffness=KAPPA)
        stage.scene["output"]["forces"] = True
        return stage.finish()

    def hold(self, stage, top):
        """The outside goes along with the motion, and the plane of symmetry stays in itself."""
        far, near = EXTENT, EXTENT * (1 - 1e-4)
        outer = [box([-far, far, -1], [far, far, 1]), box([-far, 0, top], [far, far, top])]
        outer += [box([x, 0, -1], [x, far, 1]) for x in (-far, far)]
        ends = np.cumsum([0, PRESS, SLIDE, TURN]) * STEP
        course = [[0, 0, 0], [0, 0, -DOWN], [ASIDE, 0, -DOWN], [ASIDE - BACK, 0, -DOWN]]
        keys = [{"time": t, "translate": u} for t, u in zip(ends, course)]
        stage.hold("outside", "ball", outer, motion={"keys": keys})
        stage.hold("symmetry", "ball", box([-near, -1e-6, -1], [near, 1e-6, 0.9999 * top]), hold=["y"])

    def measure(self, run):
        lower, area = self.lower(run.grids[0])
        touch, errors, last = self.touch(run.grids[PRESS], lower, area), [], None
        for grid in run.grids[PRESS + SLIDE:]:
            press, shear = self.forces(grid, lower)
            load = shear[:, 0].sum() / (FRICTION * press.sum())
            last = load if last is None else last
            change = abs(load - last) / 2
            if LEAST < change < MOST:
                holds = np.linalg.norm(shear, axis=1) < SLIPS * FRICTION * press
                radius = np.sqrt(2 * (area @ holds) / np.pi)
                errors.append(radius / (self.radius(grid, lower, area) * (1 - change)**(1 / 3)) - 1)
        errors = np.array(errors)
        finding = Finding(f"radius {100 * (touch - 1):+.1f} %; what sticks {100 * errors.mean():+.1f} ± "
                          f"{100 * errors.std():.1f} % at {len(errors)} loads")
        return finding.expect(abs(errors.mean()) <= ALLOWED and errors.std() <= ALLOWED, "what sticks")

    def lower(self, grid):
        """Vertices of the round side, and their shares of its area."""
        high = np.round(grid.points[:, 2] - (grid.points[:, 0]**2 + grid.points[:, 1]**2) / (2 * RADIUS), 7)
        lower = np.flatnonzero(high <= high.min() + 1e-7)
        points = grid.points[lower]
        shares = []
        for axis in (0, 1):
            places, index = np.unique(np.round(points[:, axis], 9), return_inverse=True)
            width = np.gradient(places)
            width[[0, -1]] = np.diff(places)[[0, -1]] / 2
            shares.append(width[index])
        return lower, shares[0] * shares[1]

    def forces(self, grid, lower):
        return (grid.fields["force_contact"][lower, 2].astype(float),
                grid.fields["force_friction"][lower, :2].astype(float))

    def radius(self, grid, lower, area):
        press, _ = self.forces(grid, lower)
        x, y = grid.points[lower, 0], grid.points[lower, 1]
        return half_width(np.hypot(x - (x @ press) / press.sum(), y), press / area, middle=0.0)

    def touch(self, grid, lower, area):
        """Radius that touches over that of Hertz."""
        press, _ = self.forces(grid, lower)
        hertz = (3 * 2 * press.sum() * RADIUS * (1 - POISSON**2) / (4 * YOUNG))**(1 / 3)
        return self.radius(grid, lower, area) / hertz


for OWN in (True, False):
    BALL = Ball(10, OWN)
    add("mindlin-ball" + ("" if OWN else "-default"), "mindlin", "a disc of (1 − D)^⅓ of the radius sticks, within 3 %",
        BALL.make, BALL.measure, crossings=False)
