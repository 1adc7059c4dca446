"""A block on cloth that is held at its rim and lies on a floor, on a slab that is a body, or on another cloth. It is
thrown as it lands, or pushed when it rests, and stops after v²/(2μg), less what backward Euler takes, vh/2. Its weight
acts on the cloth and, with that of the cloth, on what lies below; no force goes past the cloth."""
import numpy as np

from . import mesh
from .case import Finding, add
from .stage import G, Stage, below

FRICTION, SPEED, STEP, REST = 0.3, 0.8, 5e-3, 0.15  # REST: s, after it has stopped
CALM, PUSH = 0.2, 0.05  # s: until a block that rests is pushed, and how long
BLOCK, DENSITY = (0.1, 0.1, 0.05), 2000.0
CLOTH, CELLS, AREA_DENSITY, SPACE = (0.4, 0.16), (20, 8), 0.2, 3e-4
SLAB = (0.5, 0.24, 0.04)
WEIGHT, OWN = DENSITY * np.prod(BLOCK) * G, AREA_DENSITY * np.prod(CLOTH) * G
ALLOWED = 0.01


class OnCloth:
    def __init__(self, on, block, rests):
        self.on, self.block, self.rests = on, block, rests
        below_cloth = {"floor": ["floor"], "slab": ["slab"], "cloth": ["floor", "under"]}[on]
        self.order = below_cloth + ["cloth", "block"]
        self.start = CALM + PUSH if rests else 0.0

    def make(self, folder):
        stage = Stage(folder, STEP, self.start + SPEED / (FRICTION * G) + REST, every=2)
        stage.cloth("carpet", young=2e4, area_density=AREA_DENSITY, stiffness_damping=1e-3)
        high = 0.0
        for name in self.order[1:-1]:
            high += SPACE
            stage.mesh(name, mesh.sheet(*CLOTH, *CELLS).moved(shift=[0, 0, high]), "carpet")
            stage.hold("rim of " + name, name, rim(), hold=["x", "y"])
        self.add_block(stage, high + SPACE)
        if self.on == "slab":
            stage.solid("wood", 1e8, stiffness_damping=1e-4)
            stage.mesh("slab", mesh.box(SLAB, (10, 5, 1)).moved(shift=[0, 0, -SLAB[2] / 2]), "wood")
            stage.hold("base", "slab", below(-SLAB[2]))
        else:
            stage.floor()
        stage.rub(FRICTION)
        push = {"body": "block", "value": [SPEED / PUSH + FRICTION * G, 0, 0], "start": CALM, "end": CALM + PUSH}
        return stage.finish(accelerations=[push] if self.rests else [])

    def add_block(self, stage, high):
        if self.block == "box":
            stage.scene["materials"]["block"] = {"law": "rigid", "density": DENSITY}
        else:
            stage.solid("block", 1e6, density=DENSITY, stiffness_damping=1e-3)
        start = -SPEED**2 / (4 * FRICTION * G)  # as far before the middle as it ends behind it
        stage.mesh("block", mesh.box(BLOCK, (4, 4, 2)).moved(shift=[start, 0, high + BLOCK[2] / 2]), "block",
                   **({} if self.rests else {"velocity": [SPEED, 0, 0]}))

    def measure(self, run):
        finding = Finding("")
        finding.text = f"{self.distance(run, finding)}; {self.weight(run, finding)}"
        return finding

    def weight(self, run, finding):
        """Vertical forces, mean of the last 20 steps, against the weights above."""
        wanted, errors = WEIGHT, []
        for lower, upper in zip(self.order[-2::-1], self.order[::-1]):
            got = abs(run.pair(upper, lower, "force_z")[-20:].mean())
            errors.append(got / wanted - 1)
            wanted += OWN
        past = [run.pair(a, b, "normal").max() for i, a in enumerate(self.order) for b in self.order[i + 2:]]
        finding.expect(max(map(abs, errors)) <= ALLOWED, "weight")
        finding.expect(max(past) <= ALLOWED * WEIGHT, "goes past the cloth")
        return ("weight from above to below " + ", ".join(f"{100 * e:+.2f}" for e in errors)
                + f" %; past the cloth {max(past) / WEIGHT:.1e} of it")

    def distance(self, run, finding):
        """From the state at the start, or when the push has ended."""
        begin = np.searchsorted(run.history["time"], self.start - 1e-6)
        speed, path = run.history["velocity_x(block)"][begin], run.history["centre_x(block)"][begin:]
        wanted = speed**2 / (2 * FRICTION * G) - speed * STEP / 2
        off = (path[-1] - path[0]) / wanted - 1
        finding.expect(abs(speed / SPEED - 1) <= ALLOWED, "speed").expect(abs(off) <= ALLOWED, "distance")
        finding.expect(abs(path[-1] - path[-4]) < 1e-4 * wanted, "still moves")
        return f"distance {100 * off:+.2f} % of {1e3 * wanted:.1f} mm"


def rim():
    x, y = CLOTH[0] / 2, CLOTH[1] / 2
    return [{"box": {"min": [a - 1e-6, b - 1e-6, -1], "max": [c + 1e-6, d + 1e-6, 1]}}
            for a, b, c, d in ((-x, -y, -x, y), (x, -y, x, y), (-x, -y, x, -y), (-x, y, x, y))]


for ON in ("floor", "slab", "cloth"):
    for OF in ("soft", "box"):
        for RESTS in (False, True):
            SLIDER = OnCloth(ON, OF, RESTS)
            add(f"on-cloth-{ON}-{OF}" + ("-rests" if RESTS else ""), "on-cloth",
                "v²/(2μg) − vh/2 and weights within 1 %, nothing past the cloth", SLIDER.make, SLIDER.measure)
