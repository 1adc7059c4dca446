#!/usr/bin/env python3
"""32 rollouts from one state in a pool of processes: which push brings a block closest to a line?

    python3 examples/python/rollouts.py [--rollouts 32] [--processes 2]
"""

import argparse
import multiprocessing

import numpy as np

import stiction
from push_env import build

GOAL = 0.12  # m


def rollout(task):
    """Pushes for 0.2 s at one speed, waits for the block to rest, and tells where it is."""
    scene, state, speed = task
    with stiction.Simulation(scene) as simulation:
        simulation.restore(state)
        simulation.move("wall", [speed, 0, 0])
        simulation.step(0.2)
        simulation.move("wall", [-speed, 0, 0])
        simulation.step(0.3)
        return float(simulation.report.bodies["block"].centre[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rollouts", type=int, default=32)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    scene = build()
    with stiction.Simulation(scene) as simulation:
        simulation.step(0.05)  # let it settle
        state = simulation.save()
    speeds = np.linspace(0.1, 0.8, given.rollouts)
    with multiprocessing.Pool(given.processes) as pool:
        places = pool.map(rollout, [(scene, state, float(speed)) for speed in speeds])
    best = int(np.argmin(np.abs(np.subtract(places, GOAL))))
    print(f"{len(places)} rollouts; best: {speeds[best]:.3f} m/s, block at {places[best]:.4f} m")


if __name__ == "__main__":
    main()
