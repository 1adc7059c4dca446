"""What friction holds does not creep: blocks on slopes, and loads that come and go. Slips and holds are told apart a
hair beside the threshold, whatever the step, the size, the mesh or the integrator."""
import numpy as np

from outside.rotation import rotation_about

from . import mesh
from .case import Finding, add
from .stage import G, Stage

FRICTION, THICKNESS, SIZE = 0.5, 1e-4, (0.2, 0.2, 0.02)  # of a size of 1, which scales
RAMP = 20
REST = 1e-6  # of the thickness per second: counts as no speed at all


class Slope:
    """A flat block on a slope that pulls with a part of what friction can hold."""

    def __init__(self, step, duration, part, on="floor", kind="box", size=1.0, integrator="be", static=FRICTION,
                 damping=0.0):
        self.step, self.duration, self.part, self.on, self.kind = step, duration, part, on, kind
        self.size, self.integrator, self.static, self.damping = size, integrator, static, damping
        self.every = max(1, round(duration / step / 60))
        self.angle = np.arctan(part * static)

    def make(self, folder):
        stage = Stage(folder, self.step, self.duration, every=self.every)
        turned = rotation_about([0, 1, 0], self.angle)
        stage.solid("stuff", 1e8 * self.size, stiffness_damping=1e-3 * np.sqrt(self.size),
                    mass_damping=self.damping)
        thickness = THICKNESS * self.size
        high = SIZE[2] * self.size / 2 + 0.5 * thickness
        stage.mesh("block", block(self.kind, np.array(SIZE) * self.size).moved(turned, turned @ [0, 0, high]), "stuff")
        if self.on == "floor":
            stage.scene["obstacles"]["floor"] = {"shape": {"type": "half_space", "normal": list(turned[:, 2])}}
        else:
            slab(stage, turned, self.size)
        stage.rub(FRICTION, static=self.static)
        stage.contact(thickness=thickness)
        return stage.finish(integrator=self.integrator, accelerations=self.ease(turned))

    def ease(self, turned):
        """The pull sets in bit by bit: all at once it makes the block swing on its anchors, and slide until it has swung
        out, which undamped it does not for long."""
        ramp = max(RAMP * self.step, 0.2 * np.sqrt(self.size))
        back = -turned[:, 0] * G * np.sin(self.angle) / RAMP
        return [{"value": list(back), "body": "block", "end": ramp * (k + 1) / RAMP} for k in range(RAMP)]

    def course(self, run):
        """Way down the slope, in thicknesses."""
        down = rotation_about([0, 1, 0], self.angle)[:, 0]
        path = run.centres("block")
        return (path - path[0]) @ down / (THICKNESS * self.size)

    def holds(self, run):
        went = self.course(run)
        late = run.times >= 0.75 * run.times[-1]
        speed = abs(went[late][-1] - went[late][0]) / np.ptp(run.times[late])
        finding = Finding(f"moves {went[-1]:.4f} of the thickness, in the end {speed:.1e} of it per second")
        finding.expect(np.abs(went).max() < 1, "slides")
        return finding.expect(speed <= REST, "creeps")

    def slips(self, run):
        wanted = G * np.sin(self.angle) * (1 - FRICTION / self.static / self.part)
        went = self.course(run) * THICKNESS * self.size
        late = run.times >= run.times[-1] / 2
        fitted = 2 * np.polyfit(run.times[late], went[late], 2)[0]
        off = fitted / wanted - 1
        return Finding(f"{fitted:.5f} m/s², {100 * off:+.2f} %").expect(abs(off) <= 0.02, "acceleration")


def block(kind, size):
    return mesh.irregular(size, (3, 3, 1), 5) if kind == "unstructured" else mesh.box(size, (2, 2, 1))


def slab(stage, turned, size):
    """A body, held at its lower side."""
    extent = np.array([0.4, 0.3, 0.03]) * size
    shape = mesh.irregular(extent, (5, 4, 1), 8)
    under = shape.moved(turned, turned @ [0, 0, -extent[2] / 2])
    stage.mesh("slab", under, "stuff")
    stage.hold("base", "slab", {"plane": {"point": list(turned @ [0, 0, -extent[2]]), "normal": list(turned[:, 2]),
                                          "side": "behind"}})


