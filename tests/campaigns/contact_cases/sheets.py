"""Five sheets of cloth under a block of 2 kg. The second and the fourth are pulled out, the others are held at an edge.
Each pulled sheet rubs on both faces: it holds until the pull is μ (N above + N below). It is pulled by a force that grows
slowly past that limit, and the part of the limit at which it leaves is measured; or by an edge that moves slowly, and
the force that holds it back is measured while it slides."""
import numpy as np

from . import mesh
from .case import Finding, add
from .stage import G, Stage

FRICTION, STEP = 0.3, 0.01
SIZE, CELLS, AREA_DENSITY = (0.18, 0.12), (9, 6), 0.2
BLOCK, HEAVY, LIGHT, FORCE = (0.1, 0.1, 0.02), 2.0, 0.02, 19.0
SPACE = 4e-4  # between the sheets at the start
CALM, FAST, SLOW = 0.2, 0.3, 0.5  # s: nothing pulls; up to the part LOW of the limit; on to HIGH
ALLOWED = 0.03
LOW, HIGH = 0.9, 1.01 + ALLOWED  # 0.01: time for a sheet that leaves at the last part allowed to move by LEFT
# A sheet that holds moves by stretching, at most 2 mm in 0.3 s. One that leaves is faster at once: a sheet weighs 4 g, and
# the pull at 1.01 of the limit accelerates it by 28 m/s².
LEFT, SPEED = 0.02, 0.1  # m, m/s
DRAG, SLIDES = 0.015, 0.5  # m; the part of the way after which all of the sheet slides
PULLED = (1, 3)
OWN = AREA_DENSITY * SIZE[0] * SIZE[1] * G  # weight of a sheet


def limit(sheet, load):
    """Normal force of both faces, with the weight of the sheets above."""
    above = load + (4 - sheet) * OWN
    return FRICTION * (2 * above + OWN)


class Pile:
    def __init__(self, kind, young=2e4, block="rigid"):
        self.kind, self.young, self.block = kind, young, block
        self.load = HEAVY * G if kind != "pressed" else LIGHT * G + FORCE

    def build(self, folder):
        stage = Stage(folder, STEP, CALM + FAST + SLOW, every=5)
        stage.cloth("cotton", young=self.young, area_density=AREA_DENSITY, stiffness_damping=1e-3)
        self.add_block_material(stage, (LIGHT if self.kind == "pressed" else HEAVY) / np.prod(BLOCK))
        for k in range(5):
            stage.mesh(f"sheet{k}", mesh.sheet(*SIZE, *CELLS).moved(shift=[0, 0, (k + 1) * SPACE]), "cotton")
            if k not in PULLED:
                stage.hold(f"edge{k}", f"sheet{k}", edge(-1), hold=["x", "y"])
        stage.mesh("block", mesh.box(BLOCK, (4, 4, 1)).moved(shift=[0, 0, 6 * SPACE + BLOCK[2] / 2]), "block")
        if self.kind == "guided":
            stage.hold("guide", "block", "all", hold=["x", "y"])
        stage.floor()
        stage.rub(FRICTION)
        return stage

    def add_block_material(self, stage, density):
        if self.block == "rigid":
            stage.scene["materials"]["block"] = {"law": "rigid", "density": density}
        else:
            stage.solid("block", 1e6, density=density, stiffness_damping=1e-3)

    def press(self):
        load = {"body": "block", "region": "all", "direction": "-z", "force": FORCE}
        return {"press": load} if self.kind == "pressed" else {}

    def through(self, run):
        """Largest force between two that are no neighbours, over the load, when the slow part of the pull begins."""
        order = ["floor"] + [f"sheet{k}" for k in range(5)] + ["block"]
        begin = np.searchsorted(run.history["time"], CALM + FAST - 1e-6)
        forces = [run.pair(a, b, "normal")[begin] for i, a in enumerate(order) for b in order[i + 2:]]
        return f"{100 * max(forces) / self.load:.1f} % of the load past a sheet"


class Force(Pile):
    times, parts = [CALM, CALM + FAST, CALM + FAST + SLOW], [0, LOW, HIGH]

    def make(self, folder):
        loads = self.press()
        for k in PULLED:
            keys = [{"time": t, "value": part * limit(k, self.load)} for t, part in zip(self.times, self.parts)]
            loads[f"pull{k}"] = {"body": f"sheet{k}", "region": edge(1), "direction": "x", "force": {"keys": keys}}
        return self.build(folder).finish(loads=loads)

    def measure(self, run):
        left = [self.leaves(run, k) for k in PULLED]
        finding = Finding(f"leave at {left[0]:.3f} and {left[1]:.3f} of the limit; {self.through(run)}")
        return finding.expect(all(abs(part - 1) <= ALLOWED for part in left), "threshold")

    def leaves(self, run, sheet):
        """The last part of the limit at which it did not move fast, before it is gone."""
        path, speed = (run.history[f"{name}(sheet{sheet})"] for name in ("centre_x", "velocity_x"))
        gone = np.flatnonzero(path - path[0] > LEFT)
        if not len(gone):
            return np.inf
        slow = np.flatnonzero(speed[:gone[0]] < SPEED)[-1]
        return float(np.interp(run.history["time"][slow], self.times, self.parts))


class Edge(Pile):
    def make(self, folder):
        stage, keys = self.build(folder), [{"time": CALM}, {"time": CALM + FAST + SLOW, "translate": [DRAG, 0, 0]}]
        for k in PULLED:
            stage.hold(f"pull{k}", f"sheet{k}", edge(1), hold=["x", "y"], motion={"keys": keys})
        return stage.finish(loads=self.press())

    def measure(self, run):
        """What holds the sheet back, as the mean while it slides."""
        others = ["floor", "sheet0", "sheet1", "sheet2", "sheet3", "sheet4", "block"]
        late = run.history["time"] > CALM + SLIDES * (FAST + SLOW)
        parts = [-sum(run.pair(f"sheet{k}", other, "force_x")[late].mean() for other in others if other != f"sheet{k}")
                 / limit(k, self.load) for k in PULLED]
        finding = Finding(f"slide with {parts[0]:.3f} and {parts[1]:.3f} of the limit; {self.through(run)}")
        return finding.expect(all(abs(part - 1) <= ALLOWED for part in parts), "friction")


def edge(side):
    x = side * SIZE[0] / 2
    return {"box": {"min": [x - 1e-6, -1, -1], "max": [x + 1e-6, 1, 1]}}


for KIND in ("free", "guided", "pressed"):
    PILE = Force(KIND)
    add(f"sheets-{KIND}", "sheets", "each sheet leaves at its limit within 3 %", PILE.make, PILE.measure)
for NAME, PILE in (("free", Edge("free")), ("guided", Edge("guided")), ("pressed", Edge("pressed")),
                   ("stretchy", Edge("guided", young=2e3)), ("soft", Edge("guided", block="soft"))):
    add(f"sheets-{NAME}-edge", "sheets", "each sheet slides at its limit within 3 %", PILE.make, PILE.measure)
