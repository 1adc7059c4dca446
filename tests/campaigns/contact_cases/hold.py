"""Held bodies do not creep: blocks on slopes, and loads that come and go. Slips and holds are told apart a
hair beside the threshold, whatever the step, the size, the mesh or the integrator."""
import numpy as np

from outside.rotation import rotation_about

from . import mesh
from .case import Finding, add
from .stage import G, Stage

FRICTION, THICKNESS, SIZE = 0.5, 1e-4, (0.2, 0.2, 0.02)  # of a size of 1, which scales
# The pull sets in in so many parts: the trapezoidal rule, alone or as a stage, takes the mean of the forces at a step's
# ends, and swings to twice a part that is put on between them.
RAMP = 500
REST = 1e-6  # of the thickness per second: counts as no speed at all


class Slope:
    """A flat block on a slope that pulls with a part of what friction can hold."""
    extent = SIZE

    def __init__(self, step, duration, part, on="floor", kind="box", size=1.0, integrator="be", static=FRICTION):
        self.step, self.duration, self.part, self.on, self.kind = step, duration, part, on, kind
        self.size, self.integrator, self.static = size, integrator, static
        self.every = max(1, round(duration / step / 60))
        self.angle = np.arctan(part * static)

    def make(self, folder):
        stage = Stage(folder, self.step, self.duration, every=self.every)
        turned = rotation_about([0, 1, 0], self.angle)
        stage.solid("plastic", 1e8 * self.size, stiffness_damping=1e-3 * np.sqrt(self.size))
        thickness = THICKNESS * self.size
        extent = np.array(self.extent) * self.size
        high = extent[2] / 2 + 0.5 * thickness
        stage.mesh("block", block(self.kind, extent).moved(turned, turned @ [0, 0, high]), "plastic")
        if self.on == "floor":
            stage.scene["obstacles"]["floor"] = {"shape": {"type": "half_space", "normal": list(turned[:, 2])}}
        else:
            slab(stage, turned, self.size)
        stage.rub(FRICTION, static=self.static)
        stage.contact(thickness=thickness)
        return stage.finish(integrator=self.integrator, accelerations=self.ease(turned))

    def ease(self, turned):
        """The pull grows gradually: applied at once, it makes the block swing on its anchors and slide until that
        has decayed."""
        ramp = max(RAMP * self.step, 0.2 * np.sqrt(self.size))
        back = -turned[:, 0] * G * np.sin(self.angle) / RAMP
        return [{"value": list(back), "body": "block", "end": ramp * (k + 1) / RAMP} for k in range(RAMP)]

    def course(self, run):
        """Distance down the slope, in thicknesses."""
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
        late = run.times >= 0.6 * run.times[-1]
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
    stage.mesh("slab", under, "plastic")
    stage.hold("base", "slab", {"plane": {"point": list(turned @ [0, 0, -extent[2]]), "normal": list(turned[:, 2]),
                                          "side": "behind"}})


def add_slope(name, wanted, slope, slips=False):
    add(name, "hold", wanted, slope.make, slope.slips if slips else slope.holds)


HOLDS = "moves less than a thickness, rests in the end"
SLIPS = "g (sin θ − μ cos θ) within 2 %"
for ON in ("floor", "slab"):
    add_slope(f"hold-hour-{ON}", HOLDS, Slope(1.0, 3600.0, 0.996, ON))
for METHOD in ("be", "bdf2", "sdirk2", "tr_bdf2", "tr"):
    for STEP, END in ((1e-4, 3.0), (1e-3, 3.0), (1e-2, 20.0), (0.1, 150.0)):
        if METHOD == "tr" and STEP > 1e-3:  # longer steps than the bounce on the contact lasts: it rings for ever
            continue
        add_slope(f"hold-{METHOD}-{STEP:g}", HOLDS, Slope(STEP, END, 0.996, integrator=METHOD))
        add_slope(f"slip-{METHOD}-{STEP:g}", SLIPS, Slope(STEP, END, 1.004, integrator=METHOD), slips=True)
for NAME, SCALE in (("mm", 0.01), ("20m", 100.0)):
    add_slope(f"hold-size-{NAME}", HOLDS, Slope(0.01 * np.sqrt(SCALE), 20 * np.sqrt(SCALE), 0.996, "slab", size=SCALE))
for METHOD in ("bdf2", "sdirk2", "tr_bdf2"):
    add_slope(f"hold-slab-{METHOD}", HOLDS, Slope(0.01, 20.0, 0.996, "slab", integrator=METHOD))
add_slope("hold-unstructured", HOLDS, Slope(0.02, 60.0, 0.996, "slab", "unstructured"))
add_slope("hold-static", HOLDS, Slope(0.02, 60.0, 0.996, static=0.8))


