"""Degenerate contacts: vertex on vertex, edge along edge, tight fits."""
import numpy as np

from outside.rotation import rotation_about

from . import mesh
from .case import Finding, add
from .stage import G, Stage, below, turn

STEP = 5e-3
PYRAMID = mesh.Mesh([[-0.05, -0.05, 0], [0.05, -0.05, 0], [0.05, 0.05, 0], [-0.05, 0.05, 0], [0, 0, 0.08]],
                    [[0, 1, 2, 4], [0, 2, 3, 4]])
HALF_TURN = rotation_about([1, 0, 0], np.pi)


def point_on_vertex(folder):
    """A pyramid on the tip of another, tip to tip."""
    stage = Stage(folder, STEP, 0.3)
    stage.solid("plastic", 1e7)
    stage.mesh("lower", PYRAMID, "plastic")
    stage.mesh("upper", PYRAMID.moved(HALF_TURN, [0, 0, 0.161]), "plastic")
    stage.hold("base", "lower", below(1e-6))
    stage.rub(0.5)
    return stage.finish()


def vertex_on_vertex(folder):
    """Two cubes with the same mesh, vertex above vertex, edge above edge."""
    stage = Stage(folder, STEP, 0.5)
    stage.solid("plastic", 1e8)
    for k, name in enumerate(("lower", "upper")):
        stage.mesh(name, mesh.box([0.1] * 3, [3] * 3).moved(shift=[0, 0, 0.05008 + 0.10008 * k]), "plastic")
    stage.floor()
    stage.rub(0.5)
    stage.contact(thickness=1e-4)
    return stage.finish()


def stays(run, body, limit):
    path = run.centres(body)
    went = np.linalg.norm(path[-1] - path[0])
    return Finding(f"moves {1e3 * went:.4f} mm").expect(went <= limit, "moves")


def edge_along_edge(folder):
    """Two bars on edge, one exactly along the other."""
    stage = Stage(folder, STEP, 0.4)
    stage.solid("plastic", 1e7)
    on_edge = rotation_about([1, 0, 0], np.pi / 4)
    top = 0.1 / np.sqrt(2)
    stage.mesh("lower", mesh.box((0.3, 0.1, 0.1), (3, 1, 1)).moved(on_edge), "plastic")
    stage.mesh("upper", mesh.box((0.3, 0.1, 0.1), (3, 1, 1)).moved(on_edge, [0, 0, 2 * top + 5e-4]), "plastic")
    stage.hold("vice", "lower", below(-1e-6))
    stage.rub(0.3)
    return stage.finish()


def fell(run, body):
    path = run.centres(body)
    return Finding(f"{1e3 * (path[-1, 2] - path[0, 2]):+.1f} mm after {run.times[-1]:.2f} s")


HOLE, WALL = 0.1, 0.05


def shaft(clearance, along):
    """Four walls around a square hole, open at both ends, along z."""
    inner = HOLE / 2 + clearance
    lines = np.array([-inner - WALL, -inner, 0, inner, inner + WALL])
    return mesh.lattice(lines, lines, along, keep=lambda i, j, k: i in (0, 3) or j in (0, 3))


def tight_hole(folder):
    """0.1 mm of clearance on each side, less than the thickness of contact: both sides are felt all the way down."""
    stage = Stage(folder, STEP, 0.4)
    stage.solid("plastic", 1e8)
    stage.mesh("shaft", shaft(1e-4, np.linspace(1e-3, 0.24, 4)), "plastic")
    stage.mesh("cube", mesh.box([HOLE] * 3, [3] * 3).moved(shift=[0, 0, 0.2]), "plastic")
    stage.hold("frame", "shaft", "all")
    stage.floor()
    stage.contact(thickness=1.5e-4)
    return stage.finish()


def sank(run):
    """Free fall without friction, as backward Euler has it, and then it rests on the floor."""
    path = run.centres("cube")[:, 2]
    k = int(np.searchsorted(run.times, 0.15 - 1e-9))
    wanted = G * run.times[k] * (run.times[k] + STEP) / 2
    off = (path[0] - path[k]) / wanted - 1
    finding = Finding(f"falls {100 * off:+.2f} % off, ends {1e3 * (path[-1] - HOLE / 2):+.3f} mm above the floor")
    finding.expect(abs(off) < 0.01, "held on its way")
    return finding.expect(0 < path[-1] - HOLE / 2 < 2e-3, "not at the bottom")


TUNNEL_STEP, FAST = 1e-3, 100.0