def add_slope(name, wanted, slope, slips=False):
    add(name, "hold", wanted, slope.make, slope.slips if slips else slope.holds)


HOLDS = "moves less than a thickness, rests in the end"
for ON in ("floor", "slab"):
    add_slope(f"hold-hour-{ON}", HOLDS, Slope(1.0, 3600.0, 0.996, ON))
for STEP, END in ((1e-4, 3.0), (1e-3, 3.0), (1e-2, 10.0), (0.1, 60.0)):
    add_slope(f"hold-step-{STEP:g}", HOLDS, Slope(STEP, END, 0.996))
    add_slope(f"slip-step-{STEP:g}", "g (sin θ − μ cos θ) within 2 %", Slope(STEP, min(END, 5.0), 1.004), slips=True)
for NAME, SCALE in (("mm", 0.01), ("20m", 100.0)):
    add_slope(f"hold-size-{NAME}", HOLDS, Slope(0.01 * np.sqrt(SCALE), 20 * np.sqrt(SCALE), 0.996, "slab", size=SCALE))
for METHOD in ("bdf2", "sdirk2", "tr_bdf2"):
    add_slope(f"hold-{METHOD}", HOLDS, Slope(0.01, 10.0, 0.98, "slab", integrator=METHOD))
# The trapezoidal rule damps nothing: without air around it the block would swing for ever, and steps must be short enough
# for air to damp it.
add_slope("hold-tr", HOLDS, Slope(5e-4, 3.0, 0.98, integrator="tr", damping=20.0))
add_slope("hold-unstructured", HOLDS, Slope(0.02, 60.0, 0.996, "slab", "unstructured"))
add_slope("hold-static", HOLDS, Slope(0.02, 60.0, 0.996, static=0.8))


# Loads that come and go: one step each, long enough for the block to come to rest.
CYCLE_STEP, MASS = 0.1, 1000 * SIZE[0] * SIZE[1] * SIZE[2]


def cycle(folder, on, count, along, up, constant=0.0):
    """Accelerations that alternate: `along` the floor and `up` from it, forth and back, beside a constant one. They
    begin at the first frame and are over before the last."""
    every = count // 20
    stage = Stage(folder, CYCLE_STEP, CYCLE_STEP * every * (2 + 2 * count // every), every=every)
    stage.solid("stuff", 1e8)
    stage.mesh("block", block("box", SIZE).moved(shift=[0, 0, SIZE[2] / 2 + 0.5 * THICKNESS]), "stuff")
    if on == "floor":
        stage.floor()
    else:
        slab(stage, np.eye(3), 1)
    stage.rub(FRICTION)
    stage.contact(thickness=THICKNESS)
    pushes = [{"value": [constant, 0, 0], "body": "block"}] if constant else []
    for k in range(2 * count):
        sign = 1 if k % 2 == 0 else -1
        pushes.append({"value": [sign * along, 0, sign * up], "body": "block", "start": (every + k) * CYCLE_STEP,
                       "end": (every + k + 1) * CYCLE_STEP})
    return stage.finish(accelerations=pushes)


def returns(run, part):
    """To where it was before the first load; ℓ from the way that a load of this part of μN takes."""
    held = run.history["held_displacement"]
    length = held.max() / (1 - np.sqrt(1 - part))
    path = run.centres("block")[:, 0]
    back = (path[-1] - path[1]) / length
    finding = Finding(f"ℓ {1e6 * length:.1f} µm, after {run.times[-1]:.0f} s {back:+.1e} of it off")
    return finding.expect(abs(back) <= 1e-3, "ratchets")


for ON in ("floor", "slab"):
    add(f"cycles-tangential-{ON}", "cycles", "10⁴ of ±0.9 μN: back within 1e-3 ℓ",
        lambda folder, on=ON: cycle(folder, on, 10000, 0.9 * FRICTION * G, 0), lambda run: returns(run, 0.9),
        crossings=False)
    add(f"cycles-normal-{ON}", "cycles", "N ± 50 % at 0.4 μN, 1000 times: back within 1e-3 ℓ",
        lambda folder, on=ON: cycle(folder, on, 1000, 0, 0.5 * G, 0.4 * FRICTION * G),
        lambda run: returns(run, 0.8), crossings=False)
