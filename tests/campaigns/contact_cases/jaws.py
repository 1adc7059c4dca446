"""Two rigid jaws close on a cloth. Where the cloth is between them all of the force goes through it: the jaws press on
the cloth, not on each other. The jaws are bodies, obstacles or one of each; they are driven to a distance, or pushed by
a force. The cloth reaches beyond the jaws, or is a strip beyond which the jaws face each other."""
from . import mesh
from .case import Finding, add
from .stage import Stage

STEP, FRICTION, FORCE = 5e-3, 0.5, 20.0
JAW, CELLS, GAP = (0.06, 0.06, 0.02), (3, 3, 1), 6e-4  # GAP: between jaw and cloth at the start
CLOSE, REST = 0.2, 0.2  # s
CLEARANCE = 5e-5  # m: left between jaws that are driven
WIDE, STRIP = (0.1, 0.1, 5, 5), (0.03, 0.1, 3, 10)


class Jaws:
    def __init__(self, lower, upper, cloth):
        self.lower, self.upper, self.cloth = lower, upper, cloth

    def make(self, folder):
        stage = Stage(folder, STEP, CLOSE + REST, every=4, gravity=0)
        stage.cloth("cotton", young=2e4, stiffness_damping=1e-3)
        stage.scene["materials"]["jaw"] = {"law": "rigid", "density": 1000.0}
        stage.mesh("cloth", mesh.sheet(*self.cloth), "cotton")
        self.add(stage, "lower", -1, self.lower)
        self.add(stage, "upper", 1, self.upper)
        stage.rub(FRICTION)
        if self.upper == "pushed":
            return stage.finish(loads={"push": {"body": "upper", "region": "all", "direction": "-z",
                                                "force": {"ramp": {"to": FORCE, "end": CLOSE}}}})
        return stage.finish()

    def add(self, stage, name, side, kind):
        """The upper jaw moves, the lower one stays."""
        shift = [0, 0, side * (GAP + JAW[2] / 2)]
        course = {"keys": [{"time": 0}, {"time": CLOSE, "translate": [0, 0, CLEARANCE - 2 * GAP]}]}
        motion = {"motion": course} if side > 0 else {}
        if kind == "obstacle":
            shape = {"type": "box", **{f"size_{axis}": size for axis, size in zip("xyz", JAW)}}
            stage.scene["obstacles"][name] = {"shape": shape, "translate": shift, **motion}
            return
        stage.mesh(name, mesh.box(JAW, CELLS).moved(shift=shift), "jaw")
        stage.hold("arm of " + name, name, "all", **({"hold": ["x", "y"]} if kind == "pushed" else motion))

    def measure(self, run):
        on, under, direct = (abs(run.pair(a, b, "force_z")[-1])
                             for a, b in (("cloth", "upper"), ("cloth", "lower"), ("upper", "lower")))
        finding = Finding(f"{on:.4g} N on the cloth, {under:.4g} N below it, {direct:.3g} N between the jaws")
        finding.expect(on > 0 and abs(under / max(on, 1e-300) - 1) <= 0.02, "the cloth's forces differ")
        finding.expect(direct <= self.allowed() * on, "goes past the cloth")
        if self.upper == "pushed":
            finding.expect(abs(on / FORCE - 1) <= 0.01, "force")
        return finding

    def allowed(self):
        """Of the force between the jaws to that on the cloth. Jaws that are driven press on each other beyond a strip,
        over the rest of their area and, across twice the gap, with less pressure."""
        covered = min(self.cloth[0] / JAW[0], 1)
        return 0.01 if covered == 1 or self.upper == "pushed" else (1 - covered) / covered


KINDS = {"bodies": ("body", "body"), "obstacles": ("obstacle", "obstacle"), "mixed": ("obstacle", "body"),
         "pushed": ("body", "pushed"), "pushed-mixed": ("obstacle", "pushed")}
for NAME, (LOWER, UPPER) in KINDS.items():
    for OF, CLOTH in (("wide", WIDE), ("strip", STRIP)):
        PAIR = Jaws(LOWER, UPPER, CLOTH)
        add(f"jaws-{NAME}-{OF}", "jaws", "all of the force through the cloth", PAIR.make, PAIR.measure)
