#!/usr/bin/env python3
"""How hard must two pads press to just hold a block? Found by bisection on how far they close, and
compared with m g / 2μ.

    python3 examples/python/tune_grip.py [--friction 0.5] [--trials 12]
"""

import argparse

import stiction
from stiction import obstacles, shapes

SIZE, DENSITY, GRAVITY = 0.1, 1000.0, 9.81
CLOSING, HOLDING = 0.1, 0.8  # s: the pads close while the block stands on a floor, which then sinks
SINKING = 0.01  # m/s, slow enough for the pads to take the weight over without a jolt


def build(friction):
    scene = stiction.Scene()
    scene.add_material("foam", young="50 kPa", poisson=0, density=DENSITY)
    scene.add_body("block", shapes.box(size_x=SIZE, size_y=SIZE, size_z=SIZE, edge=SIZE / 2))
    pad = obstacles.box(size_x=0.02, size_y=2 * SIZE, size_z=2 * SIZE)
    scene.add_obstacle("left", pad, translate=[-SIZE / 2 - 0.0102, 0, 0], material="pad")
    scene.add_obstacle("right", pad, translate=[SIZE / 2 + 0.0102, 0, 0], material="pad")
    scene.add_obstacle("floor", obstacles.half_space(), translate=[0, 0, -SIZE / 2 - 0.0001],
                       material="ice")
    scene.add_friction(["foam", "pad"], friction)
    scene.add_friction(["foam", "ice"], 0)
    scene.set_time(CLOSING + HOLDING, step="5 ms")
    return scene


def grip(scene, squeeze):
    """Lets the pads close by `squeeze` (m) each, then lets the floor sink. Returns the force of a
    pad (N) and how fast the block sinks at the end (m/s)."""
    simulation = stiction.Simulation(scene)
    closed = lambda time: squeeze * min(time / CLOSING, 1.0)
    simulation.set_motion("left", lambda time: [closed(time), 0, 0])
    simulation.set_motion("right", lambda time: [-closed(time), 0, 0])
    simulation.set_motion("floor", lambda time: [0, 0, -SINKING * max(time - CLOSING, 0.0)])
    for report in simulation:
        pass
    force = (report.pairs["block|left"].normal_force + report.pairs["block|right"].normal_force) / 2
    mass = DENSITY * SIZE**3
    return force, -report.momentum[2] / mass


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--friction", type=float, default=0.5)
    parser.add_argument("--trials", type=int, default=12)
    given = parser.parse_args()

    scene = build(given.friction)
    low, high, least = 0.0, 0.01, None
    print("squeeze (mm)   force (N)   speed (mm/s)")
    for _ in range(given.trials):
        squeeze = (low + high) / 2
        force, speed = grip(scene, squeeze)
        holds = speed < 1e-3
        print(f"{1000 * squeeze:10.3f}   {force:9.3f}   {1000 * speed:10.2f}   "
              f"{'holds' if holds else 'falls'}")
        if holds:
            high, least = squeeze, force
        else:
            low = squeeze
    if least is None:
        raise SystemExit("the block fell from every grip")
    expected = DENSITY * SIZE**3 * GRAVITY / (2 * given.friction)
    print(f"just holds at {least:.3f} N; m g / 2μ = {expected:.3f} N")


if __name__ == "__main__":
    main()