class AtOnce(Slope):
    """The whole pull from the start, on anchors that do not damp. With y = z/ℓ an anchor stores y² − y³/3 (in μNℓ), 2/3 at
    its yield, and the pull r gives r y: up to r = 2/3 nothing slides, and beyond it by (r − 2/3)/(1 − r) ℓ before it turns
    back. The block is a stiff plate, so that it does not rock."""
    extent = (0.2, 0.2, 0.002)

    def make(self, folder):
        scene = super().make(folder)
        del scene["accelerations"]
        scene["friction"][0]["damping"] = 0
        scene["materials"]["plastic"]["young"] *= 100
        scene["time"]["frame_rate"] = 1 / self.step
        return scene

    def measure(self, run):
        y = np.linspace(0, 1, 100001)
        slid = (self.part - 2 / 3) / (1 - self.part)
        turns = np.argmax((self.part * y <= y**2 - y**3 / 3) & (y > 0.01))
        wanted = 1 + slid if slid > 0 else y[turns]
        went = self.course(run).max() * THICKNESS / self.reach(run)
        off = went / wanted - 1
        finding = Finding(f"turns back at {went:.4f} ℓ, {100 * off:+.2f} %")
        return finding.expect(abs(off) <= self.allowed(wanted), "turns back elsewhere")

    def allowed(self, wanted):
        """A run begins with contact that carries the weight within 1 %: so much is known of r."""
        return 0.02 if self.part < 2 / 3 else 0.01 * self.part / (3 * (1 - self.part)**2) / wanted

    def reach(self, run):
        """ℓ, by the force at which an anchor holds as much as it does: 2y − y² of μN."""
        history = run.history
        part = history["contact_friction_force"] / (self.static * history["contact_normal_force"])
        held = (part > 0.2) & (part < 0.9)
        return np.median(history["held_displacement"][held] / (1 - np.sqrt(1 - part[held])))


for PART in (0.4, 0.6, 0.8, 0.9):
    CASE = AtOnce(2e-5, 0.02, PART, integrator="tr_bdf2")
    add(f"at-once-{PART:g}", "hold", "turns back where its energy is used up", CASE.make, CASE.measure)


class Uneven:
    """A block as high as a third of its length, pulled at half its height: its front carries up to 1.7 times the mean
    pressure. Fast to nine tenths of the static friction, then slowly past it; the sum over all of it is μN all the same."""
    size, static, parts, fast, slow = (0.2, 0.2, 0.06), 0.8, 300, 1.0, 9.0

    def __init__(self, integrator, step):
        self.integrator, self.step = integrator, step

    def load(self, time):
        """Over what static friction can hold."""
        return np.interp(time, [0, self.fast, self.fast + self.slow], [0, 0.9, 1.05])

    def make(self, folder):
        end = self.fast + self.slow
        stage = Stage(folder, self.step, end, every=max(1, round(0.01 / self.step)))
        stage.solid("plastic", 1e9, stiffness_damping=1e-4)
        stage.mesh("block", mesh.box(self.size, (4, 4, 2)).moved(shift=[0, 0, self.size[2] / 2 + 0.5 * THICKNESS]), "plastic")
        stage.floor()
        stage.rub(FRICTION, static=self.static)
        stage.contact(thickness=THICKNESS)
        stage.scene["output"]["forces"] = True
        times = np.linspace(0, end, self.parts + 1)
        pulls = [{"value": [self.static * G * (self.load(b) - self.load(a)), 0, 0], "body": "block", "start": a}
                 for a, b in zip(times[:-1], times[1:])]
        return stage.finish(integrator=self.integrator, accelerations=pulls)

    def measure(self, run):
        path = run.centres("block")[:, 0]
        start = np.searchsorted(run.times, self.fast)
        gone = np.flatnonzero(np.abs(path[start:] - path[start]) > THICKNESS)
        if not len(gone):
            return Finding("never").expect(False, "holds for ever")
        left = self.load(run.times[start + gone[0]])
        history = run.history
        drag = history["contact_friction_force"][-1] / history["contact_normal_force"][-1] / FRICTION
        uneven = self.unevenness(run.grids[start])
        finding = Finding(f"lets go at {left:.4f} of μ_s N, then drags with {drag:.4f} of μ_d N; pressure in front "
                          f"{uneven:.2f} of the mean")
        finding.expect(abs(left - 1) <= 0.01, "threshold").expect(abs(drag - 1) <= 0.005, "drag")
        return finding.expect(uneven > 1.4, "is even")

    def unevenness(self, grid):
        lower = grid.points[:, 2] < 0.5 * self.size[2]
        force, x = grid.fields["force_contact"][lower, 2], grid.points[lower, 0]
        centre = (force @ x) / force.sum() - x.mean()
        return 1 + 6 * abs(centre) / self.size[0]  # of pressure that grows along a line


for METHOD, STEP in (("be", 0.01), ("tr_bdf2", 1e-3)):
    CASE = Uneven(METHOD, STEP)
    add(f"uneven-{METHOD}", "hold", "lets go at μ_s N within 1 %, drags with μ_d N within 0.5 %", CASE.make, CASE.measure)


# Loads that come and go: one step each, long enough for the block to come to rest.
CYCLE_STEP, MASS = 0.1, 1000 * SIZE[0] * SIZE[1] * SIZE[2]


def cycle(folder, on, count, along, up, constant=0.0):
    """Accelerations that alternate: `along` the floor and `up` from it, forth and back, beside a constant one. They
    begin at the first frame and are over before the last."""
    every = count // 20
    stage = Stage(folder, CYCLE_STEP, CYCLE_STEP * every * (2 + 2 * count // every), every=every)
    stage.solid("plastic", 1e8)
    stage.mesh("block", block("box", SIZE).moved(shift=[0, 0, SIZE[2] / 2 + 0.5 * THICKNESS]), "plastic")
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