def tunnel(folder):
    """Moves by its own length per step through a tunnel that leaves 0.05 mm on each side."""
    stage = Stage(folder, TUNNEL_STEP, 0.012, gravity=0)
    stage.solid("plastic", 1e9)
    lying = rotation_about([0, 1, 0], np.pi / 2)
    stage.mesh("tunnel", shaft(5e-5, np.linspace(-0.3, 0.3, 7)).moved(lying), "plastic")
    stage.mesh("cube", mesh.box([HOLE] * 3, [2] * 3).moved(shift=[-0.45, 0, 0]), "plastic", velocity=[FAST, 0, 0])
    stage.hold("rock", "tunnel", "all")
    stage.contact(thickness=8e-5)
    return stage.finish()


def shot_through(run):
    path = run.centres("cube")
    went, speed = path[-1, 0] - path[0, 0], (path[-1, 0] - path[-2, 0]) / (run.times[-1] - run.times[-2])
    finding = Finding(f"{went:.4f} m, leaves with {speed:.3f} m/s")
    finding.expect(abs(went / (FAST * run.times[-1]) - 1) < 0.01, "held up")
    return finding.expect(abs(speed / FAST - 1) < 0.01, "lost speed")


LINKS, MAJOR, MINOR = 5, 0.03, 0.008
PITCH = 2 * (MAJOR - MINOR)


def chain(folder):
    """Links a little closer than taut; the uppermost one is held."""
    stage = Stage(folder, STEP, 0.6)
    stage.solid("steel", 1e8)
    shape = {"type": "torus", "major_radius": MAJOR, "minor_radius": MINOR, "cells": 2, "cells_around": 24}
    for k in range(LINKS):
        upright = [turn([1, 0, 0], 90)] if k % 2 == 0 else [turn([1, 0, 0], 90), turn([0, 0, 1], 90)]
        stage.shape(f"link{k}", shape, "steel", rotate=upright, translate=[0, 0, -k * (PITCH - 1.5e-3)])
    stage.hold("hook", "link0", {"plane": {"point": [0, 0, 0.02], "normal": [0, 0, 1], "side": "in_front"}})
    stage.rub(0.3)
    return stage.finish()


def hangs(run):
    """Inner sides of a ring of straight pieces are nearer to its middle, by 1 − cos of half a piece, on both."""
    heights = np.array([run.centres(f"link{k}")[-1, 2] for k in range(LINKS)])
    pitch = -np.diff(heights)
    finding = Finding(f"pitch {1e3 * pitch.min():.2f} … {1e3 * pitch.max():.2f} mm; round: {1e3 * PITCH:.2f} mm")
    return finding.expect(np.all(np.abs(pitch / PITCH - 1) < 0.05), "does not hang")


CARD, DEEP, THIN, LEAN = 0.09, 0.06, 1e-3, np.radians(15)


def card_house(folder):
    """Two pairs of cards that lean on each other, one laid across, and a pair on top."""
    gap = 4e-5
    stage = Stage(folder, STEP, 1.0)
    stage.solid("card", 1e9, density=800)

    def pair(name, middle, ground):
        along, up = (THIN * np.cos(LEAN) + CARD * np.sin(LEAN)) / 2, (THIN * np.sin(LEAN) + CARD * np.cos(LEAN)) / 2
        for side in (-1, 1):
            leaning = mesh.box((THIN, DEEP, CARD), (1, 3, 4)).moved(rotation_about([0, 1, 0], -side * LEAN))
            at = [middle + side * (along + gap / 2), 0, ground + gap + up]
            stage.mesh(f"{name}{'lr'[side > 0]}", leaning.moved(shift=at), "card")
        return ground + gap + 2 * up

    top = pair("a", -0.03, 0.0)
    pair("b", 0.03, 0.0)
    stage.mesh("flat", mesh.box((0.13, DEEP, THIN), (6, 3, 1)).moved(shift=[0, 0, top + gap + THIN / 2]), "card")
    pair("c", 0.0, top + gap + THIN)
    stage.floor()
    stage.rub(0.6)
    stage.contact(thickness=5e-5)
    return stage.finish()


def stands(run):
    went = max(np.linalg.norm(run.centres(body)[-1] - run.centres(body)[0]) for body in run.bodies)
    return Finding(f"cards move {1e3 * went:.3f} mm at most").expect(went < 1e-3, "does not stand")


add("point-on-vertex", "degenerate", "no failure", point_on_vertex, lambda run: fell(run, "upper"))
add("vertex-on-vertex", "degenerate", "stays, within 0.1 mm", vertex_on_vertex, lambda run: stays(run, "upper", 1e-4))
add("edge-along-edge", "degenerate", "no failure", edge_along_edge, lambda run: fell(run, "upper"))
add("tight-hole", "degenerate", "falls freely within 1 %, rests at the bottom", tight_hole, sank)
add("tunnel-100", "degenerate", "comes out with 100 m/s within 1 %", tunnel, shot_through)
add("chain", "degenerate", "hangs by its links, pitch within 5 %", chain, hangs)
add("card-house", "degenerate", "stands, within 1 mm", card_house, stands)
