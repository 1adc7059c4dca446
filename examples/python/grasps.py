#!/usr/bin/env python3
"""Grasps of a block of foam by two fingers that close until they press with a set force and then lift:
many at once, each with another friction, stiffness, weight and place. Writes grasps.svg, how far
the block came with the fingers over the friction; below μ = m g / 2 F it cannot be held.

    python3 examples/python/grasps.py [--count 20] [--workers 2] [--edge 0.9]
"""

import argparse

import numpy as np

import stiction
from stiction import obstacles, shapes

SIZE, DENSITY, FORCE = 0.05, 1000, 2.0  # m, kg/m³, N
TICK, FASTEST, LIFT = 0.01, 0.1, 0.1  # s, m/s, m/s
GAIN = 0.008  # m/s of closing speed for each newton that is missing


def build(edge=0.009):
    scene = stiction.Scene()
    scene.add_material("foam", young="40 kPa", poisson=0.3, density=DENSITY)
    scene.add_body("block", shapes.box(size_x=SIZE, size_y=SIZE, size_z=SIZE, edge=edge),
                   translate=[0, 0, SIZE / 2 + 1e-4])
    scene.add_obstacle("table", obstacles.half_space(), material="wood")
    finger = obstacles.box(size_x=0.01, size_y=0.06, size_z=0.06)
    for name, side in (("left", -1), ("right", 1)):
        scene.add_obstacle(name, finger, translate=[side * (SIZE / 2 + 0.007), 0, SIZE / 2],
                           material="pad")
    scene.add_friction(["foam", "pad"], 0.5)
    scene.add_friction(["foam", "wood"], 0.3)
    scene.set_time(step=TICK)
    return scene


def weight():
    """N, of the block with the scene's density."""
    return DENSITY * SIZE**3 * 9.81


def grasp(rollout):
    """One grasp; how high the block came, and how hard the fingers pressed."""
    simulation = rollout.simulation
    start, force = simulation.report.bodies["block"].centre[2], 0.0
    for tick in range(70):
        pairs = simulation.report.pairs
        force = (pairs["block|left"].normal_force + pairs["block|right"].normal_force) / 2
        closing = float(np.clip(GAIN * (FORCE - force), -FASTEST, FASTEST)) if force else FASTEST / 2
        lifting = LIFT if tick >= 40 else 0.0
        simulation.move("left", [closing, 0, lifting])
        simulation.move("right", [-closing, 0, lifting])
        simulation.step(TICK)
    lifted = simulation.report.bodies["block"].centre[2] - start
    return {"lifted": lifted, "force": force}


def spread(count):
    """What differs from grasp to grasp: evenly spread friction, the rest at random."""
    return {"friction[0].dynamic": list(np.linspace(0.1, 0.9, count)),
            "materials.foam.young": lambda random: random.uniform(30e3, 60e3),
            "bodies.block.translate": lambda random: [random.uniform(-1e-3, 1e-3), 0, SIZE / 2 + 1e-4]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--edge", type=float, default=0.9, help="of the block's tets, cm")
    parser.add_argument("--method", default="fork")
    parser.add_argument("--out", default="grasps.svg")
    given = parser.parse_args()

    rollouts = stiction.Rollouts(build(given.edge / 100), spread(given.count), given.workers,
                                 seed=1, method=given.method)
    found = rollouts.run(grasp, progress=lambda now: print(f"\r{now.done} of {now.count}", end=""))
    print()
    for error in filter(None, found.errors):
        print(error)
    friction = found.variations["friction[0].dynamic"]
    held = found["lifted"] > 0.02
    print(f"{np.count_nonzero(held)} of {len(rollouts)} held; the least friction that held: "
          f"{friction[held].min():.2f}; m g / 2 F = {weight() / 2 / FORCE:.2f}")
    limit = weight() / 2 / FORCE
    stiction.plot({"grasps": (friction, 1000 * found["lifted"], "marks"),
                   "m g / 2 F": ([limit, limit], [0, 30], "reference")}, given.out,
                  title="How far the block came with the fingers", x="coefficient of friction μ",
                  y="lifted (mm)")
    print(f"drawn in {given.out}")


if __name__ == "__main__":
    main()
