#!/usr/bin/env python3
"""32 rollouts from one state, several at once: which push brings a block closest to a line?

    python3 examples/python/rollouts.py [--rollouts 32] [--workers 2]
"""

import argparse

import numpy as np

import stiction
from push_env import build

GOAL = 0.12  # m


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rollouts", type=int, default=32)
    parser.add_argument("--workers", type=int)
    given = parser.parse_args()
    scene = build()
    with stiction.Simulation(scene) as simulation:
        simulation.step(0.05)  # let it settle
        state = simulation.save()
    speeds = np.linspace(0.1, 0.8, given.rollouts)

    def push(rollout):
        """Pushes for 0.2 s at one speed, waits for the block to rest, and tells where it is."""
        simulation, speed = rollout.simulation, speeds[rollout.index]
        simulation.restore(state)
        simulation.move("wall", [speed, 0, 0])
        simulation.step(0.2)
        simulation.move("wall", [-speed, 0, 0])
        simulation.step(0.3)
        return {"place": simulation.report.bodies["block"].centre[0]}

    found = stiction.Rollouts(scene, {}, given.workers, count=given.rollouts).run(push)
    best = int(np.nanargmin(np.abs(found["place"] - GOAL)))
    print(f"{len(speeds)} rollouts; best: {speeds[best]:.3f} m/s, block at "
          f"{found['place'][best]:.4f} m")


if __name__ == "__main__":
    main()
